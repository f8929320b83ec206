package import QuarryEngine

extension KeysetRows {
  /// Reads a page, without the number of its first row.
  ///
  /// - Throws: `DatabaseError` for a key of another kind of set.
  func page(_ position: PageRequest.Position, limit: Int, in database: Database) throws -> RowPage {
    switch position {
    case .first, .number:
      try forward([order.everything(.forward)], before: [], limit: limit, in: database)
    case .last:
      try backward([order.everything(.backward)], after: [], limit: limit, in: database)
    case .after(let key):
      try forward(from: requiredPlace(of: key), isInclusive: false, limit: limit, in: database)
    case .from(let key):
      try forward(from: requiredPlace(of: key), isInclusive: true, limit: limit, in: database)
    case .before(let key):
      try backward(from: requiredPlace(of: key), limit: limit, in: database)
    }
  }

  package func requiredPlace(of key: RowKey) throws -> [DatabaseValue] {
    guard let place = place(of: key) else {
      throw DatabaseError(DatabaseError.SQLITE_MISUSE, "there is no such key in \(reference.name)")
    }
    return place
  }

  func forward(from place: [DatabaseValue], isInclusive: Bool, limit: Int, in database: Database) throws -> RowPage {
    try forward(
      order.ranges(from: place, .forward, isInclusive: isInclusive),
      before: order.ranges(from: place, .backward, isInclusive: !isInclusive),
      limit: limit, in: database)
  }

  private func backward(from place: [DatabaseValue], limit: Int, in database: Database) throws -> RowPage {
    try backward(
      order.ranges(from: place, .backward, isInclusive: false),
      after: order.ranges(from: place, .forward, isInclusive: true),
      limit: limit, in: database)
  }

  /// Reads a page forward.
  ///
  /// - Parameter rest: The ranges of the rows before the page's first row.
  private func forward(
    _ ranges: [KeysetOrder.Range], before rest: [KeysetOrder.Range], limit: Int, in database: Database
  ) throws -> RowPage {
    // One row more than requested shows whether there are more.
    let rows = try rows(database, ranges, limit: limit + 1)
    return try RowPage(
      rows: Array(rows.prefix(limit)), firstNumber: nil,
      reachesStart: !hasRows(database, rest), reachesEnd: rows.count <= limit)
  }

  /// Reads a page backward.
  ///
  /// - Parameter rest: The ranges of the rows after the page's last row.
  private func backward(
    _ ranges: [KeysetOrder.Range], after rest: [KeysetOrder.Range], limit: Int, in database: Database
  ) throws -> RowPage {
    let rows = try rows(database, ranges, limit: limit + 1)
    return try RowPage(
      rows: rows.prefix(limit).reversed(), firstNumber: nil,
      reachesStart: rows.count <= limit, reachesEnd: !hasRows(database, rest))
  }

  private func hasRows(_ database: Database, _ ranges: [KeysetOrder.Range]) throws -> Bool {
    var found = false
    try scan(database, ["1"], ranges, limit: 1) { _ in
      found = true
      return false
    }
    return found
  }
}

// MARK: - Values

extension KeysetRows {
  /// Reads the values of one row, at most `limit` bytes of each text or blob; nil if the row no longer exists.
  func record(at place: [DatabaseValue], limit: Int, in database: Database) throws -> [CellValue]? {
    var cells: [CellValue]?
    try scan(database, columnNames, [order.row(at: place)], limit: 1) { statement in
      cells = try statement.cells(columns.count, limit: limit)
      return false
    }
    return cells
  }

  /// Reads one whole value of one row; nil if the row or the column no longer exists.
  func value(at place: [DatabaseValue], column: Int, in database: Database) throws -> DatabaseValue? {
    guard columns.indices.contains(column) else { return nil }
    var value: DatabaseValue?
    try scan(database, [columnNames[column]], [order.row(at: place)], limit: 1) { statement in
      value = try statement.wholeValue(at: 0)
      return false
    }
    return value
  }

  /// Calls `body` with a statement on each row from one key to another, both included, in order.
  ///
  /// The values of `columns` come first in a row.
  func scan(
    from firstKey: RowKey, through lastKey: RowKey, columns: [Int], in database: Database, _ body: (Statement) throws -> Void
  ) throws {
    let (first, last) = try (requiredPlace(of: firstKey), requiredPlace(of: lastKey))
    // If the last row no longer exists, the row before its position is the last.
    let end = try places(database, order.ranges(from: last, .backward, isInclusive: true), limit: 1).first
    guard let end, try !order.precedes(end, first, in: database) else { return }
    let values = names(of: columns)
    try scanInSlices(database, values, order.ranges(from: first, .forward, isInclusive: true)) { statement in
      try body(statement)
      return try place(statement, at: values.count) != end
    }
  }

  /// Calls `body` with a statement on each row, in order; the values of `columns` come first in a row.
  ///
  /// - Parameter isServed: Whether SQLite provides the order without sorting.
  package func scan(
    columns: [Int], in order: KeysetOrder, isServed: Bool = true, _ database: Database, _ body: (Statement) throws -> Void
  ) throws {
    let values = names(of: columns)
    if isServed, values.count + order.terms.count <= Self.resultLimit {
      return try scanInSlices(database, values, [order.everything(.forward)], in: order) { statement in
        try body(statement)
        return true
      }
    }
    try scan(database, values.isEmpty ? ["1"] : values, [order.everything(.forward)]) { statement in
      try body(statement)
      return true
    }
  }

  func names(of columns: [Int]) -> [SQLText] {
    let names = columnNames
    return columns.filter(names.indices.contains).map { names[$0] }
  }

  /// Reads whole rows from one key to another, both included, in order.
  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], in database: Database, _ body: ([DatabaseValue]) throws -> Void
  ) throws {
    let count = names(of: columns).count
    try scan(from: first, through: last, columns: columns, in: database) { statement in
      try body((0..<count).map { try statement.wholeValue(at: $0) })
    }
  }

  /// Reads the beginnings of some values of all rows in an order.
  func forEachRow(
    columns: [Int], in order: KeysetOrder, isServed: Bool = true, _ database: Database, _ body: ([CellValue]) throws -> Void
  ) throws {
    let count = names(of: columns).count
    try scan(columns: columns, in: order, isServed: isServed, database) { try body($0.cells(count, limit: CellValue.prefixLimit)) }
  }
}
