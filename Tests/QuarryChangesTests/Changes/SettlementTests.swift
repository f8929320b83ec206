import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Commits that a program has left pending, since it was killed just before or just after COMMIT.
@Suite struct SettlementTests {
  private func file() throws -> RecordedFile {
    try RecordedFile(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b)", "INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 2)", "CREATE INDEX by_a ON t(a)",
      "CREATE TABLE bare(a)", "CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT)", "INSERT INTO counted DEFAULT VALUES")
  }

  /// Runs statements in one transaction, and records it as pending.
  private func leavePending(_ statements: [String], isCommitted: Bool, in file: RecordedFile) throws {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    try queue.withoutTransaction { db in
      let recorder = ChangeRecorder(file.logs)
      try recorder.attach(to: db)
      #expect(throws: UnknownOutcome.self) {
        _ = try recorder.inTransaction(
          .sql, CommitOrigin(statement: statements[0]), in: db, { for sql in statements { try recorder.execute(sql, in: db) } },
          committingElsewhere: {
            if isCommitted { try db.execute(sql: "COMMIT") }
            throw UnknownOutcome(description: "killed")
          })
      }
      #expect(!db.isInsideTransaction)
    }
  }

  @Test(
    arguments: [
      ["UPDATE t SET a = a || '!'"], ["DELETE FROM t"], ["INSERT INTO t(a) VALUES ('z')"], ["CREATE TABLE n(a)"],
      ["CREATE TABLE n AS SELECT 1 AS a"], ["CREATE TABLE n(a)", "INSERT INTO n VALUES (1)"], ["DROP TABLE t"], ["DROP TABLE bare"],
      ["CREATE INDEX by_b ON t(b)"], ["DROP INDEX by_a"], ["CREATE VIEW v AS SELECT a FROM t"], ["ALTER TABLE bare ADD COLUMN c"],
      ["ALTER TABLE t ADD COLUMN c DEFAULT 1"], ["ALTER TABLE t RENAME TO u"], ["ALTER TABLE bare RENAME COLUMN a TO c"],
      ["ALTER TABLE t DROP COLUMN b"], ["CREATE VIRTUAL TABLE f USING fts5(body)"],
      ["CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM bare; END"], ["INSERT INTO counted DEFAULT VALUES"],
      ["INSERT INTO counted DEFAULT VALUES", "DELETE FROM counted WHERE id > 1"],
      ["DROP TABLE t", "CREATE TABLE t(id INTEGER PRIMARY KEY)"],
    ], [false, true])
  func `whether it was committed is told by what is in the file`(_ statements: [String], isCommitted: Bool) throws {
    let file = try file()
    let before = try file.contents()
    try leavePending(statements, isCommitted: isCommitted, in: file)
    #expect(try (file.contents() == before) == !isCommitted || statements.count == 2)
    #expect(try file.commits().map(\.state) == (isCommitted ? [.settled] : []))
    guard isCommitted else {
      #expect(throws: DataSourceError.self) { try file.undo() }
      return
    }
    try file.undoAll()
    #expect(difference(before, try file.contents()).isEmpty)
  }

  @Test func `an undo does not pass over a commit that another program is about to make`() throws {
    let file = try file()
    try file.run("UPDATE t SET a = 'first'")
    try leavePending(["UPDATE t SET b = 7"], isCommitted: true, in: file)
    let log = try #require(try file.read { db in try file.logs.existingLog(ofDatabase: "main", in: db) })
    let lock = try #require(try log.pendingLock(waits: false))
    let error = #expect(throws: DataSourceError.self) { try file.undo() }
    #expect(error?.description.contains("another program is still writing commit 2: try again") == true)
    withExtendedLifetime(lock) {}
  }
}
