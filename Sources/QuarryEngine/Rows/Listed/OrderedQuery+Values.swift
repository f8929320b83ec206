extension OrderedQuery {
  /// Whole rows from one place to another, both included, in order.
  func forEachRow(
    from first: Place, through last: Place, columns: [Int], in database: Database, _ body: ([DatabaseValue]) throws -> Void
  ) throws {
    let end = try keys(last.ranges(in: self, .backward, isInclusive: true), limit: 1, until: nil, in: database).keys.first
    let start = first.ranges(in: self, .forward, isInclusive: true)
    guard let end, let head = try keys(start, limit: 1, until: nil, in: database).keys.first, try !precedes(end, head, in: database) else {
      return
    }
    let names = table.columnNames
    let values = columns.filter(names.indices.contains).map { names[$0] }
    let keyCount = rows.keyColumns.count
    try rows.scan(database, rows.keyColumns + values, start) { statement in
      try body(values.indices.map { try statement.wholeValue(at: keyCount + $0) })
      return try rows.key(at: rows.place(statement, at: 0)) != end
    }
  }
}
