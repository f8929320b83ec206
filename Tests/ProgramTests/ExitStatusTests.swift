import Foundation
import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct ExitStatusTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.values(in: folder)
  }

  @Test(arguments: [
    ["--version"], ["--help"], ["-h"], ["help", "rows"], ["rows", "--help"], ["rows", "-h"], ["--generate-completion-script", "bash"],
  ])
  func `what is asked for is printed`(arguments: [String]) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, arguments)
    #expect(outcome.status == 0)
    #expect(!outcome.output.isEmpty)
    #expect(outcome.errors.isEmpty)
  }

  @Test func `help names the verbs and the options of the full screen`() throws {
    let help = try BuiltProgram.run("--help").text
    for word in ["tables", "schema", "rows", "query", "themes", "keys", "config", "--demo", "--read-only", "--no-mouse"] {
      #expect(help.contains(word))
    }
  }

  @Test(
    arguments: [
      (["rows"], "Missing expected argument"),
      (["rows", "F", "things", "--limt", "1"], "--limt"),
      (["rows", "F", "things", "-where", "id = 1"], "Unknown option '-where'. Did you mean '--where'?"),
      (["rows", "F", "things", "--sort", "-height", "-where=id = 1"], "Unknown option '-where'. Did you mean '--where'?"),
      (["query", "F", "-hx"], "Unknown option '-hx'."),
      (["-hx"], "Unknown option '-hx'."),
      (["rows", "F", "things", "--limit", "-1"], "'-1' is invalid for '--limit <n>': give a whole number from 0"),
      (["rows", "F", "things", "--offset", "-1"], "'-1' is invalid for '--offset <n>': give a whole number from 0"),
      (["rows", "F", "things", "--limit", "x"], "'x' is invalid for '--limit <n>': give a whole number from 0"),
      (["rows", "F", "things", "--limit", "1.5"], "give a whole number from 0"),
      (["rows", "F", "things", "--format", "xml"], "xml"),
      (["rows", "F", "things", "-csv", "-json"], "one format"),
      (["rows", "F", "things", "--columns", "nmae"], "did you mean name?"),
      (["rows", "F", "things", "--columns", ","], "--columns"),
      (["query", "F", "SELECT 1", "-f", "x.sql"], "not both"),
      (["query", "F", "-f", "/no/such.sql"], "/no/such.sql"),
      (["query", "F", "SELECT :min"], "-p min="),
      (["--demo", "F"], "--demo"),
      ([], "quarry --demo"),
      (["F"], "terminal"),
      (Array(repeating: "F", count: 12), "11 databases"),
    ] as [([String], String)])
  func `a wrong command line is status 2, with a word on what is wrong`(arguments: [String], word: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, arguments.map { $0 == "F" ? file : $0 })
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(word))
    #expect(outcome.output.isEmpty)
  }

  @Test(
    arguments: [
      (["rows", "F", "thing"], "no such table: thing; did you mean things?"),
      (["rows", "F", "xyz"], "quarry tables"),
      (["schema", "F", "thinks"], "did you mean things?"),
      (["query", "F", "SELECT nam FROM things"], "line 1: SELECT nam FROM"),
      (["query", "F", "INSERT INTO things(id) VALUES (1)"], "UNIQUE constraint failed: things.id"),
      (["query", "F", "DELETE FROM things", "--read-only"], "nothing can be written: leave out --read-only"),
      (["query", "F", "DELETE FROM things", "-readonly"], "nothing can be written: leave out --read-only"),
      (["query", "F", "DELETE FROM things", "--immutable"], "nothing can be written: leave out --immutable"),
      (["query", "F", "BEGIN; DELETE FROM things"], "COMMIT"),
    ] as [([String], String)])
  func `a refusal of the database is status 1`(arguments: [String], word: String) throws {
    let before = try folder.contents()
    let outcome = try BuiltProgram.run(BuiltProgram.url, arguments.map { $0 == "F" ? file : $0 })
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(word))
    #expect(try folder.contents() == before)
  }

  @Test func `an error of SQL has a mark under its place`() throws {
    let outcome = try BuiltProgram.run("query", file, "SELECT 1;\nSELECT * FORM things")
    #expect(outcome.text == "1\n1\n")
    #expect(outcome.errors == "quarry: near \"FORM\": syntax error\n  line 2: SELECT * FORM things\n                   ^\n")
  }

  @Test func `a statement that fails while it runs is told by its number and its line`() throws {
    let folder = try TemporaryFolder()
    let path = try Fixtures.database(in: folder, "CREATE TABLE t(a UNIQUE)")
    let script = "INSERT INTO t VALUES (1);\n-- again\nINSERT INTO t VALUES (2);\n\n  -- once more\n  INSERT INTO t VALUES (1); SELECT 1"
    let outcome = try BuiltProgram.run("query", path, script)
    #expect(outcome.status == 1)
    // The statements before it stay committed, which is reported first.
    #expect(outcome.errors.hasPrefix("quarry: t: 2 new rows, in 2 commits. `quarry undo "))
    #expect(
      outcome.errors.hasSuffix(
        """
        quarry: UNIQUE constraint failed: t.a, in statement 3 of 4
          line 6:   INSERT INTO t VALUES (1); SELECT 1
                    ^

        """), "\(outcome.errors)")
    #expect(
      try BuiltProgram.run("query", path, "INSERT INTO t VALUES (1)").errors.hasPrefix("quarry: UNIQUE constraint failed: t.a\n  line 1:"))
  }

  @Test func `an interrupt stops a statement that would never end`() throws {
    let run = try EndlessQuery(file: file)
    run.process.send(SIGINT)
    #expect(try run.drain() == .exit(130))
    #expect(run.errors.isEmpty)
  }

  @Test func `statements after one whose reader has had enough run all the same`() throws {
    let rows = EndlessQuery.rows
    let run = try EndlessQuery(
      file: file, sql: "\(rows); INSERT INTO blank VALUES (1, 2) RETURNING a; \(rows); INSERT INTO blank VALUES (3, 4)")
    #expect(try run.close() == .exit(0))
    #expect(run.errors.hasPrefix("quarry: blank: 2 new rows, in 2 commits."), "\(run.errors)")
    #expect(try BuiltProgram.run("rows", file, "blank").text == "a,b\n1,2\n3,4\n")
  }

  @Test func `an INSERT whose own rows nobody reads inserts all of its rows once`() throws {
    let run = try EndlessQuery(file: file, sql: "INSERT INTO blank(a) \(EndlessQuery.rows) LIMIT 200000 RETURNING a")
    #expect(try run.close() == .exit(0))
    #expect(try BuiltProgram.run("query", file, "SELECT count(*), sum(a) FROM blank").text == "count(*),sum(a)\n200000,20000100000\n")
  }

  @Test func `an error after the reader has had enough is told`() throws {
    let run = try EndlessQuery(file: file, sql: EndlessQuery.rows + "; INSERT INTO things(id) VALUES (1)")
    #expect(try run.close() == .exit(1))
    #expect(run.errors.contains("UNIQUE constraint failed"))
  }

  @Test func `a reader that has had enough ends the program quietly`() throws {
    let run = try EndlessQuery(file: file)
    #expect(try run.close() == .exit(0))
    #expect(run.errors.isEmpty)
  }
}

/// A query that prints rows for ever, and has begun to.
private final class EndlessQuery {
  let process: ChildProcess
  private let output: FileHandle
  private let folder: TemporaryFolder

  /// Rows for ever.
  static let rows = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"

  init(file: String, sql: String = EndlessQuery.rows) throws {
    folder = try TemporaryFolder()
    process = try BuiltProgram.start(["query", file, sql], home: folder.path, output: .pipe, errors: .file(folder.path("errors")))
    output = try #require(process.output)
    _ = output.availableData
  }

  var errors: String { (try? String(contentsOfFile: folder.path("errors"), encoding: .utf8)) ?? "" }

  /// Reads to the end.
  func drain() throws -> ChildProcess.Ending {
    _ = try output.readToEnd()
    return process.wait()
  }

  /// Closes the pipe.
  func close() throws -> ChildProcess.Ending {
    try output.close()
    return process.wait()
  }
}

/// Runs the program with too low a limit, and expects a sentence about it.
@Suite(.gated) struct LowLimitTests {
  private func run(_ limit: String, _ arguments: String...) throws -> BuiltProgram.Outcome {
    let shell = URL(fileURLWithPath: "/bin/sh")
    return try BuiltProgram.run(shell, ["-c", "ulimit \(limit) && exec \"$0\" \"$@\"", BuiltProgram.url.path] + arguments)
  }

  @Test(arguments: [9, 11, 12, 16, 20, 24])
  func `too few descriptors for the full screen`(_ number: Int) throws {
    let outcome = try run("-n \(number)", "--demo")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("quarry: the full screen opens up to"), "\(outcome.errors)")
  }

  @Test func `an import that the disk has no room for leaves the database as it was, and no journal beside it`() throws {
    let folder = try TemporaryFolder()
    let (database, source) = (folder.path("app.db"), folder.path("rows.csv"))
    try DatabaseQueue(path: database).write { try $0.execute(sql: "CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2)") }
    let before = try Data(contentsOf: URL(fileURLWithPath: database))
    let lines = (1...60_000).map { "\($0),a text that takes some room in the file of the database\n" }
    try Data(("a,b\n" + lines.joined()).utf8).write(to: URL(fileURLWithPath: source))
    // Of 512 bytes, as POSIX has it.
    let outcome = try run("-f 2000", "import", database, "t", source, "--no-changes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("“\(database)”") && outcome.errors.contains("ulimit -f unlimited"), "\(outcome.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
    #expect(!FileManager.default.fileExists(atPath: database + "-journal"))
  }

  #if os(Linux)
    @Test(arguments: [200, 300, 400, 500, 600])
    func `too few addresses for the full screen`(_ megabytes: Int) throws {
      let outcome = try run("-v \(megabytes << 10)", "--demo")
      #expect(outcome.status == 1)
      #expect(outcome.errors.hasPrefix("quarry: the full screen reserves up to"), "\(outcome.errors)")
    }
  #endif
}
