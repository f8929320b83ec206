import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Commits of which triggers do something else than what is staged: what is reported is what was counted, and what is there afterwards.
@Suite struct TriggeredCommitTests {
  private static let player = TableReference(name: "player")

  private static func row(_ id: Int64) -> StagedRowID { .stored(.rowID(id)) }

  /// A table of two rows with a trigger, and what comes of changing and deleting its first row, and of adding one.
  private func commit(_ trigger: String, _ stage: (inout StagedChanges) throws -> Void) throws -> (CommitSummary, [String]) {
    let queue = try makeDatabase(
      "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, rank INT, gone INT DEFAULT 0); CREATE TABLE log(line)",
      "INSERT INTO player(id, name, rank) VALUES (1, 'Arthur', 1), (2, 'Barbara', 2)", trigger)
    var changes = StagedChanges()
    try stage(&changes)
    let summary = try queue.withoutTransaction { db in try db.commit(changes) }
    let rows = try queue.read { db in
      try String.fetchAll(db, sql: "SELECT id || ' ' || name || ' ' || rank || ' ' || gone FROM player ORDER BY id")
    }
    return (summary, rows)
  }

  private func update(_ changes: inout StagedChanges) throws {
    try changes.set("Art", column: "name", row: Self.row(1), of: Self.player, was: "Arthur")
  }

  private func delete(_ changes: inout StagedChanges) {
    changes.delete(Self.row(1), of: Self.player, was: ["id": 1, "name": "Arthur", "rank": 1, "gone": 0])
  }

  private func insert(_ changes: inout StagedChanges) {
    changes.insert(["name": "Dee", "rank": 4], into: Self.player)
  }

  @Test func `a row that a trigger ignores stays as it was, and its change stays staged`() throws {
    let ignoring = "BEGIN SELECT RAISE(IGNORE); END"
    let (updated, _) = try commit("CREATE TRIGGER t BEFORE UPDATE ON player \(ignoring)", update)
    #expect(updated.description == "no staged row was written; a trigger of player left 1 row unchanged; it stays staged")
    #expect(updated.left.value(of: "name", in: Self.row(1), of: Self.player) == "Art" && updated.changed == 0)
    let (deleted, rows) = try commit("CREATE TRIGGER t BEFORE DELETE ON player \(ignoring)", delete)
    #expect(deleted.description == "no staged row was written; a trigger of player left 1 row unchanged; it stays staged")
    #expect(deleted.left.status(of: Self.row(1), in: Self.player) == .deleted && rows.count == 2)
    let (inserted, _) = try commit("CREATE TRIGGER t BEFORE INSERT ON player \(ignoring)", insert)
    #expect(inserted.description == "no staged row was written; a trigger of player rejected 1 new row; it stays staged")
    #expect(inserted.left.counts == ChangeCounts(newRows: 1) && inserted.newKeys.isEmpty)
  }

  @Test func `of several rows those are counted that were written`() throws {
    let (summary, rows) = try commit(
      "CREATE TRIGGER t BEFORE UPDATE ON player WHEN old.id = 2 BEGIN SELECT RAISE(IGNORE); END"
    ) { changes in
      try update(&changes)
      try changes.set("Barb", column: "name", row: Self.row(2), of: Self.player, was: "Barbara")
      insert(&changes)
    }
    #expect(summary.description == "1 row changed, 1 new; a trigger of player left 1 row unchanged; it stays staged")
    #expect(summary.left.counts == ChangeCounts(cells: 1, updatedRows: 1))
    #expect(rows == ["1 Art 1 0", "2 Barbara 2 0", "3 Dee 4 0"])
  }

  @Test func `what a trigger takes back afterwards is not counted as done`() throws {
    let (updated, _) = try commit(
      "CREATE TRIGGER t AFTER UPDATE OF name ON player BEGIN UPDATE player SET name = old.name WHERE id = new.id; END"
    ) { changes in
      try update(&changes)
      try changes.set(9, column: "rank", row: Self.row(1), of: Self.player, was: 1)
    }
    #expect(updated.left.counts == ChangeCounts(cells: 1, updatedRows: 1) && updated.changed == 1)
    #expect(
      updated.description.hasPrefix("1 row changed")
        && updated.description.hasSuffix("a trigger of player left some values of 1 row unchanged; they stay staged"))
    let (deleted, rows) = try commit(
      "CREATE TRIGGER t AFTER DELETE ON player BEGIN INSERT INTO player VALUES (old.id, old.name, old.rank, old.gone); END", delete)
    #expect(deleted.deleted == 0 && deleted.left.counts.deletedRows == 1 && rows.count == 2)
    let (inserted, after) = try commit(
      "CREATE TRIGGER t AFTER INSERT ON player BEGIN DELETE FROM player WHERE id = new.id; END", insert)
    #expect(inserted.inserted == 0 && inserted.left.counts.newRows == 1 && after.count == 2)
  }

  @Test func `what was written is what was sent without what was left`() throws {
    var changes = StagedChanges()
    try update(&changes)
    try changes.set(9, column: "rank", row: Self.row(1), of: Self.player, was: 1)
    delete(&changes)
    #expect(changes.subtracting(changes).isEmpty && changes.subtracting(StagedChanges()) == changes)
    var (sent, left) = (StagedChanges(), StagedChanges())
    try update(&sent)
    try sent.set(9, column: "rank", row: Self.row(1), of: Self.player, was: 1)
    insert(&sent)
    try update(&left)
    let written = sent.subtracting(left)
    #expect(written.counts == ChangeCounts(cells: 1, updatedRows: 1, newRows: 1))
    #expect(written.value(of: "rank", in: Self.row(1), of: Self.player) == 9)
  }

  @Test func `a trigger that writes other values, or the row under another key, has written it`() throws {
    let (updated, rows) = try commit(
      "CREATE TRIGGER t AFTER UPDATE OF name ON player BEGIN UPDATE player SET name = upper(new.name) WHERE id = new.id; END", update)
    #expect(updated.isComplete && updated.changed == 1 && rows.first == "1 ART 1 0")
    let (inserted, after) = try commit(
      "CREATE TRIGGER t AFTER INSERT ON player BEGIN UPDATE player SET id = new.id + 100 WHERE id = new.id; END", insert)
    #expect(inserted.isComplete && inserted.inserted == 1 && inserted.newKeys[Self.player]?.isEmpty != false)
    #expect(after.last == "103 Dee 4 0")
  }

  @Test func `a row that is marked instead of deleted is not reported as deleted`() throws {
    let (summary, rows) = try commit(
      """
      CREATE TRIGGER t BEFORE DELETE ON player BEGIN UPDATE player SET gone = 1 WHERE id = old.id; SELECT RAISE(IGNORE); END
      """, delete)
    #expect(rows.first == "1 Arthur 1 1" && summary.deleted == 0 && summary.left.isEmpty)
    #expect(
      summary.description
        == "no staged row was written; triggers or foreign keys changed other rows, too; a trigger of player changed 1 row instead of deleting it"
    )
  }

  @Test func `a view whose triggers do nothing, or something else, has not been written`() throws {
    let view = TableReference(name: "v")
    let base = "CREATE VIEW v AS SELECT id, name FROM player;"
    let key = StagedRowID.stored(.values([1, "Arthur"]))
    for body in ["SELECT 1", "INSERT INTO log VALUES ('seen')"] {
      let (updated, _) = try commit("\(base) CREATE TRIGGER t INSTEAD OF UPDATE ON v BEGIN \(body); END") {
        try $0.set("Art", column: "name", row: key, of: view, was: "Arthur")
      }
      #expect(updated.changed == 0 && updated.left.counts.cells == 1, "\(updated) \(body)")
      let (deleted, _) = try commit("\(base) CREATE TRIGGER t INSTEAD OF DELETE ON v BEGIN \(body); END") {
        $0.delete(key, of: view, was: [:])
      }
      #expect(deleted.deleted == 0 && deleted.left.counts.deletedRows == 1, "\(deleted) \(body)")
      let (inserted, _) = try commit("\(base) CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN \(body); END") {
        $0.insert(["id": 9, "name": "Dee"], into: view)
      }
      #expect(inserted.inserted == 0 && inserted.left.counts.newRows == 1, "\(inserted) \(body)")
    }
    let upper = "INSERT INTO player(id, name, rank) VALUES (new.id, upper(new.name), 0)"
    let (inserted, rows) = try commit("\(base) CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN \(upper); END") {
      $0.insert(["id": 9, "name": "Dee"], into: view)
    }
    #expect(inserted.inserted == 1 && inserted.isComplete && rows.last == "9 DEE 0 0")
  }

  @Test func `an exchange of unique values that a trigger stops half way writes nothing`() throws {
    let queue = try makeDatabase(
      "CREATE TABLE player(id INTEGER PRIMARY KEY, rank INT UNIQUE); INSERT INTO player VALUES (1, 1), (2, 2)",
      "CREATE TRIGGER t BEFORE UPDATE ON player WHEN old.rank < 0 BEGIN SELECT RAISE(IGNORE); END")
    var changes = StagedChanges()
    try changes.set(2, column: "rank", row: Self.row(1), of: Self.player, was: 1)
    try changes.set(1, column: "rank", row: Self.row(2), of: Self.player, was: 2)
    let failure = try #require(throws: CommitFailure.self) { try queue.withoutTransaction { db in try db.commit(changes) } }
    #expect(failure.description.hasPrefix("a trigger of player prevents the change while unique values are swapped"))
    #expect(try queue.read { db in try Int.fetchAll(db, sql: "SELECT rank FROM player ORDER BY id") } == [1, 2])
  }

  @Test func `a row that the commit itself deletes is not said to be another program's doing`() throws {
    let queue = try makeDatabase(
      "PRAGMA foreign_keys = ON; CREATE TABLE player(id INTEGER PRIMARY KEY)",
      "CREATE TABLE goal(id INTEGER PRIMARY KEY, player REFERENCES player ON DELETE CASCADE, note)",
      "INSERT INTO player VALUES (1); INSERT INTO goal VALUES (1, 1, 'a')")
    var changes = StagedChanges()
    changes.delete(Self.row(1), of: Self.player, was: ["id": 1])
    try changes.set("b", column: "note", row: Self.row(1), of: TableReference(name: "goal"), was: "a")
    let failure = try #require(throws: CommitFailure.self) { try queue.withoutTransaction { db in try db.commit(changes) } }
    #expect(
      failure.description == """
        this commit itself deletes 1 row, by foreign keys or triggers, and another change of it is staged; nothing was written
        """)
  }

  // MARK: Foreign keys

  private static func deletion(_ table: String, _ id: Int64) -> StagedChanges {
    var changes = StagedChanges()
    changes.delete(row(id), of: TableReference(name: table), was: ["id": .value(.integer(id))])
    return changes
  }

  @Test(arguments: ["", " ON DELETE RESTRICT"])
  func `a row to which others refer is refused with their number`(_ action: String) throws {
    let queue = try makeDatabase(
      "PRAGMA foreign_keys = ON; CREATE TABLE track(id INTEGER PRIMARY KEY)",
      "CREATE TABLE entry(list INT, track INT REFERENCES track\(action), PRIMARY KEY (list, track)) WITHOUT ROWID",
      "INSERT INTO track VALUES (1), (2); INSERT INTO entry VALUES (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)")
    let changes = Self.deletion("track", 1)
    let failure = try #require(throws: CommitFailure.self) { try queue.withoutTransaction { db in try db.commit(changes) } }
    guard case .constraints(let failures) = failure else { return #expect(Bool(false), "\(failure)") }
    #expect(failures.count == 1 && failures[0].row == Self.row(1) && failures[0].table.name == "track")
    #expect(failures[0].reason.hasSuffix("5 rows of entry still refer to it"), "\(failures)")
  }
}
