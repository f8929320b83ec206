internal import CSQLite
internal import Libc
internal import Synchronization

/// A connection to SQLite, passed to each access of a ``DatabaseQueue``.
///
/// ```swift
/// try queue.write { db in
///   try db.execute(sql: "CREATE TABLE player (name TEXT, score INTEGER)")
/// }
/// ```
///
/// A database is valid only within its access. Outside the access, or on another thread, it throws `SQLITE_MISUSE`.
public final class Database {
  /// The path with which the connection was opened.
  public let path: String
  /// The options with which the connection was opened.
  public let configuration: Configuration

  let lock = ConnectionLock()
  package let interruption: Interruption
  let openedFiles = OpenedFiles()
  let pendingFinalizations = PendingFinalizations()
  /// The C statements compiled by this library.
  ///
  /// The connection has more: virtual tables finalize their own statements.
  var ownStatements: Set<OpaquePointer> = []

  /// The C connection; dangling once `isClosed` is true.
  package let connection: OpaquePointer
  private let closed = Atomic<Bool>(false)
  private let accessNumber = Atomic<Int>(0)

  // Unchecked: they are read before each run of a statement, and no code here calls out while it changes one of them.
  @exclusivity(unchecked) package var cancellation: Cancellation?
  var busyWait: BusyWait
  var progress: ProgressReport?
  /// The check whether the running statement has blocked writers for too long; nil if no statement is interrupted for that.
  var lateCheck: LateCheck? { didSet { installProgressHandler() } }
  /// Whether the current access may only read.
  @exclusivity(unchecked) var refusesWriting = false
  @exclusivity(unchecked) var heldTransactions = HeldTransactions()
  var statementCache = StatementCache()
  var lastingCursors = LastingCursors()
  /// The receiver of the rows of a statement that runs to its end in one call; nil before the first such statement.
  var rowSink: RowSink?
  var hasTextFinder = false
  /// The settings with which the current read lets writers proceed; nil if it does not.
  package var turns: ReadTurns?
  /// Whether ``reading(_:)`` began the open transaction.
  package var isReadingAlone = false
  /// The gaps between long reads of the file, for which a short read waits.
  private(set) lazy var gaps: ReadGaps? = findReadGaps()
  /// The version of the file when it was last checked; nil before the first check.
  var seenVersion: Int64?
  /// Whether the current read is a short one.
  var isReadingBriefly = false
  var schemaCache = SchemaCache()
  var hooks = ConnectionHooks()
  /// The region read by the statements being compiled; nil if it is not recorded.
  var region: DatabaseRegion?
  /// The tables of which these statements read no column, by the names used in the statements.
  var unlocatedTables: [(database: String?, name: String)] = []
  /// The reason for the authorizer's last refusal, until it becomes part of an error.
  var refusal: String?

  init(path: String, configuration: Configuration) throws {
    self.path = path
    self.configuration = configuration
    connection = try Self.open(path: path, configuration: configuration)
    interruption = Interruption(connection)
    busyWait = BusyWait(timeout: configuration.busyTimeout)
    installHandlers()
    do {
      try lock.withLock {
        try access(nil) { db in
          if configuration.locksExclusively { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
          try db.prepareForUse()
        }
      }
      if !DatabaseFile(path: path, configuration: configuration).isPrivate { openedFiles.add(path, as: "main") }
    } catch {
      close()
      throw error
    }
  }

  deinit {
    close()
  }
}

// Explicit non-conformance to Sendable: the SQLite connection has no mutex of its own, so its queue serializes access.
@available(*, unavailable)
extension Database: Sendable {}

// MARK: - Lifetime

extension Database {
  /// Whether the connection is closed.
  public var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Finalizes the remaining statements and closes the connection; does nothing if it is already closed.
  func close() {
    guard !isClosed else { return }
    statementCache.removeAll()
    lastingCursors.removeAll()
    pendingFinalizations.close()
    closed.store(true, ordering: .releasing)
    interruption.invalidate()
    for statement in ownStatements { sqlite3_finalize(statement) }
    ownStatements.removeAll()
    sqlite3_close_v2(connection)
    hooks = ConnectionHooks()
  }

  /// Drops the cached pages that no statement uses, so that the next read loads them from the file.
  ///
  /// SQLite retains its cached pages while 16 bytes of the first page are unchanged. It does not notice that a file has been emptied and
  /// refilled. The corresponding C function is `sqlite3_db_release_memory`.
  package func dropCachedPages() {
    sqlite3_db_release_memory(connection)
  }

  /// Runs `body` as an access, whose cursors and rows become invalid when it ends.
  func access<Value>(_ cancellation: Cancellation?, _ body: (Database) throws -> Value) throws -> Value {
    try checkOpen()
    self.cancellation = cancellation
    accessNumber.add(1, ordering: .relaxed)
    for statement in pendingFinalizations.drain() { finalize(statement) }
    defer { endAccess() }
    return try body(self)
  }

  private func endAccess() {
    accessNumber.add(1, ordering: .relaxed)
    cancellation = nil
    busyWait.end()
    guard !isClosed else { return }
    // An unfinished statement would retain its lock on the file.
    for statement in ownStatements where sqlite3_stmt_busy(statement) != 0 && !lastingCursors.contains(statement) {
      sqlite3_reset(statement)
    }
  }

  /// Finalizes one of the connection's own statements.
  func finalize(_ statement: OpaquePointer) {
    ownStatements.remove(statement)
    sqlite3_finalize(statement)
  }

  /// The number of the current access.
  ///
  /// Every access has a different number, and so does the time between two accesses.
  @inline(__always)
  var currentAccess: Int { accessNumber.load(ordering: .relaxed) }

  func checkOpen() throws {
    guard !isClosed else { throw DatabaseError.misuse("the database is closed") }
  }

  /// Checks that the connection may be used now by the caller.
  ///
  /// - Throws: `SQLITE_MISUSE` if the connection is closed, or if the caller is not inside an access of its queue.
  @inline(__always)
  package func checkAccess() throws {
    if !lock.isHeldByThisThread || isClosed { try refuseAccess() }
  }

  // Not inlined with the check, which is made before each call of SQLite.
  @inline(never)
  private func refuseAccess() throws -> Never {
    throw isClosed
      ? DatabaseError.misuse("the database is closed")
      : DatabaseError.misuse("the database was used outside its queue, or from a thread without access to it")
  }
}

// MARK: - State

extension Database {
  /// Whether a transaction is open.
  ///
  /// The corresponding C function is `sqlite3_get_autocommit`.
  public var isInsideTransaction: Bool { !isClosed && sqlite3_get_autocommit(connection) == 0 }

  /// The rowid of the last inserted row; 0 if no row has been inserted.
  ///
  /// ```swift
  /// try db.execute(sql: "INSERT INTO player (name) VALUES ('Arthur')")
  /// let id = db.lastInsertedRowID
  /// ```
  ///
  /// The corresponding C function is `sqlite3_last_insert_rowid`.
  public var lastInsertedRowID: Int64 { isClosed ? 0 : sqlite3_last_insert_rowid(connection) }

  /// The number of rows changed by the last INSERT, UPDATE or DELETE, without changes by triggers and foreign keys.
  ///
  /// ```swift
  /// try db.execute(sql: "DELETE FROM player WHERE score < 100")
  /// print("\(db.changesCount) players are gone")
  /// ```
  ///
  /// The corresponding C function is `sqlite3_changes64`.
  public var changesCount: Int { isClosed ? 0 : Int(sqlite3_changes64(connection)) }

  /// The number of rows changed since the connection was opened, including changes by triggers and foreign keys.
  ///
  /// The corresponding C function is `sqlite3_total_changes64`.
  public var totalChangesCount: Int { isClosed ? 0 : Int(sqlite3_total_changes64(connection)) }

  /// Whether a foreign key has no matching row, so that a COMMIT would fail.
  ///
  /// The corresponding C function is `sqlite3_db_status` with `SQLITE_DBSTATUS_DEFERRED_FKS`.
  package var hasUnresolvedForeignKeys: Bool {
    var (current, highest): (Int32, Int32) = (0, 0)
    return !isClosed && sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0) == SQLITE_OK && current != 0
  }
}

// MARK: - The C connection

/// A raw SQLite connection, suitable for the SQLite C API.
public typealias SQLiteConnection = OpaquePointer

extension Database {
  /// Calls a closure with the C connection, for C functions without an equivalent in this library.
  ///
  /// ```swift
  /// import SQLite3
  ///
  /// let pages = try db.withUnsafeConnection { connection in
  ///   var (current, highest): (Int32, Int32) = (0, 0)
  ///   sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_USED, &current, &highest, 0)
  ///   return current
  /// }
  /// ```
  ///
  /// The closure must neither close the connection nor store it: it is valid until `body` returns. The authorizer and the busy, progress,
  /// update, commit, rollback and preupdate handlers belong to this library. Replacing them disables their functions.
  ///
  /// - Throws: Any error of `body`, or `SQLITE_MISUSE` outside an access.
  public func withUnsafeConnection<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
    try checkAccess()
    return try body(connection)
  }
}

// MARK: - Library and files

extension Database {
  /// The version of the SQLite library, such as `3.40.1`.
  ///
  /// The corresponding C function is `sqlite3_libversion`.
  public static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

  /// Turns off SQLite's memory statistics, for whose lock the connections of several threads would wait at every allocation.
  ///
  /// ```swift
  /// Database.turnOffMemoryStatistics()  // at the start of the program
  /// ```
  ///
  /// The pragmas for heap limits, which depend on the statistics, then have no effect. This function has no effect once a connection has
  /// been opened. The corresponding C function is `sqlite3_config`.
  public static func turnOffMemoryStatistics() {
    _ = quarry_config_memory_statistics(0)
  }

  /// Returns the path of the file of the database with this name; nil if it has no file.
  ///
  /// The corresponding C function is `sqlite3_db_filename`.
  package func path(ofDatabase name: String) -> String? {
    guard let path = sqlite3_db_filename(connection, name).map({ String(cString: $0) }), !path.isEmpty else { return nil }
    return path
  }
}

// MARK: - Errors

extension Database {
  /// Returns the error of the call that has just failed with `code`.
  func error(_ code: Int32, sql: String? = nil) -> DatabaseError {
    if busyWait.wasStopped {
      busyWait.forgetStop()
      // An interrupted wait may have had no effect, for example in a checkpoint; the error is then a different one.
      if code & 0xFF == SQLITE_BUSY { return DatabaseError(DatabaseError.SQLITE_INTERRUPT, sql: sql) }
    }
    if let refusal {
      self.refusal = nil
      // SQLite's own message gives no reason, and its code is not always SQLITE_AUTH.
      return DatabaseError(DatabaseError.SQLITE_AUTH, refusal, sql: sql)
    }
    var error = connectionError(code, sql: sql)
    error.origin = DatabaseErrorOrigin(
      path: path, isReadonly: configuration.isReadonly, isImmutable: configuration.isImmutable,
      attachment: sql.flatMap(DatabaseErrorOrigin.Attachment.init))
    return error
  }

  private func connectionError(_ code: Int32, sql: String?) -> DatabaseError {
    let last = errno
    let extended = sqlite3_extended_errcode(connection)
    // SQLITE_MISUSE is not always recorded by the connection, whose message then belongs to another error.
    guard extended & 0xFF == code & 0xFF else { return DatabaseError(ResultCode(rawValue: code), sql: sql) }
    let offset = sqlite3_error_offset(connection)
    let message = sqlite3_errmsg(connection).map { String(cString: $0) }
    // An interrupt while SQLite connects to a virtual table, such as that of a pragma, has only the message of an interrupt, not its code.
    let isInterrupt = extended == SQLITE_ERROR && message == DatabaseError.SQLITE_INTERRUPT.description
    let result = isInterrupt ? DatabaseError.SQLITE_INTERRUPT : ResultCode(rawValue: extended)
    var error = DatabaseError(result, message, sql: sql, offset: offset < 0 ? nil : Int(offset))
    error.systemError = systemError(extended, last)
    return error
  }

  /// Returns the system's error number behind an error of SQLite; 0 if it is unknown.
  ///
  /// - Parameter last: The `errno` of the thread after SQLite's call.
  private func systemError(_ code: Int32, _ last: Int32) -> Int32 {
    let known = sqlite3_system_errno(connection)
    switch code & 0xFF {
    // SQLite records no number if a COMMIT fails; the thread still has the number of the failed write.
    // The codes are SQLITE_IOERR_WRITE, _FSYNC, _DIR_FSYNC and _TRUNCATE.
    case SQLITE_IOERR where known == 0: return (3...6).contains(code >> 8) && [EFBIG, ENOSPC, EDQUOT, EIO].contains(last) ? last : 0
    case SQLITE_IOERR, SQLITE_CANTOPEN: return known
    // SQLite reports a page that the disk cannot read as damage, and records no number.
    case SQLITE_CORRUPT: return last == EIO ? EIO : 0
    default: return 0
    }
  }

  func check(_ code: Int32, sql: String? = nil) throws {
    if code != SQLITE_OK { throw error(code, sql: sql) }
  }
}

extension Database {
  /// The maximum number of columns of a table or a result.
  ///
  /// The corresponding C function is `sqlite3_limit`.
  package var columnLimit: Int { Int(sqlite3_limit(connection, SQLITE_LIMIT_COLUMN, -1)) }

  /// Returns the name of the collation that a column of a table was declared with; nil if the column does not exist.
  ///
  /// The corresponding C function is `sqlite3_table_column_metadata`.
  package func collation(ofColumn column: String, in table: TableReference) -> String? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(connection, table.database, table.name, column, nil, &name, nil, nil, nil)
    return code == SQLITE_OK ? name.map { String(cString: $0) } : nil
  }
}
