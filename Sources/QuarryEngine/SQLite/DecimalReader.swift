internal import CSQLite

/// A reader of decimal numbers with the same results as in SQLite's statements, which are not always the nearest real.
///
/// It is used by one thread at a time. The corresponding C functions are `sqlite3_bind_text64` and `sqlite3_column_double`.
package final class DecimalReader {
  package init() {}

  private var connection: OpaquePointer?
  private var statement: OpaquePointer?

  deinit {
    sqlite3_finalize(statement)
    sqlite3_close_v2(connection)
  }

  /// Returns SQLite's value of a decimal number; nil if SQLite cannot convert it.
  package func real(of decimal: UnsafeRawBufferPointer) -> Double? {
    if statement == nil { prepare() }
    guard let statement else { return nil }
    defer { sqlite3_reset(statement) }
    guard quarry_bind_text_copy(statement, 1, decimal.baseAddress, sqlite3_uint64(decimal.count)) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return nil }
    return sqlite3_column_double(statement, 0)
  }

  private func prepare() {
    guard sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else { return }
    sqlite3_prepare_v2(connection, "SELECT CAST(?1 AS REAL)", -1, &statement, nil)
  }
}
