internal import CSQLite

/// A value where SQLite keeps it, good until the statement's next step or reset.
package enum BorrowedValue {
  case null
  case integer(Int64)
  case real(Double)
  /// The bytes of a text as UTF-8, which may be invalid.
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
  package func forEachValue(first count: Int = .max, _ body: (Int, BorrowedValue) -> Void) throws {
    try database.checkAccess()
    guard isRunning else { throw DatabaseError.misuse("the statement has no current row", sql: sql) }
    for index in 0..<min(count, columns.count) {
      let value = sqlite3_column_value(sqliteStatement, Int32(truncatingIfNeeded: index))
      body(index, try BorrowedValue(SQLiteValue(value, of: database.connection)))
    }
  }
}

extension BorrowedValue {
  /// Lends a value that SQLite keeps.
  ///
  /// - Parameter isTerminated: Whether a text is to end with a NUL, which is not counted; SQLite may have to copy it for that.
  /// - Throws: `SQLITE_NOMEM` where a text cannot be had as UTF-8.
  @inline(__always)
  init(_ value: SQLiteValue, isTerminated: Bool = true) throws {
    self =
      switch value.storageClass {
      case .integer: .integer(value.integer)
      case .real: .real(value.real)
      case .text: .text(try value.text(isTerminated: isTerminated))
      case .blob: .blob(try value.blob())
      case .null: .null
      }
  }
}

extension DatabaseValue {
  /// Lends the value for the length of the call, as SQLite would have it: a NaN is NULL.
  @inline(__always)
  package func withBorrowedValue<Result>(_ body: (BorrowedValue) -> Result) -> Result {
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
  package func withBorrowedValue<Result>(_ body: (BorrowedValue) -> Result) -> Result {
    switch self {
    case .value(let value): value.withBorrowedValue(body)
    case .rawText(let bytes): bytes.withUnsafeBytes { body(.text($0)) }
    }
  }
}
