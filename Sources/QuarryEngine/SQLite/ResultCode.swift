internal import CSQLite

/// A result code of SQLite: a primary code such as `SQLITE_CONSTRAINT`, or an extended code such as `SQLITE_CONSTRAINT_UNIQUE`.
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

  /// Creates a code from SQLite's number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The primary code, in the low byte.
  public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

  /// Returns whether a code is this one, or an extended code of it.
  ///
  /// ```swift
  /// switch error.extendedResultCode {
  /// case .SQLITE_CONSTRAINT_UNIQUE: // Exactly this constraint.
  /// case .SQLITE_CONSTRAINT:        // Any other constraint.
  /// default: throw error
  /// }
  /// ```
  public static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
    pattern == code || pattern == code.primary
  }

  /// Returns whether the code is that of `error`, or its primary code.
  ///
  /// ```swift
  /// do {
  ///   try db.execute(sql: "INSERT INTO player (id) VALUES (1)")
  /// } catch DatabaseError.SQLITE_CONSTRAINT_PRIMARYKEY {
  ///   // Exactly this constraint.
  /// } catch DatabaseError.SQLITE_CONSTRAINT {
  ///   // Any other constraint.
  /// }
  /// ```
  public static func ~= (code: ResultCode, error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return code ~= error.extendedResultCode
  }
}

// Each unsupported comparison is declared for its message. For an unknown name, the compiler would otherwise report that ResultCode is not
// a QueryExpression, whose operators it also tries.
extension ResultCode {
  /// Unavailable: a code can only be compared with a code.
  @available(*, unavailable, message: "compare with one of SQLite's constants, such as .SQLITE_BUSY")
  public static func == <Other>(code: ResultCode, other: Other) -> Bool { false }

  /// Unavailable: a code can only be compared with a code.
  @available(*, unavailable, message: "compare with one of SQLite's constants, such as .SQLITE_BUSY")
  public static func == <Other>(other: Other, code: ResultCode) -> Bool { false }

  /// Unavailable: a code can only be compared with a code.
  @available(*, unavailable, message: "compare with one of SQLite's constants, such as .SQLITE_BUSY")
  public static func != <Other>(code: ResultCode, other: Other) -> Bool { false }

  /// Unavailable: a code can only be compared with a code.
  @available(*, unavailable, message: "compare with one of SQLite's constants, such as .SQLITE_BUSY")
  public static func != <Other>(other: Other, code: ResultCode) -> Bool { false }
}

extension ResultCode: CustomStringConvertible {
  /// SQLite's text for the code, such as `constraint failed`.
  ///
  /// The corresponding C function is `sqlite3_errstr`.
  public var description: String {
    sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "code \(rawValue)"
  }
}

/// SQLite's constants with SQLite's names, as members of both ``ResultCode`` and ``DatabaseError``.
///
/// ```swift
/// if error.resultCode == .SQLITE_BUSY { … }
/// do { … } catch DatabaseError.SQLITE_CONSTRAINT { … }
/// ```
public protocol ResultCodeConstants {}

extension ResultCode: ResultCodeConstants {}
extension DatabaseError: ResultCodeConstants {}

extension ResultCodeConstants {
  /// A generic error without a more specific code, such as a mistake in the SQL.
  public static var SQLITE_ERROR: ResultCode { ResultCode(rawValue: 1) }
  /// SQLite detected an internal error.
  public static var SQLITE_INTERNAL: ResultCode { ResultCode(rawValue: 2) }
  /// The requested access permission could not be provided.
  public static var SQLITE_PERM: ResultCode { ResultCode(rawValue: 3) }
  /// An operation was aborted, for example by a rollback.
  public static var SQLITE_ABORT: ResultCode { ResultCode(rawValue: 4) }
  /// Another connection holds a lock, and the busy timeout has expired.
  public static var SQLITE_BUSY: ResultCode { ResultCode(rawValue: 5) }
  /// The same connection, or one with a shared cache, holds the lock.
  public static var SQLITE_LOCKED: ResultCode { ResultCode(rawValue: 6) }
  /// A memory allocation failed.
  public static var SQLITE_NOMEM: ResultCode { ResultCode(rawValue: 7) }
  /// The database, or the access, is read-only.
  public static var SQLITE_READONLY: ResultCode { ResultCode(rawValue: 8) }
  /// The statement was interrupted by ``DatabaseQueue/interrupt()``, a handler or a cancelled task.
  public static var SQLITE_INTERRUPT: ResultCode { ResultCode(rawValue: 9) }
  /// The operating system could not read or write the file.
  public static var SQLITE_IOERR: ResultCode { ResultCode(rawValue: 10) }
  /// The file is damaged.
  public static var SQLITE_CORRUPT: ResultCode { ResultCode(rawValue: 11) }
  /// A requested item was not found.
  public static var SQLITE_NOTFOUND: ResultCode { ResultCode(rawValue: 12) }
  /// The disk is full.
  public static var SQLITE_FULL: ResultCode { ResultCode(rawValue: 13) }
  /// The file cannot be opened.
  public static var SQLITE_CANTOPEN: ResultCode { ResultCode(rawValue: 14) }
  /// The locks of a write-ahead log could not be acquired.
  public static var SQLITE_PROTOCOL: ResultCode { ResultCode(rawValue: 15) }
  /// The schema has changed, and the statement no longer compiles.
  public static var SQLITE_SCHEMA: ResultCode { ResultCode(rawValue: 17) }
  /// A text or blob, or the SQL, is longer than the limit.
  public static var SQLITE_TOOBIG: ResultCode { ResultCode(rawValue: 18) }
  /// A constraint was violated.
  public static var SQLITE_CONSTRAINT: ResultCode { ResultCode(rawValue: 19) }
  /// A value has the wrong type.
  public static var SQLITE_MISMATCH: ResultCode { ResultCode(rawValue: 20) }
  /// The library was used incorrectly.
  public static var SQLITE_MISUSE: ResultCode { ResultCode(rawValue: 21) }
  /// The file is too large for the operating system.
  public static var SQLITE_NOLFS: ResultCode { ResultCode(rawValue: 22) }
  /// The authorizer rejected a statement.
  public static var SQLITE_AUTH: ResultCode { ResultCode(rawValue: 23) }
  /// The parameter or column number is out of range.
  public static var SQLITE_RANGE: ResultCode { ResultCode(rawValue: 25) }
  /// The file is not a database.
  public static var SQLITE_NOTADB: ResultCode { ResultCode(rawValue: 26) }
}

extension ResultCodeConstants {
  /// A collation that a statement needs is not defined.
  public static var SQLITE_ERROR_MISSING_COLLSEQ: ResultCode { ResultCode(rawValue: 1 | 1 << 8) }
  /// The data of a virtual table is damaged.
  public static var SQLITE_CORRUPT_VTAB: ResultCode { ResultCode(rawValue: 11 | 1 << 8) }
  /// An index does not match its table.
  public static var SQLITE_CORRUPT_INDEX: ResultCode { ResultCode(rawValue: 11 | 3 << 8) }
  /// Another connection is recovering the write-ahead log.
  public static var SQLITE_BUSY_RECOVERY: ResultCode { ResultCode(rawValue: 5 | 1 << 8) }
  /// A transaction that reads an older state of the database cannot start to write.
  public static var SQLITE_BUSY_SNAPSHOT: ResultCode { ResultCode(rawValue: 5 | 2 << 8) }
  /// The write-ahead log must be recovered, but the database is read-only.
  public static var SQLITE_READONLY_RECOVERY: ResultCode { ResultCode(rawValue: 8 | 1 << 8) }
  /// The shared memory file of the write-ahead log cannot be locked.
  public static var SQLITE_READONLY_CANTLOCK: ResultCode { ResultCode(rawValue: 8 | 2 << 8) }
  /// A hot journal must be rolled back, but the database is read-only.
  public static var SQLITE_READONLY_ROLLBACK: ResultCode { ResultCode(rawValue: 8 | 3 << 8) }
  /// The file was moved or removed while it was open.
  public static var SQLITE_READONLY_DBMOVED: ResultCode { ResultCode(rawValue: 8 | 4 << 8) }
  /// The shared memory of the write-ahead log cannot be initialized.
  public static var SQLITE_READONLY_CANTINIT: ResultCode { ResultCode(rawValue: 8 | 5 << 8) }
  /// The journal cannot be created, because the folder is not writable.
  public static var SQLITE_READONLY_DIRECTORY: ResultCode { ResultCode(rawValue: 8 | 6 << 8) }
  /// A CHECK constraint was violated.
  public static var SQLITE_CONSTRAINT_CHECK: ResultCode { ResultCode(rawValue: 19 | 1 << 8) }
  /// A commit hook rejected the commit.
  public static var SQLITE_CONSTRAINT_COMMITHOOK: ResultCode { ResultCode(rawValue: 19 | 2 << 8) }
  /// A foreign key constraint was violated.
  public static var SQLITE_CONSTRAINT_FOREIGNKEY: ResultCode { ResultCode(rawValue: 19 | 3 << 8) }
  /// A function of an extension reported a constraint violation.
  public static var SQLITE_CONSTRAINT_FUNCTION: ResultCode { ResultCode(rawValue: 19 | 4 << 8) }
  /// A NOT NULL constraint was violated.
  public static var SQLITE_CONSTRAINT_NOTNULL: ResultCode { ResultCode(rawValue: 19 | 5 << 8) }
  /// Another row has the same primary key.
  public static var SQLITE_CONSTRAINT_PRIMARYKEY: ResultCode { ResultCode(rawValue: 19 | 6 << 8) }
  /// A trigger raised an error.
  public static var SQLITE_CONSTRAINT_TRIGGER: ResultCode { ResultCode(rawValue: 19 | 7 << 8) }
  /// Another row has the same values in a unique key.
  public static var SQLITE_CONSTRAINT_UNIQUE: ResultCode { ResultCode(rawValue: 19 | 8 << 8) }
  /// A virtual table reported a constraint violation.
  public static var SQLITE_CONSTRAINT_VTAB: ResultCode { ResultCode(rawValue: 19 | 9 << 8) }
  /// Another row has the same rowid.
  public static var SQLITE_CONSTRAINT_ROWID: ResultCode { ResultCode(rawValue: 19 | 10 << 8) }
  /// A STRICT table rejected a value of another type.
  public static var SQLITE_CONSTRAINT_DATATYPE: ResultCode { ResultCode(rawValue: 19 | 12 << 8) }
}
