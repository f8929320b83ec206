internal import Synchronization

/// What has to be asked before a server is given a statement that may take long, since nothing ends it there.
public struct LongRead: Error, Hashable, CustomStringConvertible {
  /// What the server would do, which cannot be stopped meanwhile: `reads more than 500,000 rows of Track without an index`.
  public var act: String
  public var description: String { "The server \(act)" }

  /// Makes a question of what the server would do.
  public init(_ act: String) {
    self.act = act
  }
}

/// Which rows a server may take long for, because a person has said so.
final class RemoteLongReads: Sendable {
  /// The number of rows up to which a table may be looked through without a question.
  let limit: Int
  private let state = Mutex(State())

  private struct State {
    /// The sets that may be read.
    var allowed: Set<RowSet> = []
    /// How many rows tables have; one more than the limit stands for more than that.
    var counts: [TableReference: Int] = [:]
  }

  init(limit: Int) {
    self.limit = limit
  }

  /// Lets the rows of a set be read however long that takes.
  func allow(_ set: RowSet) { state.withLock { _ = $0.allowed.insert(set) } }

  /// Checks that the first rows of a set come soon, or may take long.
  ///
  /// - Throws: ``LongRead`` where that has to be asked.
  func check(_ set: RowSet, on link: RemoteLink) async throws {
    guard !state.withLock({ $0.allowed.contains(set) }) else { return }
    let found = try await link.schema().queue.read { db -> Found? in
      guard try set.mayReadAll(in: db), let plan = try? ReadPlan(of: set, in: db), plan.kind == .scan || plan.sorts else { return nil }
      let steps = try PlanStep.plan(of: set.sqlText.sql, in: db)
      return Found(
        tables: try db.makeStatement(literal: set.sqlText).databaseRegion.tables, work: StatementWork(steps), sorts: plan.sorts)
    }
    if let found { try await check(found, on: link) }
    allow(set)
  }

  /// Checks that a statement is soon done that writes, or may take long.
  ///
  /// - Throws: ``LongRead`` where that has to be asked.
  func checkChange(_ sql: String, on link: RemoteLink) async throws {
    let found = try await link.schema().queue.read { db -> Found? in
      // What it takes for granted may have to be made first, by statements before it.
      guard let statement = try? db.makeStatement(sql: sql), !statement.isExplanation else { return nil }
      return Found(tables: try statement.databaseRegion.tables, work: StatementWork(try PlanStep.plan(of: sql, in: db)), sorts: false)
    }
    if let found, found.work.isRecursive || !found.work.nests.isEmpty { try await check(found, on: link) }
  }

  /// What a plan tells.
  private struct Found: Sendable {
    var tables: Set<TableReference>
    var work: StatementWork
    var sorts: Bool
  }

  private func check(_ found: Found, on link: RemoteLink) async throws {
    if found.work.isRecursive { throw LongRead("repeats the recursive part of the query for as long as that yields rows") }
    var counts: [(table: TableReference, rows: Int)] = []
    for table in found.tables.sorted(by: { $0.name < $1.name }) { counts.append((table, try await count(of: table, on: link))) }
    let large = counts.first { $0.rows > limit }
    try checkProducts(found.work, largest: counts.map(\.rows).max() ?? 0, large?.table)
    guard let large else { return }
    let act = found.sorts ? "sorts" : "reads"
    throw LongRead("\(act) more than \(Plural.grouped(limit)) rows of \(large.table.name) without an index")
  }

  /// Checks that no nest of loops goes through too many combinations of rows.
  ///
  /// - Parameter largest: The rows of the largest table: which one a loop goes through is not always told.
  private func checkProducts(_ work: StatementWork, largest: Int, _ large: TableReference?) throws {
    for nest in work.nests where nest > 1 {
      let count = Self.power(largest, nest)
      guard count.map({ $0 > limit }) ?? true else { continue }
      if let large {
        throw LongRead(
          "goes through all combinations of rows of its tables, since no index joins them, and \(large.name) has more than "
            + "\(Plural.grouped(limit)) rows")
      }
      let many = count.map { "up to \(Plural.grouped($0))" } ?? "a great many"
      throw LongRead("goes through \(many) combinations of rows, since no index joins them")
    }
  }

  /// Returns how many combinations of so many rows there are; nil for more than can be counted.
  private static func power(_ rows: Int, _ loops: Int) -> Int? {
    var product = 1
    for _ in 0..<loops {
      let (next, overflows) = product.multipliedReportingOverflow(by: rows)
      if overflows { return nil }
      product = next
    }
    return product
  }

  /// Returns how many rows a table has, up to one more than the limit.
  ///
  ///     SELECT count(*) FROM (SELECT 1 FROM main.Track LIMIT 500001)
  private func count(of table: TableReference, on link: RemoteLink) async throws -> Int {
    if let known = state.withLock({ $0.counts[table] }) { return known }
    let kind = try await link.schema().queue.read { db in try? db.tableSchema(table).entry.kind }
    guard kind == .table else { return 0 }
    let sql: SQLText = "SELECT count(*) AS a FROM (SELECT 1 FROM \(table.sqlText) LIMIT \(raw: String(limit + 1)))"
    let count = try await link.rows(RemoteStatement(sql.sql), on: link.reading(.rows)).rows.first?.first?.integer ?? 0
    state.withLock { $0.counts[table] = Int(count) }
    return Int(count)
  }
}

extension RowSet {
  /// Whether more rows may have to be read than are shown: a table is read row by row where nothing narrows or sorts it.
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
