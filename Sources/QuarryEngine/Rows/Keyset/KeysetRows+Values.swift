extension KeysetRows {
  /// Reads the values of one row, each text or blob at most `limit` bytes of it; nil where the row is gone.
  func record(at place: [DatabaseValue], limit: Int, in database: Database) throws -> [CellValue]? {
    var cells: [CellValue]?
    try scan(database, columnNames, [order.row(at: place)], limit: 1) { statement in
      cells = try statement.cells(columns.count, limit: limit)
      return false
    }
    return cells
  }

  /// Reads one whole value of one row; nil where the row or the column is gone.
  func value(at place: [DatabaseValue], column: Int, in database: Database) throws -> DatabaseValue? {
    guard columns.indices.contains(column) else { return nil }
    var value: DatabaseValue?
    try scan(database, [columnNames[column]], [order.row(at: place)], limit: 1) { statement in
      value = try statement.wholeValue(at: 0)
      return false
    }
    return value
  }

  /// Reads whole rows from one key to another, both included, in order.
  func forEachRow(
    from firstKey: RowKey, through lastKey: RowKey, columns: [Int], in database: Database,
    _ body: ([DatabaseValue]) throws -> Void
  ) throws {
    let (first, last) = try (requiredPlace(of: firstKey), requiredPlace(of: lastKey))
    // The last row may be gone: the one before its place is the last then.
    let end = try places(database, order.ranges(from: last, .backward, isInclusive: true), limit: 1).first
    guard let end, try !order.precedes(end, first, in: database) else { return }
    let names = columnNames
    let values = columns.filter(names.indices.contains).map { names[$0] }
    try scan(database, keyColumns + values, order.ranges(from: first, .forward, isInclusive: true)) { statement in
      try body(values.indices.map { try statement.wholeValue(at: keyColumns.count + $0) })
      return try place(statement, at: 0) != end
    }
  }
}
