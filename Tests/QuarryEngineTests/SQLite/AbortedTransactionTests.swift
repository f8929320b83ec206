import QuarryEngine
import TestSupport
import Testing

@Suite("Transactions that SQLite ends")
struct AbortedTransactionTests {
  private struct Failure: Error {}

  /// What makes SQLite roll a transaction back whose row 1 is there already.
  private static let rollbacks = [
    "INSERT OR ROLLBACK INTO t VALUES (1)",
    "INSERT INTO u VALUES (0)",
    "INSERT INTO v VALUES (0)",
    "INSERT INTO big VALUES (zeroblob(4000000))",
  ]

  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase(
      """
      CREATE TABLE t (x UNIQUE); CREATE TABLE u (x UNIQUE ON CONFLICT ROLLBACK); INSERT INTO u VALUES (0); CREATE TABLE v (x);
      CREATE TRIGGER refusal BEFORE INSERT ON v BEGIN SELECT RAISE(ROLLBACK, 'no more'); END;
      CREATE TABLE big (x);
      """)
    try queue.withoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 200") }
  }

  private func values() throws -> [Int] {
    try queue.read { try Int.fetchAll($0, sql: "SELECT x FROM t ORDER BY x") }
  }

  private func insert(_ value: Int, in db: Database) throws {
    try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
  }

  private func loseTransaction(by sql: String = AbortedTransactionTests.rollbacks[0], in db: Database) {
    #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
    #expect(!db.isInsideTransaction)
  }

  @Test("a later statement throws, and nothing is written", arguments: rollbacks)
  func laterStatement(sql: String) throws {
    let error = expectError(DatabaseError.SQLITE_ABORT) {
      try queue.write { db in
        try insert(1, in: db)
        loseTransaction(by: sql, in: db)
        try insert(2, in: db)
      }
    }
    #expect(error?.sql == "INSERT INTO t VALUES (?)")
    #expect(try values() == [])
  }

  @Test("the commit throws where the errors of all statements are caught", arguments: rollbacks)
  func commit(sql: String) throws {
    expectError(DatabaseError.SQLITE_ABORT) {
      try queue.write { db in
        try insert(1, in: db)
        loseTransaction(by: sql, in: db)
        for value in 2...4 { try? insert(value, in: db) }
        expectError(DatabaseError.SQLITE_ABORT) { try Int.fetchOne(db, sql: "SELECT 1") }
        expectError(DatabaseError.SQLITE_ABORT) { try db.execute(sql: "BEGIN") }
        expectError(DatabaseError.SQLITE_ABORT) { try db.execute(sql: "SAVEPOINT s") }
        expectError(DatabaseError.SQLITE_ABORT) { try db.inTransaction { _ in } }
        expectError(DatabaseError.SQLITE_ABORT) { try db.inSavepoint { _ in .commit } }
        expectError(DatabaseError.SQLITE_ABORT) { try db.inSavepoint { _ in .rollback } }
      }
    }
    #expect(try values() == [])
  }

  @Test("an error of the body's own is thrown as it is, and nothing is written")
  func ownError() throws {
    #expect(throws: Failure.self) {
      try queue.write { db in
        try insert(1, in: db)
        loseTransaction(in: db)
        try? insert(2, in: db)
        throw Failure()
      }
    }
    #expect(try values() == [])
  }

  @Test("the error that ended the transaction is named")
  func message() throws {
    let error = expectError(DatabaseError.SQLITE_ABORT) {
      try queue.write { db in
        try insert(1, in: db)
        loseTransaction(in: db)
      }
    }
    #expect(
      error?.message == """
        the transaction was aborted: SQLite rolled it back after “UNIQUE constraint failed: t.x”. Return from its closure, and run it again
        """)
    try queue.write { try insert(5, in: $0) }
    #expect(try values() == [5])
  }

  @Test("an interrupted INSERT ends the transaction too")
  func interrupt() throws {
    let many = "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t SELECT i FROM n"
    expectError(DatabaseError.SQLITE_ABORT) {
      try queue.write { db in
        try insert(1, in: db)
        expectError(DatabaseError.SQLITE_INTERRUPT) {
          try db.withProgress(every: 1) {
            queue.interrupt()
            return false
          } during: {
            try db.execute(sql: many)
          }
        }
        try insert(2, in: db)
      }
    }
    #expect(try values() == [])
  }

  @Test("a savepoint inside of a transaction does not pass over its end", arguments: [TransactionOutcome.commit, .rollback])
  func savepoint(outcome: TransactionOutcome) throws {
    expectError(DatabaseError.SQLITE_ABORT) {
      try queue.write { db in
        try insert(1, in: db)
        expectError(DatabaseError.SQLITE_ABORT) {
          try db.inSavepoint { db in
            loseTransaction(in: db)
            return outcome
          }
        }
        try insert(2, in: db)
      }
    }
    #expect(try values() == [])
  }

  @Test("a savepoint that is to be undone alone, and was, is no error")
  func savepointAlone() throws {
    try queue.withoutTransaction { db in
      try db.inSavepoint { db in
        try insert(1, in: db)
        loseTransaction(in: db)
        return .rollback
      }
      try insert(2, in: db)
    }
    #expect(try values() == [2])
  }

  @Test("a savepoint that cannot be undone takes the transaction with it")
  func lostSavepoint() throws {
    expectError(DatabaseError.SQLITE_ABORT) {
      try queue.write { db in
        try insert(1, in: db)
        try? db.inTransaction { db in
          try insert(2, in: db)
          try db.execute(sql: "RELEASE quarry")
          throw Failure()
        }
      }
    }
    #expect(try values() == [])
  }

  @Test("a transaction that was left open by an earlier access is not gone on without")
  func earlierAccess() throws {
    try queue.withoutTransaction { db in
      try db.execute(sql: "BEGIN")
      try insert(1, in: db)
    }
    expectError(DatabaseError.SQLITE_ABORT) {
      try queue.write { db in
        loseTransaction(in: db)
        try insert(2, in: db)
      }
    }
    #expect(try values() == [])
  }

  @Test("SQL that ends the transaction of a write ends the write", arguments: ["ROLLBACK", "COMMIT", "END"])
  func ended(sql: String) throws {
    let error = expectError(DatabaseError.SQLITE_ABORT) {
      try queue.write { db in
        try insert(1, in: db)
        try db.execute(sql: sql)
        try insert(2, in: db)
      }
    }
    #expect(error?.message.contains("a COMMIT or ROLLBACK inside it ended it") == true)
    expectError(DatabaseError.SQLITE_ABORT) { try queue.write { try $0.execute(sql: sql) } }
    #expect(try values() == (sql == "ROLLBACK" ? [] : [1]))
  }

  @Test("a read does not go on without its snapshot", arguments: ["ROLLBACK", "COMMIT"])
  func read(sql: String) throws {
    expectError(DatabaseError.SQLITE_ABORT) {
      try queue.read { db in
        try db.execute(sql: sql)
        _ = try Int.fetchAll(db, sql: "SELECT x FROM t")
      }
    }
    expectError(DatabaseError.SQLITE_ABORT) { try queue.read { try $0.execute(sql: sql) } }
    #expect(try values() == [])
  }

  @Test("SQL without a transaction of the queue's own begins, loses and begins its own")
  func withoutTransaction() throws {
    try queue.withoutTransaction { db in
      try db.execute(sql: "BEGIN")
      try insert(1, in: db)
      loseTransaction(in: db)
      try db.execute(sql: "BEGIN")
      try insert(2, in: db)
      try db.execute(sql: "COMMIT")
      #expect(throws: DatabaseError.self) {
        try db.inTransaction { db in
          try db.execute(sql: "INSERT OR ROLLBACK INTO t VALUES (2)")
        }
      }
      try insert(3, in: db)
    }
    #expect(try values() == [2, 3])
  }

  @Test("a task that was cancelled hears of it, also where its body catches the error")
  func cancellation() async throws {
    let queue = queue
    let write = Task {
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        withUnsafeCurrentTask { $0?.cancel() }
        try? db.execute(sql: "INSERT INTO t VALUES (2)")
      }
    }
    await #expect(throws: CancellationError.self) { try await write.value }
    let silent = Task {
      try await queue.withoutTransaction { db in
        try db.inTransaction { db in
          try db.execute(sql: "INSERT INTO t VALUES (3)")
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
    }
    await #expect(throws: CancellationError.self) { try await silent.value }
    let read = Task {
      try await queue.read { db in
        withUnsafeCurrentTask { $0?.cancel() }
        return (try? Int.fetchOne(db, sql: "SELECT 1")) ?? 0
      }
    }
    await #expect(throws: CancellationError.self) { try await read.value }
    #expect(try values() == [])
  }

  @Test("a cancelled INSERT, which ends its transaction, leaves nothing")
  func cancelledInsert() async throws {
    let queue = queue
    let task = Task {
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        try? db.withProgress(every: 1) {
          withUnsafeCurrentTask { $0?.cancel() }
          return true
        } during: {
          try db.execute(sql: "INSERT INTO t VALUES (2)")
        }
        #expect(!db.isInsideTransaction)
        try? db.execute(sql: "INSERT INTO t VALUES (3)")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try values() == [])
  }
}
