internal import CSQLite

/// A code by which SQLite tells how a call ended: a primary one such as `SQLITE_CONSTRAINT`, or an extended one such as
/// `SQLITE_CONSTRAINT_UNIQUE`.
///
/// See <https://www.sqlite.org/rescode.html>.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int32

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
  public static let SQLITE_ERROR = ResultCode(rawValue: 1)
  public static let SQLITE_INTERNAL = ResultCode(rawValue: 2)
  public static let SQLITE_PERM = ResultCode(rawValue: 3)
  public static let SQLITE_ABORT = ResultCode(rawValue: 4)
  public static let SQLITE_BUSY = ResultCode(rawValue: 5)
  public static let SQLITE_LOCKED = ResultCode(rawValue: 6)
  public static let SQLITE_NOMEM = ResultCode(rawValue: 7)
  public static let SQLITE_READONLY = ResultCode(rawValue: 8)
  public static let SQLITE_INTERRUPT = ResultCode(rawValue: 9)
  public static let SQLITE_IOERR = ResultCode(rawValue: 10)
  public static let SQLITE_CORRUPT = ResultCode(rawValue: 11)
  public static let SQLITE_NOTFOUND = ResultCode(rawValue: 12)
  public static let SQLITE_FULL = ResultCode(rawValue: 13)
  public static let SQLITE_CANTOPEN = ResultCode(rawValue: 14)
  public static let SQLITE_PROTOCOL = ResultCode(rawValue: 15)
  public static let SQLITE_SCHEMA = ResultCode(rawValue: 17)
  public static let SQLITE_TOOBIG = ResultCode(rawValue: 18)
  public static let SQLITE_CONSTRAINT = ResultCode(rawValue: 19)
  public static let SQLITE_MISMATCH = ResultCode(rawValue: 20)
  public static let SQLITE_MISUSE = ResultCode(rawValue: 21)
  public static let SQLITE_NOLFS = ResultCode(rawValue: 22)
  public static let SQLITE_AUTH = ResultCode(rawValue: 23)
  public static let SQLITE_RANGE = ResultCode(rawValue: 25)
  public static let SQLITE_NOTADB = ResultCode(rawValue: 26)
}

extension DatabaseError {
  public static let SQLITE_BUSY_RECOVERY = ResultCode(rawValue: 5 | 1 << 8)
  public static let SQLITE_BUSY_SNAPSHOT = ResultCode(rawValue: 5 | 2 << 8)
  public static let SQLITE_READONLY_RECOVERY = ResultCode(rawValue: 8 | 1 << 8)
  public static let SQLITE_READONLY_CANTLOCK = ResultCode(rawValue: 8 | 2 << 8)
  public static let SQLITE_READONLY_ROLLBACK = ResultCode(rawValue: 8 | 3 << 8)
  public static let SQLITE_READONLY_DBMOVED = ResultCode(rawValue: 8 | 4 << 8)
  public static let SQLITE_READONLY_CANTINIT = ResultCode(rawValue: 8 | 5 << 8)
  public static let SQLITE_READONLY_DIRECTORY = ResultCode(rawValue: 8 | 6 << 8)
  public static let SQLITE_CONSTRAINT_CHECK = ResultCode(rawValue: 19 | 1 << 8)
  public static let SQLITE_CONSTRAINT_COMMITHOOK = ResultCode(rawValue: 19 | 2 << 8)
  public static let SQLITE_CONSTRAINT_FOREIGNKEY = ResultCode(rawValue: 19 | 3 << 8)
  public static let SQLITE_CONSTRAINT_FUNCTION = ResultCode(rawValue: 19 | 4 << 8)
  public static let SQLITE_CONSTRAINT_NOTNULL = ResultCode(rawValue: 19 | 5 << 8)
  public static let SQLITE_CONSTRAINT_PRIMARYKEY = ResultCode(rawValue: 19 | 6 << 8)
  public static let SQLITE_CONSTRAINT_TRIGGER = ResultCode(rawValue: 19 | 7 << 8)
  public static let SQLITE_CONSTRAINT_UNIQUE = ResultCode(rawValue: 19 | 8 << 8)
  public static let SQLITE_CONSTRAINT_VTAB = ResultCode(rawValue: 19 | 9 << 8)
  public static let SQLITE_CONSTRAINT_ROWID = ResultCode(rawValue: 19 | 10 << 8)
  public static let SQLITE_CONSTRAINT_DATATYPE = ResultCode(rawValue: 19 | 12 << 8)
}
