/// A connection to a database, used by one caller at a time.
///
/// ```swift
/// let queue = try DatabaseQueue(path: "app.db")
/// let names = try queue.read { db in
///   try String.fetchAll(db, sql: "SELECT name FROM player")
/// }
/// ```
///
/// A blocking access runs on the caller's thread, after those before it. An `async` one runs on a thread that is the queue's own. Inside an
/// access, another blocking one of the same queue throws `SQLITE_MISUSE` instead of waiting for itself.
///
/// The database is good for the access that it was given to, and so is what was made of it. An `async` access that would return it does not
/// compile; one that a blocking access returns all the same throws `SQLITE_MISUSE` when it is used.
public final class DatabaseQueue: Sendable {
  // Not sendable, and safe all the same: it is reached through `lock` only, and says so itself (`Database.checkAccess`).
  private nonisolated(unsafe) let database: Database
  private let worker: ConnectionWorker

  /// How the queue was opened.
  public let configuration: Configuration

  /// Opens the database at `path`, and reads its schema so that what is no database fails here and not later.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.isReadonly = true
  /// let queue = try DatabaseQueue(path: "app.db", configuration: configuration)
  /// ```
  ///
  /// A file that is not there is made, unless the configuration is read-only. An empty path is a temporary database of SQLite's own,
  /// which goes with its connection. `:memory:` is a database in memory, and `:memory:` with a name after it one that all connections of
  /// the process to that name share, until the last of them closes. The corresponding C function is `sqlite3_open_v2`.
  ///
  /// - Throws: ``DatabaseOpenError``, which says what is the matter with the file and what can be done.
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
    // Nobody can be inside: an access holds the queue.
    database.lock.withLock { database.close() }
    worker.thread.stop()
  }

  /// The path that the queue was opened with.
  public var path: String { database.path }

  /// The files that are no longer where the queue opened them: somebody has deleted, moved or replaced them.
  ///
  /// ```swift
  /// queue.movedFiles.first?.isReplaced  // true where another file has its name now
  /// ```
  ///
  /// What the queue reads and writes is still the old file. It is looked for by device and inode, and waits for no access.
  public var movedFiles: [MovedFile] { database.openedFiles.moved }

  /// Stops the statements that run on the connection, from any thread; they throw `SQLITE_INTERRUPT`.
  ///
  /// ```swift
  /// queue.interrupt()  // from another thread than the one that waits for the access
  /// ```
  ///
  /// Where no statement runs, nothing happens. The corresponding C function is `sqlite3_interrupt`.
  public func interrupt() {
    database.interruption.interrupt()
  }

  /// Closes the connection, after the accesses that are under way; what is left of its statements throws `SQLITE_MISUSE` from then on.
  ///
  /// ```swift
  /// try queue.close()
  /// try queue.read { _ in }  // SQLite error 21: the database is closed
  /// ```
  ///
  /// A queue that is released closes by itself. The corresponding C function is `sqlite3_close_v2`.
  ///
  /// - Throws: `SQLITE_MISUSE` inside an access of the same queue.
  public func close() throws {
    try checkNotInside()
    database.lock.withLock { database.close() }
  }

  private func checkNotInside() throws {
    guard !database.lock.isHeldByThisThread else {
      throw DatabaseError.misuse("the database queue is in use by this very thread: use the database that the access has been given")
    }
  }
}

extension DatabaseQueue: CustomStringConvertible {
  /// The queue's label, or the path that it was opened with.
  public var description: String { configuration.label ?? path }
}

// MARK: - Blocking access

extension DatabaseQueue {
  /// Reads the database: all statements see one state of it, and none may write.
  ///
  /// ```swift
  /// let count = try queue.read { db in
  ///   try Int.fetchOne(db, sql: "SELECT count(*) FROM player")
  /// }
  /// // BEGIN DEFERRED; SELECT count(*) FROM player; COMMIT
  /// ```
  ///
  /// - Throws: What `body` throws, or ``DatabaseError``: `SQLITE_READONLY` where a statement would write, `SQLITE_ABORT` where the
  ///   transaction has ended before `body` does, as by a ROLLBACK.
  public func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try access(nil) { try $0.reading(body) }
  }

  /// Writes the database in a transaction, which is rolled back when `body` throws.
  ///
  /// ```swift
  /// try queue.write { db in
  ///   try db.execute(sql: "INSERT INTO player (name) VALUES (?)", arguments: ["Arthur"])
  /// }
  /// // BEGIN IMMEDIATE; INSERT INTO player (name) VALUES (?); COMMIT
  /// ```
  ///
  /// SQLite rolls the transaction back by itself after some errors, as after a conflict under `ON CONFLICT ROLLBACK`, an interrupted INSERT
  /// or a full disk. Where `body` catches such an error and goes on, its later statements and the commit throw `SQLITE_ABORT`: nothing is
  /// written. So do they after a COMMIT or ROLLBACK that `body` runs, but what a COMMIT has written stays.
  ///
  /// - Throws: What `body` throws, or ``DatabaseError``.
  public func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try access(nil) { try $0.inTransaction(.immediate, body) }
  }

  /// Uses the database with no transaction but those that `body` opens; one that it leaves open stays so, and later accesses are part of
  /// it.
  ///
  /// ```swift
  /// try queue.withoutTransaction { db in
  ///   try db.execute(sql: "VACUUM")  // which SQLite refuses inside of a transaction
  /// }
  /// // VACUUM
  /// ```
  ///
  /// - Throws: What `body` throws, or ``DatabaseError``.
  public func withoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try access(nil, body)
  }

  package func access<Value>(_ cancellation: Cancellation?, _ body: (Database) throws -> Value) throws -> Value {
    try checkNotInside()
    return try database.lock.withLock { try database.access(cancellation, body) }
  }
}

// MARK: - Access that suspends

extension DatabaseQueue {
  /// Reads the database on the queue's own thread: all statements see one state of it, and none may write.
  ///
  /// ```swift
  /// let names = try await queue.read { db in
  ///   try String.fetchAll(db, sql: "SELECT name FROM player")
  /// }
  /// // BEGIN DEFERRED; SELECT name FROM player; COMMIT
  /// ```
  ///
  /// - Throws: What `body` throws, or ``DatabaseError``: `SQLITE_READONLY` where a statement would write. When the task is cancelled, the
  ///   statements of this access stop, and `CancellationError` is thrown.
  public func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try await perform { try $0.reading(body) }
  }

  /// Writes the database in a transaction on the queue's own thread; it is rolled back when `body` throws, or the task is cancelled before
  /// the commit, also where `body` catches the error of that.
  ///
  /// ```swift
  /// try await queue.write { db in
  ///   try db.execute(sql: "DELETE FROM player")
  /// }
  /// // BEGIN IMMEDIATE; DELETE FROM player; COMMIT
  /// ```
  ///
  /// - Throws: What `body` throws, ``DatabaseError``, or `CancellationError` where the task is cancelled.
  public func write<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try await perform { try $0.inTransaction(.immediate, body) }
  }

  /// Uses the database on the queue's own thread, with no transaction but those that `body` opens.
  ///
  /// ```swift
  /// try await queue.withoutTransaction { db in
  ///   try db.execute(sql: "VACUUM")
  /// }
  /// // VACUUM
  /// ```
  ///
  /// - Throws: What `body` throws, ``DatabaseError``, or `CancellationError` where the task is cancelled and a statement of `body` was
  ///   stopped by that.
  public func withoutTransaction<Value: Sendable>(
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    try await perform(body)
  }
}

// MARK: - Access that suspends, for values that are not Sendable

// Without these, the compiler would take the blocking functions for such values, and warn of it only.
extension DatabaseQueue {
  /// Reads the database on the queue's own thread, and returns a value that need not be `Sendable` as long as nothing else refers to it.
  ///
  /// ```swift
  /// let document = try await queue.read { db in try Document(rows: Row.fetchAll(db, sql: "SELECT * FROM part")) }
  /// try await queue.read { db in db }  // error: returning 'db' as a 'sending' result risks causing data races
  /// ```
  ///
  /// - Throws: As the other `read` that suspends.
  public func read<Value>(_ body: @Sendable @escaping (Database) throws -> sending Value) async throws -> sending Value {
    try await perform { try $0.reading { Sent(try body($0)) } }.value
  }

  /// Writes the database on the queue's own thread, and returns a value that need not be `Sendable` as long as nothing else refers to it.
  ///
  /// - Throws: As the other `write` that suspends.
  public func write<Value>(_ body: @Sendable @escaping (Database) throws -> sending Value) async throws -> sending Value {
    try await perform { try $0.inTransaction(.immediate) { Sent(try body($0)) } }.value
  }

  /// Uses the database on the queue's own thread, and returns a value that need not be `Sendable` as long as nothing else refers to it.
  ///
  /// - Throws: As the other `withoutTransaction` that suspends.
  public func withoutTransaction<Value>(
    _ body: @Sendable @escaping (Database) throws -> sending Value
  ) async throws -> sending Value {
    try await perform { Sent(try body($0)) }.value
  }
}

/// A value on its way from one thread to another, which the compiler has seen that nothing else refers to.
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

  /// Runs `work` on the queue's own thread; what it is given tells whether the task is cancelled.
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
  /// Whether the error of a cancelled task is one of its cancellation: the statement was stopped, what it has written was rolled back, or
  /// its wait for a lock ended, even by timeout.
  fileprivate var endsCancelledWork: Bool {
    [Self.SQLITE_INTERRUPT, Self.SQLITE_ABORT, Self.SQLITE_BUSY].contains(resultCode)
  }
}

/// What carries an access to the connection's thread.
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
