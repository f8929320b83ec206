import Foundation
import TestSupport
import Testing

/// What verbs write to a file is there whole, or not at all.
@Suite(.gated) struct OutputTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.values(in: folder)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  @Test(arguments: [
    ["rows", "things"], ["query", "SELECT * FROM things"], ["counts", "things", "name"], ["profile", "things"], ["search", "it"],
    ["tables"], ["check"], ["group", "things", "--by", "name"],
    ["chart", "SELECT name, size FROM things WHERE size < 5"], ["dump"],
  ])
  func `each verb that prints writes the same to a file`(words: [String]) throws {
    let arguments = [words[0], file] + words.dropFirst()
    let printed = try BuiltProgram.run(BuiltProgram.url, arguments)
    #expect(printed.status == 0 && !printed.output.isEmpty)
    let written = try BuiltProgram.run(BuiltProgram.url, arguments + ["--output", folder.path("out")])
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.output.isEmpty)
    #expect(try text("out") == printed.text)
    #expect(try BuiltProgram.run(BuiltProgram.url, arguments + ["-o", "-"]).text == printed.text)
  }

  @Test(arguments: [
    ("out.json", [], "[{\"id\":1,"), ("out.HTML", [], "<table>"), ("out.md", [], "| id |"), ("out.sql", [], "INSERT INTO"),
    ("out", [], "id,"),
    ("out.json", ["--format", "tsv"], "id\t"),
  ])
  func `the ending of the path says the format where no other is asked for`(name: String, options: [String], beginning: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["rows", file, "things", "-o", folder.path(name)] + options)
    #expect(outcome.status == 0)
    #expect(try text(name).hasPrefix(beginning))
  }

  @Test func `what cannot be written is refused with a way out, and nothing is touched`() throws {
    let before = try folder.contents()
    func refusal(_ path: String) throws -> String {
      let outcome = try BuiltProgram.run("rows", file, "things", "-o", path)
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
      return outcome.errors
    }
    #expect(try refusal(file).contains("belongs to the database that is read: name another file"))
    #expect(try refusal(file + "-wal").contains("belongs to the database that is read: name another file"))
    #expect(try refusal(file + "-journal").contains("belongs to the database that is read: name another file"))
    #expect(try refusal(folder.path).contains("is a folder: name a file in it"))
    #expect(try refusal(folder.path("none/out.csv")).contains("does not exist: create it, or name another file"))
    #expect(try folder.contents() == before)
  }

  @Test func `a query that fails leaves the file that was there`() throws {
    _ = try folder.write(Data("old".utf8), to: "out.csv")
    let outcome = try BuiltProgram.run(
      "query", file, "SELECT * FROM things; SELECT abs(-9223372036854775808)", "-o", folder.path("out.csv"))
    #expect(outcome.status == 1)
    #expect(try text("out.csv") == "old")
    #expect(try folder.contents().keys.sorted() == ["out.csv", "test.db"])
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a disk that is full is told`() throws {
    let outcome = try BuiltProgram.run("rows", file, "things", "-o", "/dev/full")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == "quarry: “/dev/full” cannot be written: the disk is full, and nothing there was changed. "
        + "Free space, or name a file on another disk.\n")
  }

  /// Rows without an end, a line each.
  private static let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/io")), arguments: [SIGINT, SIGTERM, SIGKILL])
  func `a program that is stopped leaves no half file`(signal: Int32) throws {
    _ = try folder.write(Data("old".utf8), to: "old.csv")
    for name in ["old.csv", "new.csv"] {
      let process = try BuiltProgram.start(
        ["query", file, Self.endless, "-o", folder.path(name)],
        home: folder.path)
      try waitUntilWriting(process.identifier)
      process.send(signal)
      #expect(process.wait() == (signal == SIGINT ? .exit(130) : .signal(signal)))
    }
    #expect(try folder.contents().mapValues(\.count)["old.csv"] == 3)
    #expect(try folder.contents().keys.sorted() == ["old.csv", "test.db"])
  }

  /// Waits until a program has written a megabyte to files.
  private func waitUntilWriting(_ identifier: pid_t) throws {
    try Waiting.wait(for: "something to be written") {
      let counts = (try? String(contentsOfFile: "/proc/\(identifier)/io", encoding: .utf8)) ?? ""
      let written = counts.split(separator: "\n").first { $0.hasPrefix("wchar: ") }.flatMap { Int($0.dropFirst("wchar: ".count)) } ?? 0
      return written > 1_000_000
    }
  }
}

@Suite(.gated) struct DumpVerbTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.values(in: folder)
  }

  /// Loads SQL by the sqlite3 shell; returns the new database.
  private func load(_ sql: String, as name: String) throws -> String {
    let shell = try #require(Fixtures.shell)
    let outcome = try BuiltProgram.run(shell, ["-bail", folder.path(name)], input: sql)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return folder.path(name)
  }

  /// Returns what the shell's own dump says of a database, which tells all but the last digits of reals.
  private func shellDump(_ path: String) throws -> String {
    try BuiltProgram.run(#require(Fixtures.shell), [path, ".dump"]).text
  }

  @Test(.enabled(if: Fixtures.shell != nil))
  func `the shell makes the same database of a dump`() throws {
    let copy = try load(try BuiltProgram.run("dump", file).text, as: "copy.db")
    #expect(try shellDump(copy) == shellDump(file))
  }

  /// Expects a dump of a database to make the same one, by the shell's sums of all rows and of the schema, and by its own dump, which also
  /// tells the order of the tables.
  private func expectSame(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let name = "\(UUID().uuidString).db"
    defer { try? FileManager.default.removeItem(atPath: folder.path(name)) }
    let copy = try load(try BuiltProgram.run("dump", path).text, as: name)
    #expect(try sums(copy) == sums(path), sourceLocation: sourceLocation)
    #expect(try shellDump(copy) == shellDump(path), sourceLocation: sourceLocation)
  }

  private func sums(_ path: String) throws -> String {
    let commands = [
      ".sha3sum --sha3-256", ".sha3sum --schema", "PRAGMA user_version", "PRAGMA application_id", "PRAGMA encoding",
      "PRAGMA integrity_check", "SELECT * FROM sqlite_sequence ORDER BY name",
    ]
    let sums = try commands.map { try BuiltProgram.run(#require(Fixtures.shell), ["-batch", path, $0]).text }.joined()
    // Views come after all tables, as in the shell's dump.
    let schema = try BuiltProgram.run(#require(Fixtures.shell), ["-batch", path, ".schema"]).text
    return sums + schema.split(separator: "\n").sorted().joined(separator: "\n")
  }

  @Test(.enabled(if: Fixtures.shell != nil && sharedData != nil), arguments: sharedDatabases)
  func `the shell makes the same databases of dumps of those that nobody here wrote`(path: String) throws {
    try expectSame(path)
  }

  @Test(.enabled(if: Fixtures.shell != nil))
  func `the shell makes the same databases of dumps of random ones`() throws {
    var random = SplitMix(seed: UInt64.random(in: 0 ... .max))
    for round in 0..<testRounds(6) {
      print("a random database is dumped: seed \(random.seed)")
      try expectSame(Fixtures.database("random\(round).db", in: folder, isDefensive: false, RandomSchema.database(&random)))
    }
  }

  @Test(.enabled(if: Fixtures.shell != nil))
  func `a table with its schema is a script that makes it in another database`() throws {
    let path = try Fixtures.database(
      "whole.db", in: folder, "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b AS (a || 'x'))", "CREATE INDEX i ON t(a)",
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t WHERE id = new.id; END -- comment", "DROP TRIGGER r",
      "INSERT INTO t(a) VALUES ('one'), ('two')", "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t WHERE id = new.id; END")
    let script = try BuiltProgram.run("rows", path, "t", "--schema", "--format", "sql").text
    let copy = try load(script, as: "copy.db")
    #expect(try shellDump(copy) == shellDump(path))
  }

  @Test func `the schema goes with SQL of a table alone`() throws {
    let csv = try BuiltProgram.run("rows", file, "things", "--schema")
    #expect(csv.status == 2 && csv.errors.contains("--schema needs --format sql"))
    let view = try BuiltProgram.run("rows", file, "names", "--schema", "--format", "sql")
    #expect(view.status == 2 && view.errors.contains("is a view") && view.output.isEmpty)
  }

  @Test func `a table that is not there is told before anything is written`() throws {
    let outcome = try BuiltProgram.run("dump", file, "thing", "-o", folder.path("out.sql"))
    #expect(outcome.status == 1 && outcome.errors.contains("did you mean things?"))
    #expect(try folder.contents().keys.sorted() == ["test.db"])
  }

  @Test func `an interrupt ends a dump whose reader reads no further`() throws {
    let path = try Fixtures.database(
      "long.db", in: folder, "CREATE TABLE t(a)",
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000) INSERT INTO t SELECT hex(zeroblob(50)) FROM n")
    let process = try BuiltProgram.start(["dump", path], home: folder.path, output: .pipe)
    // It has begun to write, and there is more than a pipe holds.
    #expect(process.output?.availableData.isEmpty == false)
    process.send(SIGINT)
    #expect(process.wait() == .exit(130))
  }

  @Test func `a dump tells at the terminal how far it has come`() throws {
    let rows = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500) SELECT x, hex(zeroblob(500)) FROM n"
    let tables = (1...40).map { "CREATE TABLE t\($0)(id INTEGER PRIMARY KEY, a); INSERT INTO t\($0) \(rows)" }
    let path = try Fixtures.database("long.db", in: folder, tables.joined(separator: ";\n"))
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let session = try TerminalSession("dump", path, "-o", pipe, showsErrors: true)
    // The dump is 20 MB long, and goes on no faster than it is read.
    var room = [UInt8](repeating: 0, count: 1 << 16)
    try session.wait(
      until: {
        while read(reader, &room, room.count) > 0 {}
        return try session.output.contains(/dumping: \d+ % read.*\(\^C stops that\)/)
      }, "the progress to be told")
    try session.press("C-c")
    try session.waitForEnd()
    #expect(try session.exitStatus() == 130)
  }

  @Test func `a reader that has had enough ends the dump quietly`() throws {
    let outcome = try BuiltProgram.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", "\"$0\" dump \"$1\" | head -n 1", BuiltProgram.url.path, file])
    #expect(outcome.text == "PRAGMA foreign_keys=OFF;\n")
    #expect(outcome.errors.isEmpty)
  }
}

@Suite(.gated) struct BackupVerbTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.values(in: folder)
  }

  @Test func `a copy is the same file, and what is there is replaced only by force`() throws {
    let copy = folder.path("copy.db")
    let first = try BuiltProgram.run("backup", file, copy)
    #expect(first.status == 0 && first.errors.isEmpty)
    #expect(first.text.hasPrefix("copied ") && first.text.hasSuffix(" to \(copy)\n"))
    #expect(try BuiltProgram.run("dump", copy).text == BuiltProgram.run("dump", file).text)
    let second = try BuiltProgram.run("backup", file, copy)
    #expect(
      second.status == 2 && second.errors.contains("already exists: name another file, or remove it first, or replace it with --force"))
    #expect(try BuiltProgram.run("backup", file, copy, "--force").status == 0)
    #expect(try folder.contents().keys.sorted() == ["copy.db", "test.db"])
  }

  @Test func `a database is not copied over itself`() throws {
    let before = try folder.contents()
    let outcome = try BuiltProgram.run("backup", file, file, "--force")
    #expect(outcome.status == 2 && outcome.errors.contains("belongs to the database that is read: name another file"))
    #expect(try BuiltProgram.run("backup", folder.path("none.db"), folder.path("copy.db")).status == 3)
    #expect(try folder.contents() == before)
  }
}
