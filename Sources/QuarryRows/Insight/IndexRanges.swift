internal import QuarryEngine

/// Ranges of an index that has all columns that are read, so that the table itself, which is larger, is not.
///
///     SELECT quarry_visit_row(user_id) FROM main.events WHERE user_id >= ? AND user_id < ?
///     -- SEARCH events USING COVERING INDEX events_user (user_id>? AND user_id<?)
///
/// No partial index is taken, and none of another collation than its first column's, which cannot be divided into ranges. Values come as
/// the rows have them: which of them are the same is left to whoever counts them.
struct IndexRanges: Sendable {
  /// The conditions of the ranges: each row fulfils one of them.
  let conditions: [SQLText]

  /// The least number of ranges, the greatest, and about how many rows one has between the two.
  private static let (leastCount, mostCount, rowCount) = (64, 2_048, 50_000)

  /// Finds an index that SQLite reads in place of a table; nil where there is none that can be divided.
  ///
  /// - Parameters:
  ///   - values: What is read of each row.
  ///   - id: The rowid.
  init?(
    reading values: [SQLText], of schema: TableSchema, _ rows: KeysetRows, id: SQLText, _ bounds: RowIDBounds, in database: Database
  ) throws {
    let reading: SQLText = "SELECT \(values.joined(by: ", ")) FROM \(rows.source())"
    guard let name = try QueryPlan(of: reading, in: database).coveringIndex,
      let first = schema.indexes.first(where: { $0.name == name })?.terms.first?.column
    else { return nil }
    let column: SQLText = "\(identifier: first)"
    func range(_ start: DatabaseValue, _ end: DatabaseValue) -> SQLText { "\(column) >= \(start) AND \(column) < \(end)" }
    let plan = try QueryPlan(of: "\(reading) WHERE \(range(0, 1))", in: database)
    guard plan.coveringIndex == name, !plan.scans else { return nil }
    let places = try Self.places(column, rows, id: id, bounds, in: database)
    guard let least = places.first, let greatest = places.last else { return nil }
    conditions =
      ["\(column) IS NULL", "\(column) < \(least)"] + zip(places, places.dropFirst()).map(range)
      + ["\(column) >= \(greatest)"]
  }

  /// Returns values of some rows all over a table, each once, in the order of the column.
  ///
  ///     SELECT DISTINCT user_id FROM main.events WHERE id IN (1, 15873, …) AND user_id IS NOT NULL ORDER BY user_id
  private static func places(
    _ column: SQLText, _ rows: KeysetRows, id: SQLText, _ bounds: RowIDBounds, in database: Database
  ) throws -> [DatabaseValue] {
    let count = min(mostCount, max(leastCount, (bounds.span ?? 0) / rowCount))
    let ids = try bounds.spread(count).compactMap { bound -> SQLText? in
      var found: SQLText?
      try database.scan("SELECT \(id) FROM \(rows.source(where: "\(id) >= \(raw: String(bound))")) ORDER BY \(id) LIMIT 1") { statement in
        found = "\(raw: String(try statement.columnInteger(at: 0)))"
        return false
      }
      return found
    }
    let chosen: SQLText = "\(id) IN (\(ids.joined(by: ", "))) AND \(column) IS NOT NULL"
    var values: [DatabaseValue] = []
    try database.scan("SELECT DISTINCT \(column) FROM \(rows.source(where: chosen)) ORDER BY \(column)") { statement in
      // A text that is not valid UTF-8 cannot be bound as it is, and would be another place.
      if case .value(let value) = try statement.storedValue(at: 0) { values.append(value) }
      return true
    }
    return values
  }
}

extension RowIDBounds {
  /// Returns rowids at equal distances.
  fileprivate func spread(_ count: Int) -> [Int64] {
    let width = UInt64(bitPattern: greatest &- least)
    return (0..<UInt64(count)).map { least &+ Int64(bitPattern: width / UInt64(count) * $0) }
  }
}
