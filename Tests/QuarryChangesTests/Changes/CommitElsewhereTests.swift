import Foundation
import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Transactions of a draft whose changes are committed on a server.
@Suite struct CommitElsewhereTests {
  private struct Refusal: Error {}

  /// Runs a transaction whose changes are committed elsewhere, on a connection that can be spoilt meanwhile.
  private func run(_ file: RecordedFile, _ commit: @escaping (Database) throws -> Void) throws {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    try queue.withoutTransaction { db in
      let recorder = ChangeRecorder(file.logs)
      try recorder.attach(to: db)
      _ = try recorder.inTransaction(
        .edit, CommitOrigin(statement: "edit of t"), in: db, { try db.execute(sql: "UPDATE t SET a = 2 WHERE id = 1") },
        committingElsewhere: { try commit(db) })
      #expect(!db.isInsideTransaction)
    }
  }

  private func file() throws -> RecordedFile {
    try RecordedFile("CREATE TABLE t(id INTEGER PRIMARY KEY, a)", "INSERT INTO t VALUES (1, 1)")
  }

  @Test func `what was committed elsewhere stays recorded, and the draft cannot fail any more`() throws {
    let file = try file()
    // A deferred violation would make the COMMIT of the draft fail.
    try run(file) { db in
      try db.execute(
        sql:
          "CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p REFERENCES p DEFERRABLE INITIALLY DEFERRED); INSERT INTO c VALUES (7)")
    }
    #expect(try file.commits().map(\.state) == [.settled] && file.commits().map(\.updated) == [1])
    #expect(try file.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") } == [1])
  }

  @Test func `what was refused elsewhere leaves no record`() throws {
    let file = try file()
    #expect(throws: Refusal.self) { try run(file) { _ in throw Refusal() } }
    #expect(try file.commits().isEmpty)
  }

  @Test func `a commit of which nothing is known keeps its record, until the rows tell`() throws {
    let file = try file()
    #expect(throws: UnknownOutcome.self) { try run(file) { _ in throw UnknownOutcome(description: "the answer was lost") } }
    try file.runElsewhere("UPDATE t SET a = 2 WHERE id = 1")
    let queue = try DatabaseQueue(path: file.path)
    let states = try queue.withoutTransaction { db in try file.logs.settledLog(ofDatabase: "main", in: db)?.commits().map(\.state) }
    #expect(states == [.settled])
  }

  @Test func `a lock that cannot be had is not taken for a free one`() throws {
    let file = try file()
    try file.run("UPDATE t SET a = 5")
    let log = try #require(FileManager.default.contentsOfDirectory(atPath: file.logs.path).first { $0.hasSuffix(".db-pending") })
    let path = file.logs.path + "/" + log
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(throws: PrivateFileError.self) { _ = try FileLock(path: path) }
    let errors = try file.run("UPDATE t SET a = 6")
    let sentence = String(describing: try #require(errors.first))
    #expect(sentence.contains("its changes cannot be recorded, so nothing was changed") && sentence.contains("-pending"), "\(sentence)")
    #expect(try file.read { db in try Int.fetchAll(db, sql: "SELECT a FROM t") } == [5])
  }
}
