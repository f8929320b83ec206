/// An error of SQLite, or of the use that is made of it.
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
  /// The code in full, such as ``SQLITE_CONSTRAINT_UNIQUE``.
  ///
  /// The corresponding C function is `sqlite3_extended_errcode`.
  public var extendedResultCode: ResultCode
  /// What went wrong, in SQLite's words where SQLite has found it.
  ///
  /// The corresponding C function is `sqlite3_errmsg`.
  public var message: String
  /// The SQL that failed; nil where no SQL was at fault.
  public var sql: String?
  /// Where in the UTF-8 of `sql` the error begins, in bytes from 0; nil where SQLite does not tell.
  ///
  /// The corresponding C function is `sqlite3_error_offset`.
  public var offset: Int?
  /// The row that failed in a bulk execution, from 1; nil outside of one.
  public var rowNumber: Int?
  /// The number of the system's own error behind one of opening, reading or writing a file, such as `ENOSPC`; 0 where there is none.
  ///
  /// The corresponding C function is `sqlite3_system_errno`.
  public var systemError: Int32 = 0
  /// What was bound, for ``expandedDescription`` only.
  var arguments: String?
  /// Where the error came from; nil for one that no connection has made.
  package var origin: DatabaseErrorOrigin?
  /// What the error has left behind, to be told after it.
  package var consequence: String?

  /// Creates an error, as code that reads rows may throw; without a message, it has SQLite's words for the code.
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
  /// The error in one line, without the values that were bound.
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

  /// The error in one line, with the arguments of its statement, which may be private.
  ///
  /// ```swift
  /// print(error.expandedDescription)
  /// // SQLite error 2067: UNIQUE constraint failed: player.name - while executing `INSERT INTO player VALUES (?)` with arguments ["Arthur"]
  /// ```
  ///
  /// Where ``Configuration/errorsKeepArguments`` is off, it is the ``description``.
  public var expandedDescription: String {
    description + (arguments.map { " with arguments \($0)" } ?? "")
  }
}

extension DatabaseError {
  /// The error without the statement, for one that says nothing to whoever reads it.
  var withoutSQL: DatabaseError {
    var error = DatabaseError(extendedResultCode, message)
    error.systemError = systemError
    return error
  }

  static func misuse(_ message: String, sql: String? = nil) -> DatabaseError {
    DatabaseError(SQLITE_MISUSE, message, sql: sql)
  }
}
