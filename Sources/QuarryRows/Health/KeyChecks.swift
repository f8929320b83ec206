internal import QuarryEngine

/// Finds tables without a key, and primary keys that contain NULL, which SQLite allows in rowid tables.
///
///     SELECT count(*) FROM main.t WHERE a IS NULL OR b IS NULL
struct KeyCheck: HealthCheck {
  let name = "keys"

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    try subject.tables.flatMap { table in
      try part(of: table.entry.reference.name, in: database) { try results(about: table, in: database) }
    }.orFine(name, "each table has a key")
  }

  private func results(about table: TableSchema, in database: Database) throws -> [HealthResult] {
    let object = table.entry.reference.name
    guard !table.primaryKey.isEmpty else {
      guard !table.indexes.contains(where: { $0.isUnique && !$0.isPartial }) else { return [] }
      return [HealthResult(name, object, .note, "has neither a PRIMARY KEY nor UNIQUE columns: only the rowid identifies its rows")]
    }
    let nullable = table.primaryKey.compactMap { table.column(named: $0) }.filter { $0.isNullable && !$0.isRowID }
    guard !nullable.isEmpty else { return [] }
    let condition = nullable.map { "\(identifier: $0.name) IS NULL" as SQLText }.joined(by: " OR ")
    let rows = nullable.map { "\(SQLIdentifier.quoted($0.name)) IS NULL" }.joined(separator: " OR ")
    let count = try database.healthCount("SELECT count(*) FROM \(table.entry.reference.sqlText) WHERE \(condition)")
    guard count > 0 else { return [] }
    return [
      HealthResult(
        name, object, .finding, "\(Plural.of(count, "row")) with NULL in the primary key (\(table.primaryKey.joined(separator: ", ")))",
        remedy: .rows("SELECT * FROM \(table.entry.reference.sql) WHERE \(rows)"))
    ]
  }
}

/// Finds indexes that repeat others: the same terms, or the beginning of the terms of another one.
struct RepeatedIndexCheck: HealthCheck {
  let name = "repeated_indexes"

  func results(about subject: HealthSubject, in database: Database) -> [HealthResult] {
    subject.tables.flatMap(results).orFine(name, "no index repeats another one")
  }

  private func results(about table: TableSchema) -> [HealthResult] {
    table.indexes.enumerated().compactMap { position, index in
      // An index of a constraint cannot be dropped, and a unique one has another purpose.
      guard index.origin == .createIndex, !index.isPartial, index.hasOnlyColumns else { return nil }
      let others = table.indexes.enumerated().filter { $0.offset != position && !$0.element.isPartial && $0.element.hasOnlyColumns }
      if !index.isUnique, index.terms.count == 1, let name = index.terms[0].column, table.column(named: name)?.isRowID == true {
        return result(index, .finding, "repeats the rowid, which is the primary key of \(table.entry.reference.name)")
      }
      let equal = others.first { offset, other in
        // Of two equal indexes, only the newer one is superfluous. SQLite lists it first.
        other.terms == index.terms && (index.isUnique ? other.isUnique : true)
          && (other.isUnique == index.isUnique && other.origin == .createIndex ? offset > position : true)
      }
      if let equal { return result(index, .finding, "has the same columns as \(equal.element.name)") }
      let longer = others.first { $0.element.terms.count > index.terms.count && $0.element.terms.starts(with: index.terms) }
      guard !index.isUnique, let longer else { return nil }
      return result(index, .note, "\(longer.element.name) begins with the same columns")
    }
  }

  private func result(_ index: IndexSchema, _ status: HealthResult.Status, _ text: String) -> HealthResult {
    HealthResult(name, index.name, status, text, remedy: .maintenance(.dropIndex(index.name)))
  }
}

extension IndexSchema {
  fileprivate var hasOnlyColumns: Bool { terms.allSatisfy { $0.column != nil } }
}
