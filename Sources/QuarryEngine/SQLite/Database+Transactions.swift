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
  /// - Throws: What `body` throws, or the error of committing, after which nothing of the transaction remains.
  public func inTransaction<Value>(
    _ kind: TransactionKind = .immediate, _ body: (Database) throws -> Value
  ) throws -> Value {
    try checkAccess()
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
  /// - Throws: What `body` throws, or ``DatabaseError``.
  public func inSavepoint(_ body: (Database) throws -> TransactionOutcome) throws {
    try checkAccess()
    do {
      try savepoint { db in
        if try body(db) == .rollback { throw Rollback() }
      }
    } catch is Rollback {}
  }

  /// What undoes a savepoint whose body asks for it, as an error does.
  private struct Rollback: Error {}

  private func savepoint<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try run("SAVEPOINT quarry")
    return try finish(commit: "RELEASE quarry", rollback: "ROLLBACK TO quarry; RELEASE quarry", body)
  }

  private func finish<Value>(commit: String, rollback: String, _ body: (Database) throws -> Value) throws -> Value {
    do {
      let value = try body(self)
      // The body may have ended the transaction itself, and SQLite ends one after some errors.
      if isInsideTransaction { try run(commit) }
      return value
    } catch {
      if isInsideTransaction { try? run(rollback) }
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
    if isInsideTransaction { return try body(self) }
    try run("BEGIN DEFERRED")
    let value: Value
    do {
      value = try body(self)
    } catch {
      rollBack()
      if let error = error as? DatabaseError { undoHalfDoneChange(after: error) }
      throw error
    }
    // COMMIT fails where the body has met a damaged page, though there is nothing to write.
    if isInsideTransaction, (try? run("COMMIT")) == nil { rollBack() }
    return value
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
