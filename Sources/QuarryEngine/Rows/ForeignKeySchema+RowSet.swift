extension ForeignKeySchema {
  /// Returns the rows that a row of the referring table refers to: one, unless the reference is broken.
  ///
  ///     SELECT * FROM Album WHERE AlbumId IS 7
  ///
  /// - Parameter value: The referring row's values by column; a column that is not there counts as NULL.
  /// - Returns: Nil where a value is NULL, so that nothing is referred to, and where the referenced columns are not known.
  public func referencedRows(_ value: (_ column: String) -> DatabaseValue?) -> RowSet? {
    rowSet(table, matching: referencedColumns, with: columns, value)
  }

  /// Returns the rows of the referring table that refer to a row of the referenced one.
  ///
  ///     SELECT * FROM Track WHERE AlbumId IS 7
  ///
  /// - Parameters:
  ///   - table: The table that has the foreign key.
  ///   - value: The referenced row's values by column.
  public func referringRows(in table: TableReference, _ value: (_ column: String) -> DatabaseValue?) -> RowSet? {
    rowSet(table, matching: columns, with: referencedColumns, value)
  }

  private func rowSet(
    _ table: TableReference, matching targets: [String], with sources: [String], _ value: (String) -> DatabaseValue?
  ) -> RowSet? {
    guard !targets.isEmpty, targets.count == sources.count else { return nil }
    let values = sources.compactMap { value($0) }.filter { $0 != .null }
    guard values.count == targets.count else { return nil }
    return RowSet(.table(table), matching: zip(targets, values).map { ColumnMatch(column: $0, value: $1) })
  }
}

extension InboundReference {
  /// Returns the rows that refer to a row, given the row's values by column; nil where they are NULL.
  public func referringRows(_ value: (_ column: String) -> DatabaseValue?) -> RowSet? {
    key.referringRows(in: table, value)
  }
}
