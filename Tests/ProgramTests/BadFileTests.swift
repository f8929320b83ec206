import Foundation
import QuarryEngine
import TestSupport
import Testing

/// Files that are not what they should be: each has a message, and is left as it was, with nothing beside it.
@Suite(.gated) struct BadFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func expect(
    _ arguments: String..., status: Int32, message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.contents()
    let outcome = try BuiltProgram.run(BuiltProgram.url, arguments)
    #expect(outcome.status == status, sourceLocation: sourceLocation)
    #expect(outcome.errors.contains(message), "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(try folder.contents() == before, sourceLocation: sourceLocation)
  }

  @Test func `a file that is not there is not made`() throws {
    try expect("tables", folder.path("none.db"), status: 3, message: "There is no file")
    try expect("query", folder.path("none.db"), "CREATE TABLE t(a)", status: 3, message: "There is no file")
  }

  @Test func `a misspelt verb is taken for no path that is to be checked`() throws {
    try expect("table", folder.path("none.db"), status: 3, message: "There is no file “table”. Did you mean quarry tables?")
  }

  @Test(arguments: [[], ["--quick"]])
  func `a verb that does not exist is taken for no file`(_ options: [String]) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["inspect", folder.path("none.db")] + options)
    #expect(outcome.status == 2 && outcome.text.isEmpty)
    #expect(outcome.errors == "quarry: There is no verb “inspect”, and no file of that name. `quarry --help` lists the verbs.\n")
  }

  @Test func `a misspelt file is answered with the one of a name like it`() throws {
    let path = try Fixtures.database("chinook.db", in: folder, "CREATE TABLE t(a)")
    try expect("tables", folder.path("chinok.db"), status: 3, message: "Check the path. Did you mean “\(path)”?")
  }

  @Test func `a folder is no database`() throws {
    try expect("tables", folder.path, status: 3, message: "folder")
  }

  @Test func `noise is no database`() throws {
    let noise = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 41) })
    let file = try folder.write(noise, to: "data")
    try expect("tables", file.path, status: 3, message: "not an SQLite database, or it is encrypted")
  }

  @Test func `a truncated database says how much is missing`() throws {
    let path = try large()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    _ = try folder.write(whole.prefix(whole.count / 2), to: "half.db")
    try expect(
      "query", folder.path("half.db"), "SELECT count(*) FROM numbers", status: 3,
      message: "\(whole.count - whole.count / 2) bytes are missing")
  }

  @Test func `damage that is met on the way is told after the rows before it`() throws {
    let path = try large()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(bytes.count / 2..<bytes.count / 2 + 8192, with: Data(repeating: 0xff, count: 8192))
    try bytes.write(to: URL(fileURLWithPath: path))
    try expect("rows", path, "numbers", status: 1, message: "malformed")
    let rows = try BuiltProgram.run("rows", path, "numbers").text.split(separator: "\n").dropFirst()
    #expect(rows.first?.hasPrefix("1,") == true)
    #expect(rows.count < 20_000)
  }

  @Test func `a table whose rows cannot be read is listed, and the damage is reported`() throws {
    let path = try large()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xff, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: path))
    try expect("tables", path, status: 1, message: "the rows of “numbers” cannot be counted: ")
    #expect(try BuiltProgram.run("tables", path).text == "name,kind,columns,rows\nnumbers,table,2,\n")
  }

  @Test(arguments: [("csv", "a\n1\n"), ("json", "[{\"a\":1}"), ("table", "┌───┐\n│ a │\n├───┤\n│ 1 │\n└───┘\n")])
  func `an error in the midst of a result comes after the rows before it`(format: String, expected: String) throws {
    let sql = "SELECT 1 AS a UNION ALL SELECT abs(-9223372036854775807 - 1)"
    let outcome = try BuiltProgram.run("query", try large(), sql, "--format", format)
    #expect(outcome.text == expected)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("integer overflow"))
  }

  @Test func `an empty file is an empty database`() throws {
    let file = try folder.write(Data(), to: "empty.db")
    let outcome = try BuiltProgram.run("tables", file.path)
    #expect(outcome.status == 0)
    #expect(outcome.text == "name,kind,columns,rows\n")
    #expect(try Data(contentsOf: file).isEmpty)
  }

  @Test func `a locked database is waited for`() throws {
    let path = try Fixtures.values(in: folder)
    let lock = try DatabaseQueue(path: path)
    let process = try lock.withoutTransaction { db in
      try db.execute(sql: "BEGIN EXCLUSIVE")
      let process = try BuiltProgram.start(["rows", path, "blank"], home: folder.path, errors: .pipe)
      let errors = try #require(process.errors)
      let message = String(decoding: errors.availableData, as: UTF8.self)
      #expect(message.contains("is locked by another program; waiting"))
      try db.execute(sql: "COMMIT")
      return process
    }
    #expect(process.wait() == .exit(0))
  }

  @Test(arguments: [["query", "INSERT INTO t VALUES (1)"], ["undo"]])
  func `a lock against writing is waited for as long as is said`(_ words: [String]) throws {
    let path = try Fixtures.database(in: folder, "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
    // It is recorded, so that an undo has something to restore.
    _ = try BuiltProgram.run("query", path, "DELETE FROM t", environment: ["HOME": folder.path])
    let lock = try DatabaseQueue(path: path)
    let process = try lock.withoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      let process = try BuiltProgram.start([words[0], path] + words.dropFirst(), home: folder.path, errors: .pipe)
      let errors = try #require(process.errors)
      let message = String(decoding: errors.availableData, as: UTF8.self)
      #expect(message.contains("is locked by another program; waiting up to a minute (^C stops that)"))
      try db.execute(sql: "COMMIT")
      return process
    }
    #expect(process.wait() == .exit(0))
    let count = try lock.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
    #expect(count == 1)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file that may not be read says so`() throws {
    let path = try Fixtures.values(in: folder)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    try expect("tables", path, status: 3, message: "do not have permission to read")
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func `a WAL database in a folder that cannot be written needs --immutable`() throws {
    let path = try Fixtures.database(in: folder, "PRAGMA journal_mode = wal", "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
    try expect("rows", path, "t", status: 3, message: "--immutable")
    #expect(try BuiltProgram.run("rows", path, "t", "--immutable").text == "a\n1\n")
  }

  @Test func `reading a WAL database leaves nothing beside it`() throws {
    let path = try Fixtures.database(in: folder, "PRAGMA journal_mode = wal", "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
    let before = try folder.contents()["test.db"]
    #expect(try BuiltProgram.run("rows", path, "t").text == "a\n1\n")
    #expect(try folder.contents()["test.db"] == before)
    #expect(try BuiltProgram.run("rows", path, "t", "--immutable").text == "a\n1\n")
  }

  @Test func `a missing module and a broken view are told, and the rest goes on`() throws {
    let path = try Fixtures.database(
      in: folder, isDefensive: false, "CREATE TABLE good(a)", "INSERT INTO good VALUES (1)", "CREATE TABLE gone(a)",
      "CREATE VIEW broken AS SELECT a FROM gone", "PRAGMA writable_schema = on", "DELETE FROM sqlite_schema WHERE name = 'gone'",
      "INSERT INTO sqlite_schema VALUES ('table', 'strange', 'strange', 0, 'CREATE VIRTUAL TABLE strange USING nomodule(a)')")
    #expect(
      try BuiltProgram.run("tables", path).text
        == "name,kind,columns,rows\nbroken,view,,\ngood,table,1,1\nstrange,\"virtual (nomodule)\",,\n")
    #expect(try BuiltProgram.run("rows", path, "good").text == "a\n1\n")
    try expect("rows", path, "broken", status: 1, message: "no such table: main.gone")
    try expect("rows", path, "strange", status: 1, message: "no such module: nomodule")
  }

  @Test func `2,000 columns and a name that tries to break out are printed`() throws {
    let names = (1...2000).map { "c\($0)" }.joined(separator: ",")
    let path = try Fixtures.database(
      in: folder, "CREATE TABLE wide(\(names))", "INSERT INTO wide(c2000) VALUES (7)", "CREATE TABLE \"a\"\"b; drop\"(\"x\"\"y\")",
      "INSERT INTO \"a\"\"b; drop\" VALUES (1)")
    #expect(try BuiltProgram.run("rows", path, "wide").text == "\(names)\n\(String(repeating: ",", count: 1999))7\n")
    #expect(try BuiltProgram.run("rows", path, "a\"b; drop", "--columns", "\"x\"\"y\"").text == "\"x\"\"y\"\n1\n")
  }

  @Test func `bytes that are no text, NUL and escapes come out whole`() throws {
    let path = try Fixtures.database(
      in: folder, "CREATE TABLE t(a TEXT)",
      "INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT)), (CAST(x'61006200' AS TEXT)), (char(27) || '[2J')")
    let csv = try BuiltProgram.run("rows", path, "t").output
    #expect(csv == Data("a\n\"a".utf8) + [0xff] + Data("b\"\n\"a\0b\0\"\n\"\u{1b}[2J\"\n".utf8))
    let json = try BuiltProgram.run("rows", path, "t", "--format", "ndjson").text
    #expect(json == #"{"a":{"text":"Yf9i"}}"# + "\n" + #"{"a":"a\u0000b\u0000"}"# + "\n" + #"{"a":"\u001b[2J"}"# + "\n")
    let table = try BuiltProgram.run("rows", path, "t", "--format", "table").text
    #expect(table.contains("│ a\u{fffd}b "))
    #expect(table.contains("│ a␀b␀ "))
    #expect(table.contains("│ ␛[2J "))
  }

  @Test func `a cell of megabytes is printed whole`() throws {
    let path = try Fixtures.database(in: folder, "CREATE TABLE t(a TEXT)", "INSERT INTO t VALUES (hex(zeroblob(1000000)))")
    #expect(try BuiltProgram.run("rows", path, "t").output.count == 2 + 2_000_001)
  }

  @Test func `mistakes in a theme and a keymap are told with their line`() throws {
    let keys = try folder.write(Data("[grid]\n\"g d\" = \"folow-foreign-key\"\n".utf8), to: "keys.toml")
    let outcome = try BuiltProgram.run("config", "--check", keys.path)
    #expect(outcome.status == 2)
    #expect(outcome.text.contains("keys.toml:2: there is no command \"folow-foreign-key\"; did you mean \"follow-foreign-key\"?"))
  }

  /// Makes a database of some hundred pages.
  private func large() throws -> String {
    try Fixtures.database(
      in: folder, "CREATE TABLE numbers(a, b)",
      """
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)
      INSERT INTO numbers SELECT x, hex(zeroblob(20)) FROM n
      """
    )
  }
}

/// Files that the sqlite3 shell reads and writes, read and written by the verbs.
@Suite(.gated) struct SoundSchemaTests {
  /// Returns the first column of the rows that `rows` prints.
  private func firstColumn(_ path: String, _ table: String) throws -> [String] {
    let outcome = try BuiltProgram.run("rows", path, table, "--format", "tsv")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.text.split(separator: "\n").dropFirst().map { line in
      let field = line.split(separator: "\t", omittingEmptySubsequences: false)[0]
      return String(field)
    }
  }

  @Test(arguments: SoundSchema.all)
  func `what the shell made is listed, read and written, and the shell finds it whole`(schema: SoundSchema) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("test.db")
    if let shell = Fixtures.shell {
      #expect(try BuiltProgram.run(shell, [path, schema.setup]).status == 0)
    } else {
      _ = try Fixtures.database(in: folder, schema.setup)
    }
    let listed = try BuiltProgram.run("tables", path)
    #expect(listed.status == 0 && listed.text.contains("\n\(schema.table),"), "\(listed.errors)")
    #expect(try firstColumn(path, schema.table) == schema.before)
    let inserted = try BuiltProgram.run("query", path, schema.insertion)
    #expect(inserted.status == 0, "\(inserted.errors)")
    #expect(try firstColumn(path, schema.table) == schema.after)
    #expect(try BuiltProgram.run("schema", path).status == 0)
    if let shell = Fixtures.shell {
      #expect(try BuiltProgram.run(shell, [path, "PRAGMA integrity_check"]).text == "ok\n")
    }
  }

  @Test func `what would reach outside of the database is refused with the reason`() throws {
    let folder = try TemporaryFolder()
    let path = try Fixtures.database(in: folder, "CREATE TABLE t(a)")
    for sql in ["SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')"] {
      let outcome = try BuiltProgram.run("query", path, sql)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("() is disabled: "), "\(outcome.errors)")
    }
  }
}
