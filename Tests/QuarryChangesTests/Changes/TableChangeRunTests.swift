import Foundation
import QuarryChanges
import QuarryEngine
import Synchronization
import TestSupport
import Testing

@Suite(.gated) struct TableChangeRunTests {
  private static let setup = [
    "CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO team VALUES (1, 'red')",
    "CREATE TABLE player(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, score INT)",
    "CREATE INDEX player_on_name ON player(name)", "CREATE TABLE game(winner REFERENCES player(id) ON DELETE CASCADE)",
    "INSERT INTO player VALUES (1, 'Ada', 7), (2, 'Bob', NULL), (90, 'Eve', 3)", "DELETE FROM player WHERE id = 90",
    "PRAGMA foreign_keys = OFF; INSERT INTO game VALUES (1), (2), (77)", "CREATE VIEW best AS SELECT name FROM player WHERE score > 5",
    "CREATE TRIGGER noted AFTER DELETE ON player WHEN old.id < 90 BEGIN DELETE FROM team; END", "ANALYZE",
  ]

  private func makeFile() throws -> RecordedFile {
    let file = try RecordedFile()
    for sql in Self.setup { try file.runElsewhere(sql) }
    return file
  }

  private func column(_ sql: String) throws -> ColumnDefinition { try TableDefinition(sql: "CREATE TABLE t(\(sql))").columns[0] }

  @Test func `a table made anew keeps everything, and the undo restores it`() throws {
    let file = try makeFile()
    let before = try file.contents()
    let result = try file.change("player") { change in
      change.new.columns[2] = try column("points INT CHECK (points > 0)")
      change.insertColumn(try column("team INT NOT NULL DEFAULT 1 REFERENCES team(id)"), at: 1)
    }
    #expect(result == TableChangeResult(rows: 2, method: .rebuild, statements: result.statements, isRecorded: true))
    let after = try file.contents()
    #expect(after.contains("sqlite_sequence:  | text 706C61796572 | integer 3930"))
    #expect(after.contains { $0.hasPrefix("index player_on_name") } && after.contains { $0.hasPrefix("trigger noted") })
    #expect(try file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'player'") } ?? 0 > 0)
    try file.undoAll()
    let undone = try difference(before, file.contents())
    #expect(undone == [], "\(undone)")
  }

  @Test func `the progress counts the copied rows, and names each statement`() throws {
    let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i, i FROM n"
    let steps = Mutex<[TableChangeProgress]>([])
    try makeDatabase("CREATE TABLE t(a INTEGER PRIMARY KEY, b); CREATE INDEX i ON t(b); \(rows)").withoutTransaction { db in
      var change = TableChange(of: try db.tableDefinition(TableReference(name: "t")))
      change.new.columns[1] = try column("b NOT NULL")
      _ = try change.plan(in: db).run(in: db) { progress in steps.withLock { $0.append(progress) } }
    }
    let copied = (0...100).map { TableChangeProgress.copying(rows: 10 * $0, of: 1000) }
    #expect(steps.withLock { $0.filter(copied.contains) } == copied)
    let others = steps.withLock { $0.filter { !copied.contains($0) } }
    #expect(others.first == .checkingRows && others.last == .checkingResult && others.contains(.executing("DROP TABLE t")))
  }

  @Test func `copied rows of a table without rowids are not counted`() throws {
    let steps = Mutex<[TableChangeProgress]>([])
    try makeDatabase("CREATE TABLE t(a PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO t VALUES (1, 2), (3, 4)").withoutTransaction { db in
      var change = TableChange(of: try db.tableDefinition(TableReference(name: "t")))
      change.new.columns[1] = try column("b NOT NULL")
      let result = try change.plan(in: db).run(in: db) { progress in steps.withLock { $0.append(progress) } }
      #expect(result.method == .rebuild && result.rows == 2)
    }
    let copying = steps.withLock { $0.filter { if case .copying = $0 { true } else { false } } }
    #expect(copying == [.copying(rows: 0, of: nil)])
  }

  @Test func `the undo refuses if rows have changed since`() throws {
    let file = try makeFile()
    try file.change("player") { $0.new.columns[2] = try column("score INT DEFAULT 3") }
    try file.runElsewhere("UPDATE player SET name = 'Eva' WHERE id = 1")
    #expect(try file.undo().conflicts == ["player: the rows of the table have changed since, and would be dropped"])
  }

  @Test func `a change that rows refuse writes nothing`() throws {
    let file = try makeFile()
    let bytes = try Data(contentsOf: URL(filePath: file.path))
    let failure = #expect(throws: TableChangeFailure.self) {
      try file.change("player") { $0.new.columns[2] = try column("score INT NOT NULL") }
    }
    #expect(failure?.description == "NOT NULL of score refuses 1 row: nothing was written")
    #expect(try Data(contentsOf: URL(filePath: file.path)) == bytes)
    #expect(try file.commits().isEmpty)
  }

  @Test func `a full disk in the middle leaves the file as it was`() throws {
    let file = try makeFile()
    try file.runElsewhere(
      "WITH RECURSIVE n(x) AS (SELECT 100 UNION ALL SELECT x + 1 FROM n WHERE x < 3000) INSERT INTO player SELECT x, hex(x), 1 FROM n")
    let bytes = try Data(contentsOf: URL(filePath: file.path))
    let failure = #expect(throws: TableChangeFailure.self) {
      try file.change("player", limitingPages: true) { $0.new.columns[1] = try column("name TEXT UNIQUE") }
    }
    #expect(failure?.description.contains("nothing was written") == true)
    #expect(try Data(contentsOf: URL(filePath: file.path)) == bytes)
  }

  @Test func `another program alters the table before the change`() throws {
    let file = try makeFile()
    #expect(throws: DefinitionError.alteredSince("player")) {
      try file.change("player", meanwhile: "ALTER TABLE player ADD COLUMN other") { $0.new.columns[1] = try column("name TEXT UNIQUE") }
    }
    #expect(throws: TableChangeFailure.outdated) {
      try file.change("player", meanwhile: "CREATE TRIGGER other AFTER INSERT ON player BEGIN SELECT 1; END") {
        $0.new.columns[1] = try column("name TEXT UNIQUE")
      }
    }
  }
}

extension RecordedFile {
  /// Changes a table by its plan and records the commit.
  ///
  /// - Parameters:
  ///   - meanwhile: Statements of another program after the plan was made.
  ///   - limitingPages: Whether the file must not grow.
  @discardableResult
  func change(
    _ table: String, meanwhile: String? = nil, limitingPages: Bool = false, _ body: (inout TableChange) throws -> Void
  ) throws -> TableChangeResult {
    let plan = try read { db in
      var change = TableChange(of: try db.tableDefinition(TableReference(name: table)))
      try body(&change)
      return try change.plan(in: db)
    }
    if let meanwhile { try runElsewhere(meanwhile) }
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.withoutTransaction { db in
      if limitingPages, let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") {
        try db.execute(sql: "PRAGMA max_page_count = \(pages + 5)")
      }
      let recorder = ChangeRecorder(logs)
      try recorder.attach(to: db)
      return try plan.run(in: db, recorder: recorder)
    }
  }
}
