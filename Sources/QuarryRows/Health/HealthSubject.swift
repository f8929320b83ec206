internal import QuarryEngine

/// The schema of the database to check.
struct HealthSubject: Sendable {
  /// The ordinary tables, without SQLite's own and those of virtual tables.
  let tables: [TableSchema]
  /// The tables, virtual tables and views that SQLite cannot compile, with the reasons.
  let broken: [TableSchema]

  init(in database: Database) throws {
    let entries = try database.catalog().databases.first { $0.name == "main" }?.entries ?? []
    var (tables, broken): ([TableSchema], [TableSchema]) = ([], [])
    for entry in entries where entry.kind != .system {
      try database.giveWay()
      let schema = try database.tableSchema(entry.reference)
      if schema.problem != nil { broken.append(schema) } else if entry.kind == .table { tables.append(schema) }
    }
    (self.tables, self.broken) = (tables, broken)
  }

  /// Returns the table with this name.
  func table(_ name: String) -> TableSchema? {
    tables.first { $0.entry.reference.name.isSameIdentifier(as: name) }
  }
}

extension Database {
  /// Reads one integer with a statement that cannot be divided.
  func healthCount(_ sql: SQLText) throws -> Int {
    var count = 0
    try runUndivided {
      try scan(sql) { statement in
        count = Int(try statement.columnInteger(at: 0))
        return false
      }
    }
    return count
  }

  /// Counts the rows of a table.
  ///
  ///     SELECT count(*) FROM main.Track
  func rowCount(of table: TableReference) throws -> Int {
    try healthCount("SELECT count(*) FROM \(table.sqlText)")
  }
}

extension [HealthResult] {
  /// The results, or one that says that there is nothing to report.
  func orFine(_ check: String, _ text: @autoclosure () -> String) -> [HealthResult] {
    isEmpty ? [HealthResult(check, nil, .ok, text())] : self
  }
}
