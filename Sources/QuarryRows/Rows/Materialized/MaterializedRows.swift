package import QuarryEngine
internal import Synchronization

/// The rows of a view or a query, fetched as far as requested and stored in a temporary database, so that each is computed once.
package final class MaterializedRows: SQLiteRowSource {
  package let rowSet: RowSet
  package let connections: ReadConnections
  package let columns: [RowSetColumn]
  /// Whether external changes are invisible: always true, because fetched rows do not change.
  package let isSnapshot = true
  /// The fetcher of more rows; nil if all have been fetched.
  private let fetcher: (any RowFetcher)?
  private let spool: RowSpool
  private let progress: Mutex<Progress>

  private struct Progress: Sendable {
    var taken = 0
    var isComplete = false
  }

  convenience init(_ sequence: RowSequence, of rowSet: RowSet, on connections: ReadConnections) throws {
    try self.init(CursorFetcher(sequence, on: connections.lasting()), columns: sequence.columns, of: rowSet, on: connections)
  }

  /// Creates a source of rows from any fetcher.
  ///
  /// - Parameter connections: The connections that provide the query plan and the distinct values of a column.
  package init(_ fetcher: any RowFetcher, columns: [RowSetColumn], of rowSet: RowSet, on connections: ReadConnections) throws {
    self.rowSet = rowSet
    self.connections = connections
    self.fetcher = fetcher
    self.columns = columns
    spool = try RowSpool(width: columns.count)
    progress = Mutex(Progress())
  }

  /// Creates a source of the rows returned by a statement, all of which are already stored.
  init(_ returned: ReturnedRows, _ sequence: RowSequence, of rowSet: RowSet) {
    self.rowSet = rowSet
    connections = returned.connections
    columns = sequence.columns
    fetcher = nil
    spool = returned.spool
    progress = Mutex(Progress(taken: returned.count, isComplete: true))
  }

  private var store: DatabaseQueue { spool.queue }
  private var rows: KeysetRows { spool.rows }

  /// The number of rows fetched so far.
  private var count: RowNumber {
    progress.withLock { $0.isComplete ? .exact($0.taken) : .atLeast($0.taken) }
  }
}

// MARK: - Reading fetched rows

extension MaterializedRows {
  package func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    let number = try await number(of: request, progress)
    let count = count
    let (limit, rows) = (request.limit, rows)
    var page = try await store.read { database in
      switch request.position {
      case .before: try rows.page(request.position, limit: limit, in: database)
      case .last: try rows.page(.last, limit: limit, in: database)
      default: try rows.page(.from(.position(number)), limit: limit, in: database)
      }
    }
    if page.reachesStart {
      page.firstNumber = .exact(0)
    } else if case .position(let index)? = page.rows.first?.key {
      page.firstNumber = .exact(index)
    }
    page.reachesEnd = page.reachesEnd && count.isExact
    return page
  }

  /// Fetches the rows that a page needs, and returns the number of its first row.
  private func number(of request: PageRequest, _ progress: @escaping @Sendable (RowProgress) -> Void) async throws -> Int {
    switch request.position {
    case .first:
      return try await take(from: 0, request.limit, progress)
    case .number(let number):
      let first = try await take(from: max(0, number), request.limit, progress)
      return min(first, max(0, count.value - 1))
    case .from(let key):
      return try await take(from: index(of: key), request.limit, progress)
    case .after(let key):
      return try await take(from: Self.sum(index(of: key), 1), request.limit, progress)
    case .before(let key):
      return try index(of: key)
    case .last:
      return try await take(from: .max, request.limit, progress)
    }
  }

  /// Fetches the rows of a page, and one more to determine whether there are more.
  private func take(from first: Int, _ limit: Int, _ progress: @escaping @Sendable (RowProgress) -> Void) async throws -> Int {
    try await take(through: Self.sum(first, limit), progress: progress)
    return first
  }

  private static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflows) = first.addingReportingOverflow(second)
    return overflows ? .max : sum
  }

  private func index(of key: RowKey) throws -> Int {
    guard case .position(let index) = key else {
      throw DatabaseError(DatabaseError.SQLITE_MISUSE, "there is no such key in this set of rows")
    }
    return max(0, index)
  }
}

// MARK: - Counts and values

extension MaterializedRows {
  package func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void) async throws -> RowNumber {
    fetcher?.total.map { .exact($0) } ?? count
  }

  package func number(of key: RowKey) async throws -> RowNumber? {
    guard case .position(let index) = key, (0..<count.value).contains(index) else { return nil }
    return .exact(index)
  }

  /// Returns false, because a position may hold another row the next time.
  package func contains(_ key: RowKey) async throws -> Bool {
    false
  }

  /// Reads values of one row, which is fetched if necessary.
  package func readRow<Value: Sendable>(
    _ key: RowKey, _ body: @escaping @Sendable (KeysetRows, [DatabaseValue], Database) throws -> Value
  ) async throws -> Value {
    let index = try index(of: key)
    try await take(through: index)
    let rows = rows
    return try await store.read { try body(rows, rows.requiredPlace(of: .position(index)), $0) }
  }

  package func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    try await take(through: index(of: last))
    let rows = rows
    try await store.read { database in
      try rows.forEachRow(from: first, through: last, columns: columns, in: database, body)
    }
  }
}

// MARK: - All rows

extension MaterializedRows {
  package func write(_ columns: [Int], _ range: RowRange?, to output: RowOutput) async throws {
    let rows = rows
    if let range {
      try await take(through: index(of: range.last))
      return try await store.read { try rows.scan(from: range.first, through: range.last, columns: columns, in: $0, output.write) }
    }
    // All rows are fetched first, because a cursor that waits for a slow disk would retain its lock on the database.
    try await take(through: .max)
    try await store.read { try rows.scan(columns: columns, in: rows.order, $0, output.write) }
  }

  /// Reads the fetched rows, and fetches the remaining ones chunk by chunk, so that other work can proceed.
  package func forEachRow(columns: [Int], isOrdered: Bool, _ body: @escaping @Sendable ([CellValue]) throws -> Void) async throws {
    var next = 0
    while true {
      let failure: (any Error)?
      do {
        try await take(through: next)
        failure = nil
      } catch {
        failure = error
      }
      let count = count
      try await visit(next..<max(next, count.value), columns: columns, body)
      if let failure { throw failure }
      if count.isExact { return }
      next = count.value
      try Task.checkCancellation()
    }
  }

  private func visit(_ range: Range<Int>, columns: [Int], _ body: @escaping @Sendable ([CellValue]) throws -> Void) async throws {
    guard !range.isEmpty else { return }
    let rows = rows
    let names = columns.map { "\(identifier: rows.columns[$0].name)" as SQLText }
    try await store.read { database in
      let sql: SQLText = """
        SELECT \((names.isEmpty ? ["1"] : names).joined(by: ", ")) FROM rows \
        WHERE rowid > \(range.lowerBound) AND rowid <= \(range.upperBound) ORDER BY rowid
        """
      try database.scan(sql) { statement in
        try body(statement.cells(names.count, limit: CellValue.prefixLimit))
        return true
      }
    }
  }
}

// MARK: - Searching

extension MaterializedRows {
  /// Finds the next row that matches, wrapping around once: first among the fetched rows, then among the following ones.
  package func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch? {
    guard let hits = RowHits(search, in: rows) else { return nil }
    if search.direction == .backward {
      try await take(through: .max, progress: progress)
    }
    let pace = SearchPace(total: count.exactValue, progress)
    var index = try search.start.map { try self.index(of: $0) }
    while true {
      let count = count
      let ranges = try ranges(from: index, search.direction)
      if let match = try await store.read({ [rows] in try hits.first(in: ranges, of: rows.order, search.direction, pace, $0) }) {
        return RowMatch(key: match.key, column: match.column, wrapped: false)
      }
      guard !count.isExact else { break }
      index = count.value - 1
      try await take(through: count.value)
    }
    guard search.start != nil else { return nil }
    let all = try ranges(from: nil, search.direction)
    return try await store.read { [rows] in try hits.first(in: all, of: rows.order, search.direction, pace, $0) }
      .map { RowMatch(key: $0.key, column: $0.column, wrapped: true) }
  }

  private func ranges(from index: Int?, _ direction: KeysetOrder.Direction) throws -> [KeysetOrder.Range] {
    guard let index else { return [rows.order.everything(direction)] }
    return try rows.order.ranges(from: rows.requiredPlace(of: .position(index)), direction, isInclusive: false)
  }
}

// MARK: - Fetching rows

extension MaterializedRows {
  /// Fetches rows until the row at this index is available, or until there are no more; rows fetched before an error are retained.
  private func take(through index: Int, progress report: @escaping @Sendable (RowProgress) -> Void = { _ in }) async throws {
    guard let fetcher else { return }
    let wanted = Self.sum(index, 1)
    while !count.isExact, count.value < wanted {
      try await fetcher.fetch(upTo: wanted, after: { [self] in count }, to: spool) { [self] chunk in
        if let read = chunk.progress { return report(read) }
        progress.withLock {
          $0.taken += chunk.rows
          $0.isComplete = chunk.isLast
        }
      }
      report(RowProgress(rows: count.value, total: count.exactValue))
    }
    fetcher.pause()
  }
}
