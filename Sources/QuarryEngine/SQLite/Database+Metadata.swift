internal import CSQLite

extension Database {
  /// The name of the collation that a column of a table was declared with; nil where there is no such column.
  ///
  /// The corresponding C function is `sqlite3_table_column_metadata`.
  func collation(ofColumn column: String, in table: TableReference) -> String? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(connection, table.database, table.name, column, nil, &name, nil, nil, nil)
    return code == SQLITE_OK ? name.map { String(cString: $0) } : nil
  }
}
