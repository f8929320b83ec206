internal import CSQLite

/// The time at which a transaction acquires its locks; see <https://www.sqlite.org/lang_transaction.html>.
///
/// ```swift
/// try db.inTransaction(.deferred) { db in
///   try db.execute(sql: "DELETE FROM player")
/// }
/// // BEGIN DEFERRED; DELETE FROM player; COMMIT
/// ```
public enum TransactionKind: String, Hashable, Sendable {
  /// At the first statement that needs them.
  case deferred = "DEFERRED"
  /// The write lock immediately.
  case immediate = "IMMEDIATE"
  /// All locks immediately.
  case exclusive = "EXCLUSIVE"
}

/// The way a savepoint ends.
public enum TransactionOutcome: Hashable, Sendable {
  /// Its changes are retained.
  case commit
  /// Its changes are undone.
  case rollback
}

extension Database {
  /// Runs `body` in a transaction, or in a savepoint within a transaction, which is rolled back if `body` throws.
  ///
  /// ```swift
  /// try db.inTransaction { db in
  ///   try db.execute(sql: "DELETE FROM player")
  /// }
  /// // BEGIN IMMEDIATE; DELETE FROM player; COMMIT
  /// ```
  ///
  /// - Throws: Any error of `body`; an error of the commit, after which the transaction has been rolled back; `SQLITE_ABORT` if the
  ///   transaction ends before `body` returns.
  public func inTransaction<Value>(
    _ kind: TransactionKind = .immediate, _ body: (Database) throws -> Value
  ) throws -> Value {
    try checkAccess()
    try checkTransaction()
    if isInsideTransaction { return try savepoint(body) }
    try run("BEGIN \(kind.rawValue)")
    return try finish(commit: "COMMIT", rollback: "ROLLBACK", body)
  }

  /// Runs `body` in a savepoint, whose changes are committed or rolled back as `body` returns; if `body` throws, they are rolled back.
  ///
  /// ```swift
  /// try queue.write { db in
  ///   try db.execute(sql: "UPDATE player SET score = score + 10")
  ///   try db.inSavepoint { db in
  ///     try db.execute(sql: "DELETE FROM player WHERE score > 1000")
  ///     return db.changesCount > 10 ? .rollback : .commit
  ///   }
  /// }
  /// // BEGIN IMMEDIATE; UPDATE …; SAVEPOINT …; DELETE …; ROLLBACK TO …; RELEASE …; COMMIT
  /// ```
  ///
  /// Savepoints can be nested. Outside a transaction, a savepoint is a deferred transaction. To return a value, use
  /// ``inTransaction(_:_:)``, which also creates a savepoint within a transaction.
  ///
  /// - Throws: Any error of `body`, or ``DatabaseError``: `SQLITE_ABORT` if SQLite has rolled back the transaction around the savepoint.
  public func inSavepoint(_ body: (Database) throws -> TransactionOutcome) throws {
    try checkAccess()
    try checkTransaction()
    let isNested = isInsideTransaction
    do {
      try savepoint { db in
        if try body(db) == .rollback { throw Rollback() }
      }
    } catch is Rollback {
      // Only the savepoint should have been undone.
      if isNested, !isInsideTransaction { throw abortError() }
    }
  }

  /// An internal error that rolls back a savepoint when `body` returns `rollback`.
  private struct Rollback: Error {}

  private func savepoint<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try run("SAVEPOINT quarry")
    return try finish(commit: "RELEASE quarry", rollback: "ROLLBACK TO quarry; RELEASE quarry", body)
  }

  private func finish<Value>(commit: String, rollback: String, _ body: (Database) throws -> Value) throws -> Value {
    do {
      let value = try holdingTransaction { try body(self) }
      try run(commit)
      return value
    } catch {
      // A transaction with a savepoint that cannot be undone must not be committed.
      if isInsideTransaction, (try? run(rollback)) == nil { rollBack() }
      if let error = error as? DatabaseError { undoHalfDoneChange(after: error) }
      throw error
    }
  }

  /// Makes SQLite undo a change left unfinished by a full disk.
  ///
  /// Otherwise SQLite waits until the file is read the next time, and the disk stays full until then.
  private func undoHalfDoneChange(after error: DatabaseError) {
    guard !isInsideTransaction, [DatabaseError.SQLITE_FULL, DatabaseError.SQLITE_IOERR].contains(error.resultCode) else { return }
    try? run("PRAGMA schema_version")
  }

  /// Runs `body` in a read transaction, in which statements that write are rejected.
  func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
    // Not PRAGMA query_only, which makes SQLite compile every cached statement again: each statement is checked before it runs.
    let outer = refusesWriting
    refusesWriting = true
    defer { refusesWriting = outer }
    if isInsideTransaction { return try holdingTransaction { try body(self) } }
    try beginBriefRead()
    defer { endBriefRead() }
    try run("BEGIN DEFERRED")
    isReadingAlone = true
    defer { isReadingAlone = false }
    let value: Value
    do {
      value = try holdingTransaction { try body(self) }
    } catch {
      rollBack()
      if let error = error as? DatabaseError { undoHalfDoneChange(after: error) }
      throw error
    }
    // COMMIT fails if `body` has met a damaged page, although there is nothing to write.
    if (try? run("COMMIT")) == nil { rollBack() }
    return value
  }

  /// Ends the transaction begun by ``reading(_:)``, if it is open, and begins another when `pause` returns.
  package func restartReading(_ pause: () throws -> Void) throws {
    guard isReadingAlone, isInsideTransaction else { return try pause() }
    if (try? run("COMMIT")) == nil { rollBack() }
    defer { isReadingAlone = isInsideTransaction }
    try pause()
    try run("BEGIN DEFERRED")
  }

  /// Rolls back the open transaction, if any.
  ///
  /// It also works in a cancelled access.
  ///
  ///     ROLLBACK
  ///
  /// Errors of the rollback are ignored: the transaction has ended, and only the original error is reported.
  package func rollBack() {
    if isInsideTransaction { try? run("ROLLBACK") }
  }

  /// Runs a statement without parameters and rows, without the checks for a caller's statements.
  private func run(_ sql: String) throws {
    try check(sqlite3_exec(connection, sql, nil, nil, nil), sql: sql)
  }
}

// MARK: - Transactions that end early

/// The transactions, savepoints and reads whose closures are running.
struct HeldTransactions {
  fileprivate(set) var count = 0
  /// The error after which SQLite rolled them back; nil if no error caused a rollback.
  fileprivate var cause: DatabaseError?
}

extension Database {
  /// Runs `body` in the open transaction, and checks that the transaction is still open at the end and the task not cancelled.
  ///
  /// SQLite rolls a transaction back after some errors: a conflict with `ON CONFLICT ROLLBACK`, `RAISE(ROLLBACK)`, an interrupted INSERT, a
  /// full disk, an I/O error, or too little memory. Statements that `body` runs after that would each commit on their own, and reads would
  /// see another state of the database.
  ///
  /// - Throws: Any error of `body`; `SQLITE_ABORT` if the transaction has ended; `SQLITE_INTERRUPT` if the task was cancelled.
  package func holdingTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    if heldTransactions.count == 0 { heldTransactions.cause = nil }
    heldTransactions.count += 1
    defer { heldTransactions.count -= 1 }
    let value = try body()
    try checkTransaction()
    if cancellation?.isCancelled == true { throw DatabaseError(DatabaseError.SQLITE_INTERRUPT) }
    return value
  }

  /// Checks that the transaction of the running closures is still open.
  ///
  /// - Throws: `SQLITE_ABORT`.
  @inline(__always)
  func checkTransaction(sql: String? = nil) throws {
    if heldTransactions.count > 0, !isInsideTransaction { throw abortError(sql: sql) }
  }

  /// Records an error that may have ended the transaction.
  func noteError(_ error: DatabaseError) {
    guard heldTransactions.count > 0, heldTransactions.cause == nil, !isInsideTransaction else { return }
    heldTransactions.cause = error
  }

  private func abortError(sql: String? = nil) -> DatabaseError {
    let reason =
      heldTransactions.cause.map { "SQLite rolled it back after “\($0.message)”" } ?? "a COMMIT or ROLLBACK inside it ended it"
    let message = "the transaction was aborted: \(reason). Return from its closure, and run it again"
    return DatabaseError(DatabaseError.SQLITE_ABORT, message, sql: sql)
  }
}
