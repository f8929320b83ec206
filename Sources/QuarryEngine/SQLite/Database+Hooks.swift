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

  private var hookContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
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

/// A row that is about to be inserted, updated or deleted, with its values; good until the hook that is told of it returns.
///
/// ```swift
/// try db.setPreupdateHook { change in
///   if change.kind == .delete { print(change.table.name, try? change.oldValue(at: 0)) }
/// }
/// ```
///
/// Kept longer, it throws `SQLITE_MISUSE`.
public final class PreupdateChange {
  /// What happens to the row.
  public let kind: RowChangeKind
  /// The row's table.
  public let table: TableReference
  /// The rowid of the row before; means nothing where the row is new, or its table is WITHOUT ROWID.
  public let oldRowID: Int64
  /// The rowid of the row after; means nothing where the row goes, or its table is WITHOUT ROWID.
  public let newRowID: Int64
  /// The connection, for as long as the hook runs.
  private var connection: OpaquePointer?
  /// The connection's database, for what is read within the hook: the row is still there as it was.
  package unowned let database: Database

  fileprivate init(
    _ connection: OpaquePointer, of database: Database, kind: RowChangeKind, table: TableReference, oldRowID: Int64, newRowID: Int64
  ) {
    self.connection = connection
    self.database = database
    self.kind = kind
    self.table = table
    self.oldRowID = oldRowID
    self.newRowID = newRowID
  }

  fileprivate func end() {
    connection = nil
  }

  /// The number of the table's columns, as they are stored: generated columns that are not stored are none.
  ///
  /// The corresponding C function is `sqlite3_preupdate_count`.
  public var columnCount: Int { connection.map { Int(sqlite3_preupdate_count($0)) } ?? 0 }

  /// 0 where a statement itself changes the row, 1 where a trigger does that it fires, 2 where a trigger of a trigger does, and so on.
  ///
  /// The corresponding C function is `sqlite3_preupdate_depth`.
  public var depth: Int { connection.map { Int(sqlite3_preupdate_depth($0)) } ?? 0 }

  /// Returns the value of a column, from 0, before the change.
  ///
  /// A column that ALTER TABLE has added is NULL in a row that was written before, even where it has a DEFAULT. The corresponding C
  /// function is `sqlite3_preupdate_old`.
  ///
  /// - Throws: `SQLITE_RANGE` where there is no such column, `SQLITE_MISUSE` for a row that is new, and after the hook has returned;
  ///   `SQLITE_MISMATCH` for a text that is not valid UTF-8.
  public func oldValue(at index: Int) throws -> DatabaseValue {
    try DatabaseValue(withOldValue(at: index) { $0 })
  }

  /// Returns the value of a column, from 0, after the change.
  ///
  /// The corresponding C function is `sqlite3_preupdate_new`.
  ///
  /// - Throws: `SQLITE_RANGE` where there is no such column, `SQLITE_MISUSE` for a row that goes, and after the hook has returned;
  ///   `SQLITE_MISMATCH` for a text that is not valid UTF-8.
  public func newValue(at index: Int) throws -> DatabaseValue {
    try DatabaseValue(withNewValue(at: index) { $0 })
  }

  /// Lends the values of the row before the change, in the order in which they are stored, texts without a NUL at their end.
  ///
  /// - Throws: As ``oldValue(at:)``.
  package func forEachOldValue(_ body: (Int, BorrowedValue) -> Void) throws {
    guard let connection, kind != .insert else { throw DatabaseError.misuse("a row that is inserted has no old values") }
    for index in 0..<sqlite3_preupdate_count(connection) {
      var value: OpaquePointer?
      let code = sqlite3_preupdate_old(connection, index, &value)
      guard code == SQLITE_OK else { throw DatabaseError(ResultCode(rawValue: code), nil) }
      body(Int(index), try BorrowedValue(SQLiteValue(value, of: connection), isTerminated: false))
    }
  }

  private func withOldValue<Result>(at index: Int, _ body: (BorrowedValue) throws -> Result) throws -> Result {
    if kind == .insert { throw DatabaseError.misuse("a row that is inserted has no old values") }
    return try value(at: index, sqlite3_preupdate_old, body)
  }

  private func withNewValue<Result>(at index: Int, _ body: (BorrowedValue) throws -> Result) throws -> Result {
    if kind == .delete { throw DatabaseError.misuse("a row that is deleted has no new values") }
    return try value(at: index, sqlite3_preupdate_new, body)
  }

  private func value<Result>(
    at index: Int, _ read: (OpaquePointer, Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32, _ body: (BorrowedValue) throws -> Result
  ) throws -> Result {
    guard let connection else { throw DatabaseError.misuse("the row change is used after its hook has returned") }
    var value: OpaquePointer?
    let code = read(connection, Int32(clamping: index), &value)
    guard code == SQLITE_OK else {
      let message = code == SQLITE_RANGE ? "there is no column \(index): the table has \(columnCount)" : nil
      throw DatabaseError(ResultCode(rawValue: code), message)
    }
    return try body(BorrowedValue(SQLiteValue(value, of: connection)))
  }
}

extension Database {
  /// Tells `hook` of each row that this connection is about to insert, update or delete, with its values; nil ends that.
  ///
  /// ```swift
  /// try db.setPreupdateHook { change in
  ///   guard change.kind != .insert else { return }
  ///   print("was", (0..<change.columnCount).map { try? change.oldValue(at: $0) })
  /// }
  /// ```
  ///
  /// It is told of what triggers and foreign keys do, of tables WITHOUT ROWID, and of each row that a DELETE of all rows deletes; not of
  /// the tables of the schema, nor of what a rollback takes back. The hook must not use the database but through what it is given. There is
  /// one at a time; it is released when another takes its place, or the connection closes. The corresponding C function is
  /// `sqlite3_preupdate_hook`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside of an access.
  public func setPreupdateHook(_ hook: (@Sendable (PreupdateChange) -> Void)?) throws {
    try checkAccess()
    hooks.preupdate = hook
    sqlite3_preupdate_hook(connection, hook == nil ? nil : handlePreupdate, hookContext)
    // What was compiled before may empty a table without a look at its rows.
    expireStatements()
  }
}

private func handlePreupdate(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ code: Int32, _ database: UnsafePointer<CChar>?,
  _ table: UnsafePointer<CChar>?, _ oldRowID: Int64, _ newRowID: Int64
) {
  guard let context, let connection, let database, let table else { return }
  let reference = TableReference(database: String(cString: database), name: String(cString: table))
  let owner = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
  let change = PreupdateChange(
    connection, of: owner, kind: RowChangeKind(code: code), table: reference, oldRowID: oldRowID, newRowID: newRowID)
  owner.hooks.preupdate?(change)
  change.end()
}
