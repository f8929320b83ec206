import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Commits of staged changes with a record.
@Suite(.gated) struct RecordedCommitTests {
  private static let table = TableReference(name: "t")

  /// Commits staged changes and records them.
  private static func commit(_ changes: StagedChanges, to file: RecordedFile) throws -> CommitSummary {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.withoutTransaction { db in
      let recorder = ChangeRecorder(file.logs)
      try recorder.attach(to: db)
      return try ChangeCommit.run(changes, in: db) { body in
        try recorder.inTransaction(.edit, CommitOrigin(statement: "edit of t"), in: db, body).value
      }
    }
  }

  private static func updates(_ rows: [(id: Int64, was: StoredValue, value: StagedValue)]) throws -> StagedChanges {
    var changes = StagedChanges()
    for row in rows { try changes.set(row.value, column: "a", row: .stored(.rowID(row.id)), of: table, was: row.was) }
    return changes
  }

  @Test(arguments: [1, 1000])
  func `a row with another value than expected is a conflict, whether rows are near or far`(_ step: Int64) throws {
    let ids = (1...9).map { $0 * step }
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a COLLATE NOCASE, b)")
    for id in ids { try file.runElsewhere("INSERT INTO t VALUES (\(id), 'abc', \(id))") }
    // Each is equal to the expected 'abc' in SQL's eyes only, or gone.
    for sql in ["UPDATE t SET a = 'ABC' WHERE id = \(5 * step)", "DELETE FROM t WHERE id = \(9 * step)"] { try file.runElsewhere(sql) }
    let before = try file.contents()
    let failure = try #require(throws: CommitFailure.self) {
      _ = try Self.commit(Self.updates(ids.reversed().map { ($0, "abc", "new") }), to: file)
    }
    guard case .conflicts(let conflicts) = failure else { throw failure }
    #expect(Set(conflicts.map(\.key)) == [.rowID(5 * step), .rowID(9 * step)])
    #expect(try file.contents() == before && file.commits().isEmpty)
  }

  @Test func `values of another storage class, another sign or other bytes are conflicts`() throws {
    let stored = ["7", "'7'", "7.0", "0.0", "NULL", "x'37'", "CAST(x'ff' AS TEXT)", "''"]
    let expected: [StoredValue] = [.value(.integer(7)), "7", 7.0, 0.0, .null, .value(.blob([0x37])), .rawText([0xFF]), ""]
    for (place, value) in expected.enumerated() {
      let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a)")
      try file.runElsewhere("INSERT INTO t(a) VALUES \(stored.map { "(\($0))" }.joined(separator: ", "))")
      let changes = try Self.updates(stored.indices.map { (Int64($0 + 1), value, .value(.text("new"))) })
      let failure = try #require(throws: CommitFailure.self) { _ = try Self.commit(changes, to: file) }
      guard case .conflicts(let conflicts) = failure else { throw failure }
      #expect(conflicts.count == stored.count - 1 && !conflicts.contains { $0.key == .rowID(Int64(place + 1)) }, "\(value)")
      let minusZero = try Self.updates([(4, .value(.real(-0.0)), 1), (5, .null, 1)])
      #expect(throws: CommitFailure.self) { _ = try Self.commit(minusZero, to: file) }
    }
  }

  @Test func `rows that a trigger leaves alone are not recorded`() throws {
    let file = try RecordedFile(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')",
      "CREATE TRIGGER r BEFORE UPDATE ON t WHEN old.id = 2 BEGIN SELECT RAISE(IGNORE); END")
    let summary = try Self.commit(Self.updates([(1, "x", "p"), (2, "y", "q"), (3, "z", "r")]), to: file)
    #expect(summary.changed == 2 && summary.left.counts.cells == 1)
    #expect(try file.lastRows() == ["t 1 update a: 'x' → 'p'", "t 3 update a: 'z' → 'r'"])
  }

  @Test func `a commit whose record would be too large writes nothing`() throws {
    let file = try RecordedFile(limit: 4096, "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)")
    try file.runElsewhere("INSERT INTO t(a, b) VALUES ('x', zeroblob(3000)), ('y', zeroblob(3000))")
    let before = try file.contents()
    #expect(throws: ChangesTooLarge.self) { _ = try Self.commit(Self.updates([(1, "x", "p"), (2, "y", "q")]), to: file) }
    #expect(try file.contents() == before && file.commits().isEmpty)
  }

  private static let triggers = [
    "BEFORE UPDATE ON t WHEN old.b BEGIN SELECT RAISE(IGNORE); END",
    "AFTER UPDATE OF a ON t BEGIN UPDATE t SET a = 'next' WHERE id = new.id + 1; END",
    "AFTER UPDATE OF a ON t WHEN new.id = 3 BEGIN DELETE FROM t WHERE id = 4; END",
    "AFTER UPDATE ON t BEGIN UPDATE t SET b = b + 2 WHERE id = new.id; END",
    "AFTER DELETE ON t BEGIN INSERT INTO t VALUES (old.id + 100, old.a, 0); END",
    "AFTER DELETE ON t BEGIN UPDATE t SET a = 'left' WHERE id = old.id - 1; END",
  ]

  @Test func `a commit with a record does what one without does, and is undone whole`() throws {
    var random = SplitMix(seed: 23)
    var (written, refused) = (0, 0)
    for _ in 0..<testRounds(25) {
      let used = Self.triggers.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      let sql =
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE, b DEFAULT 0); INSERT INTO t(a) VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('f');"
        + used.enumerated().map { "CREATE TRIGGER r\($0) \($1);" }.joined()
      let (file, other) = (try RecordedFile(sql), try makeDatabase(sql))
      var changes = StagedChanges()
      for id in Int64(1)...6 where Bool.random(using: &random) {
        let was = StoredValue.value(.text(String(UnicodeScalar(UInt8(96 + id)))))
        if Int.random(in: 0..<4, using: &random) == 0 {
          changes.delete(.stored(.rowID(id)), of: Self.table, was: ["a": was, "b": 0])
        } else {
          let text = ["a", "b", "c", "n\(id)", "m\(id)"].randomElement(using: &random) ?? ""
          try changes.set(.value(.text(text)), column: "a", row: .stored(.rowID(id)), of: Self.table, was: was)
        }
      }
      guard !changes.isEmpty else { continue }
      let before = try file.contents()
      let expected = Result { try other.withoutTransaction { db in try db.commit(changes) } }
      let found = Result { try Self.commit(changes, to: file) }
      switch (found, expected) {
      case (.success(let found), .success(let expected)):
        #expect(found.changed == expected.changed && found.deleted == expected.deleted && found.left == expected.left, "\(used)")
        let rows = "SELECT id || ' ' || quote(a) || ' ' || quote(b) FROM t ORDER BY id"
        let (mine, theirs) = try (file.read { try String.fetchAll($0, sql: rows) }, other.read { try String.fetchAll($0, sql: rows) })
        #expect(mine == theirs, "\(used)")
        try file.undoAll()
        written += 1
      case (.failure(let found), .failure(let expected)):
        #expect("\(found)" == "\(expected)", "\(used)")
        refused += 1
      default: Issue.record("\(found) \(expected) \(used)")
      }
      #expect(try difference(file.contents(), before).isEmpty, "\(used)")
    }
    #expect(written > 5 && refused > 1, "\(written) \(refused)")
  }
}
