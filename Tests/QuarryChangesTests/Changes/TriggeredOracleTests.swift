import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Random commits on tables whose triggers ignore, take back and change rows, against the same statements run by hand and against what is
/// there before and afterwards.
@Suite("Commits beside random triggers") struct TriggeredOracleTests {
  private static let parent = TableReference(name: "p")
  private static let triggers = [
    "BEFORE UPDATE ON p WHEN old.locked BEGIN SELECT RAISE(IGNORE); END",
    "BEFORE DELETE ON p WHEN old.locked BEGIN SELECT RAISE(IGNORE); END",
    "BEFORE INSERT ON p WHEN new.a = 'n3' BEGIN SELECT RAISE(IGNORE); END",
    "AFTER UPDATE OF a ON p BEGIN UPDATE p SET a = upper(new.a) WHERE id = new.id; END",
    "AFTER UPDATE OF b ON p BEGIN UPDATE p SET b = old.b WHERE id = new.id; END",
    "AFTER INSERT ON p WHEN new.a = 'n2' BEGIN DELETE FROM p WHERE id = new.id; END",
    "AFTER DELETE ON p WHEN old.id = 4 BEGIN INSERT INTO p VALUES (old.id, old.a, old.b, old.locked); END",
    "AFTER DELETE ON p BEGIN INSERT INTO log VALUES (old.id); END",
    "BEFORE DELETE ON p WHEN old.id = 5 BEGIN UPDATE p SET b = 'gone' WHERE id = 5; SELECT RAISE(IGNORE); END",
  ]

  @Test(arguments: ["", "CASCADE", "SET NULL"], [true, false])
  func `what is reported is what is there`(_ action: String, hasKey: Bool) throws {
    var random = SplitMix(seed: UInt64(action.utf8.count) * 2 + (hasKey ? 1 : 0))
    var (left, written) = (0, 0)
    for _ in 0..<testRounds(60) {
      let used = Self.triggers.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
      let sql = Self.schema(used, action, hasKey)
      let (queue, other) = (try makeDatabase(sql), try makeDatabase(sql))
      let before = try Self.rows(queue)
      let changes = try Self.edits(before, &random)
      guard !changes.isEmpty else { continue }
      let summary: CommitSummary
      do {
        summary = try queue.withoutTransaction { db in try db.commit(changes) }
      } catch let failure as CommitFailure {
        #expect(try Self.rows(queue) == before, "\(failure)")
        continue
      }
      try Self.runByHand(changes, on: other)
      #expect(try Self.content(queue) == Self.content(other), "\(used) \(changes.rows(of: Self.parent))")
      try Self.check(summary, changes, before, Self.rows(queue), "\(used)")
      left += summary.left.counts.changes
      written += summary.changed + summary.inserted + summary.deleted
    }
    // Else the test would have looked at little.
    #expect(left > 5 && written > 20, "\(left) \(written)")
  }

  private static func schema(_ triggers: [String], _ action: String, _ hasKey: Bool) -> String {
    let child = action.isEmpty || !hasKey ? "p" : "p REFERENCES p ON DELETE \(action)"
    let made = triggers.enumerated().map { "CREATE TRIGGER t\($0) \($1.replacing("id", with: hasKey ? "id" : "rowid"));" }
    let table = hasKey ? "id INTEGER PRIMARY KEY, a, b, locked" : "a, b, locked"
    let columns = hasKey ? "(id, a, b, locked)" : "(rowid, a, b, locked)"
    return """
      PRAGMA foreign_keys = ON; CREATE TABLE p(\(table)); CREATE TABLE c(id INTEGER PRIMARY KEY, \(child)); CREATE TABLE log(line);
      INSERT INTO p\(columns) VALUES (1, 'a', 'x', 0), (2, 'b', 'y', 1), (3, 'c', 'z', 0), (4, 'd', 'w', 0), (5, 'e', 'v', 0), (6, 'f', 'u', 1);
      INSERT INTO c VALUES (1, 1), (2, 1), (3, 4), (4, NULL);
      \(made.joined(separator: "\n").replacing("INSERT INTO p VALUES", with: "INSERT INTO p\(columns) VALUES"))
      """
  }

  private typealias Rows = [Int64: [String: StoredValue]]

  private static func rows(_ queue: DatabaseQueue) throws -> Rows {
    try queue.read { db in
      var rows: Rows = [:]
      try db.scan("SELECT rowid, a, b, locked FROM p") { statement in
        let values = try (1...3).map { try statement.storedValue(at: $0) }
        rows[try statement.columnInteger(at: 0)] = Dictionary(zip(["a", "b", "locked"], values), uniquingKeysWith: { first, _ in first })
        return true
      }
      return rows
    }
  }

  private static func content(_ queue: DatabaseQueue) throws -> [[DatabaseValue]] {
    try queue.read { db in
      try ["p", "c", "log"].flatMap { table in
        try Row.fetchAll(db, sql: "SELECT rowid, * FROM \(table) ORDER BY 1").map { try $0.databaseValues }
      }
    }
  }

  private static func edits(_ rows: Rows, _ random: inout SplitMix) throws -> StagedChanges {
    var changes = StagedChanges()
    for _ in 0..<Int.random(in: 1..<6, using: &random) {
      let id = Int64.random(in: 1...6, using: &random)
      let (row, was) = (StagedRowID.stored(.rowID(id)), rows[id] ?? [:])
      switch Int.random(in: 0..<6, using: &random) {
      // The rowid of the last row would be given to a new one.
      case 0 where id < 6: changes.delete(row, of: parent, was: was)
      case 1: changes.insert(["a": .value(.text("n\(Int.random(in: 1...4, using: &random))")), "b": "new", "locked": 0], into: parent)
      case 2...3: try? changes.set("other", column: "a", row: row, of: parent, was: was["a"] ?? .null, expecting: was)
      default: try? changes.set("other", column: "b", row: row, of: parent, was: was["b"] ?? .null, expecting: was)
      }
    }
    return changes
  }

  /// Runs what is staged as a person would: deletions, changes, new rows, each by the rowid alone.
  private static func runByHand(_ changes: StagedChanges, on queue: DatabaseQueue) throws {
    try queue.withoutTransaction { db in
      try db.inTransaction { db in
        for kind in [StagedRow.Kind.deleted, .updated, .inserted] {
          for (row, change) in changes.rows(of: parent) where change.kind == kind {
            let id: Int64 = if case .stored(.rowID(let id)) = row { id } else { 0 }
            switch change {
            case .deleted: try db.execute(literal: "DELETE FROM p WHERE rowid = \(id)")
            case .updated(let cells):
              let sets = cells.changes.sorted { $0.key < $1.key }.map {
                "\(identifier: $0.key) = \($0.value.value.stored?.value ?? .null)" as SQLText
              }
              try db.execute(literal: "UPDATE p SET \(sets.joined(by: ", ")) WHERE rowid = \(id)")
            case .inserted(let values):
              let value = { (name: String) in values[name]?.stored?.value ?? .null }
              try db.execute(literal: "INSERT INTO p(a, b, locked) VALUES (\(value("a")), \(value("b")), \(value("locked")))")
            }
          }
        }
      }
    }
  }

  /// Compares what was reported with the rows before and afterwards.
  private static func check(_ summary: CommitSummary, _ changes: StagedChanges, _ before: Rows, _ after: Rows, _ place: String) {
    var (gone, changed) = (0, 0)
    for case (.stored(.rowID(let id)), let change) in changes.rows(of: parent) {
      let left = summary.left.change(of: .stored(.rowID(id)), in: parent)
      switch change {
      case .deleted:
        gone += after[id] == nil ? 1 : 0
        #expect((left != nil) == (after[id] == before[id]), "\(id) \(place)")
      case .updated(let cells):
        let kept = Set(cells.changes.filter { after[id]?[$0.key] == $0.value.was }.keys)
        if case .updated(let cells)? = left {
          #expect(Set(cells.changes.keys) == kept, "\(id) \(place)")
        } else {
          #expect(kept.isEmpty, "\(id) \(place)")
        }
        changed += kept.count < cells.changes.count ? 1 : 0
      case .inserted: break
      }
    }
    #expect(summary.deleted == gone && summary.changed == changed, "\(summary) \(place)")
    let new = after.keys.filter { before[$0] == nil }.count
    #expect(summary.inserted == new && summary.left.counts.newRows == changes.counts.newRows - new, "\(summary) \(place)")
  }
}
