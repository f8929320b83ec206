extension ListedRowSource {
  func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch? {
    let list = try await startedList()
    if let match = try await nearbyMatch(search, in: list) { return match }
    return try await connections.find(search, in: reference.database, progress) { [self] database in
      let (query, current) = try checked(in: database)
      let source = ListedRows(query: query, list: list, isCurrent: false)
      return try SearchedRows(query: query, place: search.start.flatMap { try place(of: $0, source, in: database) }, state: current)
    }
  }

  /// The number of neighbours that are looked at one by one, in an order that only the list knows, before all rows are searched.
  private static let nearby = 10_000

  /// Finds the next match among the neighbours of the row from which the search goes on, in a list of the current state.
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
      let match = try hits.first(among: search.direction == .forward ? keys : keys.reversed(), database)
      return match.map { RowMatch(key: $0.key, column: $0.column, wrapped: false) }
    }
  }
}
