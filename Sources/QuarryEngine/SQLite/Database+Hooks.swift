internal import CSQLite
internal import Libc

/// The closures that a connection calls on events.
///
/// They are released with the connection, or when they are replaced.
struct ConnectionHooks {
  var authorizer: (@Sendable (AuthorizationRequest) -> Authorization)?
  /// Whether SQLite has requested authorization for a DROP, whose DELETE comes next.
  var isDropping = false
  var update: (@Sendable (RowChange) -> Void)?
  var commit: (@Sendable () -> Bool)?
  var rollback: (@Sendable () -> Void)?
  var preupdate: ((PreupdateChange) -> Void)?
  /// The change of the latest preupdate hook, which the next one reuses unless the hook's closure has retained it.
  fileprivate var latestChange: PreupdateChange?
}

/// A row that was inserted, updated or deleted.
public struct RowChange: Hashable, Sendable {
  /// The kind of the change.
  public let kind: RowChangeKind
  /// The row's table.
  public let table: TableReference
  /// The current rowid of the row, or the rowid of a deleted row.
  public let rowID: Int64
}

/// The kinds of changes to a row.
public enum RowChangeKind: Hashable, Sendable {
  /// The row is new.
  case insert
  /// The row has other values.
  case update
  /// The row has been deleted.
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
  /// Calls `hook` for each row that this connection inserts, updates or deletes, immediately; nil removes the hook.
  ///
  /// ```swift
  /// let changed = Mutex<Set<TableReference>>([])
  /// try db.setUpdateHook { change in
  ///   changed.withLock { _ = $0.insert(change.table) }
  /// }
  /// ```
  ///
  /// A DELETE of all rows calls it for each row. It is not called for tables WITHOUT ROWID, for rows deleted by REPLACE, or for changes
  /// undone by a rollback. The hook of ``setPreupdateHook(_:)`` is called for the first two. The hook must not use the database. A
  /// connection has at most one hook, which is released when it is replaced or the connection closes. The corresponding C function is
  /// `sqlite3_update_hook`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access.
  public func setUpdateHook(_ hook: (@Sendable (RowChange) -> Void)?) throws {
    try checkAccess()
    hooks.update = hook
    sqlite3_update_hook(connection, hook == nil ? nil : handleUpdate, hookContext)
    expireStatements()
  }

  /// Calls `hook` before each commit; if it returns false, the transaction is rolled back and the statement throws
  /// `SQLITE_CONSTRAINT_COMMITHOOK`.
  ///
  /// Nil removes the hook.
  ///
  /// ```swift
  /// try db.setCommitHook { isStillWanted.load(ordering: .relaxed) }
  /// ```
  ///
  /// The hook must not use the database. A connection has at most one commit hook, which is released when it is replaced or the connection
  /// closes. The corresponding C function is `sqlite3_commit_hook`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access.
  public func setCommitHook(_ hook: (@Sendable () -> Bool)?) throws {
    try checkAccess()
    hooks.commit = hook
    sqlite3_commit_hook(connection, hook == nil ? nil : handleCommit, hookContext)
  }

  /// Calls `hook` for each transaction that is rolled back by ROLLBACK, an error or a commit hook; nil removes the hook.
  ///
  /// ```swift
  /// try db.setRollbackHook { cache.withLock { $0.removeAll() } }
  /// ```
  ///
  /// It is not called for ROLLBACK TO or when a connection closes. The hook must not use the database. A connection has at most one
  /// rollback hook, which is released when it is replaced or the connection closes. The corresponding C function is
  /// `sqlite3_rollback_hook`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access.
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

/// A row that is about to be inserted, updated or deleted, with its values; valid until the hook returns.
///
/// ```swift
/// try db.setPreupdateHook { change in
///   if change.kind == .delete { print(change.table.name, try? change.oldValue(at: 0)) }
/// }
/// ```
///
/// After that, it throws `SQLITE_MISUSE`.
public final class PreupdateChange {
  /// The kind of the change.
  public var kind: RowChangeKind { current.kind }
  /// The row's table.
  public let table: TableReference
  /// The rowid of the row before the change; undefined if the row is inserted or its table is WITHOUT ROWID.
  public var oldRowID: Int64 { current.oldRowID }
  /// The rowid of the row after the change; undefined if the row is deleted or its table is WITHOUT ROWID.
  public var newRowID: Int64 { current.newRowID }
  /// The change of the current hook.
  ///
  /// Unchecked, like the connection: it changes only between two hooks. Other modules would check a stored property nevertheless.
  @exclusivity(unchecked) private var current = (kind: RowChangeKind.insert, oldRowID: Int64(0), newRowID: Int64(0))
  /// The connection, while the hook runs.
  @exclusivity(unchecked) private var connection: OpaquePointer?
  /// The connection's database, for reading within the hook: the row still has its old values.
  package unowned let database: Database
  /// The names of the database and the table as SQLite passes them.
  private let names: (database: ContiguousArray<CChar>, table: ContiguousArray<CChar>)
  /// The borrowed values of the row.
  @exclusivity(unchecked) private var lent = BorrowedValues()

  fileprivate init(of database: Database, _ databaseName: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) {
    self.database = database
    self.table = TableReference(database: String(cString: databaseName), name: String(cString: table))
    names = (ContiguousArray(terminated: databaseName), ContiguousArray(terminated: table))
  }

  /// Returns whether the change is of a table with these names.
  fileprivate func isOf(_ database: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>) -> Bool {
    names.table.withUnsafeBufferPointer { $0.baseAddress.map { strcmp($0, table) == 0 } ?? false }
      && names.database.withUnsafeBufferPointer { $0.baseAddress.map { strcmp($0, database) == 0 } ?? false }
  }

  fileprivate func begin(_ connection: OpaquePointer, _ kind: RowChangeKind, from oldRowID: Int64, to newRowID: Int64) {
    self.connection = connection
    current = (kind, oldRowID, newRowID)
  }

  fileprivate func end() {
    connection = nil
  }

  /// The number of the table's stored columns, without virtual generated columns.
  ///
  /// The corresponding C function is `sqlite3_preupdate_count`.
  public var columnCount: Int { connection.map { Int(sqlite3_preupdate_count($0)) } ?? 0 }

  /// The trigger depth of the change: 0 for a direct change by a statement, 1 for a trigger, 2 for a trigger fired by a trigger, and so on.
  ///
  /// The corresponding C function is `sqlite3_preupdate_depth`.
  public var depth: Int { connection.map { Int(sqlite3_preupdate_depth($0)) } ?? 0 }

  /// Returns the value of a column, from 0, before the change.
  ///
  /// A column added by ALTER TABLE is NULL in rows written earlier, even if it has a DEFAULT. The corresponding C function is
  /// `sqlite3_preupdate_old`.
  ///
  /// - Throws: `SQLITE_RANGE` if the column does not exist, `SQLITE_MISUSE` for an inserted row and after the hook has returned,
  ///   `SQLITE_MISMATCH` for a text that is not valid UTF-8.
  public func oldValue(at index: Int) throws -> DatabaseValue {
    try DatabaseValue(withOldValue(at: index) { $0 })
  }

  /// Returns the value of a column, from 0, after the change.
  ///
  /// The corresponding C function is `sqlite3_preupdate_new`.
  ///
  /// - Throws: `SQLITE_RANGE` if the column does not exist, `SQLITE_MISUSE` for a deleted row and after the hook has returned,
  ///   `SQLITE_MISMATCH` for a text that is not valid UTF-8.
  public func newValue(at index: Int) throws -> DatabaseValue {
    try DatabaseValue(withNewValue(at: index) { $0 })
  }

  /// Returns the values of the row before the change, in storage order, valid until the next call or the end of the hook.
  ///
  /// Texts are not NUL-terminated.
  ///
  /// - Throws: The same errors as ``oldValue(at:)``.
  package func borrowedOldValues() throws -> UnsafeBufferPointer<BorrowedValue> {
    guard let connection, kind != .insert else { throw DatabaseError.misuse("an inserted row has no old values") }
    return try lent.lend(Int(sqlite3_preupdate_count(connection))) { index in
      var value: OpaquePointer?
      let code = sqlite3_preupdate_old(connection, Int32(truncatingIfNeeded: index), &value)
      guard code == SQLITE_OK else { throw DatabaseError(ResultCode(rawValue: code), nil) }
      return try BorrowedValue(SQLiteValue(value, of: connection), isTerminated: false)
    }
  }

  private func withOldValue<Result>(at index: Int, _ body: (BorrowedValue) throws -> Result) throws -> Result {
    if kind == .insert { throw DatabaseError.misuse("an inserted row has no old values") }
    return try value(at: index, sqlite3_preupdate_old, body)
  }

  private func withNewValue<Result>(at index: Int, _ body: (BorrowedValue) throws -> Result) throws -> Result {
    if kind == .delete { throw DatabaseError.misuse("a deleted row has no new values") }
    return try value(at: index, sqlite3_preupdate_new, body)
  }

  private func value<Result>(
    at index: Int, _ read: (OpaquePointer, Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32, _ body: (BorrowedValue) throws -> Result
  ) throws -> Result {
    guard let connection else { throw DatabaseError.misuse("the row change was used after its hook had returned") }
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
  /// Calls `hook` before this connection inserts, updates or deletes a row, with the row's values; nil removes the hook.
  ///
  /// ```swift
  /// try db.setPreupdateHook { change in
  ///   guard change.kind != .insert else { return }
  ///   print("was", (0..<change.columnCount).map { try? change.oldValue(at: $0) })
  /// }
  /// ```
  ///
  /// It is also called for changes by triggers and foreign keys, for tables WITHOUT ROWID, and for each row deleted by a DELETE of all
  /// rows. It is not called for the schema tables or for changes undone by a rollback. The hook must use the database only through its
  /// argument. A connection has at most one preupdate hook, which is released when it is replaced or the connection closes. The
  /// corresponding C function is `sqlite3_preupdate_hook`.
  ///
  /// - Throws: `SQLITE_MISUSE` outside an access.
  public func setPreupdateHook(_ hook: (@Sendable (PreupdateChange) -> Void)?) throws {
    try checkAccess()
    hooks.preupdate = hook
    sqlite3_preupdate_hook(connection, hook == nil ? nil : handlePreupdate, hookContext)
    // Statements compiled earlier may empty a table without visiting its rows.
    expireStatements()
  }

  /// Runs `body` without the preupdate hook.
  package func withoutPreupdateHook<Value>(_ body: () throws -> Value) rethrows -> Value {
    guard hooks.preupdate != nil else { return try body() }
    sqlite3_preupdate_hook(connection, nil, nil)
    defer {
      sqlite3_preupdate_hook(connection, handlePreupdate, hookContext)
      expireStatements()
    }
    return try body()
  }
}

private func handlePreupdate(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ code: Int32, _ database: UnsafePointer<CChar>?,
  _ table: UnsafePointer<CChar>?, _ oldRowID: Int64, _ newRowID: Int64
) {
  guard let context, let connection, let database, let table else { return }
  let owner = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
  guard let hook = owner.hooks.preupdate else { return }
  // A hook may run inside another one if its closure writes.
  var latest = owner.hooks.latestChange.take()
  let isReusable = latest?.isOf(database, table) == true && isKnownUniquelyReferenced(&latest)
  let change = isReusable ? latest ?? PreupdateChange(of: owner, database, table) : PreupdateChange(of: owner, database, table)
  change.begin(connection, RowChangeKind(code: code), from: oldRowID, to: newRowID)
  hook(change)
  change.end()
  owner.hooks.latestChange = change
}

extension ContiguousArray<CChar> {
  /// Creates a copy of a C string with its NUL.
  fileprivate init(terminated text: UnsafePointer<CChar>) {
    self.init(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
  }
}
