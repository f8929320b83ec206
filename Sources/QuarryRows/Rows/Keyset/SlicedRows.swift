package import QuarryEngine

/// The rows of a table in the order of its key, read so that nobody who wants to write waits for long.
///
/// ```swift
/// let sawChanges = try rows.forEach(in: db) { statement in
///   try print(statement)
///   return true
/// }
/// ```
///
/// In a file with a rollback journal the read is divided: others may write between two parts, and what follows is what is there then.
package struct SlicedRows {
  private let rows: KeysetRows
  private let values: [SQLText]

  /// Finds the key by which the rows can be read.
  ///
  /// - Parameters:
  ///   - values: What is read of each row; empty for all columns of the table.
  ///   - condition: Which rows are read; empty for all.
  /// - Returns: Nil where the table has no such key, or where an index or a sort would find the rows.
  /// - Throws: ``DatabaseError``
  package init?(of table: TableSchema, values: [SQLText], where condition: SQLText, in db: Database) throws {
    guard let rows = KeysetRows(table, in: db) else { return nil }
    let query = try OrderedQuery(rows, condition: condition, terms: [], in: db)
    let values = values.isEmpty ? rows.columnNames : values
    guard !query.isSorted, condition.isEmpty || query.scansTable, values.count + rows.keyColumns.count <= KeysetRows.resultLimit else {
      return nil
    }
    (self.rows, self.values) = (query.matching, values)
  }

  /// Returns whether nobody may write while a part is read.
  ///
  /// - Throws: ``DatabaseError``
  package func keepsWritersOut(in db: Database) throws -> Bool { try db.readsKeepWritersOut(of: rows.reference.database) }

  /// Calls `body` with a statement that stands on each row, until it returns false; values of the key follow those of the row.
  ///
  /// - Parameter pause: Is called between two parts, while nobody is kept out; what takes long belongs there.
  /// - Returns: Whether others have written meanwhile.
  /// - Throws: ``DatabaseError``, and what `body` and `pause` throw.
  package func forEach(in db: Database, pause: @escaping () throws -> Void = {}, _ body: (Statement) throws -> Bool) throws -> Bool {
    var sawChanges = false
    try db.inSlices(.ofAnyState, of: rows.reference.database) { slices in
      slices?.onChange = { sawChanges = true }
      slices?.onPause = pause
      try rows.scanInSlices(db, values, [rows.order.everything(.forward)], body)
    }
    return sawChanges
  }
}
