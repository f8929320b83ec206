internal import QuarryEngine

/// The rows that match a search.
struct RowHits: Sendable {
  /// The rows to search.
  private let rows: KeysetRows
  /// The SQL of the index of the first searched column that matches; NULL if none does.
  let hit: SQLText
  private let columns: [Int]

  /// Returns nil if none of the columns to search exists.
  init?(_ search: RowSearch, in rows: KeysetRows) {
    let names = rows.columnNames
    columns = search.columns.filter(names.indices.contains)
    guard !columns.isEmpty else { return nil }
    self.rows = rows
    hit = search.needle.sql(columns.map { names[$0] })
  }

  /// Only the rows that match.
  var matching: KeysetRows {
    var rows = rows
    rows.condition = rows.condition.isEmpty ? "\(hit) IS NOT NULL" : "\(hit) IS NOT NULL AND \(rows.condition)"
    return rows
  }

  /// Finds the first matching row of some ranges, reading only the rows before it.
  ///
  ///     SELECT quarry_find_text(?, ?, Name, Composer), TrackId FROM main.Track WHERE TrackId > ? ORDER BY TrackId
  ///
  /// - Parameters:
  ///   - order: The order of the ranges.
  ///   - pace: A counter of the rows passed.
  func first(
    in ranges: [KeysetOrder.Range], of order: KeysetOrder, _ direction: KeysetOrder.Direction, _ pace: SearchPace, _ database: Database
  ) throws -> (key: RowKey, column: Int)? {
    try database.installTextFinder()
    var found: (key: RowKey, column: Int)?
    var passed = 0
    try rows.scanInSlices(database, [hit] + rows.keyColumns, ranges, in: order, reading: direction) { statement in
      if try statement.columnStorageClass(at: 0) != .null {
        found = try match(statement)
        return false
      }
      passed += 1
      if passed % SearchPace.step == 0 { pace.pass(SearchPace.step) }
      return true
    }
    return found
  }

  /// Finds the first matching row of a range if SQLite must sort the rows; in a table without rowids, the first of each part.
  ///
  /// - Parameter precedes: Returns whether one row, given by its key, comes before another.
  func firstSorted(
    in range: KeysetOrder.Range, _ database: Database, _ precedes: (RowKey, RowKey) throws -> Bool
  ) throws -> (key: RowKey, column: Int)? {
    try database.installTextFinder()
    guard database.turns != nil, rows.rowIDColumn == nil else { return try firstSorted(in: range, of: matching.source(), database) }
    var found: (key: RowKey, column: Int)?
    try KeyParts(of: rows).forEachPart(in: database) { part in
      let source: SQLText = "\(part) WHERE \(matching.condition)"
      guard let match = try firstSorted(in: range, of: source, database) else { return }
      if try found.map({ try precedes(match.key, $0.key) }) ?? true { found = match }
    }
    return found
  }

  /// - Parameter source: The SQL after FROM, with a condition.
  private func firstSorted(
    in range: KeysetOrder.Range, of source: SQLText, _ database: Database
  ) throws -> (key: RowKey, column: Int)? {
    let further: SQLText = range.condition.isEmpty ? "" : " AND (\(range.condition))"
    let values = ([hit] + rows.keyColumns).joined(by: ", ")
    var found: (key: RowKey, column: Int)?
    try database.scan("SELECT \(values) FROM \(source)\(further) ORDER BY \(range.order) LIMIT 1") { statement in
      found = try match(statement)
      return false
    }
    return found
  }

  /// Finds the first matching row among some keys; rows outside the searched set do not match.
  func first(among keys: [RowKey], _ database: Database) throws -> (key: RowKey, column: Int)? {
    guard let key = keys.first else { return nil }
    try database.installTextFinder()
    let lookup = try matching.lookup([hit] + rows.keyColumns, at: rows.requiredPlace(of: key))
    var found: (key: RowKey, column: Int)?
    for (index, key) in keys.enumerated() where found == nil {
      if index % database.rowsBetweenLooks == 0 { try database.giveWay() }
      try database.scan(lookup.replacingLastValues(rows.requiredPlace(of: key))) { statement in
        found = try match(statement)
        return false
      }
    }
    return found
  }

  private func match(_ statement: Statement) throws -> (key: RowKey, column: Int) {
    try (rows.key(at: rows.place(statement, at: 1)), column(statement))
  }

  /// Returns the matching column in a statement's current row, whose first value is its index among the searched columns.
  func column(_ statement: Statement) throws -> Int {
    try columns[Int(statement.columnInteger(at: 0))]
  }
}
