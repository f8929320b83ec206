package import QuarryEngine

/// Ranges of an index that contains all columns to read, so that the larger table is not read.
///
///     SELECT quarry_visit_row(user_id) FROM main.events WHERE user_id >= ? AND user_id < ?
///     -- SEARCH events USING COVERING INDEX events_user (user_id>? AND user_id<?)
///
/// Partial indexes are not used. Neither are indexes with another collation than their first column's, because they cannot be divided into
/// ranges. The values are read unchanged; the caller determines which are equal.
package struct IndexRanges: Sendable {
  /// The conditions of the ranges; each row matches one of them.
  package let conditions: [SQLText]

  /// The minimum and maximum number of ranges, and the approximate number of rows of a range between these limits.
  private static let (leastCount, mostCount, rowCount) = (64, 2_048, 50_000)

  /// Finds an index that SQLite reads instead of a table; nil if no such index can be divided.
  ///
  /// - Parameters:
  ///   - values: The expressions read from each row.
  ///   - id: The rowid.
  package init?(
    reading values: [SQLText], of schema: TableSchema, _ rows: KeysetRows, id: SQLText, _ bounds: RowIDBounds, in database: Database
  ) throws {
    let reading: SQLText = "SELECT \(values.joined(by: ", ")) FROM \(rows.source())"
    guard let name = try QueryPlan(of: reading, in: database).coveringIndex,
      let index = schema.indexes.first(where: { $0.name == name }), let first = index.terms.first?.column
    else { return nil }
    let column: SQLText = "\(identifier: first)"
    func range(_ start: DatabaseValue, _ end: DatabaseValue) -> SQLText { "\(column) >= \(start) AND \(column) < \(end)" }
    let plan = try QueryPlan(of: "\(reading) WHERE \(range(0, 1))", in: database)
    guard plan.coveringIndex == name, !plan.scans else { return nil }
    let sample = try Self.sample(column, rows, id: id, bounds, in: database)
    guard let least = sample.places.first?.value, let greatest = sample.places.last else { return nil }
    let shares = [sample.nulls] + sample.places.map(\.share)
    // Rows with the same value are in rowid order only if the index has no other column.
    if index.terms.count > 1, database.turns != nil, shares.contains(where: { $0 * Double(bounds.span ?? 0) > Double(Self.rowCount) }) {
      return nil
    }
    let isDivided = index.terms.count == 1
    let parts = { (share: Double) in isDivided ? Self.parts(of: share * Double(bounds.span ?? 0), by: id, bounds) : [""] }
    conditions =
      parts(sample.nulls).map { "\(column) IS NULL\($0)" } + ["\(column) < \(least)"]
      + zip(sample.places, sample.places.dropFirst()).flatMap { place, next -> [SQLText] in
        let parts = parts(place.share)
        guard parts.count > 1 else { return [range(place.value, next.value)] }
        return parts.map { "\(column) = \(place.value)\($0)" } + ["\(column) > \(place.value) AND \(column) < \(next.value)"]
      } + parts(greatest.share).map { "\(column) = \(greatest.value)\($0)" } + ["\(column) > \(greatest.value)"]
  }

  /// Values of some rows all over a table.
  private struct Sample {
    /// The distinct values in the order of the column, with the share of rows that have them.
    var places: [(value: DatabaseValue, share: Double)] = []
    /// The share of rows with NULL.
    var nulls = 0.0
  }

  /// Reads a sample of a column.
  ///
  ///     SELECT user_id, count(*) FROM main.events WHERE id IN (1, 15873, …) GROUP BY user_id ORDER BY user_id
  private static func sample(
    _ column: SQLText, _ rows: KeysetRows, id: SQLText, _ bounds: RowIDBounds, in database: Database
  ) throws -> Sample {
    let count = min(mostCount, max(leastCount, (bounds.span ?? 0) / rowCount))
    let ids = try bounds.scattered(count).compactMap { bound -> SQLText? in
      var found: SQLText?
      try database.scan("SELECT \(id) FROM \(rows.source(where: "\(id) >= \(raw: String(bound))")) ORDER BY \(id) LIMIT 1") { statement in
        found = "\(raw: String(try statement.columnInteger(at: 0)))"
        return false
      }
      return found
    }
    let chosen: SQLText = "\(id) IN (\(ids.joined(by: ", ")))"
    var sample = Sample()
    try database.scan("SELECT \(column), count(*) FROM \(rows.source(where: chosen)) GROUP BY 1 ORDER BY 1") { statement in
      let share = Double(try statement.columnInteger(at: 1)) / Double(count)
      // A text that is not valid UTF-8 cannot be bound exactly, and would be another position.
      guard case .value(let value) = try statement.storedValue(at: 0) else { return true }
      if value == .null { sample.nulls = share } else { sample.places.append((value, share)) }
      return true
    }
    return sample
  }

  /// Returns conditions that divide the `count` rows with one value by rowid; a single empty condition for few rows.
  private static func parts(of count: Double, by id: SQLText, _ bounds: RowIDBounds) -> [SQLText] {
    let ends = bounds.spread(min(mostCount, Int(count) / RowIDRanges.largeTable + 1)).dropFirst().map { "\(raw: String($0))" as SQLText }
    guard let first = ends.first, let last = ends.last else { return [""] }
    return [" AND \(id) < \(first)"] + zip(ends, ends.dropFirst()).map { " AND \(id) >= \($0) AND \(id) < \($1)" }
      + [" AND \(id) >= \(last)"]
  }
}

extension RowIDBounds {
  /// Returns evenly spaced rowids.
  fileprivate func spread(_ count: Int) -> [Int64] {
    let width = UInt64(bitPattern: greatest &- least)
    return (0..<UInt64(count)).map { least &+ Int64(bitPattern: width / UInt64(count) * $0) }
  }

  /// Returns unevenly spaced rowids, because even spacing would miss values that repeat evenly.
  fileprivate func scattered(_ count: Int) -> [Int64] {
    let distance = UInt64(bitPattern: greatest &- least) / UInt64(count) + 1
    return spread(count).enumerated().map { $1 &+ Int64(bitPattern: UInt64($0) &* 0x9E37_79B9_7F4A_7C15 % distance) }
  }
}
