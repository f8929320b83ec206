internal import QuarryEngine

/// What is known of a statement before any row is read: its plan, its tables, and the schema that a copy needs.
struct AdviceSubject: Sendable {
  let request: AdviceRequest
  let plan: [String]
  /// The tables that the statement reads.
  let tables: [TableSchema]
  /// The columns that the statement reads, of each table by its lowercased name.
  let columns: [String: Set<String>]
  /// The SQL of the tables, views and indexes, in the order of their creation.
  let definitions: [String]
  /// The results of ANALYZE, by the table that contains them.
  let statistics: [(table: String, rows: [Row])]
  let pageSize: Int
  let encoding: String
  /// The SQL of the views that the statement may read.
  let views: [String]

  /// - Throws: ``AdviceObstacle``, or `DatabaseError` if the statement does not compile.
  init(_ request: AdviceRequest, in database: Database) throws {
    self.request = request
    let kind = StatementKind(of: request.sql)
    let statement = try database.makeStatement(sql: request.sql)
    guard statement.isReadonly, !kind.isPragma, !kind.isExplanation, !kind.runsAlone else {
      throw AdviceObstacle("indexes are proposed only for statements that read rows")
    }
    guard StatementTokens(request.sql).parameters.isEmpty else {
      throw AdviceObstacle(
        "the statement has parameters: indexes can be tried for the rows that it returns, or with values in their places")
    }
    plan = try QueryPlan(of: "\(raw: request.sql)", in: database).details
    let names = try Self.tables(of: request.sql, in: database)
    tables = try names.map { try database.tableSchema(TableReference(name: $0)) }
    let read = try statement.databaseRegion.columns.map { ($0.key.name.asciiLowercased, $0.value) }
    columns = Dictionary(read, uniquingKeysWith: { $0.union($1) })
    (definitions, views) = try Self.definitions(in: database)
    statistics = try ["sqlite_stat1", "sqlite_stat4"].compactMap { table in
      guard try database.catalogContains(table) else { return nil }
      return (table, try Row.fetchAll(database, sql: "SELECT * FROM main.\(table)"))
    }
    pageSize = try Int.fetchOne(database, sql: "PRAGMA main.page_size") ?? 4096
    encoding = try String.fetchOne(database, sql: "PRAGMA main.encoding") ?? "UTF-8"
  }

  /// Returns the names of the tables whose pages a statement reads, or those of their indexes.
  ///
  ///     EXPLAIN SELECT … -- OpenRead: the root page and the number of the database
  private static func tables(of sql: String, in database: Database) throws -> [String] {
    let steps = try database.makeStatement(sql: "EXPLAIN \(sql)")
    var pages: [Int] = []
    while try steps.step() {
      switch try steps.columnText(at: 1) {
      case "OpenRead":
        guard try steps.columnInteger(at: 4) == 0 else { throw AdviceObstacle("the statement reads a table outside of the first file") }
        pages.append(Int(try steps.columnInteger(at: 3)))
      case "VOpen": throw AdviceObstacle("the statement reads a virtual table, which cannot be copied")
      default: break
      }
    }
    let list = "SELECT DISTINCT tbl_name FROM main.sqlite_schema WHERE rootpage IN (\(pages.map(String.init).joined(separator: ", ")))"
    return try String.fetchAll(database, sql: list).filter { !$0.asciiLowercased.hasPrefix("sqlite_") }
  }

  private static func definitions(in database: Database) throws -> (all: [String], views: [String]) {
    let sql = """
      SELECT type, sql FROM main.sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND (rootpage > 0 OR type = 'view')
      ORDER BY type = 'index', rowid
      """
    let rows = try Row.fetchAll(database, sql: sql)
    let texts = try rows.map { (kind: try $0.schemaText(at: 0), sql: try $0.schemaText(at: 1) ?? "") }
    return (texts.map(\.sql), texts.filter { $0.kind == "view" }.map(\.sql))
  }

  /// Whether SQLite reads rows that it does not need, or sorts.
  var isSlow: Bool { IndexAdvice.isNeeded(for: plan) }
}

extension Database {
  fileprivate func catalogContains(_ table: String) throws -> Bool {
    try Int.fetchOne(self, sql: "SELECT count(*) FROM main.sqlite_schema WHERE type = 'table' AND name = ?", arguments: [table]) == 1
  }
}

/// A rank of query plans: one that scans or sorts less is lower.
struct PlanCost: Comparable {
  private let scans: Int
  /// The number of columns by which indexes find rows.
  private let terms: Int

  init(_ details: [String]) {
    scans = details.reduce(0) { $0 + Self.cost(of: $1) }
    terms = details.reduce(0) { count, detail in count + detail.count { $0 == "?" } }
  }

  private static func cost(of detail: String) -> Int {
    if detail.contains("AUTOMATIC") { return 3 }
    if detail.hasPrefix("SCAN ") { return detail.contains(" USING COVERING INDEX ") ? 2 : detail.contains(" USING INDEX ") ? 1 : 3 }
    guard detail.contains("TEMP B-TREE") else { return 0 }
    return detail.contains("TERM") || detail.contains("PART OF") ? 1 : 2
  }

  static func < (left: PlanCost, right: PlanCost) -> Bool { (left.scans, -left.terms) < (right.scans, -right.terms) }

  /// Whether SQLite scans or sorts less than with another plan.
  func avoids(_ other: PlanCost) -> Bool { scans < other.scans }
}
