internal import CSQLite

/// The closures that a connection calls when something happens; they are released with it, or when another takes the place of one.
struct ConnectionHooks {
  var authorizer: (@Sendable (AuthorizationRequest) -> Authorization)?
  /// Whether SQLite asks about a DROP, whose DELETE comes next.
  var isDropping = false
  var update: (@Sendable (RowChange) -> Void)?
  var commit: (@Sendable () -> Bool)?
  var rollback: (@Sendable () -> Void)?
  var preupdate: ((PreupdateChange) -> Void)?
}

/// A row that was inserted, updated or deleted.
public struct RowChange: Hashable, Sendable {
  /// What happened to the row.
  public let kind: RowChangeKind
  /// The row's table.
  public let table: TableReference
  /// The rowid that the row has now, or had when it was deleted.
  public let rowID: Int64
}

/// What a statement does to a row.
public enum RowChangeKind: Hashable, Sendable {
  /// The row is new.
  case insert
  /// The row has other values.
  case update
  /// The row is gone.
  case delete

  init(code: Int32) {
    switch code {
    case SQLITE_INSERT: self = .insert
    case SQLITE_DELETE: self = .delete
    default: self = .update
    }
  }
}

extension Database {
  /// Tells `hook` of each row that this connection inserts, updates or deletes, at once; nil ends that.
  ///
  /// ```swift
  /// let changed = Mutex<Set<TableReference>>([])
  /// try db.setUpdateHook { change in
  ///   changed.withLock { _ = $0.insert(change.table) }
  /// }
  /// ```
  ///
  /// A DELETE of all rows tells of each of them. It is not told of tables WITHOUT ROWID, of rows that REPLACE pushes out, nor of what a
  /// rollback takes back; a ``setPreupdateHook(_:)`` is told of the first two. The hook must not use the database. There is one at a time;
  /// it is released when another takes its place, or the connection closes. The corresponding C function is `sqlite3_update_hook`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside of an access.
  public func setUpdateHook(_ hook: (@Sendable (RowChange) -> Void)?) throws {
    try checkAccess()
    hooks.update = hook
    sqlite3_update_hook(connection, hook == nil ? nil : handleUpdate, hookContext)
    expireStatements()
  }

  /// Asks `hook` before each commit whether it may be; where it may not, the transaction is rolled back and the statement throws
  /// `SQLITE_CONSTRAINT_COMMITHOOK`.
  ///
  /// Nil ends that.
  ///
  /// ```swift
  /// try db.setCommitHook { isStillWanted.load(ordering: .relaxed) }
  /// ```
  ///
  /// The hook must not use the database. There is one at a time; it is released when another takes its place, or the connection closes.
  /// The corresponding C function is `sqlite3_commit_hook`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside of an access.
  public func setCommitHook(_ hook: (@Sendable () -> Bool)?) throws {
    try checkAccess()
    hooks.commit = hook
    sqlite3_commit_hook(connection, hook == nil ? nil : handleCommit, hookContext)
  }

  /// Tells `hook` of each transaction that is rolled back, be it by ROLLBACK, an error or a commit hook; nil ends that.
  ///
  /// ```swift
  /// try db.setRollbackHook { cache.withLock { $0.removeAll() } }
  /// ```
  ///
  /// It is not told of ROLLBACK TO, nor of the end of a connection. The hook must not use the database. There is one at a time; it is
  /// released when another takes its place, or the connection closes. The corresponding C function is `sqlite3_rollback_hook`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside of an access.
  public func setRollbackHook(_ hook: (@Sendable () -> Void)?) throws {
    try checkAccess()
    hooks.rollback = hook
    sqlite3_rollback_hook(connection, hook == nil ? nil : handleRollback, hookContext)
  }

  var hookContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

private func handleUpdate(
  _ context: UnsafeMutableRawPointer?, _ code: Int32, _ database: UnsafePointer<CChar>?, _ table: UnsafePointer<CChar>?, _ rowID: Int64
) {
  guard let context, let database, let table else { return }
  let reference = TableReference(database: String(cString: database), name: String(cString: table))
  let change = RowChange(kind: RowChangeKind(code: code), table: reference, rowID: rowID)
  Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().hooks.update?(change)
}

private func handleCommit(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  return Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().hooks.commit?() == false ? 1 : 0
}

private func handleRollback(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().hooks.rollback?()
}
