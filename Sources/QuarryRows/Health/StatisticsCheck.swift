internal import QuarryEngine

/// Compares the results of ANALYZE with the present number of rows.
///
///     SELECT tbl, idx, stat FROM main.sqlite_stat1
struct StatisticsCheck: HealthCheck {
  let name = "statistics"

  /// The number of rows that make statistics worthwhile.
  private static let largeTable = 10_000
  /// The smallest change of the number of rows that is a finding, if the number is three times as large or small.
  private static let smallestChange = 1_000

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    let hasStatistics = try database.healthCount("SELECT count(*) FROM main.sqlite_schema WHERE name = 'sqlite_stat1'") > 0
    let known = hasStatistics ? try analyzedRows(subject, in: database) : [:]
    return try subject.tables.flatMap { table in
      try part(of: table.entry.reference.name, in: database) {
        let analyzed = known[table.entry.reference.name.asciiLowercased]
        // Without an index there is nothing to choose.
        guard analyzed != nil || !table.indexes.isEmpty else { return [] }
        return result(table.entry.reference, analyzed, try database.rowCount(of: table.entry.reference)).map { [$0] } ?? []
      }
    }.orFine(name, hasStatistics ? "the results of ANALYZE match the numbers of rows" : "ANALYZE has not been run; no table is large")
  }

  private func result(_ table: TableReference, _ analyzed: Int?, _ rows: Int) -> HealthResult? {
    let remedy = HealthRemedy.maintenance(.analyze(table.name))
    guard let analyzed else {
      guard rows >= Self.largeTable else { return nil }
      return HealthResult(name, table.name, .note, "\(Plural.of(rows, "row")), and ANALYZE has not been run", remedy: remedy)
    }
    let (less, more) = (min(analyzed, rows), max(analyzed, rows))
    guard more - less >= Self.smallestChange, more >= 3 * less else { return nil }
    return HealthResult(
      name, table.name, .finding, "\(Plural.of(rows, "row")), and \(Plural.grouped(analyzed)) when ANALYZE was run", remedy: remedy)
  }

  /// Returns the numbers of rows that ANALYZE counted, by lowercase table name.
  private func analyzedRows(_ subject: HealthSubject, in database: Database) throws -> [String: Int] {
    let partial = Set(subject.tables.flatMap(\.indexes).filter(\.isPartial).map(\.name.asciiLowercased))
    var rows: [String: Int] = [:]
    let sql: SQLText =
      "SELECT CAST(tbl AS TEXT), coalesce(CAST(idx AS TEXT), ''), coalesce(CAST(stat AS TEXT), '') FROM main.sqlite_stat1 WHERE tbl <> ''"
    try database.scan(sql) { statement in
      let (table, index, numbers) = try (statement.columnText(at: 0), statement.columnText(at: 1), statement.columnText(at: 2))
      let first = numbers.split(separator: " ").first.flatMap { Int($0) }
      guard !partial.contains(index.asciiLowercased), let count = first else { return true }
      rows[table.asciiLowercased] = max(count, rows[table.asciiLowercased] ?? 0)
      return true
    }
    return rows
  }
}
