#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension OrderedRows {
  /// Puts the rowids of all rows into a list, in an order that nothing but sorting gives; returns false, and puts none there, where that is
  /// better left to SQLite.
  ///
  ///     SELECT rowid, Name FROM main.Track WHERE (Milliseconds > ?)
  ///
  /// SQLite sorts in a temporary file what is more than its page cache; keys by themselves have room in memory, and are sorted in a
  /// fraction of the time.
  ///
  /// - Parameters:
  ///   - memory: the greatest number of bytes that keys may take.
  ///   - runLimit: the greatest number of rows that are sorted at once, before they are merged with the others.
  func sort(
    into list: RowList, in database: Database, memory: Int = OrderedRows.sortingMemory, runLimit: Int = SortedRun.limit
  ) throws -> Bool {
    do {
      var merge = try SortMerge(runs(for: list, in: database, memory: memory, runLimit: runLimit))
      var batch: [Int64] = []
      batch.reserveCapacity(Self.sortedBatch)
      while let id = merge.next() {
        batch.append(id)
        guard batch.count == Self.sortedBatch else { continue }
        if database.cancellation?.isCancelled == true { throw CancellationError() }
        list.append(batch)
        batch.removeAll(keepingCapacity: true)
      }
      list.append(batch)
      return true
    } catch is SortRefusal {
      return false
    }
  }

  /// Reads the keys of all rows, and sorts them run by run.
  private func runs(for list: RowList, in database: Database, memory: Int, runLimit: Int) throws -> [SortedRun] {
    let terms = try terms.map { try SortTerm($0, of: table.reference, in: database) }
    let rules = terms.map(\.rule)
    let sorter = RunSorter()
    var key = SortKey(rules)
    var run = SortedRun(rules)
    var (size, count) = (0, 0)
    let values = (table.keyColumns + terms.map(\.sql)).joined(separator: ", ")
    let condition = rows.condition.isEmpty ? "" : " WHERE \(rows.condition)"
    let sql = "SELECT \(values) FROM \(table.reference.sql)\(condition)"
    try database.scan(sql, terms.flatMap(\.arguments) + rows.arguments) { statement in
      try key.read(statement, from: 1)
      try run.append(key, id: statement.columnInteger(at: 0))
      count += 1
      if count % Self.sortedBatch == 0 { list.set(read: count) }
      if run.isFull(runLimit) {
        size += run.size
        sorter.add(run)
        run = SortedRun(rules)
      }
      if size + run.size > memory { throw SortRefusal() }
      return true
    }
    sorter.add(run)
    return sorter.finish()
  }

  /// The number of rowids that are put into a list at once.
  private static let sortedBatch = 1 << 16

  /// An eighth of the machine's memory, and not more than a gibibyte.
  private static let sortingMemory = min(1 << 30, sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) / 8)
}
