internal import QuarryEngine
internal import QuarryRows
internal import QuarrySources
internal import Synchronization

/// The reads that may take a long time on a server because the user has allowed them.
final class RemoteLongReads: Sendable {
  /// The number of rows of a table that may be scanned without asking.
  let limit: Int
  private let state = Mutex(State())

  private struct State {
    /// Whether all reads may take a long time.
    var allowsAll = false
    /// The row sets that the user has allowed.
    var allowed: Set<RowSet> = []
    /// The row sets that are known to be fast to read.
    var brief: Set<RowSet> = []
    /// The numbers of rows of tables.
    var sizes: [TableReference: Size] = [:]
  }

  /// The number of rows of a table that a statement scans.
  private enum Size: Hashable {
    case rows(Int)
    case moreThanLimit
  }

  init(limit: Int) {
    self.limit = limit
  }

  /// Allows a long-running read of a row set.
  func allow(_ set: RowSet) { state.withLock { _ = $0.allowed.insert(set) } }

  /// Allows all long-running reads.
  func allowAll() { state.withLock { $0.allowsAll = true } }

  /// Returns whether a row set is known to be fast to read, so that it does not block the server.
  func isBrief(_ set: RowSet) -> Bool { state.withLock { $0.brief.contains(set) } }

  /// Checks that the first rows of a set can be read quickly, or that a long-running read is allowed.
  ///
  /// - Throws: ``LongRead`` if the user must be asked.
  func check(_ set: RowSet, on link: RemoteLink) async throws {
    guard !state.withLock({ $0.allowsAll || $0.allowed.contains(set) || $0.brief.contains(set) }) else { return }
    let found = try await link.schema().queue.read { db -> Found? in
      let mayReadAll = try set.mayReadAll(in: db)
      guard mayReadAll || set.isQuery, let plan = try? ReadPlan(of: set, in: db), plan.kind == .scan || plan.sorts else { return nil }
      let steps = try PlanStep.plan(of: set.sqlText.sql, in: db)
      let found = try Found(set.sqlText.sql, steps, sorts: plan.sorts, in: db)
      return mayReadAll || found.function != nil || found.readsView ? found : nil
    }
    if let found { try await check(found, on: link) }
    state.withLock { _ = $0.brief.insert(set) }
  }

  /// Checks that a statement runs quickly, or that a long-running read is allowed.
  ///
  /// - Throws: ``LongRead`` if the user must be asked, or `DatabaseError` if the statement does not compile.
  func check(statement sql: String, on link: RemoteLink) async throws {
    try RemoteGuard.check(sql)
    let reads = try await link.schema().queue.read { db in
      let statement = try db.makeStatement(sql: sql)
      return statement.isReadonly && statement.columnCount > 0
    }
    if reads, !StatementKind(of: sql).isPragma {
      try await check(RowSet(.query(sql: sql)), on: link)
    } else {
      try await checkWork(of: sql, on: link)
    }
  }

  private func checkWork(of sql: String, on link: RemoteLink) async throws {
    guard !state.withLock(\.allowsAll) else { return }
    let found = try await link.schema().queue.read { db -> Found? in
      let kind = StatementKind(of: sql)
      guard !kind.isExplanation else { return nil }
      if kind.goesThroughTables(sql) { return try Found(allTablesOf: db) }
      return kind.isPragma ? nil : try Found(sql, PlanStep.plan(of: sql, in: db), sorts: false, in: db)
    }
    if let found, found.isWhole || found.work.isRecursive || !found.work.nests.isEmpty { try await check(found, on: link) }
  }

  private func check(_ found: Found, on link: RemoteLink) async throws {
    if found.work.isRecursive { throw LongRead("repeats the recursive part of the query as long as it returns rows") }
    var sizes: [(table: TableReference, size: Size)] = []
    for table in found.tables.sorted(by: { $0.name < $1.name }) { sizes.append((table, try await size(of: table, on: link))) }
    try checkProducts(found, sizes)
    if let large = sizes.first(where: { $0.size == .moreThanLimit }) {
      if found.isWhole { throw LongRead("goes through whole tables, and \(large.table.name) has more than \(Plural.grouped(limit)) rows") }
      throw LongRead("\(found.sorts ? "sorts" : "reads") more than \(Plural.grouped(limit)) rows of \(large.table.name) without an index")
    }
    if let function = found.function { throw LongRead("reads all rows of \(function), which may return any number of them") }
  }

  /// Checks that no nested loops iterate over too many combinations of rows.
  ///
  /// Uses the largest table for all loops, because the plan does not always name the table of a loop.
  private func checkProducts(_ found: Found, _ sizes: [(table: TableReference, size: Size)]) throws {
    guard let nest = found.work.nests.max(), nest > 1 else { return }
    if let large = sizes.first(where: { $0.size == .moreThanLimit }) {
      throw LongRead(
        "goes through all combinations of rows of its tables, since no index joins them, and \(large.table.name) has more than "
          + "\(Plural.grouped(limit)) rows")
    }
    if let function = found.function {
      throw LongRead("goes through all combinations of rows, and \(function) may return any number of them")
    }
    let largest = sizes.map { if case .rows(let count) = $0.size { count } else { 0 } }.max() ?? 0
    let count = Self.power(largest, nest)
    guard count.map({ $0 > limit }) ?? true else { return }
    let many = count.map { "up to \(Plural.grouped($0))" } ?? "very many"
    throw LongRead("goes through \(many) combinations of rows, since no index joins them")
  }

  /// Returns the number of combinations of rows, or nil on overflow.
  private static func power(_ rows: Int, _ loops: Int) -> Int? {
    var product = 1
    for _ in 0..<loops {
      let (next, overflows) = product.multipliedReportingOverflow(by: rows)
      if overflows { return nil }
      product = next
    }
    return product
  }

  /// Returns the number of rows of a table.
  ///
  /// Returns 0 for a view, whose tables are counted separately, and for a part of the query itself.
  ///
  ///     SELECT count(*) FROM (SELECT 1 FROM main.Track LIMIT 500001)
  private func size(of table: TableReference, on link: RemoteLink) async throws -> Size {
    if let known = state.withLock({ $0.sizes[table] }) { return known }
    let kind = try await link.schema().queue.read { db in try? db.tableSchema(table).entry.kind }
    guard let kind, kind != .view else { return .rows(0) }
    let sql: SQLText = "SELECT count(*) AS a FROM (SELECT 1 FROM \(table.sqlText) LIMIT \(raw: String(limit + 1)))"
    let statement = try RemoteStatement(own: sql, limit: link.database.capabilities.parameterLimit, isBrief: true)
    let count = try await link.rows(statement, on: link.reading(.rows)).rows.first?.first?.integer ?? 0
    let size = count > Int64(limit) ? Size.moreThanLimit : .rows(Int(count))
    state.withLock { $0.sizes[table] = size }
    return size
  }
}

/// The rows that a statement scans, according to the schema.
private struct Found: Sendable {
  /// The tables that are read, except virtual tables that find rows by their own index.
  var tables: Set<TableReference>
  var work = StatementWork([])
  var sorts = false
  /// Whether the statement scans whole tables, which no query plan shows.
  var isWhole = false
  /// Whether views are read.
  ///
  /// The work of views is not visible in the text of the statement.
  var readsView = false
  /// A table-valued function whose rows are scanned.
  ///
  /// Their number is not known in advance.
  var function: String?

  init(allTablesOf db: Database) throws {
    let entries = try db.catalog().databases.first { $0.name == "main" }?.entries ?? []
    tables = Set(entries.filter { $0.kind == .table }.map(\.reference))
    isWhole = true
  }

  init(_ sql: String, _ steps: [PlanStep], sorts: Bool, in db: Database) throws {
    self.sorts = sorts
    work = StatementWork(steps)
    tables = try db.makeStatement(sql: sql).databaseRegion.tables
    let kinds = tables.map { ($0, try? db.tableSchema($0).entry.kind) }
    readsView = kinds.contains { $0.1 == .view }
    let virtual = kinds.filter { if case .virtual? = $0.1 { true } else { false } }.map { $0.0 }
    if work.virtualScans.allSatisfy(\.isIndexed) { tables.subtract(virtual) }
    guard let scan = work.virtualScans.first else { return }
    let known = tables.map(\.name) + StatementTokens(sql).names
    let modules = Set(try String.fetchAll(db, sql: "SELECT lower(name) FROM pragma_module_list"))
    let functions = known.filter { modules.contains($0.lowercased()) || $0.lowercased().hasPrefix("pragma_") }
    function = functions.first { !RemoteGuard.isShortPragma($0) }
    // The function is called by a view.
    if functions.isEmpty, virtual.isEmpty { function = scan.name }
  }
}

extension StatementKind {
  /// Whether a statement scans whole tables, which its query plan does not show.
  fileprivate func goesThroughTables(_ sql: String) -> Bool {
    switch verb {
    case .vacuum, .reindex, .analyze: true
    case .create: StatementTokens(sql).hasKeyword(.index)
    case .alter: StatementTokens(sql).hasKeyword(.drop)
    case .pragma: RemoteGuard.isCheck(sql)
    default: false
    }
  }
}

extension StatementTokens {
  fileprivate func hasKeyword(_ keyword: Keyword) -> Bool { (0..<count).contains { self.keyword($0) == keyword } }

  /// All names in the statement, of tables and anything else.
  fileprivate var names: [String] { (0..<count).compactMap { plainName($0) } }
}

extension RowSet {
  fileprivate var isQuery: Bool { if case .query = source { true } else { false } }

  /// Whether more rows may have to be read than are displayed.
  ///
  /// A table without a filter or an order is read row by row.
  fileprivate func mayReadAll(in db: Database) throws -> Bool {
    if !condition.isEmpty || !order.isNatural { return true }
    switch source {
    case .table(let table):
      let schema = try db.tableSchema(table)
      return schema.entry.kind == .view && schema.sql.map(Self.mayReadAll) != false
    case .query(let sql, _): return Self.mayReadAll(sql)
    case .returned: return false
    }
  }

  private static func mayReadAll(_ sql: String) -> Bool {
    let tokens = StatementTokens(sql)
    let words: Set<Keyword?> = [.where, .group, .distinct, .order, .having, .union, .intersect, .except]
    return (0..<tokens.count).contains { tokens.isSymbol($0, "(") || words.contains(tokens.keyword($0)) }
  }
}
