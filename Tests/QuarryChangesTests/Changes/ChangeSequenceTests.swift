import Foundation
import QuarryChanges
import QuarryEngine
import TestSupport
import Testing

/// Random sequences of statements, and several writers.
@Suite(.gated) struct ChangeSequenceTests {
  private static let setup = [
    "CREATE TABLE a(id INTEGER PRIMARY KEY, u UNIQUE, v)", "CREATE TABLE b(k TEXT COLLATE NOCASE PRIMARY KEY, v REAL) WITHOUT ROWID",
    "CREATE TABLE c(x, y, a REFERENCES a ON DELETE CASCADE)", "CREATE TABLE log(id INTEGER PRIMARY KEY AUTOINCREMENT, line)",
    "CREATE TRIGGER ad AFTER DELETE ON a BEGIN INSERT INTO log(line) VALUES (old.u); UPDATE c SET x = x || '+'; END",
    "CREATE TRIGGER bu AFTER UPDATE ON b BEGIN INSERT INTO c VALUES (old.k, new.v, NULL); END",
    "INSERT INTO a VALUES (1, 'p', 1), (2, 'q', 2.0), (3, 'r', NULL), (4, 's', x'00')",
    "INSERT INTO b VALUES ('a', 1), ('b', 2.5)", "INSERT INTO c VALUES (1, 2, 1), (3, 4, 2), (5, 6, NULL)",
  ]

  private static func statement(_ random: inout some RandomNumberGenerator) -> String {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let (id, value) = (number(1...8), number(0...9))
    let letter = ["a", "B", "c", "D", "p", "q"].randomElement(using: &random) ?? ""
    return [
      "INSERT INTO a VALUES (\(id), '\(letter)\(value)', \(value))", "INSERT OR REPLACE INTO a VALUES (\(id), '\(letter)', '\(value)')",
      "INSERT INTO a(u) VALUES ('\(letter)') ON CONFLICT DO UPDATE SET v = v + 1", "UPDATE a SET v = \(value) WHERE id = \(id)",
      "UPDATE OR REPLACE a SET id = id + \(value)", "UPDATE OR FAIL a SET u = '\(letter)' || (id / 2)", "DELETE FROM a WHERE id = \(id)",
      "INSERT OR IGNORE INTO b VALUES ('\(letter)', \(value))", "UPDATE OR IGNORE b SET k = upper(k), v = v + \(value)",
      "INSERT OR REPLACE INTO b VALUES ('\(letter)\(value)', NULL)", "DELETE FROM b WHERE v > \(value)", "DELETE FROM c",
      "UPDATE c SET rowid = rowid + \(value)", "INSERT INTO c SELECT k, v, NULL FROM b", "DELETE FROM log", "DELETE FROM a",
      "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "SAVEPOINT s", "SAVEPOINT s", "RELEASE s", "ROLLBACK TO s", "END",
      "ALTER TABLE c ADD COLUMN n\(number(0...99)) DEFAULT \(value)", "CREATE TABLE n\(id) AS SELECT * FROM a", "DROP TABLE n\(id)",
      "CREATE INDEX i\(id) ON c(x)", "DROP INDEX i\(id)", "DROP TABLE IF EXISTS log", "ALTER TABLE log RENAME TO log\(id)",
      "ALTER TABLE log\(id) RENAME TO log",
    ].randomElement(using: &random) ?? ""
  }

  @Test(arguments: 0..<UInt64(testRounds(40)))
  func `a random sequence of statements is undone to what was there before`(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let file = try RecordedFile()
    for sql in Self.setup { try file.runElsewhere(sql) }
    let before = try file.contents()
    var statements: [String] = []
    for _ in 0..<25 { statements.append(Self.statement(&random)) }
    // Many of them fail, as they should.
    try file.run(statements.joined(separator: ";\n") + ";\nCOMMIT")
    let after = try file.contents()
    let count = try file.commits().count
    try file.undoAll()
    let text = statements.joined(separator: ";\n")
    let undone = try difference(before, file.contents())
    #expect(undone == [], "\(undone) after \(text)")
    guard count > 0 else { return }
    for number in (count + 1...2 * count).reversed() {
      let result = try file.undo(number)
      #expect(result.summary == "done", "\(result) after \(text)")
    }
    let redone = try difference(after, file.contents())
    #expect(redone == [], "\(redone) after \(text)")
  }

  @Test func `the commits of two writers are recorded, each once, and undone in their order`() async throws {
    let file = try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, w, v)")
    let before = try file.contents()
    let (path, logs) = (file.path, file.logs)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 1...2 {
        group.addTask {
          let queue = try DatabaseQueue(path: path, configuration: .patient)
          for number in 0..<20 {
            try await queue.withoutTransaction { db in
              let recorder = ChangeRecorder(logs)
              try recorder.attach(to: db)
              let sql = number % 3 == 2 ? "UPDATE t SET v = v + 1" : "INSERT INTO t(w, v) VALUES (\(writer), \(number))"
              let statement = try db.makeStatement(sql: sql)
              try recorder.recording(statement, in: db) { try statement.execute() }
              try recorder.detach(from: db)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let commits = try file.commits()
    #expect(commits.map(\.id.number) == (1...40).reversed() && commits.allSatisfy { $0.state == .settled })
    try file.undoAll()
    #expect(try file.contents() == before)
  }
}
