internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

extension RemoteTableRows {
  /// The start of the read for a row with a given number.
  struct NumberedStart {
    var ranges: [KeysetOrder.Range]
    var rest: [KeysetOrder.Range] = []
    /// The number of rows to skip.
    var offset = 0
    var isExact = true
  }

  /// The maximum number of rows that a server skips for one page.
  private static let passedLimit = 20_000

  /// Returns the start of the read for the row with a number, or nil if there are known to be fewer rows.
  ///
  /// With the places noted by a count, at most a thousand rows are skipped. Without them, the rowids give the exact or estimated position.
  func start(ofNumber number: Int) async throws -> NumberedStart? {
    let query = query
    let first = NumberedStart(ranges: query.wholeRange(.forward), offset: number)
    guard number > 0 else { return NumberedStart(ranges: query.wholeRange(.forward)) }
    let current = try await run(RemotePageStatement(query: query, ranges: [], values: [], isOfOneRow: query.condition.isEmpty), on: .rows)
    let (numbers, bounds) = state.withLock { ($0.numbers, current.bounds) }
    let count = numbers.exactCount(in: current.state)
    if let count, number >= count { return nil }
    if query.terms.isEmpty, let bounds, let total = count ?? bounds.span, bounds.isDense(count: count) || number > Self.passedLimit {
      let place = [DatabaseValue.integer(bounds.rowID(of: number, count: total))]
      if bounds.isDense(count: count) || numbers.exactAnchors(in: current.state) == nil {
        return start(at: place, of: query, isExact: bounds.isDense(count: count))
      }
    }
    guard let anchor = numbers.exactAnchors(in: current.state)?.before(number) else { return first }
    var start = start(at: anchor.place, of: query, isExact: true)
    start.offset = number - anchor.number
    return start
  }

  private func start(at place: [DatabaseValue], of query: OrderedQuery, isExact: Bool) -> NumberedStart {
    let operands = place.map { KeysetOrder.Operand($0) }
    return NumberedStart(
      ranges: query.ranges(query.order.ranges(from: operands, .forward, isInclusive: true), .forward),
      rest: query.ranges(query.order.ranges(from: operands, .backward, isInclusive: false), .backward), isExact: isExact)
  }

  func number(of key: RowKey) async throws -> RowNumber? {
    let query = query
    let current = try await run(RemotePageStatement(query: query, ranges: [], values: [], isOfOneRow: query.condition.isEmpty), on: .rows)
      .state
    let (walked, estimate) = state.withLock { ($0.numbers.walkedNumber(of: key, in: current), $0.estimate(of: key, in: current)) }
    if let walked { return .exact(walked) }
    if query.terms.isEmpty, let estimate, estimate.isExact { return estimate }
    guard let anchors = state.withLock({ $0.numbers.exactAnchors(in: current) }), let operands = try await place(of: key, in: query) else {
      return query.terms.isEmpty ? estimate : nil
    }
    return try await number(of: operands, anchors, in: query) ?? (query.terms.isEmpty ? estimate : nil)
  }

  /// Counts the rows from the nearest noted place up to a row.
  private func number(of operands: [KeysetOrder.Operand], _ anchors: Anchors, in query: OrderedQuery) async throws -> RowNumber? {
    let values = operands.compactMap(\.value)
    guard values.count == operands.count else { return nil }
    let schema = try await link.schema()
    let order = query.order
    let anchor = try await schema.queue.read { db in try anchors.last { try !order.precedes(values, $0, in: db) } }
    guard let anchor else { return nil }
    let from = query.order.ranges(from: anchor.place.map { KeysetOrder.Operand($0) }, .forward, isInclusive: true).map(\.condition)
    let to = query.order.ranges(from: operands, .backward, isInclusive: false).map(\.condition)
    let between: SQLText = "(\(from.joinedByOr)) AND (\(to.joinedByOr))"
    let sql: SQLText = "SELECT count(*) AS a FROM \(query.matching.source(where: between))"
    guard let steps = try await link.rows(own(sql), on: link.reading(.rows)).rows.first?.first?.integer else { return nil }
    return .exact(anchor.number + Int(steps))
  }

  /// The number of rows counted in one step.
  ///
  /// Other clients are served between steps, because a count cannot be cancelled on the server.
  private static let step = 50_000

  /// Counts the rows in steps in their order, and notes the place of every thousandth row.
  ///
  ///     SELECT n, … FROM (SELECT row_number() OVER (ORDER BY Name, TrackId) - 1 AS n, … FROM Track WHERE … LIMIT 50000)
  ///     WHERE n % 1000 = 0
  ///
  /// An external change between two steps makes the number an estimate.
  func count(progress: @escaping @Sendable (RowNumber, RowProgress?) -> Void) async throws -> RowNumber {
    try await link.longReads.check(rowSet, on: link)
    let query = query
    if query.isSorted { return try await countAtOnce(query) }
    let start = ContinuousClock.now
    var anchors = Anchors()
    var state: DataState?
    var isTorn = false
    while !anchors.isComplete {
      try Task.checkCancellation()
      let found = try await step(from: anchors.resume(), of: query)
      isTorn = isTorn || state.map { $0 != found.state } ?? false
      state = found.state
      anchors.add(found.places, rowCount: found.count)
      anchors.isComplete = found.count < Self.step
      let total = self.state.withLock { $0.bounds?.bounds.span }
      progress(.atLeast(anchors.rowCount), RowProgress(rows: anchors.rowCount, total: total, elapsed: .now - start))
    }
    guard let state, !isTorn else { return .estimated(anchors.rowCount) }
    try await note(anchors, in: state)
    return .exact(anchors.rowCount)
  }

  private func step(
    from place: [DatabaseValue]?, of query: OrderedQuery
  ) async throws -> (count: Int, places: [[DatabaseValue]], state: DataState) {
    let operands = place?.map { KeysetOrder.Operand($0) }
    let ranges = operands.map { query.order.ranges(from: $0, .forward, isInclusive: true) } ?? query.wholeRange(.forward)
    let statement = RemoteCountStatement(query: query, ranges: ranges, limit: Self.step, stride: Anchors.stride)
    let answer = try await link.rows(own(statement.sql), on: link.reading(.background))
    return try statement.read(answer.rows, changes: link.changes(answer.connection))
  }

  /// Counts rows that the server must sort or scan completely.
  private func countAtOnce(_ query: OrderedQuery) async throws -> RowNumber {
    let sql: SQLText = """
      SELECT count(*) AS a, (SELECT data_version FROM pragma_data_version) AS a, \
      (SELECT schema_version FROM pragma_schema_version) AS a FROM \(query.matching.source())
      """
    let answer = try await link.rows(own(sql), on: link.reading(.background))
    guard let row = answer.rows.first, let count = row[0].integer, let version = row[1].integer, let schema = row[2].integer else {
      return .atLeast(0)
    }
    let current = DataState(version: version, changes: link.changes(answer.connection), schema: schema)
    try await noteCount(Int(count), in: current)
    return .exact(Int(count))
  }

  private func note(_ anchors: Anchors, in background: DataState) async throws {
    try await noteCount(anchors.rowCount, in: background)
    state.withLock { $0.numbers.set(anchors: anchors, in: background) }
  }

  /// Stores a count, with its state as seen by the screen's session.
  private func noteCount(_ count: Int, in background: DataState) async throws {
    state.withLock { $0.numbers.set(count: count, in: background) }
    let head = RemotePageStatement(query: query, ranges: [], values: [], isOfOneRow: query.condition.isEmpty)
    let shown = try await run(head, on: .rows).state
    let after = try await run(head, on: .background).state
    // There was no write since the count, so both sessions see the same state.
    if after == background { state.withLock { $0.numbers.link(foreground: shown, background: background) } }
  }
}

/// A statement that counts rows in an order and reads the places of some of them.
struct RemoteCountStatement {
  let query: OrderedQuery
  let ranges: [KeysetOrder.Range]
  let limit: Int
  let stride: Int

  /// The SQL of the statement.
  ///
  /// Its first row contains the count and the state, and the following rows the places.
  var sql: SQLText {
    let terms = query.order.terms
    let prefix = query.freePrefix
    let names = terms.indices.map { "\(identifier: "\(prefix)\($0)")" as SQLText }
    let list = zip(terms, names).map { "\($0.expression) AS \($1)" as SQLText }.joined(by: ", ")
    let arms = ranges.map { range -> SQLText in
      "SELECT * FROM (SELECT \(list) FROM \(query.matching.source(where: range.condition)) ORDER BY \(range.order) LIMIT \(raw: String(limit)))"
    }
    let width = max(3, terms.count + 1)
    let pad = Array(repeating: "NULL" as SQLText, count: width - 3)
    let versions: [SQLText] = ["(SELECT data_version FROM pragma_data_version)", "(SELECT schema_version FROM pragma_schema_version)"]
    let head = (["max(n) + 1"] + versions + pad)
      .map { "\($0) AS a" as SQLText }.joined(by: ", ")
    let cells = terms.indices.map {
      "\(raw: RemoteProjection.cell(SQLIdentifier.quoted("\(prefix)\($0)"), limit: nil))" as SQLText
    }
    let places = ((["n"] + cells) + Array(repeating: "NULL", count: width - 1 - terms.count)).joined(by: ", ")
    return """
      WITH counted AS MATERIALIZED (SELECT row_number() OVER () - 1 AS n, * FROM (\(arms.joined(by: " UNION ALL ")) \
      LIMIT \(raw: String(limit)))) \
      SELECT \(head) FROM counted UNION ALL SELECT \(places) FROM counted WHERE n % \(raw: String(stride)) = 0
      """
  }

  /// Parses the result of the statement.
  func read(_ rows: [[RemoteValue]], changes: Int64) throws -> (count: Int, places: [[DatabaseValue]], state: DataState) {
    guard let head = rows.first, let version = head[1].integer, let schema = head[2].integer else {
      throw DataSourceError("the server sent an unexpected row")
    }
    let places = try rows.dropFirst().map { row in
      try row[1..<1 + query.order.terms.count].map { try $0.wholeValue }
    }
    let state = DataState(version: version, changes: changes, schema: schema)
    return (Int(head[0].integer ?? 0), places, state)
  }
}

extension KeysetOrder.Operand {
  /// The value, or nil for an expression.
  fileprivate var value: DatabaseValue? {
    sql.sql == "?" ? sql.values.first : nil
  }
}
