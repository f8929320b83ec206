/// An error of SQLite or of its use.
///
/// ```swift
/// do {
///   try db.execute(sql: "SELECT * FORM player")
/// } catch let error as DatabaseError {
///   error.resultCode  // DatabaseError.SQLITE_ERROR
///   error.message     // near "FORM": syntax error
///   error.offset      // 9
/// }
/// ```
///
/// A result code is a pattern for `catch`: `catch DatabaseError.SQLITE_CONSTRAINT { … }`.
public struct DatabaseError: Error, Hashable, Sendable {
  /// The extended result code, such as ``SQLITE_CONSTRAINT_UNIQUE``.
  ///
  /// The corresponding C function is `sqlite3_extended_errcode`.
  public var extendedResultCode: ResultCode
  /// The error message, from SQLite if SQLite detected the error.
  ///
  /// The corresponding C function is `sqlite3_errmsg`.
  public var message: String
  /// The SQL that failed; nil if no SQL was at fault.
  public var sql: String?
  /// The byte offset of the error in the UTF-8 of `sql`, from 0; nil if SQLite does not provide it.
  ///
  /// The corresponding C function is `sqlite3_error_offset`.
  public var offset: Int?
  /// The number of the failed row in a bulk execution, from 1; nil outside a bulk execution.
  public var rowNumber: Int?
  /// The number of the system error that caused an error of opening, reading or writing a file, such as `ENOSPC`; 0 for other errors.
  ///
  /// The corresponding C function is `sqlite3_system_errno`.
  public var systemError: Int32 = 0
  /// The bound values, only for ``expandedDescription``.
  var arguments: String?
  /// The origin of the error; nil if it does not come from a connection.
  package var origin: DatabaseErrorOrigin?
  /// A consequence of the error, to be reported after it.
  package var consequence: String?

  /// Creates an error, for example in code that reads rows; the default message is SQLite's text for the code.
  ///
  /// ```swift
  /// throw DatabaseError(DatabaseError.SQLITE_MISMATCH, "a score is never negative")
  /// ```
  public init(
    _ code: ResultCode, _ message: String? = nil, sql: String? = nil, offset: Int? = nil, rowNumber: Int? = nil
  ) {
    extendedResultCode = code
    self.message = message ?? code.description
    self.sql = sql
    self.offset = offset
    self.rowNumber = rowNumber
  }

  /// The primary code, such as ``SQLITE_CONSTRAINT``.
  public var resultCode: ResultCode { extendedResultCode.primary }
}

extension DatabaseError: CustomStringConvertible {
  /// The error in one line, without bound values.
  ///
  /// ```swift
  /// print(error)
  /// // SQLite error 1: near "FORM": syntax error at byte 9 - while executing `SELECT * FORM player`
  /// ```
  public var description: String {
    let row = rowNumber.map { " in row \($0)" } ?? ""
    let place = offset.map { " at byte \($0)" } ?? ""
    let source = sql.flatMap { Statement.trimmed($0).isEmpty ? nil : " - while executing `\($0)`" } ?? ""
    return "SQLite error \(extendedResultCode.rawValue)\(row): \(message)\(place)\(source)"
  }

  /// The error in one line, with the arguments of its statement, which may be confidential.
  ///
  /// ```swift
  /// print(error.expandedDescription)
  /// // SQLite error 2067: UNIQUE constraint failed: player.name - while executing `INSERT INTO player VALUES (?)` with arguments ["Arthur"]
  /// ```
  ///
  /// If ``Configuration/errorsKeepArguments`` is false, it equals ``description``.
  public var expandedDescription: String {
    description + (arguments.map { " with arguments \($0)" } ?? "")
  }
}

extension DatabaseError {
  /// The error without its statement, if the statement does not help the reader.
  var withoutSQL: DatabaseError {
    var error = DatabaseError(extendedResultCode, message)
    error.systemError = systemError
    return error
  }

  static func misuse(_ message: String, sql: String? = nil) -> DatabaseError {
    DatabaseError(SQLITE_MISUSE, message, sql: sql)
  }
}
