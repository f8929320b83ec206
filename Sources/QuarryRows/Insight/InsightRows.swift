internal import QuarryEngine

/// The rows of a set as scanned: each row once, in no particular order.
struct InsightRows: Sendable {
  /// The columns of the rows.
  let columns: [RowSetColumn]
  /// The table or view of the rows; nil for a query.
  let schema: TableSchema?
  /// The approximate number of rows to read; nil if it is unknown.
  let total: Int?
  private let reading: Reading

  /// The way a table is divided.
  private enum Division: Sendable {
    case rowIDs(RowIDBounds, of: SQLText)
    case index(IndexRanges)
    case keys(KeyParts)
  }

  private enum Reading: Sendable {
    /// A table read part by part.
    case parts(KeysetRows, Division)
    /// All rows at once, with the SQL after FROM, the SQL before SELECT and the values of its own parameters.
    case once(source: SQLText, before: SQLText = "", arguments: [DatabaseValue] = [])
  }

  /// Determines how the rows of a set can be read.
  ///
  /// - Parameters:
  ///   - conditions: Additional conditions on the rows.
  ///   - values: The expressions read from each row if they use few columns, because an index may contain them.
  /// - Throws: `DatabaseError` if the table does not exist or the query does not compile.
  init(
    _ set: RowSet, where conditions: [SQLText] = [], reading values: [SQLText] = [], on connections: ReadConnections, in database: Database
  ) throws {
    if let refusal = ([set.condition] + conditions).compactMap(\.refusal).first { throw refusal }
    let condition = ([set.condition] + conditions).filter { !$0.isEmpty }.joined(by: " AND ")
    let narrowing: SQLText = condition.isEmpty ? "" : " WHERE \(condition)"
    switch set.source {
    case .table(let reference):
      let schema = try database.tableSchema(reference)
      if let problem = schema.problem { throw DatabaseError(DatabaseError.SQLITE_ERROR, problem) }
      self.schema = schema
      columns = schema.rowSetColumns
      switch try Self.division(of: schema, where: condition, in: database) {
      case (let rows, .rowIDs(let bounds, let id))?:
        let total = try connections.estimate(of: rows, bounds, in: DataState(of: reference.database, in: database), database)
        let mayUseIndex = !values.isEmpty && condition.isEmpty && total > RowIDRanges.largeTable
        let index = mayUseIndex ? try IndexRanges(reading: values, of: schema, rows, id: id, bounds, in: database) : nil
        reading = .parts(rows, index.map { .index($0) } ?? .rowIDs(bounds, of: id))
        self.total = total
      case (let rows, let division)?:
        reading = .parts(rows, division)
        total = nil
      case nil:
        reading = .once(source: "\(reference.sqlText)\(narrowing)")
        total = nil
      }
    case .query(let sql, let arguments):
      let query = try database.makeStatement(sql: sql)
      guard query.isReadonly else {
        throw DatabaseError(DatabaseError.SQLITE_READONLY, "only read-only statements can be analyzed", sql: sql)
      }
      let subquery = Subquery(query, arguments)
      (schema, total) = (nil, nil)
      columns = zip(subquery.columns, query.declaredColumnTypes).map { RowSetColumn(name: $0, schema: nil, declaredType: $1) }
      reading = .once(source: "\(subquery.name)\(narrowing)", before: subquery.before, arguments: subquery.arguments)
    case .returned(let rows):
      (schema, total) = (nil, rows.count)
      columns = rows.columnNames.map { RowSetColumn(name: $0, schema: nil) }
      reading = .once(source: "(\(rows.query))\(narrowing)")
    }
  }

  /// A query as a common table expression for a statement about its rows.
  ///
  ///     WITH "rows of the query"(a, "a:1") AS (SELECT a, b AS a FROM t WHERE c = ?1) SELECT a FROM "rows of the query"
  struct Subquery {
    let name: SQLText = "\(identifier: "rows of the query")"
    /// The names of its columns, which are unique.
    let columns: [String]
    /// The SQL before SELECT.
    ///
    /// The query comes first because its parameters have the first indexes.
    let before: SQLText
    let arguments: [DatabaseValue]

    init(_ query: Statement, _ arguments: [DatabaseValue]) {
      columns = InsightRows.unique(query.columnNames)
      let source = QuerySource(query, arguments: arguments)
      let list = columns.map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
      before = "WITH \(name)(\(list)) AS \(source.sql) "
      self.arguments = source.arguments
    }
  }

  /// Returns how to read the rows of a table part by part.
  ///
  /// Returns nil if an index leads to the requested rows, or if the table has no rowids and one scan of it blocks no writers.
  private static func division(
    of schema: TableSchema, where condition: SQLText, in database: Database
  ) throws -> (KeysetRows, Division)? {
    guard !schema.isVirtual, var rows = KeysetRows(schema, in: database) else { return nil }
    guard rows.rowIDColumn != nil || database.turns != nil else { return nil }
    let query = condition.isEmpty ? nil : try OrderedQuery(rows, condition: condition, terms: [], in: database)
    if let query, !query.scansTable, try query.isSmall(in: database) { return nil }
    let bounds = try rows.rowIDBounds(in: database)
    rows.condition = condition
    guard let id = rows.rowIDColumn else { return (rows, .keys(KeyParts(of: rows))) }
    rows.isIndexed = query?.scansTable ?? true
    return bounds.map { (rows, .rowIDs($0, of: id)) }
  }

  /// Returns unique names.
  ///
  /// A number is appended to each repeated name.
  fileprivate static func unique(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      if taken.insert(name.lowercased()).inserted { return name }
      let free = (1...).lazy.map { "\(name):\($0)" }.first { taken.insert($0.lowercased()).inserted }
      return free ?? name
    }
  }

  /// Whether a second connection is worthwhile.
  var isLarge: Bool { isDivided && (total ?? 0) > RowIDRanges.largeTable }

  /// The table, if all of its rows are read part by part; otherwise nil.
  var dividedTable: KeysetRows? {
    if case .parts(let rows, _) = reading, rows.condition.isEmpty { rows } else { nil }
  }

  /// The memory and disk space for counting their values.
  var room: SpillBudget { mayBeEndless ? .forEndlessRows : SpillBudget() }

  /// Whether a recursive query may produce rows without end.
  private var mayBeEndless: Bool {
    guard let schema else { return total == nil }
    return if case .view = schema.entry.kind { true } else { false }
  }

  private var isDivided: Bool {
    if case .parts = reading { true } else { false }
  }

  /// Returns the parts in which the rows are read, starting with the first; nil if they are read all at once.
  func makeParts() -> RowParts? {
    guard case .parts(_, let division) = reading else { return nil }
    return switch division {
    case .rowIDs(let bounds, let id): RowParts(bounds, of: id)
    case .index(let ranges): RowParts(ranges)
    case .keys(let keys): RowParts(keys)
    }
  }

  /// Calls `body` for each part of the rows, or once for all rows, and lets writers proceed between two parts.
  ///
  /// - Parameter body: Receives the SQL after FROM, the SQL before SELECT, and the values of its own parameters.
  func forEachPart(
    in database: Database, _ body: (_ source: SQLText, _ before: SQLText, _ arguments: [DatabaseValue]) throws -> Void
  ) throws {
    switch reading {
    case .parts: try makeParts()?.forEach(in: database) { try body(source(of: $0), "", []) }
    case .once(let source, let before, let arguments): try database.runUndivided { try body(source, before, arguments) }
    }
  }

  /// Reads the rows of a part, or all rows.
  ///
  ///     SELECT quarry_visit_row(kind) FROM main.events WHERE id BETWEEN ? AND ?
  ///
  /// - Parameter calls: The expressions after SELECT.
  func visit(_ calls: SQLText, by visitor: RowVisitor, in part: RowParts.Part?, _ database: Database) throws {
    switch reading {
    case .parts:
      let source = source(of: part)
      try visitor.visitRows(in: database) {
        try database.scan("SELECT \(calls) FROM \(source)") { _ in true }
      }
    case .once(let source, let before, let arguments):
      let rows = RowSequence(sql: "\(before)SELECT \(calls) FROM \(source)", arguments: arguments, columns: [])
      try visitor.visitRows(in: database) {
        let cursor = try rows.makeCursor(in: database)
        while try cursor.step() {}
      }
    }
  }
}

extension InsightRows {
  /// Returns the column whose value cannot be computed in a row of a part: see ``FailingColumn/name(of:in:)``.
  func failingColumn(
    of columns: [InsightColumn], after offset: Int, in part: RowParts.Part?, _ error: DatabaseError, _ database: Database
  ) -> String? {
    guard error.isOfRows else { return nil }
    var failing = FailingColumn(source: source(of: part), offset: offset, error: error)
    if case .once(_, let before, let arguments) = reading { (failing.before, failing.arguments) = (before, arguments) }
    return failing.name(of: columns, in: database)
  }

  /// Returns the order in which SQLite compares the text values of expressions.
  ///
  ///     EXPLAIN SELECT kind = 'texts of 0', payload ->> '$.a' = 'texts of 1' FROM main.events
  ///
  /// The instruction that compares an expression with its text names the collation. Texts with a custom collation are distinguished by
  /// their bytes.
  func textOrders(of expressions: [SQLText], in database: Database) -> [ByteOrder] {
    let marks = expressions.indices.map { "texts of \($0)" }
    let list = zip(expressions, marks).map { "(\($0)) = \(raw: "'\($1)'")" as SQLText }.joined(by: ", ")
    let collations = (try? comparisons(list, in: database)) ?? [:]
    let encoding = try? String.fetchOne(database, sql: "PRAGMA encoding")
    let utf16 = encoding.flatMap(ByteOrder.UTF16Order.init(encoding:))
    return marks.map { ByteOrder(collation: collations[$0].flatMap(TextCollation.init(named:)) ?? .binary, utf16: utf16) }
  }

  /// Returns the collations with which values are compared, by the text they are compared with.
  private func comparisons(_ list: SQLText, in database: Database) throws -> [String: String] {
    var registers: [Int64: String] = [:]
    var compared: [(registers: [Int64], collation: Substring)] = []
    let (before, source) = (self.before, source(of: nil))
    // The values of its parameters do not matter.
    let statement = try database.makeStatement(sql: ("EXPLAIN \(before)SELECT \(list) FROM \(source)" as SQLText).sql)
    while try statement.step() {
      // Comparisons of numbers alone have no collation.
      guard let detail = try? statement.columnText(at: 5) else { continue }
      switch try statement.columnText(at: 1) {
      case "String8": registers[try statement.columnInteger(at: 3)] = detail
      case "Eq", "Ne": compared.append((try [2, 4].map { try statement.columnInteger(at: $0) }, detail.prefix { $0 != "-" }))
      default: break
      }
    }
    var collations: [String: String] = [:]
    for comparison in compared {
      for register in comparison.registers { if let text = registers[register] { collations[text] = String(comparison.collation) } }
    }
    return collations
  }

  /// Returns the SQL after FROM for the rows of a part, or for all rows.
  private func source(of part: RowParts.Part?) -> SQLText {
    switch reading {
    case .parts(let rows, _): part.map { rows.source(of: $0) } ?? rows.source()
    case .once(let source, _, _): source
    }
  }

  /// The SQL before SELECT.
  private var before: SQLText {
    if case .once(_, let before, _) = reading { before } else { "" }
  }
}

extension KeysetRows {
  /// Returns the SQL after FROM for the rows of a part.
  fileprivate func source(of part: RowParts.Part) -> SQLText {
    switch part.rows {
    case .fulfilling(let further): source(where: further)
    case .query(let query): condition.isEmpty ? query : "\(query) WHERE \(condition)"
    }
  }
}

extension TableSchema {
  fileprivate var isVirtual: Bool {
    if case .virtual = entry.kind { true } else { false }
  }
}

extension OrderedQuery {
  /// Returns whether the rows found by an index are few enough for one slice; always true if reads do not block writers.
  fileprivate func isSmall(in database: Database) throws -> Bool {
    guard database.turns != nil else { return true }
    let limit = RowIDRanges.largeTable
    var count = 0
    let isFound: Void? = try database.withinTurn {
      try database.scan("SELECT count(*) FROM (SELECT 1 FROM \(matching.source()) LIMIT \(limit + 1))") { statement in
        count = Int(try statement.columnInteger(at: 0))
        return false
      }
    }
    return isFound != nil && count <= limit
  }
}
