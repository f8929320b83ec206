internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// The rows of a table on a server, read by key with one round trip per page.
///
/// The schema is read from the copy in memory. The SQL of the ranges is the same as for a file.
final class RemoteTableRows: RowSource {
  let rowSet: RowSet
  let columns: [RowSetColumn]
  let isSnapshot = false
  let link: RemoteLink
  let state: Mutex<State>

  struct State: Sendable {
    var query: OrderedQuery
    /// The version of the schema for which the query was checked.
    var schema: Int64
    var numbers = RowNumbers()
    /// The least and greatest rowids, and the state in which they were read.
    var bounds: (bounds: RowIDBounds, state: DataState)?
    /// The places of the rows read last, by key.
    ///
    /// Used only if the order has other terms than the key.
    var places: [RowKey: [StoredValue?]] = [:]
  }

  /// The maximum number of cached places.
  private static let placesLimit = 4000

  init(_ query: OrderedQuery, schema: Int64, of rowSet: RowSet, on link: RemoteLink) {
    self.rowSet = rowSet
    self.link = link
    columns = query.table.columns
    state = Mutex(State(query: query, schema: schema))
  }

  var query: OrderedQuery { state.withLock(\.query) }

  /// Checks that the table is unchanged after an external change of the schema.
  ///
  /// - Throws: `DatabaseError`: `SQLITE_ERROR` if the table no longer exists, `SQLITE_SCHEMA` if its columns or keys have changed.
  func check(_ version: Int64) async throws {
    guard state.withLock(\.schema) != version else { return }
    let schema = try await link.schema(ofVersion: version)
    let path = try await schema.queue.read { [rowSet] in try AccessPath(of: rowSet, in: $0) }
    let changed: OrderedQuery? =
      switch path {
      case .keyset(let rows): OrderedQuery(rows)
      case .ordered(let query): query
      case .sequence: nil
      }
    let query = query
    guard let changed, changed.isSame(as: query) else {
      let name = query.table.reference.name
      throw DatabaseError(DatabaseError.SQLITE_SCHEMA, "\(name) has been changed since it was opened: open it again")
    }
    state.withLock { ($0.query, $0.schema) = (changed, version) }
  }
}

// MARK: - Statements

extension RemoteTableRows {
  /// Runs a statement, and checks the table if the schema has changed.
  func run(_ statement: RemotePageStatement, on purpose: RemoteLink.Purpose) async throws -> RemoteRun {
    let answer = try await link.rows(own(statement.sql, isOfOneRow: statement.isOfOneRow), on: link.reading(purpose))
    let run = try RemoteRun(
      answer.rows, placeCount: statement.query.order.terms.count, valueCount: statement.values.count,
      changes: link.changes(answer.connection))
    try await check(run.state.schema)
    return run
  }

  /// Creates a statement for rows by key.
  ///
  /// It is repeatable if it reads one row, or at most a page of a row set that is fast to read.
  func own(_ sql: SQLText, isOfOneRow: Bool = false) throws -> RemoteStatement {
    let limit = link.database.capabilities.parameterLimit
    return try RemoteStatement(own: sql, limit: limit, isBrief: isOfOneRow || link.longReads.isBrief(rowSet))
  }

  /// Runs the statement of a page.
  ///
  /// If the statement has too many columns, splits it into several statements that are sent together.
  func pageRun(_ statement: RemotePageStatement) async throws -> RemoteRun {
    guard statement.values.count > Self.widthLimit else { return try await run(statement, on: .rows) }
    let starts = Array(stride(from: 0, to: statement.values.count, by: Self.widthLimit))
    for _ in 0..<3 {
      let parts = try await link.together(starts) { [self] first in
        var part = statement
        part.values = Array(statement.values[first..<min(first + Self.widthLimit, statement.values.count)])
        return try await run(part, on: .rows)
      }
      guard var whole = parts.first, parts.allSatisfy({ $0.state == whole.state && $0.rows.count == whole.rows.count }) else { continue }
      for part in parts.dropFirst() {
        for index in whole.rows.indices { whole.rows[index].values = ArraySlice(whole.rows[index].values + part.rows[index].values) }
      }
      return whole
    }
    throw DataSourceError("other programs keep writing to \(statement.query.table.reference.name): try again")
  }

  /// The maximum number of values per row of one statement.
  ///
  /// The names of more columns are too long for some servers.
  private static let widthLimit = 400

  /// Returns the rows of a page.
  func windowRows(_ run: RemoteRun, of query: OrderedQuery) throws -> [WindowRow] {
    let rows = try run.rows.map { row in
      try WindowRow(key: key(of: row, in: query), cells: row.values.map { try CellValue($0, limit: CellValue.prefixLimit) })
    }
    if !query.terms.isEmpty {
      state.withLock { state in
        if state.places.count > Self.placesLimit { state.places = [:] }
        for (row, read) in zip(rows, run.rows) { state.places[row.key] = read.place }
      }
    }
    return rows
  }

  func key(of row: RemoteRun.Row, in query: OrderedQuery) -> RowKey {
    query.table.key(at: row.place.dropFirst(query.terms.count).map { $0?.databaseValue ?? .null })
  }

  /// Returns the place of a row, from the cache or the server, or nil if the row no longer exists.
  func place(of key: RowKey, in query: OrderedQuery) async throws -> [KeysetOrder.Operand]? {
    let keyPlace = try query.table.requiredPlace(of: key)
    let own = keyPlace.map { KeysetOrder.Operand($0) }
    guard !query.terms.isEmpty else { return own }
    let row = query.table.order.row(at: keyPlace)
    let source = query.table.source(where: row.condition)
    var known = state.withLock { $0.places[key] }
    if known == nil {
      var whole = query
      whole.matching = query.table
      known = try await run(RemotePageStatement(query: whole, ranges: [row], values: [], limit: 1, isOfOneRow: true), on: .rows).rows.first?
        .place
    }
    guard let known else { return nil }
    let terms = zip(query.terms, known).map { term, value -> KeysetOrder.Operand in
      guard let value, case .value(let value) = value else {
        // The value is too long to be sent back.
        return KeysetOrder.Operand(sql: "(SELECT \(term.expression) FROM \(source))", isNull: false)
      }
      return KeysetOrder.Operand(value)
    }
    return terms + own
  }
}

// MARK: - Pages

extension RemoteTableRows {
  func page(_ request: PageRequest, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowPage {
    try await link.longReads.check(rowSet, on: link)
    let query = query
    var statement = RemotePageStatement(query: query, ranges: [], values: query.table.columnNames)
    // Read one more row than requested to find out whether there are more.
    statement.limit = request.limit + 1
    var isBackward = false
    var anchored: Int?
    switch request.position {
    case .first: statement.ranges = query.wholeRange(.forward)
    case .last:
      statement.ranges = query.wholeRange(.backward)
      isBackward = true
    case .number(let number):
      guard let start = try await start(ofNumber: max(0, number)) else {
        return try await page(PageRequest(.last, limit: 1), progress: progress)
      }
      statement.ranges = start.ranges
      statement.rest = start.rest
      statement.offset = start.offset
      anchored = start.isExact ? max(0, number) : nil
    case .after(let key), .from(let key), .before(let key):
      guard let place = try await place(of: key, in: query) else {
        return try await page(PageRequest(.first, limit: request.limit), progress: progress)
      }
      let isInclusive = if case .from = request.position { true } else { false }
      isBackward = if case .before = request.position { true } else { false }
      let direction: KeysetOrder.Direction = isBackward ? .backward : .forward
      statement.ranges = query.ranges(query.order.ranges(from: place, direction, isInclusive: isInclusive), direction)
      statement.rest = query.ranges(query.order.ranges(from: place, direction.reversed, isInclusive: !isInclusive), direction.reversed)
    }
    let run = try await pageRun(statement)
    let rows = try windowRows(run, of: query)
    if anchored != nil, rows.isEmpty, statement.offset > 0 { return try await page(PageRequest(.last, limit: 1), progress: progress) }
    let shown = Array(rows.prefix(request.limit))
    let isWhole = rows.count <= request.limit
    var page = RowPage(
      rows: isBackward ? shown.reversed() : shown, firstNumber: anchored.map { .exact($0) },
      reachesStart: isBackward ? isWhole : !run.hasRest && statement.offset == 0, reachesEnd: isBackward ? !run.hasRest : isWhole)
    number(&page, request, run)
    return page
  }

  /// Numbers a page as far as the number is known without a request.
  private func number(_ page: inout RowPage, _ request: PageRequest, _ run: RemoteRun) {
    let query = query
    state.withLock { state in
      if let bounds = run.bounds { state.bounds = (bounds, run.state) }
      if page.reachesStart { page.firstNumber = .exact(0) }
      if page.firstNumber?.isExact != true, page.reachesEnd, let count = state.numbers.exactCount(in: run.state) {
        page.firstNumber = .exact(count - page.rows.count)
      }
      if page.firstNumber == nil { page.firstNumber = state.numbers.walkedNumber(of: page, request, in: run.state) }
      if page.firstNumber == nil, query.terms.isEmpty, let key = page.rows.first?.key {
        page.firstNumber = state.estimate(of: key, in: run.state)
      }
      state.numbers.walk(page, in: run.state)
    }
  }
}

extension RemoteTableRows.State {
  /// Estimates the number of a row from the rowids.
  func estimate(of key: RowKey, in current: DataState) -> RowNumber? {
    guard case .rowID(let id) = key, let bounds = bounds?.bounds else { return nil }
    let count = numbers.exactCount(in: current)
    guard let total = count ?? numbers.count?.rows ?? bounds.span else { return nil }
    let number = bounds.number(of: id, count: total)
    return bounds.isDense(count: count) ? .exact(number) : .estimated(number)
  }
}

extension OrderedQuery {
  /// Returns the range of all rows of the query in a direction.
  func wholeRange(_ direction: KeysetOrder.Direction) -> [KeysetOrder.Range] { [order.everything(direction)] }
}
