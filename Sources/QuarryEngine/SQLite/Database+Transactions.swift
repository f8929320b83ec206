internal import CSQLite

/// When a transaction takes its locks; see <https://www.sqlite.org/lang_transaction.html>.
///
/// ```swift
/// try db.inTransaction(.deferred) { db in
///   try db.execute(sql: "DELETE FROM player")
/// }
/// // BEGIN DEFERRED; DELETE FROM player; COMMIT
/// ```
public enum TransactionKind: String, Hashable, Sendable {
  /// With the first statement that needs them.
  case deferred = "DEFERRED"
  /// The lock for writing at once.
  case immediate = "IMMEDIATE"
  /// Every lock at once.
  case exclusive = "EXCLUSIVE"
}

/// How a savepoint is to end.
public enum TransactionOutcome: Hashable, Sendable {
  /// What it has done stays.
  case commit
  /// What it has done is undone.
  case rollback
}

extension Database {
  /// Runs `body` in a transaction, which is rolled back when it throws; inside of one, in a savepoint.
  ///
  /// ```swift
  /// try db.inTransaction { db in
  ///   try db.execute(sql: "DELETE FROM player")
  /// }
  /// // BEGIN IMMEDIATE; DELETE FROM player; COMMIT
  /// ```
  ///
  /// - Throws: What `body` throws, or the error of committing, after which nothing of the transaction remains; `SQLITE_ABORT` where the
  ///   transaction has ended before `body` does.
  public func inTransaction<Value>(
    _ kind: TransactionKind = .immediate, _ body: (Database) throws -> Value
  ) throws -> Value {
    try checkAccess()
    try checkTransaction()
    if isInsideTransaction { return try savepoint(body) }
    try run("BEGIN \(kind.rawValue)")
    return try finish(commit: "COMMIT", rollback: "ROLLBACK", body)
  }

  /// Runs `body` in a savepoint that it ends as it returns: what it has done is kept, or undone alone; when it throws, it is undone.
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
  /// Savepoints may stand in one another. Outside of a transaction, a savepoint is one that takes its locks when it needs them. For a value
  /// that is to come out of it, ``inTransaction(_:_:)`` is a savepoint inside of a transaction too.
  ///
  /// - Throws: What `body` throws, or ``DatabaseError``: `SQLITE_ABORT` where SQLite has rolled back the transaction around the savepoint.
  public func inSavepoint(_ body: (Database) throws -> TransactionOutcome) throws {
    try checkAccess()
    try checkTransaction()
    let isNested = isInsideTransaction
    do {
      try savepoint { db in
        if try body(db) == .rollback { throw Rollback() }
      }
    } catch is Rollback {
      // Only the savepoint was to be undone.
      if isNested, !isInsideTransaction { throw abortError() }
    }
  }

  /// What undoes a savepoint whose body asks for it, as an error does.
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

  /// Has SQLite undo at once what a full disk has left half done: it would put that off until the file is read the next time, and keep the
  /// disk full until then.
  private func undoHalfDoneChange(after error: DatabaseError) {
    guard !isInsideTransaction, [DatabaseError.SQLITE_FULL, DatabaseError.SQLITE_IOERR].contains(error.resultCode) else { return }
    try? run("PRAGMA schema_version")
  }

  /// Runs `body` so that all its statements see one state of the database, and none writes.
  func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
    // Not PRAGMA query_only, which makes SQLite compile every cached statement anew: a statement is asked before it runs.
    let outer = refusesWriting
    refusesWriting = true
    defer { refusesWriting = outer }
    if isInsideTransaction { return try holdingTransaction { try body(self) } }
    beginBriefRead()
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
    // COMMIT fails where the body has met a damaged page, though there is nothing to write.
    if (try? run("COMMIT")) == nil { rollBack() }
    return value
  }

  /// Ends the transaction that ``reading(_:)`` has begun, if it is open, and begins another when `pause` returns.
  package func restartReading(_ pause: () throws -> Void) throws {
    guard isReadingAlone, isInsideTransaction else { return try pause() }
    if (try? run("COMMIT")) == nil { rollBack() }
    defer { isReadingAlone = isInsideTransaction }
    try pause()
    try run("BEGIN DEFERRED")
  }

  /// Ends the transaction that is open, if one is, so that nothing of it remains.
  ///
  /// An access that was cancelled can do so too.
  ///
  ///     ROLLBACK
  ///
  /// An error of the rollback itself is not thrown: the transaction has ended even so, and what has led to it is what a person is told.
  package func rollBack() {
    if isInsideTransaction { try? run("ROLLBACK") }
  }

  /// Runs what has no parameters and no rows, past all that guards a caller's statements.
  private func run(_ sql: String) throws {
    try check(sqlite3_exec(connection, sql, nil, nil, nil), sql: sql)
  }
}

// MARK: - Transactions that end early

/// The transactions, savepoints and reads whose closures are running.
struct HeldTransactions {
  fileprivate(set) var count = 0
  /// The error after which SQLite rolled them all back; nil where it did not.
  fileprivate var cause: DatabaseError?
}

extension Database {
  /// Runs `body` inside of the transaction that is open, and checks that it is still open at the end, and the access still wanted.
  ///
  /// SQLite rolls a transaction back after some errors: a conflict under `ON CONFLICT ROLLBACK`, `RAISE(ROLLBACK)`, an interrupted INSERT,
  /// a full disk, an error of input and output, too little memory. Statements that `body` runs after that would each commit by itself, and
  /// reads would see another state of the database.
  ///
  /// - Throws: What `body` throws; `SQLITE_ABORT` where the transaction has ended; `SQLITE_INTERRUPT` where the task was cancelled.
  package func holdingTransaction<Value>(_ body: () throws -> Value) throws -> Value {
    if heldTransactions.count == 0 { heldTransactions.cause = nil }
    heldTransactions.count += 1
    defer { heldTransactions.count -= 1 }
    let value = try body()
    try checkTransaction()
    if cancellation?.isCancelled == true { throw DatabaseError(DatabaseError.SQLITE_INTERRUPT) }
    return value
  }

  /// Checks that the transaction of the closures that are running is still open.
  ///
  /// - Throws: `SQLITE_ABORT`.
  @inline(__always)
  func checkTransaction(sql: String? = nil) throws {
    if heldTransactions.count > 0, !isInsideTransaction { throw abortError(sql: sql) }
  }

  /// Notes an error that may have ended the transaction.
  func noteError(_ error: DatabaseError) {
    guard heldTransactions.count > 0, heldTransactions.cause == nil, !isInsideTransaction else { return }
    heldTransactions.cause = error
  }

  private func abortError(sql: String? = nil) -> DatabaseError {
    let reason =
      heldTransactions.cause.map { "SQLite rolled it back after “\($0.message)”" } ?? "a COMMIT or ROLLBACK inside of it ended it"
    let message = "the transaction was aborted: \(reason). Return from its closure, and run it again"
    return DatabaseError(DatabaseError.SQLITE_ABORT, message, sql: sql)
  }
}
