import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Commit of staged changes", .gated) struct ChangeCommitTests {
  private static let player = TableReference(name: "player")
  private static let schema = """
    CREATE TABLE player(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE, rank INTEGER UNIQUE, score REAL DEFAULT (1 + 1), CHECK (score < 100));
    INSERT INTO player VALUES (1, 'Arthur', 1, 0.5), (2, 'Barbara', 2, 7), (3, 'Craig', 3, NULL)
    """

  private static func rows(_ queue: DatabaseQueue, _ sql: String = "SELECT * FROM player ORDER BY id") throws -> [[DatabaseValue]] {
    try queue.read { db in try Row.fetchAll(db, sql: sql).map { try $0.databaseValues } }
  }

  /// Commits what `stage` stages, and returns the summary's words and the rows of the table then.
  private static func commit(
    _ sql: String = schema, then query: String = "SELECT * FROM player ORDER BY id", foreign: String = "SELECT 1",
    _ stage: (inout StagedChanges) throws -> Void
  ) throws -> (String, [[DatabaseValue]]) {
    let queue = try makeDatabase(sql, foreign)
    var changes = StagedChanges()
    try stage(&changes)
    let summary = try queue.withoutTransaction { db in try db.commit(changes) }
    return (summary.description, try rows(queue, query))
  }

  /// Returns why nothing of what `stage` stages can be committed, and checks that nothing was.
  private static func failure(
    _ sql: String = schema, foreign: String = "SELECT 1", _ stage: (inout StagedChanges) throws -> Void
  ) throws -> CommitFailure {
    let queue = try makeDatabase("PRAGMA foreign_keys = ON", sql, foreign)
    var changes = StagedChanges()
    try stage(&changes)
    let before = try queue.withoutTransaction { try $0.serialized() }
    let failure = try #require(throws: CommitFailure.self) { try queue.withoutTransaction { db in try db.commit(changes) } }
    let after = try queue.withoutTransaction { db in
      #expect(!db.isInsideTransaction)
      return try db.serialized()
    }
    #expect(before == after)
    return failure
  }

  private static func row(_ id: Int64) -> StagedRowID { .stored(.rowID(id)) }

  @Test("Changed, new and deleted rows are written together, and nothing else")
  func everything() throws {
    let queue = try makeDatabase(Self.schema)
    var changes = StagedChanges()
    try changes.set("Art", column: "name", row: Self.row(1), of: Self.player, was: "Arthur")
    changes.delete(Self.row(2), of: Self.player, was: ["name": "Barbara", "score": 7.0])
    let new = changes.insert(["name": "Dee", "rank": 2, "score": .defaultValue], into: Self.player)
    let summary = try queue.withoutTransaction { db in try db.commit(changes) }
    #expect(summary.description == "1 row changed, 1 new, 1 deleted")
    #expect(summary.newKeys[Self.player]?.map { StagedRowID.new($0.key) } == [new])
    let id = try #require(summary.newKeys[Self.player]?.values.first)
    #expect(id == .rowID(4))
    #expect(
      try Self.rows(queue) == [
        [1, "Art", 1, 0.5], [3, "Craig", 3, .null], [4, "Dee", 2, 2.0],
      ])
  }

  @Test(
    "A summary says what was done in few words",
    arguments: [
      (CommitSummary(changed: 3, inserted: 1, deleted: 2), "3 rows changed, 1 new, 2 deleted"),
      (CommitSummary(inserted: 1), "1 new row"), (CommitSummary(deleted: 2), "2 rows deleted"), (CommitSummary(), "nothing to write"),
    ])
  func words(summary: CommitSummary, words: String) {
    #expect(summary.description == words)
  }

  @Test("Two rows exchange a unique value, and rows shift theirs by one, either way")
  func exchange() throws {
    let (words, rows) = try Self.commit(then: "SELECT id, rank FROM player ORDER BY id") { changes in
      try changes.set(2, column: "rank", row: Self.row(1), of: Self.player, was: 1)
      try changes.set(1, column: "rank", row: Self.row(2), of: Self.player, was: 2)
    }
    #expect(words == "2 rows changed" && rows == [[1, 2], [2, 1], [3, 3]])
    for shift in [1, -1] as [Int64] {
      let (_, shifted) = try Self.commit(then: "SELECT id, name FROM player ORDER BY id") { changes in
        for id in 1...3 as ClosedRange<Int64> {
          try changes.set(
            .value(.integer(id + shift)), column: "id", row: Self.row(id), of: Self.player, was: .value(.integer(id)))
        }
      }
      #expect(shifted == [[.integer(1 + shift), "Arthur"], [.integer(2 + shift), "Barbara"], [.integer(3 + shift), "Craig"]])
    }
  }

  @Test("Keys rotate, and a composite key of a table without rowid, too")
  func rotation() throws {
    let pair = TableReference(name: "pair")
    let sql = """
      CREATE TABLE pair(a TEXT, b INT, c, PRIMARY KEY (a, b)) WITHOUT ROWID, STRICT;
      """
    let table = sql.replacing(", STRICT", with: "").replacing("c,", with: "c ANY,")
    let (_, rows) = try Self.commit(
      table + "INSERT INTO pair VALUES ('x', 1, 1), ('x', 2, 2), ('x', 3, 3)", then: "SELECT * FROM pair ORDER BY c"
    ) {
      for value in 1...3 as ClosedRange<Int64> {
        try $0.set(
          .value(.integer(value % 3 + 1)), column: "b", row: .stored(.values(["x", .integer(value)])), of: pair,
          was: .value(.integer(value)))
      }
    }
    #expect(rows == [["x", 2, 1], ["x", 3, 2], ["x", 1, 3]])
  }

  @Test("An exchange that a CHECK forbids to be done by interim values says so")
  func forbiddenExchange() throws {
    let sql = "CREATE TABLE player(id INTEGER PRIMARY KEY, rank INT UNIQUE CHECK (rank > 0)); INSERT INTO player VALUES (1, 1), (2, 2)"
    let failure = try Self.failure(sql) { changes in
      try changes.set(2, column: "rank", row: Self.row(1), of: Self.player, was: 1)
      try changes.set(1, column: "rank", row: Self.row(2), of: Self.player, was: 2)
    }
    guard case .constraints(let failures) = failure else { return #expect(Bool(false), "\(failure)") }
    #expect(failures.map(\.row) == [Self.row(1), Self.row(2)])
    #expect(
      failures.first?.reason == """
        UNIQUE constraint failed: player.rank, and the interim value for swapping values is refused \
        (CHECK constraint failed: rank > 0)
        """)
  }

  @Test(
    "A value that differs by class, case or bytes from what is expected is a conflict, to the bit",
    arguments: [
      ("'abc'", DatabaseValue.text("ABC"), DatabaseValue.text("abc")), ("7", "7", 7), ("1.0", 1, 1.0), ("X'61'", "a", .blob([97])),
      ("NULL", "", .null), ("'a' || char(0)", "a", "a\0"), ("0.0", .real(-0.0), 0.0),
      ("9007199254740993", .real(9_007_199_254_740_992), 9_007_199_254_740_993),
    ])
  func exactness(stored: String, expected: DatabaseValue, found: DatabaseValue) throws {
    let sql = "CREATE TABLE player(id INTEGER PRIMARY KEY, c COLLATE NOCASE); INSERT INTO player VALUES (1, \(stored))"
    let failure = try Self.failure(sql) { changes in
      try changes.set("new", column: "c", row: Self.row(1), of: Self.player, was: .value(expected))
    }
    let conflict = Conflict(table: Self.player, key: .rowID(1), column: "c", base: .value(expected), theirs: .value(found), mine: "new")
    #expect(failure == .conflicts([conflict]))
    let (_, rows) = try Self.commit(sql) { changes in
      try changes.set("new", column: "c", row: Self.row(1), of: Self.player, was: .value(found))
    }
    #expect(rows == [[1, "new"]])
  }

  @Test("A text that is not valid UTF-8 is expected by its bytes, replaced, deleted and copied as it is")
  func rawText() throws {
    let sql =
      "CREATE TABLE player(id INTEGER PRIMARY KEY, c); INSERT INTO player VALUES (1, CAST(X'61E9' AS TEXT)), (2, CAST(X'E9' AS TEXT))"
    let (words, rows) = try Self.commit(sql, then: "SELECT id, typeof(c), hex(c) FROM player") { changes in
      try changes.set("new", column: "c", row: Self.row(1), of: Self.player, was: .rawText([0x61, 0xE9]))
      changes.delete(Self.row(2), of: Self.player, was: ["c": .rawText([0xE9])])
      changes.insert(["c": .rawText([0xFF, 0x00, 0x62])], into: Self.player)
    }
    #expect(words == "1 row changed, 1 new, 1 deleted")
    #expect(rows == [[1, "text", "6E6577"], [2, "text", "FF0062"]])
    let failure = try Self.failure(sql) { changes in
      try changes.set("new", column: "c", row: Self.row(1), of: Self.player, was: .rawText([0x61, 0xE8]))
    }
    guard case .conflicts(let conflicts) = failure else { return #expect(Bool(false), "\(failure)") }
    #expect(conflicts.first?.theirs == .rawText([0x61, 0xE9]))
  }

  @Test("All conflicts are told, and each is resolved for one side or the other")
  func conflicts() throws {
    let queue = try makeDatabase(Self.schema)
    var changes = StagedChanges()
    try changes.set("mine", column: "name", row: Self.row(1), of: Self.player, was: "Arthur")
    try changes.set(9, column: "rank", row: Self.row(1), of: Self.player, was: 1)
    changes.delete(Self.row(2), of: Self.player, was: ["name": "Barbara", "score": 7.0])
    try changes.set("gone", column: "name", row: Self.row(3), of: Self.player, was: "Craig")
    try queue.withoutTransaction { db in
      try db.execute(
        sql:
          "UPDATE player SET name = 'theirs', rank = 9 WHERE id = 1; UPDATE player SET score = 8 WHERE id = 2; DELETE FROM player WHERE id = 3"
      )
    }
    let failure = try #require(throws: CommitFailure.self) { try queue.withoutTransaction { db in try db.commit(changes) } }
    guard case .conflicts(let conflicts) = failure else { return #expect(Bool(false), "\(failure)") }
    #expect(failure.description == "3 rows have changed since you edited them; nothing was written")
    #expect(
      conflicts == [
        Conflict(table: Self.player, key: .rowID(1), column: "name", base: "Arthur", theirs: "theirs", mine: "mine"),
        Conflict(table: Self.player, key: .rowID(2), column: "score", base: 7.0, theirs: 8.0),
        Conflict(table: Self.player, key: .rowID(3)),
      ])
    let mine = changes.resolving(conflicts, .mine)
    let summary = try queue.withoutTransaction { db in try db.commit(mine) }
    #expect(summary.description == "1 row changed, 1 deleted")
    #expect(try Self.rows(queue) == [[1, "mine", 9, 0.5]])
    #expect(changes.resolving(conflicts, .theirs).counts == ChangeCounts(cells: 1, updatedRows: 1))
  }

  @Test(
    "A row that breaks a constraint is told with its column, and all stays as it was",
    arguments: [
      ("name", StagedValue.value(.null), "NOT NULL constraint failed: player.name", ["name"]),
      ("rank", 2, "UNIQUE constraint failed: player.rank", ["rank"]), ("score", 100, "CHECK constraint failed: score < 100", []),
      ("id", "x", "datatype mismatch", []),
    ])
  func constraints(column: String, value: StagedValue, reason: String, columns: [String]) throws {
    let failure = try Self.failure { changes in
      try changes.set("fine", column: "name", row: Self.row(3), of: Self.player, was: "Craig")
      let old: [String: StoredValue] = ["name": "Arthur", "rank": 1, "score": 0.5, "id": 1]
      try changes.set(value, column: column, row: Self.row(1), of: Self.player, was: old[column] ?? .null)
    }
    #expect(failure == .constraints([ConstraintFailure(table: Self.player, row: Self.row(1), columns: columns, reason: reason)]))
  }

  @Test("Rows that the commit's own triggers and foreign key actions change are no conflicts")
  func ownTriggers() throws {
    let sql = """
      PRAGMA foreign_keys = ON; \(Self.schema);
      CREATE TABLE goal(id INTEGER PRIMARY KEY, player REFERENCES player ON DELETE CASCADE, note);
      INSERT INTO goal VALUES (1, 1, 'a'), (2, 1, 'b');
      CREATE TRIGGER t AFTER UPDATE OF name ON player BEGIN UPDATE player SET score = 50 WHERE id = 2; END
      """
    let goal = TableReference(name: "goal")
    let (words, rows) = try Self.commit(sql) { changes in
      changes.delete(Self.row(1), of: Self.player, was: ["name": "Arthur"])
      changes.delete(Self.row(1), of: goal, was: ["note": "a"])
      try changes.set("C", column: "name", row: Self.row(3), of: Self.player, was: "Craig")
      try changes.set(8.0, column: "score", row: Self.row(2), of: Self.player, was: 7.0)
    }
    #expect(words == "2 rows changed, 2 deleted; triggers or foreign keys changed other rows, too")
    #expect(rows == [[2, "Barbara", 2, 8.0], [3, "C", 3, .null]])
  }

  @Test("A row that refers to nothing is told at the commit, and one that is made good in it is not")
  func foreignKeys() throws {
    let sql =
      "\(Self.schema); CREATE TABLE goal(id INTEGER PRIMARY KEY, player REFERENCES player, note); INSERT INTO goal VALUES (1, 1, 'a'), (7, 3, 'b')"
    let goal = TableReference(name: "goal")
    let failure = try Self.failure(sql) { changes in
      changes.delete(Self.row(1), of: Self.player, was: ["name": "Arthur"])
      try changes.set(99, column: "player", row: Self.row(7), of: goal, was: 3)
    }
    #expect(
      failure
        == .constraints([
          ConstraintFailure(
            table: goal, row: Self.row(7), columns: ["player"], reason: "goal refers to player with id 99, which does not exist"),
          ConstraintFailure(table: Self.player, row: Self.row(1), reason: "player with id 1: 1 row of goal still refers to it"),
        ]))
    let (words, _) = try Self.commit("PRAGMA foreign_keys = ON; " + sql) { changes in
      changes.delete(Self.row(1), of: Self.player, was: ["name": "Arthur"])
      try changes.set(2, column: "player", row: Self.row(1), of: goal, was: 1)
      let new = changes.insert(["player": 50], into: goal)
      try changes.set("c", column: "note", row: new, of: goal)
      changes.insert(["id": 50, "name": "new"], into: Self.player)
    }
    #expect(words == "1 row changed, 2 new, 1 deleted")
  }

  @Test("What the schema says of conflicting rows deletes none of them")
  func conflictClauses() throws {
    let sql = "CREATE TABLE player(id INTEGER PRIMARY KEY, rank UNIQUE ON CONFLICT REPLACE); INSERT INTO player VALUES (1, 1), (2, 2)"
    let failure = try Self.failure(sql) { try $0.set(2, column: "rank", row: Self.row(1), of: Self.player, was: 1) }
    #expect(failure.description == "UNIQUE constraint failed: player.rank; nothing was written")
  }

  @Test("A full disk is SQLite's own error, and nothing is written")
  func fullDisk() throws {
    let queue = try makeDatabase(Self.schema, "PRAGMA max_page_count = 3")
    var changes = StagedChanges()
    try changes.set("Art", column: "name", row: Self.row(1), of: Self.player, was: "Arthur")
    changes.insert(["name": .value(.text(String(repeating: "long", count: 10_000)))], into: Self.player)
    let error = try #require(throws: DatabaseError.self) { try queue.withoutTransaction { db in try db.commit(changes) } }
    #expect(error.resultCode == DatabaseError.SQLITE_FULL)
    #expect(try Self.rows(queue, "SELECT name FROM player") == [["Arthur"], ["Barbara"], ["Craig"]])
  }

  @Test("A trigger that rolls the transaction back ends the commit, and nothing of it is written outside of one")
  func rollbackByTrigger() throws {
    let trigger = "CREATE TRIGGER t BEFORE DELETE ON player BEGIN SELECT RAISE(ROLLBACK, 'players stay'); END"
    let queue = try makeDatabase(Self.schema, trigger)
    var changes = StagedChanges()
    changes.delete(Self.row(1), of: Self.player, was: ["name": "Arthur"])
    try changes.set("Barb", column: "name", row: Self.row(2), of: Self.player, was: "Barbara")
    let error = try #require(throws: DatabaseError.self) { try queue.withoutTransaction { db in try db.commit(changes) } }
    #expect(error.message == "players stay")
    #expect(try Self.rows(queue, "SELECT name FROM player") == [["Arthur"], ["Barbara"], ["Craig"]])
  }

  @Test("A table or a column that is gone, or can no longer be edited, is told")
  func outdated() throws {
    let stage: (inout StagedChanges) throws -> Void = { try $0.set("x", column: "name", row: Self.row(1), of: Self.player, was: "Arthur") }
    let dropped = try Self.failure(foreign: "DROP TABLE player", stage)
    #expect(dropped.description == "the table player is gone; nothing was written")
    let altered = try Self.failure(foreign: "ALTER TABLE player RENAME COLUMN name TO title", stage)
    #expect(altered.description == "the column name of player is gone; nothing was written")
    let replaced = try Self.failure(foreign: "DROP TABLE player; CREATE VIEW player AS SELECT 1 AS name", stage)
    #expect(replaced.description == "the key of player has changed; nothing was written")
  }

  @Test("A view is written by its INSTEAD OF triggers, each row known by all its values")
  func view() throws {
    let sql = """
      \(Self.schema); CREATE VIEW v AS SELECT id, name FROM player;
      CREATE TRIGGER u INSTEAD OF UPDATE ON v BEGIN UPDATE player SET name = NEW.name WHERE id = OLD.id; END;
      CREATE TRIGGER d INSTEAD OF DELETE ON v BEGIN DELETE FROM player WHERE id = OLD.id; END;
      CREATE TRIGGER i INSTEAD OF INSERT ON v BEGIN INSERT INTO player(name) VALUES (NEW.name); END
      """
    let view = TableReference(name: "v")
    let (words, rows) = try Self.commit(sql, then: "SELECT id, name FROM player") { changes in
      try changes.set("A", column: "name", row: .stored(.values([1, "Arthur"])), of: view, was: "Arthur")
      changes.delete(.stored(.values([2, "Barbara"])), of: view, was: [:])
      changes.insert(["name": "D"], into: view)
    }
    #expect(words == "1 row changed, 1 new, 1 deleted")
    #expect(rows == [[1, "A"], [3, "Craig"], [4, "D"]])
    let failure = try Self.failure(sql) { try $0.set("x", column: "name", row: .stored(.values([1, "ARTHUR"])), of: view, was: "ARTHUR") }
    #expect(failure == .conflicts([Conflict(table: view, key: .values([1, "ARTHUR"]))]))
    let twins = "CREATE TABLE t(a); INSERT INTO t VALUES (1), (1); CREATE VIEW v AS SELECT a FROM t;"
    let trigger = "CREATE TRIGGER u INSTEAD OF UPDATE ON v BEGIN UPDATE t SET a = NEW.a WHERE a = OLD.a; END"
    let refusal = try Self.failure(twins + trigger) { try $0.set(2, column: "a", row: .stored(.values([1])), of: view, was: 1) }
    #expect(refusal.description == "several rows of v have the same values, so they cannot be distinguished; nothing was written")
  }

  @Test("A cell that is set to its default gets what the schema says, and FTS5 finds what was written")
  func defaultsAndFullText() throws {
    let (_, rows) = try Self.commit(then: "SELECT score FROM player WHERE id = 1") {
      try $0.set(.defaultValue, column: "score", row: Self.row(1), of: Self.player, was: 0.5)
    }
    #expect(rows == [[2.0]])
    let notes = TableReference(name: "notes")
    let (_, found) = try Self.commit(
      "CREATE VIRTUAL TABLE notes USING fts5(title, body); INSERT INTO notes VALUES ('a', 'one'), ('b', 'two')",
      then: "SELECT title FROM notes WHERE notes MATCH 'three'"
    ) {
      try $0.set("three", column: "body", row: Self.row(2), of: notes, was: "two")
      $0.delete(Self.row(1), of: notes, was: ["title": "a"])
      $0.insert(["title": "c", "body": "three"], into: notes)
    }
    #expect(found == [["b"], ["c"]])
  }
}

extension Database {
  /// Returns the values of all tables with their storage classes, to the bit.
  fileprivate func serialized() throws -> [String] {
    let names = try String.fetchAll(
      self, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' ORDER BY 1")
    return try names.flatMap { name in
      let columns = try String.fetchAll(self, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
      let values = columns.map { "typeof(\"\($0)\") || hex(\"\($0)\")" }.joined(separator: " || ' ' || ")
      return try String.fetchAll(self, sql: "SELECT \(values) FROM \"\(name)\" ORDER BY 1")
    }
  }
}
