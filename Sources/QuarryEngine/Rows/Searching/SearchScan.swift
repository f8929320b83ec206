internal import Synchronization

/// The next row of a table in which a search finds something, which several threads look for range by range.
///
///     SELECT quarry_find_text(…), 0, rowid FROM main.events
///     WHERE quarry_find_text(…) IS NOT NULL AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT 1
///
/// In the order of the rowids the ranges follow one another once around, so that the first with a match has it. In an order that sorting
/// gives, each range has its own first match, beginning with those that lie beyond the row from which the search goes on:
///
///     SELECT quarry_find_text(…), (amount > ? OR …) IS NOT TRUE, rowid FROM … ORDER BY 2, amount, rowid LIMIT 1
final class SearchScan: ParallelScan {
  private let rows: OrderedQuery
  private let hits: RowHits
  private let start: RowKey?
  private let direction: KeysetOrder.Direction
  private let sql: String
  private let leading: [DatabaseValue]
  private let trailing: [DatabaseValue]
  private let ranges: RowIDRanges
  private let pace: SearchPace
  private let total: Int
  private let found = Mutex<Hit?>(nil)
  let isLarge: Bool

  private struct Hit: Sendable {
    var match: RowMatch
    /// The place of the range among all.
    var part: Int
  }

  /// - Parameters:
  ///   - rows: rows by their rowid, or in an order that sorting gives, which SQLite finds by going through the table.
  ///   - place: the place in an order that sorting gives from which the search goes on; nil for its beginning.
  ///   - total: about how many rows the table has.
  init?(
    _ search: RowSearch, _ hits: RowHits, in rows: OrderedQuery, from place: OrderedQuery.Place?, bounds: RowIDBounds, total: Int
  ) {
    guard let id = rows.table.rowIDColumn else { return nil }
    (self.rows, self.hits) = (rows, hits)
    (start, direction) = (search.start, search.direction)
    let matching = hits.matching
    let whole = rows.order.everything(direction)
    let beyond = rows.isSorted ? place.flatMap { $0.ranges(in: rows, search.direction, isInclusive: false).first } : nil
    sql = """
      SELECT \(hits.hit), \(beyond.map { "(\($0.condition)) IS NOT TRUE" } ?? "0"), \(id) FROM \(matching.reference.sql) \
      WHERE \(matching.condition) AND \(id) BETWEEN ? AND ? ORDER BY \(beyond == nil ? "" : "2, ")\(whole.order) LIMIT 1
      """
    let (needle, conditions) = (matching.arguments.prefix(1), matching.arguments.dropFirst())
    leading = needle + (beyond?.arguments ?? []) + conditions
    trailing = whole.orderArguments
    ranges = RowIDRanges(rows.isSorted ? [bounds] : bounds.around(search.start, direction), direction)
    pace = SearchPace(total: total, search.report)
    self.total = total
    isLarge = total > RowIDRanges.largeTable
  }

  /// The match that comes first.
  var match: RowMatch? { found.withLock(\.?.match) }

  func work(in database: Database) throws {
    try database.installTextFinder()
    try ranges.forEachPart(in: database) { part in
      if let match = try match(in: part, database) { try offer(Hit(match: match, part: part.index), in: database) }
      pace.pass(Int((part.share.upperBound - part.share.lowerBound) * Double(total)))
    }
  }

  func stop() {
    ranges.stop()
  }

  private func match(in part: RowIDRanges.Part, _ database: Database) throws -> RowMatch? {
    var match: RowMatch?
    try database.scan(sql, leading + part.arguments + trailing) { statement in
      let (column, key) = try (hits.column(statement), RowKey.rowID(statement.columnInteger(at: 2)))
      match = try RowMatch(key: key, column: column, wrapped: rows.isSorted ? statement.columnInteger(at: 1) == 1 : isWrapped(key))
      return false
    }
    return match
  }

  /// Whether a row by its rowid does not lie beyond the one from which the search went on.
  private func isWrapped(_ key: RowKey) -> Bool {
    guard case (.rowID(let start)?, .rowID(let id)) = (start, key) else { return false }
    return direction == .forward ? id <= start : id >= start
  }

  /// Keeps a match that comes before the one that is known.
  private func offer(_ hit: Hit, in database: Database) throws {
    try found.withLock { found in
      guard let known = found else { return found = hit }
      if try comesFirst(hit, known, in: database) { found = hit }
    }
    // No range that has not been begun has a match that comes before this one.
    if !rows.isSorted { ranges.stop() }
  }

  private func comesFirst(_ hit: Hit, _ known: Hit, in database: Database) throws -> Bool {
    guard rows.isSorted else { return hit.part < known.part }
    guard hit.match.wrapped == known.match.wrapped else { return known.match.wrapped }
    return direction == .forward
      ? try rows.precedes(hit.match.key, known.match.key, in: database) : try rows.precedes(known.match.key, hit.match.key, in: database)
  }
}

extension RowIDBounds {
  /// The rowids beyond one in a direction, and then the others with itself.
  fileprivate func around(_ start: RowKey?, _ direction: KeysetOrder.Direction) -> [RowIDBounds] {
    guard case .rowID(let id)? = start else { return [self] }
    let isInside = least <= id && id <= greatest
    let (lower, upper): (RowIDBounds?, RowIDBounds?) =
      switch direction {
      case _ where !isInside: id < least ? (nil, self) : (self, nil)
      case .forward: (RowIDBounds(least: least, greatest: id), id < greatest ? RowIDBounds(least: id + 1, greatest: greatest) : nil)
      case .backward: (least < id ? RowIDBounds(least: least, greatest: id - 1) : nil, RowIDBounds(least: id, greatest: greatest))
      }
    return (direction == .forward ? [upper, lower] : [lower, upper]).compactMap(\.self)
  }
}
