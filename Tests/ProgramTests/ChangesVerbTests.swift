import Foundation
import QuarryEngine
import TestSupport
import Testing

/// What `quarry query` commits is recorded, listed by `quarry changes` and taken back by `quarry undo`.
@Suite(.gated) struct ChangesVerbTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try Fixtures.database(
      in: folder, "CREATE TABLE track(id INTEGER PRIMARY KEY, name TEXT, price REAL)",
      "INSERT INTO track VALUES (1, 'one', 0.99), (2, 'two', 1), (3, NULL, NULL)")
  }

  private var environment: [String: String] { ["XDG_STATE_HOME": folder.path("state"), "XDG_CONFIG_HOME": folder.path("config")] }

  private func run(_ words: String...) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, words, environment: environment)
  }

  private var rows: String {
    get throws { try run("rows", file, "track", "--format", "sql").text }
  }

  @Test func `an UPDATE without WHERE is undone by one command`() throws {
    let before = try rows
    #expect(try run("query", file, "UPDATE track SET name = 'all', price = 2").status == 0)
    let list = try run("changes", file, "-json").text
    #expect(list.contains(#""number":1,"#) && list.contains(#""kind":"sql","tables":"track","inserted":0,"updated":3,"deleted":0"#))
    #expect(
      try run("changes", file, "1").text == """
        table,key,operation,column,old,new
        track,1,update,name,one,all
        track,1,update,price,0.99,2.0
        track,2,update,name,two,all
        track,2,update,price,1.0,2.0
        track,3,update,name,,all
        track,3,update,price,,2.0

        """)
    let undo = try run("undo", file)
    #expect(undo.status == 0 && undo.output.isEmpty)
    #expect(undo.errors == "quarry: undid commit 1, as commit 2: 3 rows changed\n")
    #expect(try rows == before)
    #expect(try run("undo", file).status == 1)
    #expect(try run("undo", file, "2").errors == "quarry: undid commit 2, as commit 3: 3 rows changed\n")
    #expect(try run("query", file, "SELECT count(*) FROM track WHERE name = 'all'").text == "count(*)\n3\n")
  }

  @Test func `the list begins with the latest, and says nothing where nothing was committed`() throws {
    let header = "number,time,kind,tables,inserted,updated,deleted,statement\n"
    #expect(try run("changes", file).text == header)
    _ = try run("query", file, "DELETE FROM track WHERE id = 1; INSERT INTO track(name) VALUES (:n)", "-p", "n=x")
    let lines = try run("changes", file).text.split(separator: "\n").map { $0.split(separator: ",") }
    #expect(lines.dropFirst().map { [$0[0], $0[2], $0[3]] } == [["2", "sql", "track"], ["1", "sql", "track"]])
    #expect(try run("changes", file, "7").status == 1)
    #expect(FileManager.default.fileExists(atPath: folder.path("state/quarry/changes")))
  }

  @Test func `a conflict is a line with table, key and column, and nothing is written`() throws {
    _ = try run("query", file, "UPDATE track SET price = 5 WHERE id < 3")
    _ = try run("query", file, "UPDATE track SET price = 6 WHERE id = 2", "--no-changes")
    let before = try rows
    let undo = try run("undo", file)
    #expect(undo.status == 1)
    #expect(undo.errors.hasPrefix("quarry: track 2, price: expected 5.0, found 6.0\nquarry: nothing was undone: 1 conflict;"))
    #expect(try rows == before)
    #expect(try run("undo", file, "--conflicts", "keep").status == 0)
    #expect(try run("query", file, "SELECT group_concat(price) AS p FROM track").text == "p\n\"0.99,6.0\"\n")
  }

  @Test func `a commit whose rows have their old values is told as undone already, and nothing is written`() throws {
    let before = try rows
    _ = try run("query", file, "UPDATE track SET price = 5 WHERE id = 1")
    _ = try run("query", file, "UPDATE track SET price = 0.99 WHERE id = 1", "--no-changes")
    #expect(try run("undo", file).errors == "quarry: commit 1 had already been undone: its rows have their former values\n")
    #expect(try rows == before)
  }

  @Test(arguments: [
    ("UPDATE track SET price = 6", "refuse", "1 conflict; resolve with `--conflicts keep` or `overwrite`"),
    ("DELETE FROM track", "refuse", "1 conflict; resolve with `--conflicts keep`"),
    ("DELETE FROM track", "overwrite", "1 conflict; resolve with `--conflicts keep`"),
    ("DROP TABLE track", "keep", "1 conflict; neither `--conflicts keep` nor `overwrite` resolves it"),
  ])
  func `an undo advises only choices that resolve its conflicts`(_ later: String, _ choice: String, _ advice: String) throws {
    _ = try run("query", file, "UPDATE track SET price = 5 WHERE id = 2")
    _ = try run("query", file, later, "--no-changes")
    let undo = try run("undo", file, "--conflicts", choice)
    #expect(undo.status == 1 && undo.errors.hasSuffix("quarry: nothing was undone: \(advice)\n"), "\(undo.errors)")
  }

  @Test func `an undo that keeps every row says that nothing was undone, and the commit stays`() throws {
    _ = try run("query", file, "UPDATE track SET price = 5 WHERE id < 3")
    _ = try run("query", file, "UPDATE track SET price = 6 WHERE id < 3", "--no-changes")
    let before = try rows
    let undo = try run("undo", file, "--conflicts", "keep")
    #expect(undo.status == 1)
    #expect(undo.errors == "quarry: nothing was undone: 2 conflicts kept; the commit can still be undone\n")
    #expect(try rows == before)
    _ = try run("query", file, "UPDATE track SET price = 5 WHERE id < 3", "--no-changes")
    #expect(try run("undo", file).errors == "quarry: undid commit 1, as commit 2: 2 rows changed\n")
  }

  @Test func `a dropped table comes back with its rows`() throws {
    let before = try rows
    #expect(try run("query", file, "DROP TABLE track").status == 0)
    #expect(try run("undo", file).errors == "quarry: undid commit 1, as commit 2: 3 new, track (new)\n")
    #expect(try rows == before)
  }

  @Test func `what a statement has changed is said with the way to undo it`() throws {
    _ = try run("query", file, "CREATE TABLE part(id INTEGER PRIMARY KEY, track REFERENCES track ON DELETE CASCADE)")
    _ = try run("query", file, "INSERT INTO part(track) VALUES (1), (1), (2)")
    let deletion = try run("query", file, "DELETE FROM track WHERE id = 1")
    #expect(deletion.status == 0 && deletion.output.isEmpty)
    #expect(deletion.errors == "quarry: track: 1 row deleted; part: 2 rows deleted. `quarry undo \(file)` undoes it.\n")
    #expect(try run("query", file, "UPDATE track SET name = 'x'; DELETE FROM part").errors.contains("in 2 commits"))
    #expect(try run("query", file, "DELETE FROM track WHERE id = 99").errors == "quarry: no row was changed\n")
    #expect(try run("query", file, "SELECT 1").errors.isEmpty)
    let unrecorded = try run("query", file, "--no-changes", "UPDATE track SET name = 'y'").errors
    #expect(unrecorded == "quarry: 2 rows changed; the changes were not recorded, so `quarry undo` cannot undo them\n")
    let failing = try run("query", file, "UPDATE track SET name = 'z' WHERE id = 2; SELECT abs(-9223372036854775807 - 1)")
    #expect(failing.status == 1 && failing.errors.contains("quarry: track: 1 row changed."), "\(failing.errors)")
  }

  @Test(arguments: [
    ("DROP TABLE track", "the schema was changed"), ("CREATE TABLE IF NOT EXISTS track(a)", nil), ("DROP VIEW IF EXISTS missing", nil),
    ("CREATE TEMP TABLE other(a)", nil), ("BEGIN; DROP TABLE track; ROLLBACK", nil),
    ("BEGIN; SAVEPOINT s; DROP TABLE track; ROLLBACK TO s; COMMIT", nil),
    ("DELETE FROM track WHERE id = 1; CREATE VIEW v AS SELECT 1", "1 row changed, and the schema was changed"),
  ])
  func `a schema that was changed without a record is said to be beyond undo`(_ sql: String, _ changes: String?) throws {
    let outcome = try run("query", file, "--no-changes", sql)
    #expect(outcome.status == 0)
    #expect(outcome.errors == (changes.map { "quarry: \($0); the changes were not recorded, so `quarry undo` cannot undo them\n" } ?? ""))
  }

  @Test(arguments: [("PRAGMA user_version = 7", "PRAGMA user_version = …"), ("VACUUM", "VACUUM")])
  func `what cannot be undone says so before it runs`(_ sql: String, _ name: String) throws {
    let outcome = try run("query", file, sql)
    #expect(
      outcome.status == 0
        && outcome.errors == "quarry: \(name) is not reversible: it is not recorded, so `quarry undo` cannot undo it\n")
    #expect(try run("query", file, "PRAGMA user_version").errors.isEmpty)
  }

  @Test(arguments: [
    "UPDATE sqlite_sequence SET seq = 7", "DELETE FROM main.sqlite_sequence", "INSERT INTO sqlite_sequence VALUES ('other', 3)",
    "WITH n(i) AS (SELECT 1) UPDATE OR FAIL sqlite_sequence SET seq = (SELECT i FROM n)",
  ])
  func `a change of SQLite's own tables is not recorded and says so`(_ sql: String) throws {
    _ = try run("query", file, "CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO counted VALUES (1)")
    let warning = "a change of sqlite_sequence is not reversible: it is not recorded, so `quarry undo` cannot undo it"
    #expect(try run("query", file, sql).errors == "quarry: \(warning)\n")
    #expect(try run("query", file, "SELECT * FROM sqlite_sequence").errors.isEmpty)
  }

  @Test func `an undo of a full-text table counts its own rows`() throws {
    _ = try run("query", file, "CREATE VIRTUAL TABLE f USING fts5(body)")
    #expect(try run("query", file, "INSERT INTO f VALUES ('a'), ('b')").errors.hasPrefix("quarry: f: 2 new rows."))
    #expect(try run("undo", file).errors == "quarry: undid commit 2, as commit 3: 2 deleted\n")
  }

  @Test func `nothing is recorded with --no-changes, nor where the settings say so`() throws {
    _ = try run("query", file, "DELETE FROM track WHERE id = 1", "--no-changes")
    try FileManager.default.createDirectory(atPath: folder.path("config/quarry"), withIntermediateDirectories: true)
    _ = try folder.write(Data("changes.record = false\n".utf8), to: "config/quarry/config.toml")
    _ = try run("query", file, "DELETE FROM track WHERE id = 2")
    #expect(try run("changes", file).text.split(separator: "\n").count == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
  }

  @Test func `changes that are too large to be kept stop the statement, and say what to do`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("config/quarry"), withIntermediateDirectories: true)
    _ = try folder.write(Data("[changes]\nlimit = 1\n".utf8), to: "config/quarry/config.toml")
    let filling = "WITH RECURSIVE n(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM n WHERE x < 3000) "
    let insertion = filling + "INSERT INTO track SELECT x, hex(zeroblob(300)), 1 FROM n"
    #expect(try run("query", file, insertion, "--no-changes").status == 0)
    let outcome = try run("query", file, "UPDATE track SET price = 3")
    #expect(outcome.status == 1 && outcome.errors.contains("1 MiB") && outcome.errors.contains("--no-changes"))
    #expect(try run("query", file, "SELECT count(*) AS n FROM track WHERE price = 3").text == "n\n0\n")
    #expect(try run("query", file, "UPDATE track SET price = 3", "--no-changes").status == 0)
  }

  @Test(arguments: [4, 7, 23, 60, 111])
  func `a program that is killed leaves each commit whole or not at all, and a record of each that was`(_ lines: Int) throws {
    let statements = (10..<600).map { "INSERT INTO track VALUES (\($0), 'a', 1), (\($0 + 1000), 'b', 2) RETURNING id;" }
    let script = try folder.write(Data(statements.joined(separator: "\n").utf8), to: "script.sql")
    let process = try BuiltProgram.start(["query", file, "-f", script.path], home: folder.path, environment: environment, output: .pipe)
    let output = try #require(process.output)
    var seen = 0
    while seen < lines {
      let more = output.availableData
      try #require(!more.isEmpty)
      seen += more.count { $0 == UInt8(ascii: "\n") }
    }
    process.send(SIGKILL)
    process.wait()
    let count = try run("query", file, "SELECT count(*) AS n FROM track WHERE id > 9 AND id < 1000").text.split(separator: "\n")[1]
    let total = try run("query", file, "SELECT count(*) AS n FROM track").text.split(separator: "\n")[1]
    #expect(Int(total) == (Int(count) ?? 0) * 2 + 3)
    let recorded = try run("changes", file).text.split(separator: "\n").dropFirst()
    #expect(String(recorded.count) == count)
    #expect(try run("undo", file).status == 0)
    #expect(try run("query", file, "SELECT count(*) AS n FROM track").text == "n\n\((Int(count) ?? 0) * 2 + 1)\n")
  }
}
