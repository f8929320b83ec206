internal import CSQLite
internal import Libc
internal import Synchronization

/// A connection to SQLite, as an access of a ``DatabaseQueue`` is given it.
///
/// ```swift
/// try queue.write { db in
///   try db.execute(sql: "CREATE TABLE player (name TEXT, score INTEGER)")
/// }
/// ```
///
/// A database is good for the access that it was given to. Used elsewhere, or from another thread, it throws `SQLITE_MISUSE`.
public final class Database {
  /// The path that the connection was opened with.
  public let path: String
  /// How the connection was opened.
  public let configuration: Configuration

  let lock = ConnectionLock()
  package let interruption: Interruption
  let openedFiles = OpenedFiles()
  let pendingFinalizations = PendingFinalizations()
  /// The C statements that were compiled here; the connection has others: virtual tables keep statements of their own, and finalize them.
  var ownStatements: Set<OpaquePointer> = []

  /// The C connection; dangling once `isClosed`.
  package let connection: OpaquePointer
  private let closed = Atomic<Bool>(false)
  private let accessNumber = Atomic<Int>(0)

  package var cancellation: Cancellation?
  var busyWait: BusyWait
  var progress: ProgressReport?
  /// Whether the statement that runs has kept writers out for too long; nil where none of them is to be ended for that.
  var isLate: (() -> Bool)?
  /// Whether the access under way may only read.
  var refusesWriting = false
  var heldTransactions = HeldTransactions()
  var statementCache = StatementCache()
  var lastingCursors = LastingCursors()
  /// What takes the rows of a statement that runs to its end at once; nil before the first such.
  var rowSink: RowSink?
  var hasTextFinder = false
  /// How the read under way gives writers their turn; nil where it does not.
  package var turns: ReadTurns?
  /// Whether the open transaction was begun by ``reading(_:)``.
  package var isReadingAlone = false
  /// The gaps between the long reads of its file, for which a short read waits.
  private(set) lazy var gaps: ReadGaps? = findReadGaps()
  /// The version of its file that was last looked at; nil before the first look.
  var seenVersion: Int64?
  /// Whether the read under way is a short one.
  var isReadingBriefly = false
  var schemaCache = SchemaCache()
  var hooks = ConnectionHooks()
  /// What statements that are being compiled read; nil where nobody asks.
  var region: DatabaseRegion?
  /// The tables of which they read no column, by the names that they have for them.
  var unlocatedTables: [(database: String?, name: String)] = []
  /// Why the authorizer has refused something, until the error of it is made.
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

// Explicit non-conformance to Sendable: an SQLite connection is opened without a mutex of its own, and its queue makes users take turns.
@available(*, unavailable)
extension Database: Sendable {}

// MARK: - Life

extension Database {
  /// Whether the connection is closed.
  public var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Finalizes what statements are left and closes the connection; the second time does nothing.
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

  /// Drops the cached pages that no statement uses, so that the next read takes them from the file.
  ///
  /// SQLite keeps its pages while 16 bytes of the first one are as they were. It misses that a file was emptied and filled again. The
  /// corresponding C function is `sqlite3_db_release_memory`.
  package func dropCachedPages() {
    sqlite3_db_release_memory(connection)
  }

  /// Runs `body` as an access: what it made of cursors and rows is over when it ends.
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
    // A statement that is left half-way would hold its lock on the file.
    for statement in ownStatements where sqlite3_stmt_busy(statement) != 0 && !lastingCursors.contains(statement) {
      sqlite3_reset(statement)
    }
  }

  /// Finalizes one of the connection's own statements.
  func finalize(_ statement: OpaquePointer) {
    ownStatements.remove(statement)
    sqlite3_finalize(statement)
  }

  /// The number of the access under way; no two are the same, and none is that of the time between two.
  @inline(__always)
  var currentAccess: Int { accessNumber.load(ordering: .relaxed) }

  func checkOpen() throws {
    guard !isClosed else { throw DatabaseError.misuse("the database is closed") }
  }

  /// Checks that the connection may be used here and now.
  ///
  /// - Throws: `SQLITE_MISUSE` where the connection is closed, or the caller is not inside an access of its queue.
  @inline(__always)
  package func checkAccess() throws {
    if !lock.isHeldByThisThread || isClosed { throw accessError }
  }

  private var accessError: DatabaseError {
    isClosed
      ? .misuse("the database is closed")
      : .misuse("the database is used outside of its queue, or from a thread that has no access to it")
  }
}

// MARK: - State

extension Database {
  /// Whether a transaction is open.
  ///
  /// The corresponding C function is `sqlite3_get_autocommit`.
  public var isInsideTransaction: Bool { !isClosed && sqlite3_get_autocommit(connection) == 0 }

  /// The rowid of the row that was inserted last; 0 where none was.
  ///
  /// ```swift
  /// try db.execute(sql: "INSERT INTO player (name) VALUES ('Arthur')")
  /// let id = db.lastInsertedRowID
  /// ```
  ///
  /// The corresponding C function is `sqlite3_last_insert_rowid`.
  public var lastInsertedRowID: Int64 { isClosed ? 0 : sqlite3_last_insert_rowid(connection) }

  /// How many rows the last INSERT, UPDATE or DELETE changed, without those that triggers and foreign keys changed.
  ///
  /// ```swift
  /// try db.execute(sql: "DELETE FROM player WHERE score < 100")
  /// print("\(db.changesCount) players are gone")
  /// ```
  ///
  /// The corresponding C function is `sqlite3_changes64`.
  public var changesCount: Int { isClosed ? 0 : Int(sqlite3_changes64(connection)) }

  /// How many rows were changed since the connection was opened, those of triggers and foreign keys included.
  ///
  /// The corresponding C function is `sqlite3_total_changes64`.
  public var totalChangesCount: Int { isClosed ? 0 : Int(sqlite3_total_changes64(connection)) }

  /// Whether a row refers to none, so that a COMMIT would fail.
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
  /// Lends the C connection, for what this library has no function for.
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
  /// The connection is not to be closed, nor kept: it is good until `body` returns. Its authorizer, its busy, progress, update, commit,
  /// rollback and preupdate handlers belong to this library, and what is put in their place takes away what they do.
  ///
  /// - Throws: What `body` throws, `SQLITE_MISUSE` outside of an access.
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

  /// Returns the path of the file of a database by its name; nil where it has no file.
  ///
  /// The corresponding C function is `sqlite3_db_filename`.
  package func path(ofDatabase name: String) -> String? {
    guard let path = sqlite3_db_filename(connection, name).map({ String(cString: $0) }), !path.isEmpty else { return nil }
    return path
  }
}

// MARK: - Errors

extension Database {
  /// Makes the error of the call that has just failed with `code`.
  func error(_ code: Int32, sql: String? = nil) -> DatabaseError {
    if busyWait.wasStopped {
      busyWait.forgetStop()
      // A wait that was stopped can be of no consequence, as that of a checkpoint is, and then the error is another's.
      if code & 0xFF == SQLITE_BUSY { return DatabaseError(DatabaseError.SQLITE_INTERRUPT, sql: sql) }
    }
    if let refusal {
      self.refusal = nil
      // SQLite's own message names no reason, and its code is not always SQLITE_AUTH.
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
    // SQLITE_MISUSE does not always reach the connection, whose message is then that of another error.
    guard extended & 0xFF == code & 0xFF else { return DatabaseError(ResultCode(rawValue: code), sql: sql) }
    let offset = sqlite3_error_offset(connection)
    var error = DatabaseError(
      ResultCode(rawValue: extended), sqlite3_errmsg(connection).map { String(cString: $0) },
      sql: sql, offset: offset < 0 ? nil : Int(offset))
    error.systemError = systemError(extended, last)
    return error
  }

  /// Returns the number of the system's error behind one of SQLite's; 0 where it is not known.
  ///
  /// - Parameter last: The number that the thread had when SQLite's call returned.
  private func systemError(_ code: Int32, _ last: Int32) -> Int32 {
    let known = sqlite3_system_errno(connection)
    switch code & 0xFF {
    // Of a COMMIT that fails SQLite keeps no number; the thread still has that of its write.
    // The codes are SQLITE_IOERR_WRITE, _FSYNC, _DIR_FSYNC and _TRUNCATE.
    case SQLITE_IOERR where known == 0: return (3...6).contains(code >> 8) && [EFBIG, ENOSPC, EDQUOT, EIO].contains(last) ? last : 0
    case SQLITE_IOERR, SQLITE_CANTOPEN: return known
    // SQLite reports a page that the disk does not yield as damage, and keeps no number.
    case SQLITE_CORRUPT: return last == EIO ? EIO : 0
    default: return 0
    }
  }

  func check(_ code: Int32, sql: String? = nil) throws {
    if code != SQLITE_OK { throw error(code, sql: sql) }
  }
}

extension Database {
  /// The greatest number of columns of a table or a result.
  ///
  /// The corresponding C function is `sqlite3_limit`.
  package var columnLimit: Int { Int(sqlite3_limit(connection, SQLITE_LIMIT_COLUMN, -1)) }

  /// Returns the name of the collation that a column of a table was declared with; nil where there is no such column.
  ///
  /// The corresponding C function is `sqlite3_table_column_metadata`.
  package func collation(ofColumn column: String, in table: TableReference) -> String? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(connection, table.database, table.name, column, nil, &name, nil, nil, nil)
    return code == SQLITE_OK ? name.map { String(cString: $0) } : nil
  }
}
