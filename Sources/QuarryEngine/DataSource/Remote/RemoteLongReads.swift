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
    /// Whether tables have more rows than the limit.
    var large: [TableReference: Bool] = [:]
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
    let found = try await link.schema().queue.read { db -> (sorts: Bool, tables: Set<TableReference>)? in
      guard try set.mayReadAll(in: db), let plan = try? ReadPlan(of: set, in: db), plan.kind == .scan || plan.sorts else { return nil }
      return (plan.sorts, try db.makeStatement(literal: set.sqlText).databaseRegion.tables)
    }
    for table in found?.tables ?? [] where try await isLarge(table, on: link) {
      let act = found?.sorts == true ? "sorts" : "reads"
      throw LongRead("\(act) more than \(Plural.grouped(limit)) rows of \(table.name) without an index")
    }
    allow(set)
  }

  /// Returns whether a table has more rows than the limit.
  ///
  ///     SELECT count(*) FROM (SELECT 1 FROM main.Track LIMIT 500001)
  private func isLarge(_ table: TableReference, on link: RemoteLink) async throws -> Bool {
    if let known = state.withLock({ $0.large[table] }) { return known }
    let kind = try await link.schema().queue.read { db in try? db.tableSchema(table).entry.kind }
    guard kind == .table else { return false }
    let sql: SQLText = "SELECT count(*) AS a FROM (SELECT 1 FROM \(table.sqlText) LIMIT \(raw: String(limit + 1)))"
    let count = try await link.rows(RemoteStatement(sql.sql), on: link.reading(.rows)).rows.first?.first?.integer ?? 0
    let isLarge = count > Int64(limit)
    state.withLock { $0.large[table] = isLarge }
    return isLarge
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
