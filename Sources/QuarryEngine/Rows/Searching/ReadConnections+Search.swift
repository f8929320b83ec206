internal import Synchronization

/// Rows of a table that are searched, as a connection finds them.
struct SearchedRows: Sendable {
  var rows: OrderedQuery
  /// The place from which the search goes on; nil for the end at which it begins.
  var place: OrderedQuery.Place?
  /// The state that the connection reads.
  var state: DataState
}

extension ReadConnections {
  /// The next row that matches, once around, looked for on two connections where all rows of a large table are gone through.
  ///
  /// - Parameter begin: finds the rows on the background connection.
  func find(
    _ search: RowSearch, in name: String, _ begin: @escaping @Sendable (Database) throws -> SearchedRows
  ) async throws -> RowMatch? {
    let found = Mutex<RowMatch?>(nil)
    let scan = try await readInParallel(name) { database -> SearchScan? in
      let searched = try begin(database)
      guard let hits = RowHits(search, in: searched.rows.rows) else { return nil }
      if let scan = try self.scan(search, hits, searched, database) { return scan }
      let pace = SearchPace(total: self.knownCount(of: searched), search.report)
      let match = try searched.firstAround(search, hits, pace, database)
      found.withLock { $0 = match }
      return nil
    }
    return scan?.match ?? found.withLock(\.self)
  }

  /// What looks at all rows of a table with rowids; nil where an index leads to them.
  private func scan(_ search: RowSearch, _ hits: RowHits, _ searched: SearchedRows, _ database: Database) throws -> SearchScan? {
    let rows = searched.rows
    guard rows.scansTable, rows.isSorted || rows.terms.isEmpty,
      let bounds = try rows.table.rowIDBounds(in: database)
    else { return nil }
    let total = try estimate(of: rows.table, bounds, in: searched.state, database)
    return SearchScan(search, hits, in: rows, from: searched.place, bounds: bounds, total: total)
  }

  private func knownCount(of searched: SearchedRows) -> Int? {
    searched.rows.rows.condition.isEmpty ? knownCount(of: searched.rows.table.reference, in: searched.state) : nil
  }
}

extension SearchedRows {
  fileprivate func firstAround(_ search: RowSearch, _ hits: RowHits, _ pace: SearchPace, _ database: Database) throws -> RowMatch? {
    if let place {
      let beyond = place.ranges(in: rows, search.direction, isInclusive: false)
      if let match = try first(in: beyond, hits, pace, database) { return RowMatch(key: match.key, column: match.column, wrapped: false) }
    }
    let match = try first(in: [rows.order.everything(search.direction)], hits, pace, database)
    return match.map { RowMatch(key: $0.key, column: $0.column, wrapped: place != nil) }
  }

  private func first(
    in ranges: [KeysetOrder.Range], _ hits: RowHits, _ pace: SearchPace, _ database: Database
  ) throws -> (key: RowKey, column: Int)? {
    try rows.isSorted ? hits.firstSorted(in: ranges, database) : hits.first(in: ranges, pace, database)
  }
}
