internal import QuarryEngine

/// Counts the rows that violate CHECK constraints.
///
///     SELECT count(*) FROM main.player WHERE NOT (score > 0)
///
/// On a connection that only reads, SQLite ignores CHECK constraints, and so does integrity_check.
struct ConstraintCheck: HealthCheck {
  let name = "check_constraints"

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    try subject.tables.filter { $0.sql?.asciiLowercased.contains("check") == true }.flatMap { table in
      try part(of: table.entry.reference.name, in: database) { try violations(of: table.entry.reference, in: database) }
    }.orFine(name, "all rows satisfy the CHECK constraints")
  }

  private func violations(of table: TableReference, in database: Database) throws -> [HealthResult] {
    let definition: TableDefinition
    do {
      definition = try database.tableDefinition(table)
    } catch let error as DefinitionError {
      return [HealthResult(name, table.name, .note, "not checked: \(error)")]
    }
    return try Self.conditions(of: definition).flatMap { condition in
      try part(of: table.name, in: database) {
        // A comment at the end of the condition ends with its line.
        let sql: SQLText = "SELECT count(*) FROM \(table.sqlText) WHERE NOT (\(raw: condition)\n)"
        let count = try database.healthCount(sql)
        guard count > 0 else { return [] }
        let rows = "SELECT * FROM \(table.sql) WHERE NOT (\(condition)\n)"
        let text = "\(Plural.of(count, "row")) with CHECK (\(condition)) false"
        return [HealthResult(name, table.name, .finding, text, remedy: .rows(rows))]
      }
    }
  }

  /// Returns the conditions as written in the schema, which SQLite has parsed.
  private static func conditions(of definition: TableDefinition) -> [String] {
    let ofColumns = definition.columns.flatMap(\.constraints).compactMap { constraint -> String? in
      if case .check(let sql) = constraint.kind { sql } else { nil }
    }
    return ofColumns
      + definition.constraints.compactMap { constraint -> String? in
        if case .check(let sql) = constraint.kind { sql } else { nil }
      }
  }
}
