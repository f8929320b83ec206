extension ListedRowSource {
  /// Makes an order that nothing but sorting gives: reads the keys of all rows, tells which are looked at first, sorts, and puts all of them
  /// into the list.
  ///
  /// - Throws: ``SortRefusal`` where the rows are better sorted by SQLite.
  func sort(into list: KeyList) async throws {
    let scan = try await connections.readInParallel(reference.database) { [self] database in
      let (rows, current) = try checked(in: database)
      list.begin()
      return try rows.sortScan(into: list, on: connections, in: current, database)
    }
    guard let (runs, selection) = scan?.finish() else { return }
    list.set(total: selection.total, excerpts: selection.excerpts)
    try await connections.computeInParallel(RunWork(runs) { $0.sort() })
    try await connections.background.withoutTransaction { database in
      var merge = SortMerge(runs)
      try merge.fill(list, database)
    }
  }
}

extension OrderedQuery {
  /// What reads the keys of the rows to sort.
  ///
  /// - Throws: ``SortRefusal``, also where there are no rows.
  fileprivate func sortScan(into list: KeyList, on connections: ReadConnections, in current: DataState, _ database: Database) throws -> SortScan {
    guard let bounds = try table.rowIDBounds(in: database) else { throw SortRefusal() }
    if rows.condition.isEmpty { list.set(total: try connections.count(of: table, in: current, database)) }
    let total = try connections.estimate(of: table, bounds, in: current, database)
    return try SortScan(self, into: list, bounds: bounds, total: total, in: database)
  }
}

extension SortMerge {
  /// Puts the rows into a list.
  fileprivate mutating func fill(_ list: KeyList, _ database: Database) throws {
    var batch: [Int64] = []
    batch.reserveCapacity(Self.batch)
    while let id = next() {
      batch.append(id)
      guard batch.count == Self.batch else { continue }
      try database.cancellation?.check()
      list.append(batch)
      batch.removeAll(keepingCapacity: true)
    }
    list.append(batch)
  }

  /// The number of rowids that are put into a list at once.
  private static let batch = 1 << 16
}
