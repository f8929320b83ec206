internal import QuarryEngine
internal import Synchronization

/// All rows of a table by key, from any position, with the known row numbers.
final class KeyedRowSource: SQLiteRowSource {
  let rowSet: RowSet
  let connections: ReadConnections
  private let rows: KeysetRows
  private let state: Mutex<State>

  private struct State: Sendable {
    /// The state of the schema in which the table was last valid.
    var schema: Int64
    var numbers = RowNumbers()
    /// The earliest time of the next count, if another connection has written since the last one.
    var nextCount: ContinuousClock.Instant?
    var anchoring: Task<Void, Never>?
  }

  init(_ rows: KeysetRows, schema: Int64, of rowSet: RowSet, on connections: ReadConnections) {
    self.rowSet = rowSet
    self.connections = connections
    self.rows = rows
    state = Mutex(State(schema: schema))
  }

  deinit {
    cancelOrdering()
  }

  var columns: [RowSetColumn] { rows.columns }

  /// Returns the state that a connection reads, after checking that the table is unchanged.
  ///
  /// - Throws: `DatabaseError`: `SQLITE_ERROR` if the table no longer exists, `SQLITE_SCHEMA` if its columns or keys have changed.
  @discardableResult
  private func checkedState(in database: Database) throws -> DataState {
    let current = try DataState(of: rows.reference.database, in: database)
    guard current.schema != state.withLock(\.schema) else { return current }
    guard try AccessPath(of: rowSet, in: database) == .keyset(rows) else {
      throw DatabaseError.outdated(rowSet)
    }
    state.withLock { $0.schema = current.schema }
    return current
  }
}

// MARK: - Rows

extension KeyedRowSource {
  func contains(_ key: RowKey) async throws -> Bool {
    try await foreground.read { [self] database in
      try checkedState(in: database)
      guard let place = rows.place(of: key) else { return false }
      return try !rows.places(database, [rows.order.row(at: place)], limit: 1).isEmpty
    }
  }

  func readRow<Value: Sendable>(
    _ key: RowKey, _ body: @escaping @Sendable (KeysetRows, [DatabaseValue], Database) throws -> Value
  ) async throws -> Value {
    try await foreground.read { [self] database in
      try checkedState(in: database)
      return try body(rows, rows.requiredPlace(of: key), database)
    }
  }

  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    try await background.read { [self] database in
      try checkedState(in: database)
      try database.inSlices(.ofAnyState, of: rows.reference.database) { _ in
        try rows.forEachRow(from: first, through: last, columns: columns, in: database, body)
      }
    }
  }

  func write(_ columns: [Int], _ range: RowRange?, to output: RowOutput) async throws {
    try await connections.exporting().read { [self] database in
      try checkedState(in: database)
      try database.inSlices(.ofAnyState, of: rows.reference.database) { slices in
        slices?.onChange = output.noteChange
        if let range {
          try rows.scan(from: range.first, through: range.last, columns: columns, in: database, output.write)
        } else {
          try rows.scan(columns: columns, in: rows.order, database, output.write)
        }
      }
    }
  }

  func forEachRow(columns: [Int], isOrdered: Bool, _ body: @escaping @Sendable ([CellValue]) throws -> Void) async throws {
    try await background.read { [self] database in
      try checkedState(in: database)
      try database.inSlices(.ofAnyState, of: rows.reference.database) { _ in
        try rows.forEachRow(columns: columns, in: rows.order, database, body)
      }
    }
  }

  func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch? {
    try await connections.find(search, in: rows.reference.database, progress) { [self] database in
      let current = try checkedState(in: database)
      let place = try search.start.map { try OrderedQuery.Place(operands: rows.requiredPlace(of: $0).map(KeysetOrder.Operand.init)) }
      return SearchedRows(query: OrderedQuery(rows), place: place, state: current)
    }
  }
}

// MARK: - Pages

extension KeyedRowSource {
  func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    try await foreground.read { [self] in try page(request, in: $0) }
  }

  /// Reads a page with its number, as far as it is known.
  private func page(_ request: PageRequest, in database: Database) throws -> RowPage {
    let current = try checkedState(in: database)
    let numbers = state.withLock(\.numbers)
    var page =
      if case .number(let number) = request.position {
        try database.inSlices(.ofAnyState, of: rows.reference.database) { slices in
          var sawChanges = false
          slices?.onChange = { sawChanges = true }
          let page = try self.page(number: number, limit: request.limit, numbers, current, in: database)
          return sawChanges ? page.withEstimatedNumber : page
        }
      } else {
        try rows.page(request.position, limit: request.limit, in: database)
      }
    if page.firstNumber?.isExact != true {
      page.firstNumber =
        try numbers.walkedNumber(of: page, request, in: current)
        ?? page.firstNumber ?? rows.firstNumber(of: page, numbers, current, in: database)
    }
    state.withLock { $0.numbers.walk(page, in: current) }
    return page
  }

  private func page(number: Int, limit: Int, _ numbers: RowNumbers, _ current: DataState, in database: Database) throws -> RowPage {
    guard number > 0 else { return try rows.page(.first, limit: limit, in: database) }
    switch try rows.place(ofNumber: number, numbers, current, in: database) {
    case .exact(let place):
      var page = try rows.forward(from: place, isInclusive: true, limit: limit, in: database)
      page.firstNumber = .exact(number)
      return page
    case .estimated(let place):
      return try rows.forward(from: place, isInclusive: true, limit: limit, in: database)
    case .pastEnd:
      return try rows.page(.last, limit: 1, in: database)
    }
  }
}

extension RowNumbers {
  /// Returns the number of a page's first row, derived from the row at which the page was requested.
  package func walkedNumber(of page: RowPage, _ request: PageRequest, in current: DataState) -> RowNumber? {
    let number: Int? =
      switch request.position {
      case .after(let key): walkedNumber(of: key, in: current).map { $0 + 1 }
      case .before(let key): walkedNumber(of: key, in: current).map { $0 - page.rows.count }
      case .from(let key) where page.rows.first?.key == key: walkedNumber(of: key, in: current)
      default: nil
      }
    return number.map { .exact($0) }
  }
}

// MARK: - Numbers

extension KeyedRowSource {
  /// The rest between two counts during continuous external changes, as a multiple of the duration of the last count.
  private static let restFactor = 9

  func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void) async throws -> RowNumber {
    if let count = try await background.read({ [self] in try knownCount(in: $0) }) {
      startAnchors()
      return .exact(count)
    }
    if let next = state.withLock(\.nextCount) { try await Task.pause(until: next) }
    let start = ContinuousClock.now
    let count = try await background.read { [self] database -> RowNumber in
      let current = try checkedState(in: database)
      if let count = try knownCount(in: database) { return .exact(count) }
      let count = try database.inSlices(.ofAnyState, of: rows.reference.database) { _ in
        try connections.count(of: rows, in: current, database)
      }
      // Rows counted during external changes are not of one state.
      guard try checkedState(in: database) == current else { return .estimated(count) }
      state.withLock { $0.numbers.set(count: count, in: current) }
      return .exact(count)
    }
    // A cancelled count may start again immediately.
    state.withLock { $0.nextCount = .now + (.now - start) * Self.restFactor }
    startAnchors()
    return count
  }

  private func knownCount(in database: Database) throws -> Int? {
    let current = try checkedState(in: database)
    return state.withLock { $0.numbers.count(in: current) }
  }

  func number(of key: RowKey) async throws -> RowNumber? {
    try await foreground.read { [self] database in
      let current = try checkedState(in: database)
      let numbers = state.withLock(\.numbers)
      if let number = numbers.walkedNumber(of: key, in: current) { return .exact(number) }
      return try rows.number(of: rows.requiredPlace(of: key), numbers, current, in: database)
    }
  }

  func numbersAreKnown() async {
    var awaited: Task<Void, Never>?
    // A count that ends meanwhile cancels the running work and starts it again.
    while let anchoring = state.withLock(\.anchoring), anchoring != awaited {
      await anchoring.value
      awaited = anchoring
    }
  }

  func cancelOrdering() {
    state.withLock(\.anchoring)?.cancel()
  }

  /// The number of rows passed before other work may use the background connection.
  private static let chunk = 100 * Anchors.stride

  /// Starts recording the position of every thousandth row, unless this is done or running for this state of the file.
  private func startAnchors() {
    state.withLock { state in
      guard state.numbers.wantsAnchors else { return }
      state.anchoring?.cancel()
      // The task retains the source for one step at a time only: if nothing else retains it, anchors are not needed.
      state.anchoring = Task(executorPreference: TaskThreads.shared) { [weak self] in
        guard await (try? self?.linkStates()) == true, await (try? self?.needsAnchors()) == true else { return }
        while !Task.isCancelled, await (try? self?.makeNextAnchors()) == true {}
      }
    }
  }

  /// Finds the identifiers of one state of the file on both connections; returns false if another connection writes without pause.
  ///
  /// If the version seen by one connection is unchanged between two checks, the other connection reads the same state between them.
  private func linkStates() async throws -> Bool {
    let name = rows.reference.database
    var before = try await foreground.read { try DataState(of: name, in: $0) }
    for _ in 0..<3 {
      let between = try await background.read { try DataState(of: name, in: $0) }
      let after = try await foreground.read { try DataState(of: name, in: $0) }
      if before == after {
        state.withLock { $0.numbers.link(foreground: after, background: between) }
        return true
      }
      before = after
    }
    return false
  }

  /// Returns whether the row numbers cannot be derived from the rowids alone.
  private func needsAnchors() async throws -> Bool {
    try await background.read { [self] database in
      let count = state.withLock { $0.numbers.count?.rows }
      return try rows.rowIDBounds(in: database)?.isDense(count: count) != true
    }
  }

  /// Records more positions; returns false if all are recorded, or if the file has changed, which makes them useless.
  private func makeNextAnchors() async throws -> Bool {
    try await background.read { [self] database in
      let current = try DataState(of: rows.reference.database, in: database)
      var anchors = state.withLock { $0.numbers.anchorsToExtend(in: current) }
      guard let count = state.withLock({ $0.numbers.count(in: current) }), !anchors.isComplete else { return false }
      // A set shorter than a stride has only one anchor, its first row.
      try database.inSlices(.ofAnyState, of: rows.reference.database) { _ in
        try rows.extend(&anchors, by: count > Anchors.stride ? Self.chunk : 1, in: database)
      }
      anchors.isComplete = anchors.isComplete || count <= Anchors.stride
      let made = anchors
      state.withLock { $0.numbers.set(anchors: made, in: current) }
      return !made.isComplete
    }
  }
}
