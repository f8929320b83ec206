internal import QuarryEngine
internal import Synchronization

/// A scan for the next row of a table that matches a search, on several threads, range by range.
///
///     SELECT quarry_find_text(…), 0, rowid FROM main.events
///     WHERE quarry_find_text(…) IS NOT NULL AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT 1
///
/// In rowid order the ranges follow one another and wrap around once, so that the first range with a match contains the result. In a sorted
/// order, each range has its own first match, and rows after the starting row come first:
///
///     SELECT quarry_find_text(…), (amount > ? OR …) IS NOT TRUE, rowid FROM … ORDER BY 2, amount, rowid LIMIT 1
final class SearchScan: ParallelScan {
  private let query: OrderedQuery
  private let hits: RowHits
  private let start: RowKey?
  private let direction: KeysetOrder.Direction
  private let id: SQLText
  /// Whether a row is not after the starting position; nil if the rowids determine it.
  private let isNotBeyond: SQLText?
  private let ranges: RowIDRanges
  private let pace: SearchPace
  private let total: Int
  private let found = Mutex<Hit?>(nil)
  let isLarge: Bool

  private struct Hit: Sendable {
    var match: RowMatch
    /// The index of the range.
    var part: Int
  }

  /// Creates a search of the rows of a query; nil if they have no rowid.
  ///
  /// - Parameters:
  ///   - query: Rows in rowid order, or in a sorted order, which SQLite finds by scanning the table.
  ///   - place: The starting position in a sorted order; nil for its beginning.
  ///   - total: The approximate number of rows of the table.
  init?(
    _ search: RowSearch, _ hits: RowHits, in query: OrderedQuery, from place: OrderedQuery.Place?, bounds: RowIDBounds, total: Int,
    _ progress: @escaping @Sendable (RowProgress) -> Void
  ) {
    guard let id = query.table.rowIDColumn else { return nil }
    (self.query, self.hits, self.id) = (query, hits, id)
    (start, direction) = (search.start, search.direction)
    let beyond = query.isSorted ? place.flatMap { $0.ranges(in: query, search.direction, isInclusive: false).first } : nil
    isNotBeyond = beyond.map { "(\($0.condition)) IS NOT TRUE" }
    ranges = RowIDRanges(query.isSorted ? [bounds] : bounds.around(search.start, direction), direction)
    pace = SearchPace(total: total, progress)
    self.total = total
    isLarge = total > RowIDRanges.largeTable
  }

  /// The first match in search order.
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
    try database.scan(sql(part)) { statement in
      let (column, key) = try (hits.column(statement), RowKey.rowID(statement.columnInteger(at: 2)))
      match = try RowMatch(key: key, column: column, wrapped: query.isSorted ? statement.columnInteger(at: 1) == 1 : isWrapped(key))
      return false
    }
    return match
  }

  private func sql(_ part: RowIDRanges.Part) -> SQLText {
    var rows = hits.matching
    rows.isIndexed = query.scansTable
    let source = rows.source(where: part.condition(on: id))
    let order = query.order.everything(direction).order
    guard let isNotBeyond else { return "SELECT \(hits.hit), 0, \(id) FROM \(source) ORDER BY \(order) LIMIT 1" }
    return "SELECT \(hits.hit), \(isNotBeyond), \(id) FROM \(source) ORDER BY 2, \(order) LIMIT 1"
  }

  /// Returns whether a rowid is not after the starting row.
  private func isWrapped(_ key: RowKey) -> Bool {
    guard case (.rowID(let start)?, .rowID(let id)) = (start, key) else { return false }
    return direction == .forward ? id <= start : id >= start
  }

  /// Records a match if it precedes the known one.
  private func offer(_ hit: Hit, in database: Database) throws {
    try found.withLock { found in
      guard let known = found else { return found = hit }
      if try comesFirst(hit, known, in: database) { found = hit }
    }
    // Ranges that have not been started contain no earlier match.
    if !query.isSorted { ranges.stop() }
  }

  private func comesFirst(_ hit: Hit, _ known: Hit, in database: Database) throws -> Bool {
    guard query.isSorted else { return hit.part < known.part }
    guard hit.match.wrapped == known.match.wrapped else { return known.match.wrapped }
    return direction == .forward
      ? try query.precedes(hit.match.key, known.match.key, in: database) : try query.precedes(known.match.key, hit.match.key, in: database)
  }
}

extension RowIDBounds {
  /// Returns the rowids after a start in a direction, and then the remaining ones, including the start.
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

/// A counter of the rows passed by a search, which reports progress from time to time.
package final class SearchPace: Sendable {
  private let total: Int?
  private let report: @Sendable (RowProgress) -> Void
  private let start = ContinuousClock.now
  /// The minimum time between two reports.
  private let interval: Duration
  private let state: Mutex<State>

  private struct State: Sendable {
    var rows = 0
    var next: ContinuousClock.Instant
  }

  /// The number of rows counted at once.
  static let step = 1 << 10

  /// Creates a counter that reports progress at intervals.
  ///
  /// - Parameter total: The approximate number of rows; nil if it is unknown.
  package init(total: Int?, interval: Duration = .milliseconds(100), _ report: @escaping @Sendable (RowProgress) -> Void) {
    self.total = total
    self.report = report
    self.interval = interval
    state = Mutex(State(next: start + interval))
  }

  /// Adds rows that have been passed.
  package func pass(_ rows: Int) {
    let now = ContinuousClock.now
    let passed = state.withLock { state -> Int? in
      state.rows += rows
      guard now >= state.next else { return nil }
      state.next = now + interval
      return state.rows
    }
    if let passed { report(RowProgress(rows: passed, total: total, elapsed: now - start)) }
  }
}
