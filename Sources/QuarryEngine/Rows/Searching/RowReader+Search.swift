extension RowReader {
  /// The next row after (or before) a key in which some of the columns match, looked for once around; nil where there is none.
  ///
  /// A text is looked for as LIKE does, with the case of ASCII letters ignored, in texts and in numbers as they are written; a value
  /// matches what is the same in the same storage class.
  ///
  /// - Parameters:
  ///   - needle: what is looked for.
  ///   - columns: the indices of the columns that are looked at, from 0.
  ///   - key: the row to go on from; nil to begin at the end of the rows.
  ///   - backwards: whether rows before are looked through, from the nearest on.
  ///   - progress: is told now and then how many rows have been passed.
  /// - Throws: `DatabaseError`
  public func find(
    _ needle: Needle, columns: [Int], from key: RowKey?, backwards: Bool,
    progress: @escaping @Sendable (RowProgress) -> Void = { _ in }
  ) async throws -> RowMatch? {
    let search = RowSearch(needle: needle, columns: columns, start: key, direction: backwards ? .backward : .forward, report: progress)
    return try await backgroundWork.run { [self] in
      switch try await source() {
      case .table(let table): try await find(search, in: table)
      case .ordered(let table): try await table.find(search)
      case .spooled(let rows): try await rows.find(search)
      }
    }
  }

  private func find(_ search: RowSearch, in table: TableRows) async throws -> RowMatch? {
    try await connections.find(search, in: table.rows.reference.database) { [self] database in
      let current = try checkedState(of: table, in: database)
      let place = try search.start.map { try OrderedQuery.Place(operands: table.rows.requiredPlace(of: $0).map(KeysetOrder.Operand.init)) }
      return SearchedRows(rows: OrderedQuery(table.rows), place: place, state: current)
    }
  }
}

extension ListedRowSource {
  /// The next row that matches, once around.
  func find(_ search: RowSearch) async throws -> RowMatch? {
    let list = try await startedList()
    if let match = try await nearbyMatch(search, in: list) { return match }
    return try await connections.find(search, in: reference.database) { [self] database in
      let (rows, current) = try checked(in: database)
      let source = ListedRows(rows: rows, list: list, isCurrent: false)
      return try SearchedRows(rows: rows, place: search.start.flatMap { try place(of: $0, source, in: database) }, state: current)
    }
  }

  /// The number of rows that are looked at one by one, in an order that only their list knows, before all are gone through.
  private static let nearby = 10_000

  /// The next match among the rows that a list of the current state has beside the one from which the search goes on.
  private func nearbyMatch(_ search: RowSearch, in list: KeyList) async throws -> RowMatch? {
    guard let start = search.start, list.isComplete else { return nil }
    let isCurrent = try await foreground.read { [self] database in
      let (rows, current) = try checked(in: database)
      return rows.isSorted && list.state == current
    }
    guard isCurrent, let number = try list.number(of: start) else { return nil }
    return try await background.read { [self] database in
      let rows = try checked(in: database).rows
      guard let hits = RowHits(search, in: rows.rows) else { return nil }
      let following = number + 1..<min(list.count, number + 1 + Self.nearby)
      let preceding = max(0, number - Self.nearby)..<number
      let keys = try list.keys(search.direction == .forward ? following : preceding, of: rows.table)
      for key in search.direction == .forward ? keys : keys.reversed() {
        if let match = try hits.match(in: key, database) { return RowMatch(key: match.key, column: match.column, wrapped: false) }
      }
      return nil
    }
  }
}

extension MaterializedRows {
  /// The next row that matches, once around: among the rows that have been taken first, then among those that follow.
  func find(_ search: RowSearch) async throws -> RowMatch? {
    guard let hits = RowHits(search, in: rows) else { return nil }
    if search.direction == .backward {
      try await take(through: .max) { search.report(RowProgress(rows: $0.value)) }
    }
    let pace = SearchPace(total: count.exactValue, search.report)
    var index = try search.start.map { try self.index(of: $0) }
    while true {
      let count = count
      let ranges = try ranges(from: index, search.direction)
      if let match = try await store.read({ try hits.first(in: ranges, pace, $0) }) {
        return RowMatch(key: match.key, column: match.column, wrapped: false)
      }
      guard !count.isExact else { break }
      index = count.value - 1
      try await take(through: count.value)
    }
    guard search.start != nil else { return nil }
    let all = try ranges(from: nil, search.direction)
    return try await store.read { try hits.first(in: all, pace, $0) }.map { RowMatch(key: $0.key, column: $0.column, wrapped: true) }
  }

  private func ranges(from index: Int?, _ direction: KeysetOrder.Direction) throws -> [KeysetOrder.Range] {
    guard let index else { return [rows.order.everything(direction)] }
    return try rows.order.ranges(from: rows.requiredPlace(of: .position(index)), direction, isInclusive: false)
  }
}
