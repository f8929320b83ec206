internal import QuarryEngine
internal import Synchronization

/// The rows of a table with a filter or another order, with a list of their keys that is built in the background.
///
/// Without sorting, the list grows in the set's order, and rows can be read as they are found. If rowids are sorted, the rows at both ends
/// and around the cursor are known as soon as all have been read. If SQLite must sort, pages by key are found by passing all rows. Once the
/// list is complete, any row can be read immediately. When another connection writes, the list becomes outdated, and a new list is started.
/// Until it is complete, pages by key come from the table; those of a sorted set come from the old list, with the current rows.
final class ListedRowSource: SQLiteRowSource {
  let rowSet: RowSet
  let connections: ReadConnections
  let reference: TableReference
  private let state: Mutex<State>

  private struct State: Sendable {
    var query: OrderedQuery
    /// The state of the schema in which the query was last valid.
    var schema: Int64
    /// The last complete list.
    var made: KeyList?
    var making: (list: KeyList, task: Task<Void, Never>)?
    var recent = RecentKeys()
    /// The number of running searches for pages, and the tasks that wait for them to end.
    var searches = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  init(_ query: OrderedQuery, schema: Int64, of rowSet: RowSet, on connections: ReadConnections) {
    self.rowSet = rowSet
    self.connections = connections
    reference = query.table.reference
    state = Mutex(State(query: query, schema: schema))
  }

  var columns: [RowSetColumn] { state.withLock(\.query.table.columns) }

  /// Returns the query as the connection finds it, and the state that it reads.
  ///
  /// - Throws: `DatabaseError`: `SQLITE_ERROR` if the table no longer exists, `SQLITE_SCHEMA` if its columns or keys have changed.
  func checked(in database: Database) throws -> (query: OrderedQuery, state: DataState) {
    let current = try DataState(of: reference.database, in: database)
    let (query, schema) = state.withLock { ($0.query, $0.schema) }
    guard current.schema != schema else { return (query, current) }
    guard case .ordered(let found) = try AccessPath(of: rowSet, in: database), found.isSame(as: query) else {
      throw DatabaseError.outdated(rowSet)
    }
    state.withLock {
      $0.query = found
      $0.schema = current.schema
    }
    return (found, current)
  }

  func remember(_ page: RowPage) {
    state.withLock { $0.recent.add(page) }
  }

  func recentNumber(of key: RowKey) -> Int? {
    state.withLock { $0.recent.numbers[key] }
  }

  func recentNeighbors(of key: RowKey) -> (after: [RowKey], before: [RowKey]) {
    state.withLock { $0.recent.neighbors(of: key) }
  }

  /// Whether building the list finds the first rows as quickly as reading a page would.
  var showsListFirst: Bool {
    state.withLock { !$0.query.isSorted && !$0.query.condition.isEmpty }
  }

  var isSorted: Bool { state.withLock(\.query.isSorted) }

  /// Returns whether rows come from another list until this one is complete.
  func hasOlderList(than list: KeyList) -> Bool {
    state.withLock { $0.made.map { $0 !== list } ?? false }
  }

  /// Cancels building the list, which starts again when needed.
  func cancelOrdering() {
    state.withLock { state in
      state.making?.task.cancel()
      state.making = nil
    }
  }
}

// MARK: - Rows

extension ListedRowSource {
  func contains(_ key: RowKey) async throws -> Bool {
    try await foreground.read { [self] database in
      let query = try checked(in: database).query
      return try query.table.place(of: key) != nil && query.contains(key, in: database)
    }
  }

  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    try await scan(from: first, through: last, columns: columns, on: background) { statement in
      try body(columns.indices.map { try statement.wholeValue(at: $0) })
    }
  }

  func write(_ columns: [Int], _ range: RowRange?, to output: RowOutput) async throws {
    let reader = try connections.exporting()
    if let range {
      return try await scan(
        from: range.first, through: range.last, columns: columns, on: reader, onChange: output.noteChange, output.write)
    }
    let rows = try await reader.read { [self] database in
      let names = try checked(in: database).query.table.names(of: columns)
      return try SlicedRows(of: rowSet, values: names.isEmpty ? ["1"] : names, in: database)
    }
    let keys = try await rows?.keys(first: .max, on: ReadConnections(reader))
    try await reader.read { [self] database in
      let query = try checked(in: database).query
      guard let rows else { return try query.matching.scan(columns: columns, in: query.order, isServed: false, database, output.write) }
      let sawChanges = try rows.forEach(of: keys, in: database) { statement in
        try output.write(statement)
        return true
      }
      if sawChanges { output.noteChange() }
    }
  }

  private func scan(
    from first: RowKey, through last: RowKey, columns: [Int], on reader: DatabaseQueue, onChange: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (Statement) throws -> Void
  ) async throws {
    let list = try await startedList()
    if isSorted { try await wait(for: list, need: .end) }
    try await reader.read { [self] database in
      let query = try checked(in: database).query
      let source = ListedRows(query: query, list: list, isBegun: list.isBegun, reading: .unknown)
      if try source.forEachRow(from: first, through: last, columns: columns, onChange: onChange, in: database, body) { return }
      guard let start = try place(of: first, source, in: database), let end = try place(of: last, source, in: database) else { return }
      try database.inSlices(.ofAnyState, of: reference.database) { slices in
        slices?.onChange = onChange
        try query.scan(from: start, through: end, columns: columns, in: database, body)
      }
    }
  }

  func forEachRow(columns: [Int], isOrdered: Bool, _ body: @escaping @Sendable ([CellValue]) throws -> Void) async throws {
    try await background.read { [self] database in
      let ordered = try checked(in: database).query
      let query = isOrdered ? ordered : try OrderedQuery(ordered.table, condition: ordered.condition, terms: [], in: database)
      try database.inSlices(.ofAnyState, of: reference.database) { _ in
        try query.matching.forEachRow(columns: columns, in: query.order, isServed: query.isServed, database, body)
      }
    }
  }

  /// Reads values of one row on the foreground connection, whether or not it matches the filter.
  func readRow<Value: Sendable>(
    _ key: RowKey, _ body: @escaping @Sendable (KeysetRows, [DatabaseValue], Database) throws -> Value
  ) async throws -> Value {
    try await foreground.read { [self] database in
      let table = try checked(in: database).query.table
      return try body(table, table.requiredPlace(of: key), database)
    }
  }
}

// MARK: - The list

extension ListedRowSource {
  /// Returns the list to read from, which is that of the current state, started if necessary.
  ///
  /// For a sorted set, it is an older list while a new one is being built.
  ///
  /// - Parameters:
  ///   - isCurrent: Whether an older list is not acceptable.
  ///   - focus: The row whose neighbors a new list must find first.
  func startedList(isCurrent: Bool = false, around focus: RowKey? = nil) async throws -> KeyList {
    let (query, current) = try await foreground.read { [self] in try checked(in: $0) }
    return try state.withLock { state in
      if let made = state.made, made.state == current { return made }
      if isCurrent, let making = state.making, making.list.state != current {
        making.task.cancel()
        state.making = nil
      }
      let making = try state.making?.list ?? begin(query, current, around: focus, &state)
      return query.isSorted && !isCurrent ? state.made ?? making : making
    }
  }

  private func begin(_ query: OrderedQuery, _ current: DataState, around focus: RowKey?, _ state: inout State) throws -> KeyList {
    let hasRowIDs = query.table.keyKind == .rowID
    let list = try KeyList(
      state: current, width: hasRowIDs ? nil : query.keyColumns.count, isSortedHere: hasRowIDs && query.isSorted, focus: focus)
    state.making = (list, Task(executorPreference: TaskThreads.shared) { [weak self] in await self?.make(list) })
    return list
  }

  /// Records that a search for the rows of a page has begun, which may have to pass all rows.
  func beginSearch() {
    state.withLock { $0.searches += 1 }
  }

  func endSearch() {
    let waiters = state.withLock { state in
      state.searches -= 1
      guard state.searches == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until no search for a page is running, because visible rows take precedence.
  private func searchesHaveEnded() async {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        if state.searches > 0 { state.waiters.append(continuation) }
        return state.searches > 0
      }
      if !isWaiting { continuation.resume() }
    }
  }

  private func make(_ list: KeyList) async {
    var ending = KeyList.Ending.complete
    do {
      try await fill(list)
    } catch is CancellationError {
      ending = .cancelled
    } catch {
      ending = .failed(error)
    }
    state.withLock { [ending] state in
      if state.making?.list === list { state.making = nil }
      if case .complete = ending { state.made = list }
    }
    if case .cancelled = ending, state.withLock({ $0.making != nil }) { ending = .replaced }
    list.end(ending)
  }

  private func fill(_ list: KeyList) async throws {
    if list.isBeingSortedHere {
      do { return try await sort(into: list) } catch is SortRefusal { list.leaveToSQLite() }
    }
    if isSorted { await searchesHaveEnded() }
    _ = try await connections.readInParallel(reference.database, .ofAnyState) { [self] database -> FilterScan? in
      let (query, current) = try checked(in: database)
      list.begin()
      if let scan = try query.filterScan(into: list, on: connections, in: current, database) { return scan }
      try query.fill(list, on: connections, in: current, database)
      return nil
    }
  }
}

extension OrderedQuery {
  /// Creates the scan of the table for the rows that match a condition; nil if they are found in another way or order.
  fileprivate func filterScan(
    into list: KeyList, on connections: ReadConnections, in current: DataState, _ database: Database
  ) throws -> FilterScan? {
    guard terms.isEmpty, scansTable, !condition.isEmpty, let bounds = try table.rowIDBounds(in: database) else { return nil }
    let total = try connections.estimate(of: table, bounds, in: current, database)
    return FilterScan(matching, into: list, bounds: bounds, total: total)
  }

  /// Adds the keys of all rows to a list, in order.
  ///
  ///     SELECT rowid FROM main.Track WHERE (Milliseconds > ?) ORDER BY Name, rowid
  func fill(_ list: KeyList, on connections: ReadConnections, in current: DataState, _ database: Database) throws {
    if condition.isEmpty {
      try list.set(total: connections.count(of: table, in: current, database))
    }
    if table.keyKind == .rowID {
      try fill(database, keys: { try $0.columnInteger(at: 0) }, into: { list.append($0) })
    } else {
      try fill(database, keys: { try table.place($0, at: 0) }, into: { try list.append($0) })
    }
  }

  private func fill<Key>(
    _ database: Database, keys: (Statement) throws -> Key, into append: ([Key]) throws -> Void
  ) throws {
    var found: [Key] = []
    found.reserveCapacity(Self.batch)
    func flush() throws {
      guard !found.isEmpty else { return }
      try append(found)
      found.removeAll(keepingCapacity: true)
    }
    try database.withProgress(every: Self.stepsBetweenLooks) {
      // The rows found so far are shown however long the next takes; an error of storing them is thrown by the next full batch.
      try? flush()
      return false
    } during: {
      try forEachKey(database) { statement in
        try found.append(keys(statement))
        if found.count == Self.batch { try flush() }
        return true
      }
    }
    try flush()
  }

  /// Calls `body` with a statement on each key, in order; writers may proceed between two keys, unless only SQLite can sort.
  private func forEachKey(_ database: Database, _ body: (Statement) throws -> Bool) throws {
    let all = [order.everything(.forward)]
    if isServed { return try matching.scanInSlices(database, keyColumns, all, in: order, body) }
    if database.turns != nil, let sort = try SpoolSort(self, in: database) { return try sort.run(in: database, body) }
    try matching.scan(database, keyColumns, all, body)
  }

  /// The number of keys added to a list at once.
  private static let batch = 2048
}
