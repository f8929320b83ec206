import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Commits that record the values that their UPDATEs expect, and undos that write without having read the rows.
@Suite(.gated) struct SavedCellsTests {
  private static let table = TableReference(name: "t")

  /// Commits staged changes and records them.
  ///
  /// - Parameters:
  ///   - isSaving: Whether the commit tells the recorder which cells it changes.
  ///   - sql: Statements for the connection of the commit.
  private static func commit(
    _ changes: StagedChanges, to file: RecordedFile, isSaving: Bool = true, after sql: String = "SELECT 1"
  ) throws -> CommitSummary {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.withoutTransaction { db in
      try db.execute(sql: sql)
      let recorder = ChangeRecorder(file.logs)
      try recorder.attach(to: db)
      return try ChangeCommit.run(changes, in: db, recorder: isSaving ? recorder : nil) { body in
        try recorder.inTransaction(.edit, CommitOrigin(statement: "edit of t"), in: db, body).value
      }
    }
  }

  private typealias Edit = (id: Int64, column: String, was: StoredValue, value: StagedValue)

  private static func edits(_ edits: [Edit]) throws -> StagedChanges {
    var changes = StagedChanges()
    for edit in edits { try changes.set(edit.value, column: edit.column, row: .stored(.rowID(edit.id)), of: table, was: edit.was) }
    return changes
  }

  private static let xToP: Edit = (1, "a", "x", "p")
  private static let yToQ: Edit = (2, "b", "y", "q")

  @Test(
    arguments: [
      ("a, b, c", "SELECT 1", []),
      ("a, b, c, g AS (a || b) STORED", "SELECT 1", ["t 1 update g: 'xy' → 'py'", "t 2 update g: 'zy' → 'zq'"]),
      ("a, b, c, g AS (a || b)", "SELECT 1", []),
      (
        "a, b, c", "CREATE TEMP TRIGGER r AFTER UPDATE OF a ON t BEGIN UPDATE t SET c = 9; END",
        (1...3).map { "t \($0) update c: NULL → 9" }
      ),
      (
        "a, b, c", "CREATE TEMP TRIGGER r BEFORE UPDATE OF a ON t BEGIN UPDATE t SET b = 'new' WHERE id = old.id; END",
        ["t 1 update b: 'y' → 'new'"]
      ),
      ("a, b, c", "CREATE TEMP TRIGGER r AFTER UPDATE OF b ON t BEGIN DELETE FROM other; END", ["other 1 delete a: 7 → "]),
      ("a UNIQUE, b, c REFERENCES t(a) ON UPDATE CASCADE", "SELECT 1", ["t 3 update c: 'x' → 'p'"]),
    ])
  func `whatever changes along with a cell is recorded and undone`(_ columns: String, _ setup: String, _ also: [String]) throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, \(columns)); CREATE TABLE other(a)")
    let last = columns.contains("UNIQUE") ? "'x'" : "NULL"
    try file.runElsewhere("INSERT INTO other VALUES (7)")
    try file.runElsewhere("INSERT INTO t(id, a, b, c) VALUES (1, 'x', 'y', NULL), (2, 'z', 'y', NULL), (3, 'w', 'y', \(last))")
    let before = try file.contents()
    _ = try Self.commit(Self.edits([Self.xToP, Self.yToQ]), to: file, after: setup)
    #expect(try Set(file.lastRows()) == Set(["t 1 update a: 'x' → 'p'", "t 2 update b: 'y' → 'q'"] + also))
    try file.undoAll()
    #expect(try difference(file.contents(), before).isEmpty)
  }

  @Test(arguments: ["UTF-8", "UTF-16le"], ["id INTEGER PRIMARY KEY, a, b REAL", "a, b REAL"])
  func `values of every kind are recorded as if the rows had been read, and come back`(_ encoding: String, _ columns: String) throws {
    let values = [
      "NULL", "0", "-1", "0.0", "-0.0", "7.5", "1e999", "''", "'a' || char(0) || 'b'", "'é東' || char(0xFFFE)", "x''", "x'00ff'",
      "zeroblob(6000)", "CAST(x'ff41' AS TEXT)", "printf('%.6000c', 'y')",
    ]
    let rows = values.map { "(\($0), 5)" }.joined(separator: ", ")
    let setup = ["PRAGMA encoding = '\(encoding)'", "CREATE TABLE t(\(columns))", "INSERT INTO t(a, b) VALUES \(rows)"]
    let files = try [RecordedFile(), RecordedFile()]
    for file in files { for sql in setup { try file.runElsewhere(sql) } }
    let before = try files[0].contents()
    let stored = try files[0].read { db in
      try db.storedRows((1...Int64(values.count)).map { .rowID($0) }, columns: ["a", "b"], of: db.tableSchema(Self.table))
    }
    var changes = StagedChanges()
    for (place, row) in stored.enumerated() {
      let id = StagedRowID.stored(.rowID(Int64(place + 1)))
      let (a, b) = (try #require(row?["a"]), try #require(row?["b"]))
      if !place.isMultiple(of: 3) { try changes.set(.value(.text("new \(place)")), column: "a", row: id, of: Self.table, was: a) }
      if !place.isMultiple(of: 2) { try changes.set(6, column: "b", row: id, of: Self.table, was: b) }
      if place == 6 { try changes.set(7.5, column: "b", row: id, of: Self.table, was: b) }
    }
    for (file, isSaving) in zip(files, [true, false]) { _ = try Self.commit(changes, to: file, isSaving: isSaving) }
    #expect(try files[0].lastRows() == files[1].lastRows())
    #expect(try files[0].contents() == files[1].contents() && files[0].contents() != before)
    #expect(try files[0].undo().summary == "done")
    #expect(try difference(files[0].contents(), before).isEmpty)
    // Undo the undo.
    #expect(try files[0].undo(files[0].commits().first?.id.number).summary == "done")
    #expect(try difference(files[0].contents(), files[1].contents()).isEmpty)
  }

  @Test func `rows that others have changed are the same conflicts as without a record, and nothing is recorded`() throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a COLLATE NOCASE, b, c)")
    try file.runElsewhere("INSERT INTO t(a, b) VALUES ('x', 'y'), ('x', 'y'), ('x', 'y'), ('x', 'y')")
    let changes = try Self.edits((1...4).flatMap { id -> [Edit] in [(id, "a", "x", "p"), (id, "b", "y", id == 4 ? "y" : "q")] })
    try file.runElsewhere("UPDATE t SET a = 'X' WHERE id = 2; DELETE FROM t WHERE id = 3; UPDATE t SET c = 'other' WHERE id = 1")
    let before = try file.contents()
    let failures = try [true, false].map { isSaving in
      try #require(throws: CommitFailure.self) { _ = try Self.commit(changes, to: file, isSaving: isSaving) }
    }
    #expect("\(failures[0])" == "\(failures[1])")
    guard case .conflicts(let conflicts) = failures[0] else { throw failures[0] }
    #expect(conflicts.map(\.key) == [.rowID(2), .rowID(3)])
    #expect(try file.contents() == before && file.commits().isEmpty)
    // What another program has set to the same value is no conflict.
    try file.runElsewhere("UPDATE t SET a = 'p' WHERE id = 2; INSERT INTO t(id, a, b) VALUES (3, 'x', 'y')")
    #expect(try Self.commit(changes, to: file).changed == 4)
    #expect(try file.lastRows().count == 6)
  }

  @Test func `a row that breaks a rule refuses the commit, and nothing is recorded`() throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a CHECK (a <> 'p'), b NOT NULL)")
    try file.runElsewhere("INSERT INTO t(a, b) VALUES ('x', 'y'), ('x', 'y')")
    let before = try file.contents()
    let failure = try #require(throws: CommitFailure.self) { _ = try Self.commit(Self.edits([Self.yToQ, Self.xToP]), to: file) }
    guard case .constraints(let failures) = failure else { throw failure }
    #expect(failures.count == 1 && failures.first?.row == .stored(.rowID(1)))
    #expect(try file.contents() == before && file.commits().isEmpty)
  }

  @Test func `rows in any order and with one value left as it is are recorded by their keys`() throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b)")
    try file.runElsewhere("INSERT INTO t VALUES (1, 7, 0), (5, 7, 0), (900, 7, 0), (-3, 7, 0)")
    let changes = try Self.edits([
      (900, "a", 7, 8), (1, "b", 0, 1), (-3, "b", 0, 1), (5, "a", 7, "7"), (-3, "a", 7, 9), (900, "b", 0, .defaultValue),
    ])
    #expect(try Self.commit(changes, to: file).changed == 4)
    #expect(
      try file.lastRows() == [
        "t -3 update a: 7 → 9", "t -3 update b: 0 → 1", "t 1 update b: 0 → 1", "t 900 update a: 7 → 8", "t 900 update b: 0 → NULL",
      ])
    #expect(try file.commits().first?.updated == 3)
  }

  @Test func `cells that do not fit in memory are recorded and undone`() throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)")
    try file.runElsewhere(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO t SELECT i, printf('%.1000000c', 'x'), i FROM n
      """)
    let sum = "SELECT sum(length(a) * id) FROM t"
    let before = try file.read { try Int.fetchOne($0, sql: sum) }
    let long = StoredValue.value(.text(String(repeating: "x", count: 1_000_000)))
    #expect(try Self.commit(Self.edits((1...20).map { ($0, "a", long, "new") }), to: file).changed == 20)
    #expect(try file.commits().first?.tables.first?.updated == 20)
    try file.undoAll()
    #expect(try file.read { try Int.fetchOne($0, sql: sum) } == before)
  }

  @Test func `an undo names the conflicts of all tables, also of those that it need not have read`() throws {
    let file = try RecordedFile(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a); CREATE TABLE u(a, b)",
      "INSERT INTO t VALUES (1, 0), (2, 0), (3, 0); INSERT INTO u VALUES (1, 2)")
    try file.run("BEGIN; UPDATE t SET a = 0.0 WHERE id < 3; UPDATE t SET a = 'x' WHERE id = 3; UPDATE u SET a = 'x'; COMMIT")
    try file.runElsewhere("UPDATE t SET a = -0.0 WHERE id = 2; UPDATE u SET b = 3")
    let now = try file.contents()
    #expect(try file.undo().conflicts == ["t 2, a: expected 0.0, found -0.0", "u 1, b: expected 2, found 3"])
    #expect(try file.contents() == now)
    try file.runElsewhere("UPDATE t SET a = 0 WHERE id = 2; UPDATE u SET b = 2")
    // One row has its old value already, which is no conflict.
    #expect(try file.undo().summary == "done")
    #expect(try file.read { try String.fetchAll($0, sql: "SELECT quote(a) FROM t") } == ["0", "0", "0"])
    #expect(try file.lastRows().filter { $0.hasPrefix("t") } == ["t 1 update a: 0.0 → 0", "t 3 update a: 'x' → 0"])
  }

  @Test func `values that SQL takes for those of the commit, and are others, are conflicts of an undo`() throws {
    let left = ["'abc'", "'7'", "x'37'", "7", "7.0", "NULL", "0.0", "'a' || char(0)"]
    let now = ["'ABC'", "7", "'7'", "7.0", "7", "''", "-0.0", "'a'"]
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a COLLATE NOCASE)")
    for id in 1...left.count { try file.runElsewhere("INSERT INTO t VALUES (\(id), 'old')") }
    func update(to values: [String]) -> String {
      "UPDATE t SET a = CASE id \(zip(1..., values).map { "WHEN \($0) THEN \($1)" }.joined(separator: " ")) END"
    }
    for id in left.indices {
      try file.run(update(to: left))
      try file.runElsewhere("UPDATE t SET a = \(now[id]) WHERE id = \(id + 1)")
      let conflicts = try file.undo().conflicts
      #expect(conflicts.count == 1 && conflicts.allSatisfy { $0.hasPrefix("t \(id + 1), a: ") }, "\(left[id]): \(conflicts)")
      try file.runElsewhere(update(to: left))
      #expect(try file.undo().summary == "done")
      #expect(try file.read { try Int.fetchOne($0, sql: "SELECT sum(a = 'old') FROM t") } == left.count)
    }
  }
}
