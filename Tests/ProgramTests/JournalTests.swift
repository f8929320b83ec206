import Foundation
import QuarryEngine
import TestSupport
import Testing

/// Files that a program left in the midst of a change, and programs that are stopped in one.
@Suite(.gated) struct JournalTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try makeDatabaseWithHotJournal(in: folder.url)
  }

  private var hasJournal: Bool { FileManager.default.fileExists(atPath: path + "-journal") }

  @Test(arguments: [["tables"], ["schema"], ["check"], ["rows", "t"], ["query", "SELECT count(*) FROM t WHERE a = 0"]])
  func `a verb undoes what was left half done, and tells it`(_ words: [String]) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, [words[0], path] + words.dropFirst())
    #expect(outcome.status == 0, "\(outcome.errors)")
    let rolledBack = "“\(path)” had an unfinished transaction from a crash. SQLite rolled it back using “\(path)-journal”."
    #expect(outcome.errors == "quarry: \(rolledBack)\n")
    #expect(!hasJournal)
    #expect(try BuiltProgram.run("query", path, "SELECT sum(a), count(*) FROM t").text == "sum(a),count(*)\n0,2000\n")
  }

  @Test func `options that forbid to write explain, and change nothing`() throws {
    let before = try folder.contents()
    for option in ["--read-only", "--immutable"] {
      let outcome = try BuiltProgram.run("rows", path, "t", option)
      #expect(outcome.status == 3)
      #expect(outcome.output.isEmpty)
      #expect(
        outcome.errors.contains("“\(path)-journal”") && outcome.errors.lowercased().contains("leave out \(option)"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("open a copy"))
    }
    #expect(try folder.contents() == before)
  }

  @Test func `the screen asks before it undoes the change, and without a yes the file stays as it is`() throws {
    let before = try folder.contents()
    let refused = try TerminalSession(path, "-t", "t")
    try refused.wait(for: "[y/n]")
    // The terminal cuts the sentence anywhere, and a blank at the end of a line cannot be told from none.
    let question = try refused.screen
    #expect(question.filter { !$0.isWhitespace }.contains("hasanunfinishedtransaction"), "\(question)")
    try refused.press("n", "Enter")
    try refused.waitForEnd()
    #expect(try refused.exitStatus() == 3)
    #expect(try folder.contents() == before)
    let accepted = try TerminalSession(path, "-t", "t")
    try accepted.wait(for: "[y/n]")
    try accepted.press("y", "Enter")
    try accepted.wait(for: "row 1 of 2,000")
    #expect(!hasJournal)
    try accepted.press("C-q")
    try accepted.waitForEnd()
  }

  /// Several rounds, since every other signal comes just before the last statement begins.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], 1...5)
  func `a write that is stopped by a signal is rolled back, and leaves no journal`(_ signal: Int32, round: Int) throws {
    let file = try Fixtures.database(
      "written.db", in: folder, "CREATE TABLE n(x, filler)",
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000) INSERT INTO n SELECT x, hex(zeroblob(100)) FROM n")
    let sql = """
      PRAGMA cache_size = 2; BEGIN; UPDATE n SET x = -x; SELECT 'written';
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n;
      """
    let process = try BuiltProgram.start(["query", file, sql], home: folder.path, output: .pipe)
    let output = try #require(process.output)
    var seen = Data()
    while !seen.contains(Data("written\n".utf8)) {
      let more = output.availableData
      try #require(!more.isEmpty)
      seen += more
    }
    #expect(FileManager.default.fileExists(atPath: file + "-journal"))
    process.send(signal)
    let ending = process.wait()
    #expect(!FileManager.default.fileExists(atPath: file + "-journal"))
    #expect(try BuiltProgram.run("query", file, "SELECT count(*) FROM n WHERE x < 0").text == "count(*)\n0\n")
    #expect(ending == (signal == SIGINT ? .exit(130) : .signal(signal)))
  }

  @Test func `a write to a reader that takes nothing more is ended by SIGTERM`() throws {
    let sql = "BEGIN; UPDATE t SET a = 2; WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
    let process = try BuiltProgram.start(["query", path, sql], home: folder.path, output: .pipe)
    let output = try #require(process.output)
    _ = output.availableData
    process.send(SIGTERM)
    _ = try output.readToEnd()
    #expect(process.wait() == .signal(SIGTERM))
    #expect(!hasJournal)
  }

  @Test(arguments: [[], ["--where", "a % 2 = 1"], ["--columns", "a,length(b)"]])
  func `rows that nobody takes from the pipe keep no other program from writing`(_ options: [String]) throws {
    let rowCount = 100_000
    let path = try Fixtures.database(
      "long.db", in: folder, "CREATE TABLE t(a INTEGER PRIMARY KEY, b)",
      "WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(rowCount)) INSERT INTO t SELECT x, hex(zeroblob(40)) FROM n")
    let process = try BuiltProgram.start(["rows", path, "t"] + options, home: folder.path, output: .pipe, errors: .pipe)
    let output = try #require(process.output)
    var printed = output.availableData
    var configuration = Configuration()
    configuration.busyTimeout = .seconds(60)
    let writer = try DatabaseQueue(path: path, configuration: configuration)
    // The pipe holds less than all rows: the program has not ended.
    try writer.write { db in try db.execute(sql: "INSERT INTO t VALUES (\(rowCount + 1), 'new')") }
    printed += output.readDataToEndOfFile()
    let errors = try #require(process.errors).readDataToEndOfFile()
    #expect(process.wait() == .exit(0))
    let lines = String(decoding: printed, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 1 + (options.contains("--where") ? rowCount / 2 : rowCount) + 1)
    #expect(String(decoding: errors, as: UTF8.self).contains("the result may be inconsistent"))
  }
}
