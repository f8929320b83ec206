extension OrderedRows {
  /// The next row in which one of some columns matches, once around; nil where there is none.
  ///
  /// - Parameter place: the place to go on from, without the row in it; nil to begin at the end of the rows.
  func matchAround(
    _ needle: Needle, columns: [Int], from place: Place?, _ direction: KeysetOrder.Direction, in database: Database
  ) throws -> RowMatch? {
    let searched = columns.filter(table.columns.indices.contains)
    guard !searched.isEmpty else { return nil }
    let search = narrowed(to: needle, searched)
    if let place {
      let ranges = place.ranges(in: self, direction, isInclusive: false)
      if let match = try search.match(ranges, in: database) { return RowMatch(key: match.key, column: match.column, wrapped: false) }
    }
    let match = try search.match([order.everything(direction)], in: database)
    return match.map { RowMatch(key: $0.key, column: $0.column, wrapped: place != nil) }
  }

  private func narrowed(to needle: Needle, _ columns: [Int]) -> RowHits {
    let names = table.columnNames
    return RowHits(rows, hit: needle.sql(columns.map { ($0, names[$0]) }), argument: needle.argument)
  }

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

/// Rows in which something was looked for.
struct RowHits {
  private let rows: KeysetRows
  private let hit: String

  /// - Parameter hit: the SQL of the number of the column that matches, else NULL, with its argument as `?1`.
  init(_ source: KeysetRows, hit: String, argument: DatabaseValue) {
    var rows = source
    rows.condition = "\(hit) IS NOT NULL" + (source.condition.isEmpty ? "" : " AND \(source.condition)")
    rows.arguments = [argument] + source.arguments
    self.rows = rows
    self.hit = hit
  }

  /// The first row of some ranges in which something matches.
  func match(_ ranges: [KeysetOrder.Range], in database: Database) throws -> (key: RowKey, column: Int)? {
    var match: (key: RowKey, column: Int)?
    try rows.scan(database, [hit] + rows.keyColumns, ranges, limit: 1) { statement in
      match = try (rows.key(at: rows.place(statement, at: 1)), Int(statement.columnInteger(at: 0)))
      return false
    }
    return match
  }
}
