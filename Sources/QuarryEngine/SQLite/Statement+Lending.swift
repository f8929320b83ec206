internal import CSQLite

/// A value where SQLite keeps it, good until the statement's next step or reset.
enum LentValue {
  case null
  case integer(Int64)
  case real(Double)
  /// The bytes of a text, which may be no UTF-8.
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
}

extension Statement {
  /// Lends the values of the current row, from left to right, with one check for all of them.
  ///
  /// The corresponding C function is `sqlite3_column_value`.
  ///
  /// - Throws: `SQLITE_MISUSE` where there is no current row, `SQLITE_NOMEM` where a text cannot be had as UTF-8.
  @inline(__always)
  func forEachValue(_ body: (Int, LentValue) -> Void) throws {
    try database.checkAccess()
    guard isRunning else { throw DatabaseError.misuse("the statement has no current row", sql: sql) }
    for index in 0..<columns.count {
      let value = sqlite3_column_value(sqliteStatement, Int32(truncatingIfNeeded: index))
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: body(index, .integer(sqlite3_value_int64(value)))
      case SQLITE_FLOAT: body(index, .real(sqlite3_value_double(value)))
      case SQLITE_TEXT: body(index, .text(try lend(value, at: UnsafeRawPointer(sqlite3_value_text(value)))))
      case SQLITE_BLOB: body(index, .blob(try lend(value, at: sqlite3_value_blob(value))))
      default: body(index, .null)
      }
    }
  }

  @inline(__always)
  private func lend(_ value: OpaquePointer?, at start: UnsafeRawPointer?) throws -> UnsafeRawBufferPointer {
    let count = Int(sqlite3_value_bytes(value))
    if start == nil, count > 0 { throw DatabaseError(DatabaseError.SQLITE_NOMEM, sql: sql) }
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
