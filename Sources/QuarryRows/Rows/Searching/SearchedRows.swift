internal import QuarryEngine
internal import Synchronization

/// The rows of a table to search, as found by a connection.
struct SearchedRows: Sendable {
  var query: OrderedQuery
  /// The position from which the search continues; nil to begin at the end of the rows.
  var place: OrderedQuery.Place?
  /// The state that the connection reads.
  var state: DataState
}

extension ReadConnections {
  /// Finds the next row that matches, wrapping around once, on two connections if all rows of a large table are scanned.
  ///
  /// - Parameter begin: Finds the rows on the background connection.
  func find(
    _ search: RowSearch, in name: String, _ progress: @escaping @Sendable (RowProgress) -> Void,
    _ begin: @escaping @Sendable (Database) throws -> SearchedRows
  ) async throws -> RowMatch? {
    let found = Mutex<RowMatch?>(nil)
    let scan = try await readInParallel(name, .ofAnyState) { database -> SearchScan? in
      let searched = try begin(database)
      guard let hits = RowHits(search, in: searched.query.matching) else { return nil }
      if let scan = try self.scan(search, hits, searched, progress, database) { return scan }
      let pace = SearchPace(total: self.knownCount(of: searched), progress)
      let match = try searched.firstAround(search, hits, pace, database)
      found.withLock { $0 = match }
      return nil
    }
    return scan?.match ?? found.withLock(\.self)
  }

  /// Creates the scan of all rows of a table with rowids; nil if an index leads to them.
  private func scan(
    _ search: RowSearch, _ hits: RowHits, _ searched: SearchedRows, _ progress: @escaping @Sendable (RowProgress) -> Void,
    _ database: Database
  ) throws -> SearchScan? {
    let query = searched.query
    // Sorted rows found by an index cannot be searched one after the other.
    let isDivided = query.scansTable || query.isSorted && database.turns != nil
    guard isDivided, query.isSorted || query.terms.isEmpty,
      let bounds = try query.table.rowIDBounds(in: database)
    else { return nil }
    let total = try estimate(of: query.table, bounds, in: searched.state, database)
    return SearchScan(search, hits, in: query, from: searched.place, bounds: bounds, total: total, progress)
  }

  private func knownCount(of searched: SearchedRows) -> Int? {
    searched.query.condition.isEmpty ? knownCount(of: searched.query.table.reference, in: searched.state) : nil
  }
}

extension SearchedRows {
  fileprivate func firstAround(_ search: RowSearch, _ hits: RowHits, _ pace: SearchPace, _ database: Database) throws -> RowMatch? {
    if let place {
      let beyond = place.ranges(in: query, search.direction, isInclusive: false)
      if let match = try first(in: beyond, search.direction, hits, pace, database) {
        return RowMatch(key: match.key, column: match.column, wrapped: false)
      }
    }
    let match = try first(in: [query.order.everything(search.direction)], search.direction, hits, pace, database)
    return match.map { RowMatch(key: $0.key, column: $0.column, wrapped: place != nil) }
  }

  private func first(
    in ranges: [KeysetOrder.Range], _ direction: KeysetOrder.Direction, _ hits: RowHits, _ pace: SearchPace, _ database: Database
  ) throws -> (key: RowKey, column: Int)? {
    guard query.isSorted else { return try hits.first(in: ranges, of: query.order, direction, pace, database) }
    guard let range = ranges.first else { return nil }
    return try hits.firstSorted(in: range, database) { first, second in
      try direction == .forward ? query.precedes(first, second, in: database) : query.precedes(second, first, in: database)
    }
  }
}

extension ListedRowSource {
  func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch? {
    let list = try await startedList()
    if let match = try await nearbyMatch(search, in: list) { return match }
    return try await connections.find(search, in: reference.database, progress) { [self] database in
      let (query, current) = try checked(in: database)
      let source = ListedRows(query: query, list: list, isBegun: list.isBegun, reading: .unknown)
      return try SearchedRows(query: query, place: search.start.flatMap { try place(of: $0, source, in: database) }, state: current)
    }
  }

  /// The number of neighbors to check one by one, in an order known only to the list, before all rows are searched.
  private static let nearby = 10_000

  /// Finds the next match among the neighbors of the starting row, in a list of the current state.
  private func nearbyMatch(_ search: RowSearch, in list: KeyList) async throws -> RowMatch? {
    guard let start = search.start, list.isComplete else { return nil }
    let isCurrent = try await foreground.read { [self] database in
      let (query, current) = try checked(in: database)
      return query.isSorted && list.state == current
    }
    guard isCurrent, let number = try list.number(of: start) else { return nil }
    return try await background.read { [self] database in
      let query = try checked(in: database).query
      guard let hits = RowHits(search, in: query.matching) else { return nil }
      let following = number + 1..<min(list.count, number + 1 + Self.nearby)
      let preceding = max(0, number - Self.nearby)..<number
      let keys = try list.keys(search.direction == .forward ? following : preceding, of: query.table)
      let match = try database.inSlices(.ofAnyState, of: reference.database) { _ in
        try hits.first(among: search.direction == .forward ? keys : keys.reversed(), database)
      }
      return match.map { RowMatch(key: $0.key, column: $0.column, wrapped: false) }
    }
  }
}
