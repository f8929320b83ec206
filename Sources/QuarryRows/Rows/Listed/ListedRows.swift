internal import QuarryEngine

/// The list of a set's keys, with the query that reads their rows.
struct ListedRows: Sendable {
  var query: OrderedQuery
  var list: KeyList
  /// Whether building the list had begun before the table was read; a list begun later may be of a later state.
  var isBegun: Bool
  /// Whether the list is of the current state of the table.
  var isCurrent: Bool

  /// Creates the rows of a list for one access.
  ///
  /// - Parameters:
  ///   - isBegun: Whether building the list had begun before the access.
  ///   - state: The state of the file that the access reads.
  init(query: OrderedQuery, list: KeyList, isBegun: Bool, reading state: DataState) {
    (self.query, self.list, self.isBegun) = (query, list, isBegun)
    isCurrent = isBegun && list.state == state
  }

  /// Returns whether a page comes from the list instead of the table.
  func serves(_ position: PageRequest.Position) -> Bool {
    if query.isSorted { return list.isComplete || list.isBeingSortedHere }
    guard isCurrent else { return false }
    if case .number = position { return true }
    // With only an index each page is available immediately; with a filter the next row may be far away.
    return !query.condition.isEmpty
  }

  /// Returns the number of rows that the list must exceed before it can provide the page; nil if it can do so now.
  func missing(_ window: Range<Int>, until deadline: ContinuousClock.Instant?) -> Int? {
    guard list.ending == nil else { return nil }
    // One row more than requested shows whether there are more.
    let wanted = window.lowerBound..<window.upperBound + 1
    guard let known = list.known(wanted) else { return window.lowerBound }
    let isLate = deadline.map { ContinuousClock.now >= $0 } ?? false
    return isLate || known == wanted || known.upperBound == list.total.exactValue ? nil : window.lowerBound
  }

  /// Reads the page of the rows with some numbers, or of the last row if there are fewer.
  func page(_ window: Range<Int>, _ request: PageRequest, in database: Database) throws -> RowPage {
    let (total, count) = (list.total, list.count)
    var range = list.known(window) ?? window.clamped(to: 0..<count)
    if case .number = request.position, window.lowerBound >= count, list.isComplete { range = max(0, count - 1)..<count }
    var rows = try rows(range, in: database)
    if !isCurrent { try fill(&rows, &range, request, count, in: database) }
    let reachesEnd = range.upperBound == total.exactValue
    return RowPage(
      rows: rows, firstNumber: isCurrent ? .exact(range.lowerBound) : .estimated(range.lowerBound), reachesStart: range.lowerBound == 0,
      reachesEnd: reachesEnd, isPartial: !reachesEnd && range.upperBound < window.upperBound)
  }

  private func rows(_ range: Range<Int>, in database: Database) throws -> [WindowRow] {
    try query.rows(list.keys(range, of: query.table), isChecked: !isCurrent, in: database)
  }

  /// Calls `body` with a statement on each current row from one key to another, both included, of a list that had to be sorted.
  ///
  /// Writers may proceed between two rows.
  ///
  /// - Returns: False if the list does not determine these rows.
  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], onChange: @escaping () -> Void, in database: Database,
    _ body: (Statement) throws -> Void
  ) throws -> Bool {
    guard query.isSorted, list.isComplete, let start = try list.number(of: first), let end = try list.number(of: last) else { return false }
    try database.inSlices(.ofAnyState, of: query.table.reference.database) { slices in
      slices?.onChange = onChange
      try query.lookUp(list, start..<max(start, end) + 1, query.table.names(of: columns), in: database) { statement in
        try body(statement)
        return true
      }
    }
    return true
  }

  /// Continues past deleted rows, so that no page is empty because of them.
  private func fill(
    _ rows: inout [WindowRow], _ range: inout Range<Int>, _ request: PageRequest, _ count: Int, in database: Database
  ) throws {
    let isBackward =
      switch request.position {
      case .before, .last: true;
      default: false
      }
    while rows.isEmpty, isBackward ? range.lowerBound > 0 : range.upperBound < count {
      if isBackward {
        let next = max(0, range.lowerBound - request.limit)..<range.lowerBound
        rows = try self.rows(next, in: database)
        range = next.lowerBound..<range.upperBound
      } else {
        let next = range.upperBound..<min(count, range.upperBound + request.limit)
        rows = try self.rows(next, in: database)
        range = next
      }
    }
  }
}

/// The keys of the last read pages, which determine the position of a deleted row.
struct RecentKeys: Sendable {
  private var pages: [[RowKey]] = []
  /// The numbers of the first and last rows of the pages when they were read.
  private(set) var numbers: [RowKey: Int] = [:]

  private static let limit = 16

  mutating func add(_ page: RowPage) {
    guard let head = page.rows.first, let tail = page.rows.last else { return }
    if pages.count == Self.limit { pages.removeFirst() }
    pages.append(page.rows.map(\.key))
    if numbers.count > 4 * Self.limit { numbers = [:] }
    guard let first = page.firstNumber?.value else { return }
    numbers[head.key] = first
    numbers[tail.key] = first + page.rows.count - 1
  }

  /// Returns the rows on both sides of a row, nearest first.
  func neighbors(of key: RowKey) -> (after: [RowKey], before: [RowKey]) {
    var neighbors: (after: [RowKey], before: [RowKey]) = ([], [])
    for page in pages.reversed() {
      guard let index = page.firstIndex(of: key) else { continue }
      neighbors.after += page[(index + 1)...]
      neighbors.before += page[..<index].reversed()
    }
    return neighbors
  }
}
