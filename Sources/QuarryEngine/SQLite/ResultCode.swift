internal import CSQLite

/// A code by which SQLite tells how a call ended: a primary one such as `SQLITE_CONSTRAINT`, or an extended one such as
/// `SQLITE_CONSTRAINT_UNIQUE`.
///
/// ```swift
/// let code = DatabaseError.SQLITE_CONSTRAINT_UNIQUE
/// code.rawValue          // 2067
/// code.primary.rawValue  // 19
/// print(code)            // Prints constraint failed
/// ```
///
/// See <https://www.sqlite.org/rescode.html>.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
  /// SQLite's number.
  public var rawValue: Int32

  /// Creates the code of one of SQLite's numbers.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The primary code, which is the low byte.
  public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

  /// Whether the code is `error`'s, or the primary code of it.
  ///
  /// ```swift
  /// do {
  ///   try db.execute(sql: "INSERT INTO player (id) VALUES (1)")
  /// } catch DatabaseError.SQLITE_CONSTRAINT_PRIMARYKEY {
  ///   // That very constraint.
  /// } catch DatabaseError.SQLITE_CONSTRAINT {
  ///   // Any other one.
  /// }
  /// ```
  public static func ~= (code: ResultCode, error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return error.extendedResultCode == code || error.resultCode == code
  }
}

extension ResultCode: CustomStringConvertible {
  /// What SQLite says of the code, such as `constraint failed`.
  ///
  /// The corresponding C function is `sqlite3_errstr`.
  public var description: String {
    sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "code \(rawValue)"
  }
}

extension DatabaseError {
  /// An error that no other code tells, such as a mistake in the SQL.
  public static let SQLITE_ERROR = ResultCode(rawValue: 1)
  /// SQLite has found a fault in itself.
  public static let SQLITE_INTERNAL = ResultCode(rawValue: 2)
  /// The permissions that were asked for could not be had.
  public static let SQLITE_PERM = ResultCode(rawValue: 3)
  /// An operation was stopped before it had ended, as by a rollback meanwhile.
  public static let SQLITE_ABORT = ResultCode(rawValue: 4)
  /// Another connection holds the lock, and the busy timeout is over.
  public static let SQLITE_BUSY = ResultCode(rawValue: 5)
  /// The same connection, or one that shares its cache, holds the lock.
  public static let SQLITE_LOCKED = ResultCode(rawValue: 6)
  /// There is no memory left.
  public static let SQLITE_NOMEM = ResultCode(rawValue: 7)
  /// The database, or the access, may only be read.
  public static let SQLITE_READONLY = ResultCode(rawValue: 8)
  /// The statement was stopped by ``DatabaseQueue/interrupt()``, a handler or a cancelled task.
  public static let SQLITE_INTERRUPT = ResultCode(rawValue: 9)
  /// The operating system could not read or write the file.
  public static let SQLITE_IOERR = ResultCode(rawValue: 10)
  /// The file is damaged.
  public static let SQLITE_CORRUPT = ResultCode(rawValue: 11)
  /// Something that was asked for by its name is not there.
  public static let SQLITE_NOTFOUND = ResultCode(rawValue: 12)
  /// The disk is full.
  public static let SQLITE_FULL = ResultCode(rawValue: 13)
  /// The file cannot be opened.
  public static let SQLITE_CANTOPEN = ResultCode(rawValue: 14)
  /// The locks of a write-ahead log could not be had.
  public static let SQLITE_PROTOCOL = ResultCode(rawValue: 15)
  /// The schema has changed, and the statement no longer compiles.
  public static let SQLITE_SCHEMA = ResultCode(rawValue: 17)
  /// A text or blob, or the SQL, is longer than the limit.
  public static let SQLITE_TOOBIG = ResultCode(rawValue: 18)
  /// A constraint does not hold.
  public static let SQLITE_CONSTRAINT = ResultCode(rawValue: 19)
  /// A value is not of the type that is wanted.
  public static let SQLITE_MISMATCH = ResultCode(rawValue: 20)
  /// The library is used in a way that it is not made for.
  public static let SQLITE_MISUSE = ResultCode(rawValue: 21)
  /// The file is greater than the operating system can handle.
  public static let SQLITE_NOLFS = ResultCode(rawValue: 22)
  /// The authorizer has refused a statement.
  public static let SQLITE_AUTH = ResultCode(rawValue: 23)
  /// There is no parameter or column of that number.
  public static let SQLITE_RANGE = ResultCode(rawValue: 25)
  /// The file is not a database.
  public static let SQLITE_NOTADB = ResultCode(rawValue: 26)
}

extension DatabaseError {
  /// Another connection is recovering the write-ahead log.
  public static let SQLITE_BUSY_RECOVERY = ResultCode(rawValue: 5 | 1 << 8)
  /// A transaction that reads an older state of the database cannot begin to write.
  public static let SQLITE_BUSY_SNAPSHOT = ResultCode(rawValue: 5 | 2 << 8)
  /// The write-ahead log must be recovered, and the database may only be read.
  public static let SQLITE_READONLY_RECOVERY = ResultCode(rawValue: 8 | 1 << 8)
  /// The file of shared memory of the write-ahead log cannot be locked.
  public static let SQLITE_READONLY_CANTLOCK = ResultCode(rawValue: 8 | 2 << 8)
  /// A journal must be rolled back, and the database may only be read.
  public static let SQLITE_READONLY_ROLLBACK = ResultCode(rawValue: 8 | 3 << 8)
  /// The file was moved or removed while it was open.
  public static let SQLITE_READONLY_DBMOVED = ResultCode(rawValue: 8 | 4 << 8)
  /// The shared memory of the write-ahead log cannot be made ready.
  public static let SQLITE_READONLY_CANTINIT = ResultCode(rawValue: 8 | 5 << 8)
  /// The journal cannot be made, since the folder may not be written.
  public static let SQLITE_READONLY_DIRECTORY = ResultCode(rawValue: 8 | 6 << 8)
  /// A CHECK does not hold.
  public static let SQLITE_CONSTRAINT_CHECK = ResultCode(rawValue: 19 | 1 << 8)
  /// A commit hook has refused the commit.
  public static let SQLITE_CONSTRAINT_COMMITHOOK = ResultCode(rawValue: 19 | 2 << 8)
  /// A foreign key does not hold.
  public static let SQLITE_CONSTRAINT_FOREIGNKEY = ResultCode(rawValue: 19 | 3 << 8)
  /// A function of an extension has reported a constraint.
  public static let SQLITE_CONSTRAINT_FUNCTION = ResultCode(rawValue: 19 | 4 << 8)
  /// A NOT NULL does not hold.
  public static let SQLITE_CONSTRAINT_NOTNULL = ResultCode(rawValue: 19 | 5 << 8)
  /// Another row has the same primary key.
  public static let SQLITE_CONSTRAINT_PRIMARYKEY = ResultCode(rawValue: 19 | 6 << 8)
  /// A trigger has raised an error.
  public static let SQLITE_CONSTRAINT_TRIGGER = ResultCode(rawValue: 19 | 7 << 8)
  /// Another row has the same values of a unique key.
  public static let SQLITE_CONSTRAINT_UNIQUE = ResultCode(rawValue: 19 | 8 << 8)
  /// A virtual table has reported a constraint.
  public static let SQLITE_CONSTRAINT_VTAB = ResultCode(rawValue: 19 | 9 << 8)
  /// Another row has the same rowid.
  public static let SQLITE_CONSTRAINT_ROWID = ResultCode(rawValue: 19 | 10 << 8)
  /// A STRICT table refuses a value of another type.
  public static let SQLITE_CONSTRAINT_DATATYPE = ResultCode(rawValue: 19 | 12 << 8)
}
