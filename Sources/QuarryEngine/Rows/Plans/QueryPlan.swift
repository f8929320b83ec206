/// The result of EXPLAIN QUERY PLAN.
struct QueryPlan: Hashable, Sendable {
  /// The details of its steps, as SQLite words them.
  var details: [String]

  /// - Throws: `DatabaseError` where the statement does not compile.
  init(of sql: SQLText, in database: Database) throws {
    let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql.sql)")
    details = []
    while try statement.step() {
      try details.append(statement.columnText(at: 3))
    }
  }

  /// Whether SQLite sorts all rows, so that it has to read every one before it yields the first.
  ///
  /// Where an index gives the first keys of the order, only rows that are equal in these are sorted, run by run.
  var sorts: Bool { details.contains { $0.contains("TEMP B-TREE FOR ORDER BY") } }

  /// Whether SQLite goes through a table itself, and not through an index.
  var scansTable: Bool { details.contains { $0.hasPrefix("SCAN ") && !$0.contains(" USING ") } }
}
