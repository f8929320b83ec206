internal import QuarryEngine

/// Finds indexes that no earlier statement uses, of tables that some statement reads.
///
///     EXPLAIN QUERY PLAN SELECT …   -- SEARCH Track USING INDEX IFK_TrackAlbumId (AlbumId=?)
struct UnusedIndexCheck: HealthCheck {
  /// The statements that ran in this database, the newest first.
  let statements: [String]

  let name = "unused_indexes"

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    guard !statements.isEmpty else { return [HealthResult(name, nil, .ok, "the history has no statement of this database")] }
    let used = try UsedIndexes(by: statements, in: database)
    return subject.tables.flatMap { table -> [HealthResult] in
      let count = used.tables[table.entry.reference.name.asciiLowercased] ?? 0
      guard count > 0 else { return [] }
      return table.indexes.filter { isUnused($0, of: table, used) }.map { index in
        let history = "none of the \(Plural.of(count, "statement")) in Quarry's history that read \(table.entry.reference.name) uses it"
        return HealthResult(name, index.name, .note, "\(history); other programs may", remedy: .maintenance(.dropIndex(index.name)))
      }
    }.orFine(name, "the history uses each index of the tables that it reads")
  }

  private func isUnused(_ index: IndexSchema, of table: TableSchema, _ used: UsedIndexes) -> Bool {
    index.origin == .createIndex && !index.isUnique && !used.indexes.contains(index.name.asciiLowercased)
      && !table.foreignKeys.contains { key in
        Set(index.terms.prefix(key.columns.count).compactMap { $0.column?.asciiLowercased }) == Set(key.columns.map(\.asciiLowercased))
      }
  }
}

/// The indexes and tables that the plans of statements name.
private struct UsedIndexes {
  var indexes: Set<String> = []
  /// The number of statements that read each table.
  var tables: [String: Int] = [:]

  /// The maximum number of statements to compile.
  private static let limit = 500

  init(by statements: [String], in database: Database) throws {
    for sql in statements.prefix(Self.limit) {
      try database.cancellation?.check()
      // A statement of another time may name tables that no longer exist.
      guard let region = try? database.makeStatement(sql: sql).databaseRegion, let plan = try? database.plan(ofKnown: sql) else { continue }
      for name in Set(region.tables.map(\.name.asciiLowercased)) { tables[name, default: 0] += 1 }
      for detail in plan.details {
        guard let range = detail.firstRange(of: "INDEX ") else { continue }
        let name = detail[range.upperBound...]
        indexes.insert(String(name[..<(name.firstRange(of: " (")?.lowerBound ?? name.endIndex)]).asciiLowercased)
      }
    }
  }
}

extension Database {
  /// Requests the query plan of a statement that has been compiled before.
  fileprivate func plan(ofKnown sql: String) throws -> QueryPlan {
    var text = SQLText()
    text.raw(sql)
    return try QueryPlan(of: text, in: self)
  }
}
