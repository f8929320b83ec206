internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

// MARK: - One row

extension RemoteTableRows {
  func contains(_ key: RowKey) async throws -> Bool {
    let query = query
    guard let place = query.table.place(of: key) else { return false }
    let statement = RemotePageStatement(query: query, ranges: [query.table.order.row(at: place)], values: [], limit: 1, isOfOneRow: true)
    return try await !run(statement, on: .rows).rows.isEmpty
  }

  func record(_ key: RowKey, limit: Int) async throws -> WindowRow? {
    var statement = try row(key)
    statement.values = query.table.columnNames
    statement.valueLimit = max(0, limit)
    return try await pageRun(statement).rows.first.map { row in
      WindowRow(key: key, cells: try row.values.map { try CellValue($0, limit: max(0, limit)) })
    }
  }

  func value(_ key: RowKey, column: Int) async throws -> DatabaseValue? {
    let names = query.table.columnNames
    guard names.indices.contains(column) else { return nil }
    var statement = try row(key)
    statement.values = [names[column]]
    statement.valueLimit = nil
    return try await run(statement, on: .rows).rows.first?.values.first.flatMap { try StoredValue($0)?.databaseValue }
  }

  /// Returns the statement that reads a row of the table, regardless of the set's filter.
  private func row(_ key: RowKey) throws -> RemotePageStatement {
    let query = OrderedQuery(query.table)
    return RemotePageStatement(
      query: query, ranges: [try query.order.row(at: query.table.requiredPlace(of: key))], values: [], limit: 1,
      isOfOneRow: true)
  }
}

// MARK: - Many rows

extension RemoteTableRows {
  func forEachRow(
    from first: RowKey, through last: RowKey, columns: [Int], _ body: @escaping @Sendable ([DatabaseValue]) throws -> Void
  ) async throws {
    guard let range = try await range(RowRange(from: first, through: last)) else { return }
    try await stream(columns, range, valueLimit: nil) { row in try body(row.map { try $0.wholeValue }) }
  }

  /// Returns the range from one row to another, or nil if one of them does not exist.
  private func range(_ rows: RowRange) async throws -> KeysetOrder.Range? {
    let query = query
    guard let start = try await place(of: rows.first, in: query), let end = try await place(of: rows.last, in: query) else { return nil }
    let from = query.order.ranges(from: start, .forward, isInclusive: true).map(\.condition)
    let to = query.order.ranges(from: end, .backward, isInclusive: true).map(\.condition)
    var range = query.order.everything(.forward)
    range.condition = "(\(from.joinedByOr)) AND (\(to.joinedByOr))"
    return range
  }

  func forEachRow(columns: [Int], isOrdered: Bool, _ body: @escaping @Sendable ([CellValue]) throws -> Void) async throws {
    try await stream(columns, query.order.everything(.forward), valueLimit: CellValue.prefixLimit, isOrdered: isOrdered) { row in
      try body(row.map { try CellValue($0, limit: CellValue.prefixLimit) })
    }
  }

  /// Writes values as received.
  ///
  /// A text that is not valid UTF-8 is written unchanged.
  func write(_ columns: [Int], _ rows: RowRange?, to output: RowOutput) async throws {
    let read: KeysetOrder.Range?
    if let rows { read = try await range(rows) } else { read = query.order.everything(.forward) }
    guard let read else { return }
    try await stream(columns, read, valueLimit: nil) { row in
      try output.write(count: row.count) { try row[row.startIndex + $0].lend($1) }
    }
  }

  /// Reads rows as they arrive from the server, in one statement and therefore from one state of the data.
  private func stream(
    _ columns: [Int], _ range: KeysetOrder.Range, valueLimit: Int?, isOrdered: Bool = true,
    _ body: @escaping @Sendable (ArraySlice<RemoteValue>) throws -> Void
  ) async throws {
    let query = query
    let names = query.table.columnNames
    let values = columns.filter(names.indices.contains).map { names[$0] }
    try RemoteProjection.checkWidth(values.count)
    let sql = RemotePageStatement.stream(query, range, values, valueLimit: valueLimit, isOrdered: isOrdered)
    let limit = link.database.capabilities.parameterLimit
    try await link.forEachBatch(RemoteStatement(own: sql, limit: limit, isBrief: false), on: link.reading(.background)) { batch in
      try Task.checkCancellation()
      try batch.forEachRow { try body($0.prefix(values.count)) }
    }
  }
}

// MARK: - Searching

extension RemoteTableRows {
  /// The number of rows searched in one step.
  private static let searchStep = 20_000

  /// Finds the next matching row with wrap-around, in steps in the order of the rows.
  ///
  ///     SELECT CASE WHEN instr(lower(Name), 'love') THEN 0 END AS hit, TrackId
  ///     FROM (SELECT … WHERE TrackId > ? ORDER BY TrackId LIMIT 20000)
  ///     WHERE hit IS NOT NULL LIMIT 1
  func find(_ search: RowSearch, progress: @escaping @Sendable (RowProgress) -> Void) async throws -> RowMatch? {
    let query = query
    let names = query.table.columnNames
    let searched = search.columns.filter(names.indices.contains)
    guard !searched.isEmpty else { return nil }
    let hit = search.needle.plainSQL(searched.map { names[$0] })
    let start = ContinuousClock.now
    var passed = 0
    for isWrapped in search.start == nil ? [false] : [false, true] {
      var place = isWrapped ? nil : try await startPlace(search, query)
      while true {
        try Task.checkCancellation()
        let ranges =
          place.map { query.ranges(query.order.ranges(from: $0, search.direction, isInclusive: false), search.direction) }
          ?? query.wholeRange(search.direction)
        let found = try await look(for: hit, in: ranges, of: query)
        if let match = found.match {
          return RowMatch(key: match.key, column: searched[match.column], wrapped: isWrapped)
        }
        guard let last = found.last else { break }
        passed += Self.searchStep
        progress(RowProgress(rows: passed, total: state.withLock { $0.numbers.count?.rows }, elapsed: .now - start))
        place = last
      }
    }
    return nil
  }

  private func startPlace(_ search: RowSearch, _ query: OrderedQuery) async throws -> [KeysetOrder.Operand]? {
    guard let key = search.start else { return nil }
    return try await place(of: key, in: query)
  }

  /// Searches some rows.
  ///
  /// If none matches, returns the place of the last one, or nil at the end of the rows.
  private func look(
    for hit: SQLText, in ranges: [KeysetOrder.Range], of query: OrderedQuery
  ) async throws -> (match: (key: RowKey, column: Int)?, last: [KeysetOrder.Operand]?) {
    let statement = RemoteSearchStatement(query: query, ranges: ranges, hit: hit, limit: query.isSorted ? nil : Self.searchStep)
    let answer = try await link.rows(own(statement.sql), on: link.reading(.background))
    let rows = try answer.rows.map { row in
      (hit: row[0].integer, isFull: row[1].integer == 1, place: try row[2...].map { try $0.wholeValue })
    }
    if let row = rows.first(where: { $0.hit != nil }), let column = row.hit {
      return ((query.table.key(at: Array(row.place.dropFirst(query.terms.count))), Int(column)), nil)
    }
    guard let last = rows.first(where: { $0.isFull }) else { return (nil, nil) }
    return (nil, last.place.map { KeysetOrder.Operand($0) })
  }
}

/// A statement that searches some rows of an order for the first match, and also returns the last row.
struct RemoteSearchStatement {
  let query: OrderedQuery
  let ranges: [KeysetOrder.Range]
  let hit: SQLText
  /// The number of rows to search, or nil for all.
  let limit: Int?

  var sql: SQLText {
    let terms = query.order.terms
    let prefix = query.freePrefix
    let names = terms.indices.map { SQLIdentifier.quoted("\(prefix)\($0)") }
    let mark = SQLIdentifier.quoted("\(prefix)hit")
    let list = zip(terms, names).map { "\($0.expression) AS \(raw: $1)" as SQLText }.joined(by: ", ")
    let count = limit.map { String($0) } ?? "-1"
    let arms = ranges.map { range -> SQLText in
      """
      SELECT * FROM (SELECT \(hit) AS \(raw: mark), \(list) FROM \(query.matching.source(where: range.condition)) \
      ORDER BY \(range.order) LIMIT \(raw: count))
      """
    }
    let cells = names.map { "\(raw: RemoteProjection.cell($0, limit: nil)) AS a" as SQLText }.joined(by: ", ")
    let rows: SQLText = "\(arms.joined(by: " UNION ALL ")) LIMIT \(raw: count)"
    let isLast: SQLText = limit.map { "n = \(raw: String($0))" } ?? "0"
    return """
      SELECT \(raw: mark) AS a, \(isLast) AS a, \(cells) FROM (SELECT row_number() OVER () AS n, * FROM (\(rows))) \
      WHERE \(raw: mark) IS NOT NULL OR \(isLast) ORDER BY n LIMIT 1
      """
  }
}

extension Needle {
  /// Returns an expression for the index of the first matching column, or NULL, with functions available in every SQLite.
  ///
  ///     CASE WHEN typeof(Name) = 'text' AND instr(lower(Name), 'love') THEN 0 … END
  ///
  /// LIKE would end a text at its first NUL.
  func plainSQL(_ columns: [SQLText]) -> SQLText {
    guard case .text(let text) = self else { return sql(columns) }
    let types: SQLText = mayBeInNumbers ? "IN ('text', 'integer', 'real')" : "= 'text'"
    let cases = columns.enumerated().map { place, column -> SQLText in
      "WHEN typeof(\(column)) \(types) AND instr(lower(\(column)), \(text.asciiLowercased)) THEN \(raw: String(place))"
    }
    return "CASE \(cases.joined(by: " ")) END"
  }
}

// MARK: - Distinct values and plans

extension RemoteTableRows {
  func distinctValues(of column: String, prefix: String, limit: Int) async throws -> DistinctValues {
    guard case .table(let table) = rowSet.source else { return DistinctValues(values: [], isComplete: false) }
    return DistinctValues(values: try await link.someValues(of: column, in: table, prefix: prefix, limit: limit), isComplete: false)
  }

  func plan() async throws -> ReadPlan {
    try await link.schema().queue.read { [rowSet] in try ReadPlan(of: rowSet, in: $0) }
  }

  func cancelOrdering() {}
}

extension RemoteValue {
  /// The value as received, without the encoding of ``RemoteProjection``.
  var plainValue: DatabaseValue? {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let bytes): String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(Array(bytes))
    case .blob(let bytes): .blob(Array(bytes))
    }
  }
}
