internal import QuarryEngine
internal import Synchronization

extension ListedRowSource {
  /// Sorts the rows outside SQLite: reads the sort keys of all rows, selects the rows needed first, sorts, and adds all rows to the list.
  ///
  /// - Parameter first: The number of rows needed; nil for all.
  /// - Throws: ``SortRefusal`` if SQLite should sort the rows instead.
  func sort(into list: KeyList, first: Int? = nil) async throws {
    let scan = try await connections.readInParallel(reference.database, .ofAnyState) { [self] database in
      let (query, current) = try checked(in: database)
      list.begin()
      return try query.sortScan(into: list, on: connections, in: current, database)
    }
    guard let (runs, selection) = scan?.finish() else { return }
    list.set(total: selection.total, excerpts: selection.excerpts)
    if let first, let known = list.known(0..<min(first, selection.total)), known.count == min(first, selection.total) { return }
    try await connections.computeInParallel(RunSorting(runs))
    try await connections.background.withoutTransaction { database in
      var merge = SortMerge(runs)
      try merge.fill(list, database)
    }
  }
}

extension OrderedQuery {
  /// Creates the scan that reads the sort keys of all rows.
  ///
  /// - Throws: ``SortRefusal``, also if there are no rows.
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
  /// Adds the rows to a list.
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

  /// The number of rowids added to a list at once.
  private static let batch = 1 << 16
}

/// A scan that sorts several runs, each of which is one part of the work.
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

/// A merge of several sorted runs.
struct SortMerge {
  private let runs: [SortedRun]
  /// The runs with remaining rows, as a heap by the next row of each.
  private var heap: [Head] = []

  private struct Head {
    var entry: SortedRun.Entry
    var run: Unmanaged<SortedRun>
    /// The rows after it.
    var rest: Slice<UnsafeMutableBufferPointer<SortedRun.Entry>>
  }

  init(_ runs: [SortedRun]) {
    self.runs = runs
    // The runs live as long as this value, because retaining one for each row would cost more than finding the row.
    heap = runs.filter { $0.count > 0 }.map { run in
      Head(entry: run.entries[0], run: .passUnretained(run), rest: run.entries[1..<run.count])
    }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  /// Returns the rowid of the next row; nil after the last.
  mutating func next() -> Int64? {
    guard let head = heap.first else { return nil }
    if let next = heap[0].rest.popFirst() {
      heap[0].entry = next
    } else {
      heap[0] = heap[heap.count - 1]
      heap.removeLast()
    }
    sink(0)
    return head.run._withUnsafeGuaranteedRef { $0.id(of: head.entry) }
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      let left = 2 * index + 1
      guard left < heap.count else { return }
      let child = left + 1 < heap.count && Self.precedes(heap[left + 1], heap[left]) ? left + 1 : left
      guard Self.precedes(heap[child], heap[index]) else { return }
      heap.swapAt(child, index)
      index = child
    }
  }

  private static func precedes(_ first: Head, _ second: Head) -> Bool {
    if first.entry.prefix != second.entry.prefix { return first.entry.prefix < second.entry.prefix }
    return first.run._withUnsafeGuaranteedRef { run in
      second.run._withUnsafeGuaranteedRef { run.precedes(first.entry, $0, second.entry) }
    }
  }
}
