import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Random commits on tables with triggers and foreign key actions, against the same statements run by hand.
@Suite("Commits against statements run by hand", .gated) struct CommitReferenceTests {
  private static let parent = TableReference(name: "parent")
  private static let child = TableReference(name: "child")
  private static let view = TableReference(name: "both")

  private static let actions = ["NO ACTION", "RESTRICT", "CASCADE", "SET NULL", "SET DEFAULT"]

  /// Returns the schema with an action of its foreign key, and rows.
  private static func schema(_ onDelete: String, _ onUpdate: String) -> String {
    """
    PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON;
    CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT, changed INT DEFAULT 0);
    CREATE TABLE child(id INTEGER PRIMARY KEY, parent INT DEFAULT 1 REFERENCES parent ON DELETE \(onDelete) ON UPDATE \(onUpdate), note);
    CREATE TABLE log(what);
    CREATE VIEW both AS SELECT child.id AS id, name, note FROM child JOIN parent ON parent.id = child.parent;
    CREATE TRIGGER t1 AFTER UPDATE OF name ON parent BEGIN
      UPDATE parent SET changed = changed + 1 WHERE id = NEW.id; INSERT INTO log VALUES ('u' || NEW.id);
    END;
    CREATE TRIGGER t2 BEFORE DELETE ON child BEGIN INSERT INTO log VALUES ('d' || OLD.id); END;
    CREATE TRIGGER t3 AFTER INSERT ON child BEGIN UPDATE parent SET changed = 100 WHERE id = NEW.parent; END;
    CREATE TRIGGER t4 INSTEAD OF UPDATE ON both BEGIN
      UPDATE child SET note = NEW.note WHERE id = OLD.id; UPDATE parent SET name = NEW.name WHERE name = OLD.name;
    END;
    INSERT INTO parent(id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
    INSERT INTO child VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 2, 'z'), (4, NULL, 'w'), (5, 4, 'v')
    """
  }

  @Test("What is written is what the statements write, with all that triggers and foreign keys do", arguments: actions)
  func reference(onDelete: String) throws {
    var random = SplitMix(seed: UInt64(onDelete.utf8.count))
    var (same, refused) = (0, 0)
    for round in 0..<60 {
      let sql = Self.schema(onDelete, Self.actions[round % Self.actions.count])
      let (queue, other) = (try makeDatabase(sql), try makeDatabase(sql))
      let (changes, statements) = try Self.edits(queue, &random)
      let before = try Self.content(queue)
      let reference: Void? = try? other.withoutTransaction { db in
        try db.inTransaction { db in
          try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
          for statement in statements { try db.execute(literal: statement) }
        }
      }
      do {
        _ = try queue.withoutTransaction { db in try db.commit(changes) }
        // By another order of the statements more may be possible, but what is possible by theirs comes out the same.
        if reference != nil { #expect(try Self.content(queue) == Self.content(other)) }
        same += reference == nil ? 0 : 1
      } catch let failure as CommitFailure {
        #expect(try Self.content(queue) == before)
        if case .constraints = failure { #expect(reference == nil, "\(failure)") }
        refused += 1
      }
      let faults = try queue.withoutTransaction { db in
        try String.fetchAll(db, sql: "PRAGMA integrity_check") + String.fetchAll(db, sql: "SELECT \"table\" FROM pragma_foreign_key_check")
      }
      #expect(faults == ["ok"])
    }
    #expect(same > 10 && refused > 3)
  }

  /// Stages random changes, and returns them with the statements that do the same.
  private static func edits(_ queue: DatabaseQueue, _ random: inout SplitMix) throws -> (StagedChanges, [SQLText]) {
    var changes = StagedChanges()
    for _ in 0..<Int.random(in: 1..<5, using: &random) {
      let (table, last) = Bool.random(using: &random) ? (parent, 4 as Int64) : (child, 5)
      let key = RowKey.rowID(.random(in: 1...last, using: &random))
      let row = try #require(try queue.read { db in try db.storedRows([key], of: db.tableSchema(table))[0] })
      let id = StagedValue.value(.integer(.random(in: 1...7, using: &random)))
      switch (Int.random(in: 0..<6, using: &random), table == parent) {
      case (0, _): changes.delete(.stored(key), of: table, was: row)
      case (1, true): changes.insert(["id": id, "name": "new"], into: table)
      case (1, false): changes.insert(["parent": id, "note": "new"], into: table)
      case (2, true): try? changes.set(id, column: "id", row: .stored(key), of: table, was: row["id"] ?? .null)
      case (2...3, false): try? changes.set(id, column: "parent", row: .stored(key), of: table, was: row["parent"] ?? .null)
      case (_, true): try? changes.set("other", column: "name", row: .stored(key), of: table, was: row["name"] ?? .null)
      default: try? changes.set("other", column: "note", row: .stored(key), of: table, was: row["note"] ?? .null)
      }
    }
    return (changes, try statements(changes))
  }

  /// Writes the statements of changes as a person would, by the key alone: deletions, changes, new rows.
  private static func statements(_ changes: StagedChanges) throws -> [SQLText] {
    let rows = changes.tables.flatMap { table in changes.rows(of: table).map { (table, $0.row, $0.change) } }
    var (deletes, updates, inserts, named): ([SQLText], [SQLText], [SQLText], [SQLText]) = ([], [], [], [])
    for (table, row, change) in rows {
      let id: Int64 = if case .stored(.rowID(let id)) = row { id } else { 0 }
      switch change {
      case .deleted: deletes.append("DELETE FROM \(identifier: table.name) WHERE id = \(id)")
      case .updated(let cells):
        let sets = cells.sorted { $0.key < $1.key }.map { "\(identifier: $0.key) = \($0.value.value.stored?.value ?? .null)" as SQLText }
        var sql: SQLText = "UPDATE \(identifier: table.name) SET \(sets[0])"
        for set in sets.dropFirst() { sql.append(", \(set)" as SQLText) }
        updates.append("\(sql) WHERE id = \(id)")
      case .inserted(let values):
        let columns = values.sorted { $0.key < $1.key }
        let (first, second) = (columns[0], columns[1])
        let sql: SQLText = """
          INSERT INTO \(identifier: table.name)(\(identifier: first.key), \(identifier: second.key)) \
          VALUES \([first.value.stored?.value ?? .null, second.value.stored?.value ?? .null])
          """
        if first.key == "id" { named.append(sql) } else { inserts.append(sql) }
      }
    }
    return deletes + updates + (changes.tables.first == child ? inserts + named : named + inserts)
  }

  private static func content(_ queue: DatabaseQueue) throws -> [[DatabaseValue]] {
    try queue.read { db in
      try ["parent", "child", "log"].flatMap { table in
        try Row.fetchAll(db, sql: "SELECT rowid, * FROM \(table) ORDER BY 1").map { try $0.databaseValues }
      }
    }
  }
}
