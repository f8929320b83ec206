internal import Synchronization

extension ListedRowSource {
  /// Sorts the rows outside of SQLite: reads the sort keys of all rows, picks those that are needed first,
  /// sorts, and puts all into the list.
  ///
  /// - Throws: ``SortRefusal`` where the rows are better sorted by SQLite.
  func sort(into list: KeyList) async throws {
    let scan = try await connections.readInParallel(reference.database) { [self] database in
      let (query, current) = try checked(in: database)
      list.begin()
      return try query.sortScan(into: list, on: connections, in: current, database)
    }
    guard let (runs, selection) = scan?.finish() else { return }
    list.set(total: selection.total, excerpts: selection.excerpts)
    try await connections.computeInParallel(RunSorting(runs))
    try await connections.background.withoutTransaction { database in
      var merge = SortMerge(runs)
      try merge.fill(list, database)
    }
  }
}

extension OrderedQuery {
  /// Makes the scan that reads the sort keys of all rows.
  ///
  /// - Throws: ``SortRefusal``, also where there are no rows.
  fileprivate func sortScan(
    into list: KeyList, on connections: ReadConnections, in current: DataState, _ database: Database
  ) throws -> SortScan {
    guard let bounds = try table.rowIDBounds(in: database) else { throw SortRefusal() }
    if condition.isEmpty { list.set(total: try connections.count(of: table, in: current, database)) }
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

/// Sorts several runs, each of which is one part of the work.
private final class RunSorting: ParallelScan {
  private let left: Mutex<[SortedRun]>
  let isLarge: Bool

  init(_ runs: [SortedRun]) {
    left = Mutex(runs)
    isLarge = runs.count > 1
  }

  func work(in database: Database) throws {
    while let run = left.withLock({ $0.popLast() }) {
      try database.cancellation?.check()
      run.sort()
    }
  }

  func stop() {
    left.withLock { $0 = [] }
  }
}
