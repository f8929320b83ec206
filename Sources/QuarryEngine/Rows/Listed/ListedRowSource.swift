internal import Synchronization

/// Those rows of a table that a set keeps, in its order, with the list of their keys that is made in the background.
///
/// Where the order needs no sorting the list grows in it, and rows are there as they are found. Where rowids are sorted, those at its ends
/// and about the row looked at are known as soon as all have been read; where SQLite has to sort, pages by key are found by passing all
/// rows. Once the list is complete any row is there at once. When others write, a list is what it was
/// made from: pages by key come from the table then, those of a sorted set from the old list with the rows as they are now, and a new list
/// is begun.
final class ListedRowSource: Sendable {
  let rowSet: RowSet
  let connections: ReadConnections
  let reference: TableReference
  private let state: Mutex<State>

  private struct State: Sendable {
    var rows: OrderedQuery
    /// The state of the schema in which the rows were found to be so.
    var schema: Int64
    /// The last list that is complete.
    var made: KeyList?
    var making: (list: KeyList, task: Task<Void, Never>)?
    var recent = RecentKeys()
    /// The pages that are looked for, and who waits for that to end.
    var searches = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  init(_ rows: OrderedQuery, schema: Int64, of rowSet: RowSet, on connections: ReadConnections) {
    self.rowSet = rowSet
    self.connections = connections
    reference = rows.table.reference
    state = Mutex(State(rows: rows, schema: schema))
  }

  var foreground: DatabaseQueue { connections.foreground }
  var background: DatabaseQueue { connections.background }
  var columns: [RowSetColumn] { state.withLock { $0.rows.table.columns } }

  /// The rows as a connection finds them, and the state that it reads.
  ///
  /// - Throws: `DatabaseError`: `SQLITE_ERROR` where the table is gone, `SQLITE_SCHEMA` where its columns or keys have changed.
  func checked(in database: Database) throws -> (rows: OrderedQuery, state: DataState) {
    let current = try database.dataState(of: reference.database)
    let (rows, schema) = state.withLock { ($0.rows, $0.schema) }
    guard current.schema != schema else { return (rows, current) }
    guard case .ordered(let found) = try AccessPath(of: rowSet, in: database), AccessPath.ordered(found).isSame(as: .ordered(rows)) else {
      throw DatabaseError(DatabaseError.SQLITE_SCHEMA, "\(reference.name) has been changed since it was opened: open it again")
    }
    state.withLock {
      $0.rows = found
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

  func recentNeighbours(of key: RowKey) -> (after: [RowKey], before: [RowKey]) {
    state.withLock { $0.recent.neighbours(of: key) }
  }

  /// Whether the first rows are found as well by the one who makes the list, so that nobody else need look for them.
  var showsListFirst: Bool {
    state.withLock { !$0.rows.isSorted && !$0.rows.rows.condition.isEmpty }
  }

  var isSorted: Bool { state.withLock(\.rows.isSorted) }

  /// Whether rows come from another list until this one is complete.
  func hasOlderList(than list: KeyList) -> Bool {
    state.withLock { $0.made.map { $0 !== list } ?? false }
  }

  /// Ends the making of the list; it begins again when it is needed.
  func cancel() {
    state.withLock { state in
      state.making?.task.cancel()
      state.making = nil
    }
  }
}

// MARK: - The list

extension ListedRowSource {
  /// The list to read from: that of the current state, which is begun where there is none; of a sorted set also an older one, while a new
  /// one is being made.
  ///
  /// - Parameters:
  ///   - isCurrent: whether an older one will not do.
  ///   - focus: the row whose neighbours are wanted first of a new one.
  func startedList(isCurrent: Bool = false, around focus: RowKey? = nil) async throws -> KeyList {
    let (rows, current) = try await foreground.read { [self] in try checked(in: $0) }
    return try state.withLock { state in
      if let made = state.made, made.state == current { return made }
      if isCurrent, let making = state.making, making.list.state != current {
        making.task.cancel()
        state.making = nil
      }
      let making = try state.making?.list ?? begin(rows, current, around: focus, &state)
      return rows.isSorted && !isCurrent ? state.made ?? making : making
    }
  }

  private func begin(_ rows: OrderedQuery, _ current: DataState, around focus: RowKey?, _ state: inout State) throws -> KeyList {
    let hasRowIDs = rows.table.keyKind == .rowID
    let list = try KeyList(
      state: current, width: hasRowIDs ? nil : rows.table.keyColumns.count, isSortedHere: hasRowIDs && rows.isSorted, focus: focus)
    state.making = (list, Task { [weak self] in await self?.make(list) })
    return list
  }

  /// Takes note that the rows of a page are looked for, for which all rows may have to be passed.
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

  /// Waits until no page is looked for: what is on the screen goes before what will be.
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
    _ = try await connections.readInParallel(reference.database) { [self] database -> FilterScan? in
      let (rows, current) = try checked(in: database)
      list.begin()
      if let scan = try rows.filterScan(into: list, on: connections, in: current, database) { return scan }
      try rows.fill(list, on: connections, in: current, database)
      return nil
    }
  }
}

extension OrderedQuery {
  /// What finds the rows that a condition keeps by going through the table; nil where they are found in another way, or order.
  fileprivate func filterScan(
    into list: KeyList, on connections: ReadConnections, in current: DataState, _ database: Database
  ) throws -> FilterScan? {
    guard terms.isEmpty, scansTable, !rows.condition.isEmpty, let bounds = try table.rowIDBounds(in: database) else { return nil }
    let total = try connections.estimate(of: table, bounds, in: current, database)
    return FilterScan(rows, into: list, bounds: bounds, total: total)
  }

  /// Puts the keys of all rows into a list, in order.
  ///
  ///     SELECT rowid FROM main.Track WHERE (Milliseconds > ?) ORDER BY Name, rowid
  fileprivate func fill(_ list: KeyList, on connections: ReadConnections, in current: DataState, _ database: Database) throws {
    if rows.condition.isEmpty {
      try list.set(total: connections.count(of: table, in: current, database))
    }
    if table.keyKind == .rowID {
      try fill(database, keys: { try $0.columnInteger(at: 0) }, into: { list.append($0) })
    } else {
      try fill(database, keys: { try rows.place($0, at: 0) }, into: { try list.append($0) })
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
      // What has been found is shown, however long the next takes; what cannot be kept is an error of the next full batch.
      try? flush()
      return false
    } during: {
      try rows.scan(database, rows.keyColumns, [order.everything(.forward)]) { statement in
        try found.append(keys(statement))
        if found.count == Self.batch { try flush() }
        return true
      }
    }
    try flush()
  }

  /// The number of keys that are put into a list at once.
  private static let batch = 2048
}
