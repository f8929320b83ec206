import QuarryEngine
import TestSupport
import Testing

@Suite("Savepoints", .gated)
struct SavepointTests {
  private struct Failure: Error {}

  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase("CREATE TABLE t (x)")
  }

  private func values() throws -> [Int] {
    try queue.read { try Int.fetchAll($0, sql: "SELECT x FROM t ORDER BY x") }
  }

  @Test("what a savepoint did stays, is undone as it asks for, or when it throws")
  func outcomes() throws {
    try queue.write { db throws in
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      try db.inSavepoint { db in
        try db.execute(sql: "INSERT INTO t VALUES (2)")
        return .commit
      }
      try db.inSavepoint { db in
        try db.execute(sql: "INSERT INTO t VALUES (3)")
        return .rollback
      }
      #expect(throws: Failure.self) {
        try db.inSavepoint { db in
          try db.execute(sql: "INSERT INTO t VALUES (4)")
          throw Failure()
        }
      }
      #expect(db.isInsideTransaction)
    }
    #expect(try values() == [1, 2])
  }

  @Test("savepoints stand in one another, each undone alone")
  func nested() throws {
    try queue.write { db in
      try db.inSavepoint { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        try db.inSavepoint { db in
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          try db.inSavepoint { db in
            try db.execute(sql: "INSERT INTO t VALUES (3)")
            return .commit
          }
          return .rollback
        }
        return .commit
      }
    }
    #expect(try values() == [1])
  }

  @Test("a savepoint outside of a transaction is one", arguments: [TransactionOutcome.commit, .rollback])
  func alone(outcome: TransactionOutcome) throws {
    try queue.withoutTransaction { db throws in
      try db.inSavepoint { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        #expect(db.isInsideTransaction)
        return outcome
      }
      #expect(!db.isInsideTransaction)
    }
    #expect(try values() == (outcome == .commit ? [1] : []))
  }

  @Test("a savepoint whose transaction SQLite has ended meanwhile leaves nothing open")
  func endedInside() throws {
    try queue.withoutTransaction { db throws in
      try db.execute(sql: "CREATE TABLE u (x UNIQUE ON CONFLICT ROLLBACK); INSERT INTO u VALUES (1)")
      expectError(DatabaseError.SQLITE_CONSTRAINT) {
        try db.inSavepoint { db in
          try db.execute(sql: "INSERT INTO t VALUES (1); INSERT INTO u VALUES (1)")
          return .commit
        }
      }
      #expect(!db.isInsideTransaction)
    }
    #expect(try values() == [])
  }
}
