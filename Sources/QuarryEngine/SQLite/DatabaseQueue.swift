/// A connection to a database, used by one caller at a time.
///
/// ```swift
/// let queue = try DatabaseQueue(path: "app.db")
/// let names = try queue.read { db in
///   try String.fetchAll(db, sql: "SELECT name FROM player")
/// }
/// ```
///
/// A blocking access runs on the caller's thread, after all earlier accesses. An `async` access runs on the queue's own thread. A blocking
/// access inside another access of the same queue throws `SQLITE_MISUSE` instead of waiting for itself.
///
/// The database, its statements and its cursors are valid only within the access. An `async` access that would return them does not
/// compile. After a blocking access that returns them, they throw `SQLITE_MISUSE` when they are used.
public final class DatabaseQueue: Sendable {
  // Not sendable, but safe: it is reached only through `lock`, which `Database.checkAccess` verifies.
  private nonisolated(unsafe) let database: Database
  private let worker: ConnectionWorker

  /// The options with which the queue was opened.
  public let configuration: Configuration

  /// Opens the database at `path` and reads its schema, so that a file that is not a database fails here and not later.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.isReadonly = true
  /// let queue = try DatabaseQueue(path: "app.db", configuration: configuration)
  /// ```
  ///
  /// A missing file is created unless the configuration is read-only. An empty path opens a temporary database, which SQLite deletes when
  /// its connection closes. `:memory:` opens a database in memory. `:memory:` followed by a name opens a database in memory that all
  /// connections of the process to that name share, until the last of them closes. The corresponding C function is `sqlite3_open_v2`.
  ///
  /// - Throws: ``DatabaseOpenError``, which describes the problem with the file and a remedy.
  public init(path: String, configuration: Configuration = Configuration()) throws {
    database = try Database(path: path, configuration: configuration)
    self.configuration = configuration
    let label = configuration.label ?? "quarry.sqlite"
    worker = ConnectionWorker(thread: ConnectionThread(label: label, runsAtLowPriority: configuration.runsAtLowPriority))
  }

  /// Opens a database in memory.
  ///
  /// ```swift
  /// let queue = try DatabaseQueue()
  /// try queue.write { db in try db.execute(sql: "CREATE TABLE player (name TEXT)") }
  /// ```
  ///
  /// - Throws: ``DatabaseOpenError``.
  public convenience init(configuration: Configuration = Configuration()) throws {
    try self.init(path: ":memory:", configuration: configuration)
  }

  deinit {
    // No caller can be inside: an access retains the queue.
    database.lock.withLock { database.close() }
    worker.thread.stop()
  }

  /// The path with which the queue was opened.
  public var path: String { database.path }

  /// The files that have been deleted, moved or replaced since the queue opened them.
  ///
  /// ```swift
  /// queue.movedFiles.first?.isReplaced  // true if another file has its name now
  /// ```
  ///
  /// The queue still reads and writes the old file. Files are identified by device and inode; the check does not wait for an access.
  public var movedFiles: [MovedFile] { database.openedFiles.moved }

  /// Interrupts the running statements of the connection, from any thread; they throw `SQLITE_INTERRUPT`.
  ///
  /// ```swift
  /// queue.interrupt()  // from another thread than the one that waits for the access
  /// ```
  ///
  /// If no statement is running, this function does nothing. The corresponding C function is `sqlite3_interrupt`.
  public func interrupt() {
    database.interruption.interrupt()
  }

  /// Closes the connection after all running accesses.
  ///
  /// Its remaining statements throw `SQLITE_MISUSE` from then on.
  ///
  /// ```swift
  /// try queue.close()
  /// try queue.read { _ in }  // SQLite error 21: the database is closed
  /// ```
  ///
  /// A queue closes automatically when it is released. The corresponding C function is `sqlite3_close_v2`.
  ///
  /// - Throws: `SQLITE_MISUSE` inside an access of the same queue.
  public func close() throws {
    try checkNotInside()
    database.lock.withLock { database.close() }
  }

  private func checkNotInside() throws {
    guard !database.lock.isHeldByThisThread else {
      throw DatabaseError.misuse("this thread already uses the database queue: use the database that was passed to the access")
    }
  }
}

extension DatabaseQueue: CustomStringConvertible {
  /// The queue's label, or the path with which it was opened.
  public var description: String { configuration.label ?? path }
}

// MARK: - Blocking access

extension DatabaseQueue {
  /// Reads the database in one transaction; statements that write are rejected.
  ///
  /// ```swift
  /// let count = try queue.read { db in
  ///   try Int.fetchOne(db, sql: "SELECT count(*) FROM player")
  /// }
  /// // BEGIN DEFERRED; SELECT count(*) FROM player; COMMIT
  /// ```
  ///
  /// - Throws: Any error of `body`, or ``DatabaseError``: `SQLITE_READONLY` if a statement would write, `SQLITE_ABORT` if the transaction
  ///   ends before `body` returns, for example by a ROLLBACK.
  public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try access(nil) { try $0.reading(body) }
  }

  /// Writes the database in a transaction, which is rolled back if `body` throws.
  ///
  /// ```swift
  /// try queue.write { db in
  ///   try db.execute(sql: "INSERT INTO player (name) VALUES (?)", arguments: ["Arthur"])
  /// }
  /// // BEGIN IMMEDIATE; INSERT INTO player (name) VALUES (?); COMMIT
  /// ```
  ///
  /// SQLite itself rolls the transaction back after some errors, such as a conflict with `ON CONFLICT ROLLBACK`, an interrupted INSERT or a
  /// full disk. If `body` catches such an error and continues, its later statements and the commit throw `SQLITE_ABORT`, and nothing is
  /// written. They also throw after `body` has run a COMMIT or ROLLBACK, but the changes of that COMMIT remain.
  ///
  /// - Throws: Any error of `body`, or ``DatabaseError``.
  public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try access(nil) { try $0.inTransaction(.immediate, body) }
  }

  /// Uses the database without a transaction, except for those opened by `body`.
  ///
  /// A transaction that `body` leaves open includes later accesses.
  ///
  /// ```swift
  /// try queue.withoutTransaction { db in
  ///   try db.execute(sql: "VACUUM")  // which fails within a transaction
  /// }
  /// // VACUUM
  /// ```
  ///
  /// - Throws: Any error of `body`, or ``DatabaseError``.
  public func withoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try access(nil, body)
  }

  package func access<Value>(_ cancellation: Cancellation?, _ body: (Database) throws -> Value) throws -> Value {
    try checkNotInside()
    return try database.lock.withLock { try database.access(cancellation, body) }
  }
}

// MARK: - Asynchronous access

extension DatabaseQueue {
  /// Reads the database in one transaction on the queue's own thread; statements that write are rejected.
  ///
  /// ```swift
  /// let names = try await queue.read { db in
  ///   try String.fetchAll(db, sql: "SELECT name FROM player")
  /// }
  /// // BEGIN DEFERRED; SELECT name FROM player; COMMIT
  /// ```
  ///
  /// - Throws: Any error of `body`, or ``DatabaseError``: `SQLITE_READONLY` if a statement would write. If the task is cancelled, the
  ///   statements of this access are interrupted, and `CancellationError` is thrown.
  public func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try await perform { try $0.reading(body) }
  }

  /// Writes the database in a transaction on the queue's own thread.
  ///
  /// The transaction is rolled back if `body` throws or if the task is cancelled before the commit, even if `body` catches the error of the
  /// cancellation.
  ///
  /// ```swift
  /// try await queue.write { db in
  ///   try db.execute(sql: "DELETE FROM player")
  /// }
  /// // BEGIN IMMEDIATE; DELETE FROM player; COMMIT
  /// ```
  ///
  /// - Throws: Any error of `body`, ``DatabaseError``, or `CancellationError` if the task is cancelled.
  public func write<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try await perform { try $0.inTransaction(.immediate, body) }
  }

  /// Uses the database on the queue's own thread without a transaction, except for those opened by `body`.
  ///
  /// ```swift
  /// try await queue.withoutTransaction { db in
  ///   try db.execute(sql: "VACUUM")
  /// }
  /// // VACUUM
  /// ```
  ///
  /// - Throws: Any error of `body`, ``DatabaseError``, or `CancellationError` if the task is cancelled and a statement of `body` was
  ///   interrupted for it.
  public func withoutTransaction<Value: Sendable>(
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    try await perform(body)
  }
}

// MARK: - Asynchronous access for values that are not Sendable

// Without these, the compiler would choose the blocking functions for such values, with only a warning.
extension DatabaseQueue {
  /// Reads the database on the queue's own thread, and returns a value that need not be `Sendable` if nothing else refers to it.
  ///
  /// ```swift
  /// let document = try await queue.read { db in try Document(rows: Row.fetchAll(db, sql: "SELECT * FROM part")) }
  /// try await queue.read { db in db }  // error: returning 'db' as a 'sending' result risks causing data races
  /// ```
  ///
  /// - Throws: The same errors as the other asynchronous `read`.
  public func read<Value>(_ body: @Sendable @escaping (Database) throws -> sending Value) async throws -> sending Value {
    try await perform { try $0.reading { Sent(try body($0)) } }.value
  }

  /// Writes the database on the queue's own thread, and returns a value that need not be `Sendable` if nothing else refers to it.
  ///
  /// - Throws: The same errors as the other asynchronous `write`.
  public func write<Value>(_ body: @Sendable @escaping (Database) throws -> sending Value) async throws -> sending Value {
    try await perform { try $0.inTransaction(.immediate) { Sent(try body($0)) } }.value
  }

  /// Uses the database on the queue's own thread, and returns a value that need not be `Sendable` if nothing else refers to it.
  ///
  /// - Throws: The same errors as the other asynchronous `withoutTransaction`.
  public func withoutTransaction<Value>(
    _ body: @Sendable @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await perform { Sent(try body($0)) }.value
  }
}

/// A value sent from one thread to another; the compiler has checked that nothing else refers to it.
private struct Sent<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension DatabaseQueue {
  private func perform<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try await performWork { try self.access($0, { try body($0) }) }
  }

  /// Runs `work` on the queue's own thread.
  ///
  /// Its argument shows whether the task has been cancelled.
  func performWork<Value: Sendable>(_ work: @Sendable @escaping (Cancellation) throws -> Value) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await worker.perform {
        try cancellation.check()
        do {
          return try work(cancellation)
        } catch let error as DatabaseError where cancellation.isCancelled && error.endsCancelledWork {
          throw CancellationError()
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

extension DatabaseError {
  /// Whether this error of a cancelled task results from its cancellation.
  ///
  /// In that case the statement was interrupted, its changes were rolled back, or its wait for a lock ended, even by timeout.
  fileprivate var endsCancelledWork: Bool {
    [Self.SQLITE_INTERRUPT, Self.SQLITE_ABORT, Self.SQLITE_BUSY].contains(resultCode)
  }
}

/// An actor that sends an access to the connection's thread.
private actor ConnectionWorker {
  nonisolated let thread: ConnectionThread

  init(thread: ConnectionThread) {
    self.thread = thread
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func perform<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value {
    try body()
  }
}
