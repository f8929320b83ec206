import Foundation
import QuarryEngine
import Synchronization
import TestSupport
import Testing

@Suite("Backup", .gated)
struct BackupTests {
  private static let rows = """
    WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500) INSERT INTO t SELECT x, randomblob(500) FROM n
    """

  private let source: DatabaseQueue

  init() throws {
    source = try makeDatabase("CREATE TABLE t (x, y)", Self.rows)
  }

  private func count(_ queue: DatabaseQueue) throws -> Int? {
    try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
  }

  @Test("a backup has what the database has, and tells how far it is")
  func whole() throws {
    let copy = try makeDatabase("CREATE TABLE old (x)")
    var progress: [BackupProgress] = []
    try source.backup(to: copy, pagesPerStep: 10) { progress.append($0) }
    #expect(try count(copy) == 500)
    try copy.read { db throws in #expect(try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema") == ["t"]) }
    let total = try #require(progress.last?.totalPages)
    #expect(total > 50 && progress.count == (total + 9) / 10)
    #expect(progress.map(\.completedPages) == (1...progress.count).map { min($0 * 10, total) })
    #expect(progress.last?.remainingPages == 0)
  }

  @Test("a backup that is not ended leaves the other database as it was")
  func stopped() throws {
    struct Stop: Error {}
    let copy = try makeDatabase("CREATE TABLE old (x)", "INSERT INTO old VALUES (1)")
    #expect(throws: Stop.self) {
      try source.backup(to: copy, pagesPerStep: 10) { if $0.completedPages >= 20 { throw Stop() } }
    }
    expectError(DatabaseError.SQLITE_INTERRUPT) {
      try source.backup(to: copy, pagesPerStep: 10) { _ in source.interrupt() }
    }
    try copy.write { db throws in
      #expect(try Int.fetchAll(db, sql: "SELECT x FROM old") == [1])
      try db.execute(sql: "INSERT INTO old VALUES (2)")
    }
    try source.backup(to: copy)
    #expect(try count(copy) == 500)
  }

  @Test("a backup is made on the queue's own thread, and ends with its task")
  func cancellation() async throws {
    let (source, copy) = (source, try makeDatabase("CREATE TABLE old (x)"))
    let task = Task {
      try await source.backup(to: copy, pagesPerStep: 10) { _ in withUnsafeCurrentTask { $0?.cancel() } }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await copy.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema") } == ["old"])
    try await source.backup(to: copy)
    #expect(try await copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 500)
  }

  @Test("what is written while a backup reads is not in it, and does not keep it from its end")
  func snapshot() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "PRAGMA journal_mode = WAL", "CREATE TABLE t (x, y)", Self.rows)
      let (live, writer, copy) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path), try DatabaseQueue())
      try live.backup(to: copy, pagesPerStep: 10) { _ in
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (0, randomblob(5000))") }
      }
      #expect(try count(copy) == 500)
      #expect(try count(live) ?? 0 > 500)
    }
  }

  @Test("a lock that another connection holds is waited for, and named when it stays")
  func busy() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE old (x)")
      var configuration = Configuration()
      configuration.busyTimeout = .milliseconds(1)
      let copy = try DatabaseQueue(path: path, configuration: configuration)
      try DatabaseQueue(path: path).write { _ throws -> Void in
        expectError(DatabaseError.SQLITE_BUSY) { try source.backup(to: copy) }
      }
      try source.backup(to: copy)
      #expect(try count(copy) == 500)
    }
  }

  @Test("a backup over itself, over a database in a transaction, or in an access that reads is refused")
  func refused() throws {
    let copy = try makeDatabase("CREATE TABLE old (x)")
    try source.withoutTransaction { source throws in
      expectError(DatabaseError.SQLITE_ERROR) { try source.backup(to: source) }
      try copy.read { copy throws -> Void in expectError(DatabaseError.SQLITE_READONLY) { try source.backup(to: copy) } }
      try copy.write { copy throws -> Void in
        try copy.execute(sql: "INSERT INTO old VALUES (1)")
        expectError(DatabaseError.SQLITE_ERROR) { try source.backup(to: copy) }
      }
    }
    #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM old") } == 1)
  }

  @Test("backups in opposite directions between two databases do not wait for each other")
  func opposite() async throws {
    let (first, second) = (try makeDatabase("CREATE TABLE t (x)"), try makeDatabase("CREATE TABLE t (x)"))
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    for (from, to) in [(first, second), (second, first)] {
      group.enter()
      Thread.detachNewThread {
        do { for _ in 0..<500 { try from.backup(to: to) } } catch { failures.withLock { $0.append("\(error)") } }
        group.leave()
      }
      group.enter()
      Task(executorPreference: OwnThreads(1)) { @Sendable in
        do { for _ in 0..<500 { try await from.backup(to: to) } } catch { failures.withLock { $0.append("\(error)") } }
        group.leave()
      }
    }
    let haveEnded = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: group.wait(timeout: .now() + Waiting.seconds) == .success) }
    }
    try #require(haveEnded)
    #expect(failures.withLock(\.self) == [])
  }
}
