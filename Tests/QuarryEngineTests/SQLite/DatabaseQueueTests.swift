import QuarryEngine
import TestSupport
import Testing

@Suite("Database queue", .gated)
struct DatabaseQueueTests {
  /// A query that would run for ages.
  private static let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"

  private let queue: DatabaseQueue

  init() throws {
    queue = try makeDatabase("CREATE TABLE player (name TEXT, score INTEGER)")
  }

  private func count() throws -> Int? {
    try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") }
  }

  @Test("what one access writes, the next one reads, blocking or not")
  func writeThenRead() async throws {
    try await queue.write { try $0.execute(sql: "INSERT INTO player VALUES (?, ?)", arguments: ["Arthur", 41]) }
    let row = try await queue.read { try Row.fetchOne($0, sql: "SELECT * FROM player") }
    #expect(row?.description == #"[name:"Arthur" score:41]"#)
    #expect(try count() == 1)
  }

  /// The thread sanitizer finds what the released cursor reads of its statement.
  @Test("a cursor that another thread releases leaves the statement alone")
  func cursorReleasedElsewhere() async throws {
    try await queue.write { db in
      for score in 0..<500 { try db.execute(sql: "INSERT INTO player VALUES ('Arthur', ?)", arguments: [score]) }
    }
    let place = CursorPlace()
    let (isHandedOver, handOver) = AsyncStream.makeStream(of: Void.self)
    async let release: Void = {
      for await _ in isHandedOver {}
      place.cursor = nil
    }()
    let scores = try await queue.read { db in
      let statement = try db.makeStatement(sql: "SELECT score FROM player")
      place.cursor = try Row.fetchCursor(statement)
      _ = try place.cursor?.next()
      handOver.finish()
      var scores: [Int] = []
      while try statement.step() { scores.append(Int(statement.columnCount)) }
      return scores.count
    }
    await release
    #expect(scores == 499)
  }

  /// Holds a cursor; only the order of the test's steps lets two threads use it.
  private final class CursorPlace: @unchecked Sendable {
    var cursor: RowCursor?
  }

  @Test("a write that throws leaves nothing")
  func rollback() throws {
    expectError(DatabaseError.SQLITE_ERROR) {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO player VALUES ('Arthur', 41)")
        try db.execute(sql: "INSERT INTO nobody VALUES (1)")
      }
    }
    #expect(try count() == 0)
  }

  @Test("a transaction inside of another is undone alone")
  func savepoint() throws {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO player VALUES ('Arthur', 41)")
      expectError(DatabaseError.SQLITE_ERROR) {
        try db.inTransaction { db in
          try db.execute(sql: "DELETE FROM player; SELECT nope")
        }
      }
    }
    #expect(try count() == 1)
  }

  @Test("a read writes nothing, and may explain what would")
  func readOnly() throws {
    try queue.read { db throws in
      expectError(DatabaseError.SQLITE_READONLY) { try db.execute(sql: "INSERT INTO player VALUES ('Arthur', 41)") }
      expectError(DatabaseError.SQLITE_READONLY) { try db.execute(sql: "CREATE TEMP TABLE t (x)") }
      try db.execute(sql: "EXPLAIN INSERT INTO player VALUES ('Arthur', 41)")
    }
    #expect(try count() == 0)
  }

  @Test("all statements of a read see one state of the database")
  func oneState() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "PRAGMA journal_mode = WAL", "CREATE TABLE t (x)")
      let reader = try DatabaseQueue(path: path)
      let writer = try DatabaseQueue(path: path)
      try reader.read { db throws in
        let sql = "SELECT count(*) FROM t"
        let before = try Int.fetchOne(db, sql: sql)
        try writer.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        #expect(try Int.fetchOne(db, sql: sql) == before)
      }
      #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
    }
  }

  @Test("a transaction that is left open goes on in later accesses")
  func openTransaction() throws {
    try queue.withoutTransaction { try $0.execute(sql: "BEGIN; INSERT INTO player VALUES ('Arthur', 41)") }
    #expect(try count() == 1)
    try queue.write { try $0.execute(sql: "INSERT INTO player VALUES ('Barbara', 1)") }
    try queue.withoutTransaction { db in
      #expect(db.isInsideTransaction)
      try db.execute(sql: "ROLLBACK")
    }
    #expect(try count() == 0)
  }

  @Test("a blocking access inside of another is a misuse")
  func reentrancy() throws {
    try queue.read { _ throws in
      expectError(DatabaseError.SQLITE_MISUSE) { try queue.read { _ in } }
      expectError(DatabaseError.SQLITE_MISUSE) { try queue.write { _ in } }
      expectError(DatabaseError.SQLITE_MISUSE) { try queue.close() }
    }
  }

  @Test("a blocking access inside of one on the queue's own thread is a misuse")
  func reentrancyOnOwnThread() async throws {
    let queue = queue
    try await queue.read { _ throws -> Void in
      expectError(DatabaseError.SQLITE_MISUSE) { try queue.withoutTransaction { _ in } }
    }
  }

  @Test("a statement, cursor or row outside of its access is a misuse")
  func escaped() throws {
    let (statement, cursor, row) = try queue.read { db in
      let statement = try db.makeStatement(sql: "SELECT ?1 UNION ALL SELECT 2")
      let cursor = try Row.fetchCursor(statement, arguments: [1])
      return (statement, cursor, try cursor.next())
    }
    let use: () throws -> Void = {
      expectError(DatabaseError.SQLITE_MISUSE) { try cursor.next() }
      expectError(DatabaseError.SQLITE_MISUSE) { try row?[0] as Int? }
    }
    try use()
    expectError(DatabaseError.SQLITE_MISUSE) { try statement.step() }
    expectError(DatabaseError.SQLITE_MISUSE) { try statement.execute(arguments: [1]) }
    expectError(DatabaseError.SQLITE_MISUSE) { try statement.bind(1, at: 1) }
    try queue.read { _ in try use() }
  }

  @Test("a statement in another queue's access is a misuse")
  func otherQueue() throws {
    let other = try DatabaseQueue()
    try queue.read { db in
      let statement = try db.makeStatement(sql: "SELECT 1")
      try statement.execute()
    }
    let statement = try queue.read { try $0.makeStatement(sql: "SELECT 1") }
    try other.read { _ throws -> Void in
      expectError(DatabaseError.SQLITE_MISUSE) { try Int.fetchOne(statement) }
    }
  }

  @Test("what is used after its database closed is a misuse")
  func closed() throws {
    let statement = try queue.read { try $0.makeStatement(sql: "SELECT ?") }
    let cached = try queue.read { try $0.cachedStatement(sql: "SELECT 1") }
    try queue.close()
    try queue.close()
    expectError(DatabaseError.SQLITE_MISUSE) { try queue.read { _ in } }
    for statement in [statement, cached] {
      let error = expectError(DatabaseError.SQLITE_MISUSE) { try statement.execute(arguments: [1]) }
      #expect(error?.message == "the database is closed")
      expectError(DatabaseError.SQLITE_MISUSE) { try statement.validateArguments([1]) }
      #expect(statement.parameterName(at: 1) == nil && !statement.isReadonly)
      _ = statement.columnNames
    }
    queue.interrupt()
  }

  @Test("a statement may be released outside of an access")
  func releasedOutside() throws {
    for _ in 0..<3 { _ = try queue.read { try $0.makeStatement(sql: "SELECT 1") } }
    #expect(try count() == 0)
  }

  @Test("a progress handler stops a scan, and is gone afterwards")
  func progress() throws {
    try queue.read { db in
      var calls = 0
      expectError(DatabaseError.SQLITE_INTERRUPT) {
        try db.withProgress(every: 100) {
          calls += 1
          return calls == 10
        } during: {
          try Int.fetchOne(db, sql: Self.endless)
        }
      }
      #expect(calls == 10)
      try db.execute(sql: Self.endless + " LIMIT 0")
      #expect(calls == 10)
    }
  }

  @Test("an interrupt while a statement is compiled has its own code, also where the statement reads a pragma as a table")
  func interruptOfCompilation() throws {
    let queue = try makeDatabase("CREATE TABLE t (a REFERENCES t)")
    for sql in ["SELECT a FROM t", "SELECT * FROM pragma_table_info('t')", "SELECT * FROM pragma_foreign_key_check('t')"] {
      try queue.read { db throws in
        // SQLite forgets an interrupt if no statement is running.
        let running = try Int.fetchCursor(db, sql: "SELECT 1 UNION ALL SELECT 2")
        _ = try running.next()
        try db.setAuthorizer { _ in
          queue.interrupt()
          return .allow
        }
        defer { try? db.setAuthorizer(nil) }
        let error = expectError(DatabaseError.SQLITE_INTERRUPT) { try db.execute(sql: sql) }
        #expect(error?.message == "interrupted", "\(sql)")
      }
    }
  }

  @Test("an interrupt from another thread stops what runs")
  func interrupt() async throws {
    let queue = queue
    await #expect(throws: DatabaseError.self) {
      try await queue.read { db in
        var isFirst = true
        return try db.withProgress(every: 1000) {
          // From inside the statement, so that it is sure to run; any thread would do.
          if isFirst { queue.interrupt() }
          isFirst = false
          return false
        } during: {
          try Int.fetchOne(db, sql: Self.endless)
        }
      }
    }
    #expect(try count() == 0)
  }

  @Test("a task that is cancelled stops its own statement, and not those of others")
  func cancellation() async throws {
    let queue = queue
    let (started, signal) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO player VALUES ('Arthur', 41)")
        signal.finish()
        return try Int.fetchOne(db, sql: Self.endless)
      }
    }
    for await _ in started {}
    let waiting = Task { try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM player") } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await waiting.value == 0)
  }

  @Test("a task that is cancelled while it waits for a lock gives up")
  func cancelledWait() async throws {
    try await withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t (x)")
      var patient = Configuration()
      patient.busyTimeout = .seconds(3600)
      let (holder, other) = (try DatabaseQueue(path: path), try DatabaseQueue(path: path, configuration: patient))
      try await holder.withoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let (started, signal) = AsyncStream<Void>.makeStream()
      let task = Task {
        try await other.withoutTransaction { db in
          signal.finish()
          try db.execute(sql: "INSERT INTO t VALUES (1)")
        }
      }
      for await _ in started {}
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await holder.withoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
  }

  @Test("a task that was cancelled hears of that, also where its wait for a lock ended by time")
  func cancelledTimeout() async throws {
    let queue = queue
    let task = Task {
      try await queue.read { _ throws -> Void in
        withUnsafeCurrentTask { $0?.cancel() }
        throw DatabaseError(DatabaseError.SQLITE_BUSY)
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a busy database throws once the timeout is over")
  func busy() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t (x)")
      var configuration = Configuration()
      configuration.busyTimeout = .milliseconds(1)
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try DatabaseQueue(path: path).write { _ throws -> Void in
        expectError(DatabaseError.SQLITE_BUSY) { try other.write { _ in } }
      }
      try other.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }
  }

  @Test("foreign keys are enforced, the schema is trusted, and shadow tables are not written")
  func switches() throws {
    try queue.withoutTransaction { db throws in
      #expect(try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 1)
      #expect(try Int.fetchOne(db, sql: "PRAGMA trusted_schema") == 1)
      try db.execute(sql: "CREATE VIRTUAL TABLE texts USING fts5(body)")
      expectError(DatabaseError.SQLITE_ERROR) { try db.execute(sql: "DELETE FROM texts_data") }
    }
  }

  @Test("an error is shown without the values that were bound, and with them where it is asked for")
  func errorDescription() throws {
    try queue.write { db throws in
      try db.execute(sql: "CREATE UNIQUE INDEX names ON player (name)")
      let insert = { try db.execute(sql: "INSERT INTO player (name) VALUES (?)", arguments: ["secret"]) }
      try insert()
      let error = expectError(DatabaseError.SQLITE_CONSTRAINT_UNIQUE) { try insert() }
      let statement = "INSERT INTO player (name) VALUES (?)"
      #expect(error?.description == "SQLite error 2067: UNIQUE constraint failed: player.name - while executing `\(statement)`")
      #expect(error?.expandedDescription.hasSuffix(#"` with arguments ["secret"]"#) == true)
    }
  }

  @Test("an error of no SQL does not show any", arguments: ["", " ;\n; "])
  func errorWithoutSQL(sql: String) throws {
    let error = try queue.read { db in expectError(DatabaseError.SQLITE_MISUSE) { try db.makeStatement(sql: sql) } }
    #expect(error?.description == "SQLite error 21: the SQL contains no statement")
  }
}
