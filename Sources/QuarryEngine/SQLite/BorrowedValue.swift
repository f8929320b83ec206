internal import CSQLite

/// A value where SQLite keeps it, good until the statement's next step or reset.
enum BorrowedValue {
  case null
  case integer(Int64)
  case real(Double)
  /// The bytes of a text, which may be no UTF-8.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}

extension Statement {
  /// Lends the values of the current row, or the first of them, from left to right, with one check for all of them.
  ///
  /// The corresponding C function is `sqlite3_column_value`.
  ///
  /// - Throws: `SQLITE_MISUSE` where there is no current row, `SQLITE_NOMEM` where a text cannot be had as UTF-8.
  @inline(__always)
  func forEachValue(first count: Int = .max, _ body: (Int, BorrowedValue) -> Void) throws {
    try database.checkAccess()
    guard isRunning else { throw DatabaseError.misuse("the statement has no current row", sql: sql) }
    for index in 0..<min(count, columns.count) {
      body(index, try BorrowedValue(sqlite3_column_value(sqliteStatement, Int32(truncatingIfNeeded: index)), of: database.connection))
    }
  }
}

extension BorrowedValue {
  /// Lends a value that SQLite keeps.
  ///
  /// - Parameter isTerminated: Whether a text is to end with a NUL, which is not counted; SQLite may have to copy it for that.
  /// - Throws: `SQLITE_NOMEM` where a text cannot be had as UTF-8.
  @inline(__always)
  init(_ value: OpaquePointer?, of connection: OpaquePointer, isTerminated: Bool = true) throws {
    self =
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
      case SQLITE_FLOAT: .real(sqlite3_value_double(value))
      case SQLITE_TEXT where !isTerminated && sqlite3_value_encoding(value) == SQLITE_UTF8:
        .text(try Self.bytes(sqlite3_value_blob(value), of: value, connection))
      case SQLITE_TEXT: .text(try Self.bytes(UnsafeRawPointer(sqlite3_value_text(value)), of: value, connection))
      case SQLITE_BLOB: .blob(try Self.bytes(sqlite3_value_blob(value), of: value, connection))
      default: .null
      }
  }

  /// Lends the bytes of a value that begin at `start`; none where it is nil.
  ///
  /// - Throws: `SQLITE_NOMEM` where there was no memory for the text as UTF-8.
  @inline(__always)
  static func bytes(
    _ start: UnsafeRawPointer?, of value: OpaquePointer?, _ connection: OpaquePointer
  ) throws -> UnsafeRawBufferPointer {
    if start == nil, sqlite3_errcode(connection) == SQLITE_NOMEM { throw DatabaseError(DatabaseError.SQLITE_NOMEM) }
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }
}

extension DatabaseValue {
  /// Lends the value for the length of the call, as SQLite would have it: a NaN is NULL.
  @inline(__always)
  func withBorrowedValue<Result>(_ body: (BorrowedValue) -> Result) -> Result {
    switch self {
    case .null: body(.null)
    case .integer(let value): body(.integer(value))
    case .real(let value): body(value.isNaN ? .null : .real(value))
    case .text(var value): value.withUTF8 { body(.text(UnsafeRawBufferPointer($0))) }
    case .blob(let value): value.withUnsafeBytes { body(.blob($0)) }
    }
  }
}

extension StoredValue {
  /// Lends the value for the length of the call.
  @inline(__always)
  func withBorrowedValue<Result>(_ body: (BorrowedValue) -> Result) -> Result {
    switch self {
    case .value(let value): value.withBorrowedValue(body)
    case .rawText(let bytes): bytes.withUnsafeBytes { body(.text($0)) }
    }
  }
}
