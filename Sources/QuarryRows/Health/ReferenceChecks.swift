internal import QuarryEngine

/// Finds rows that refer to missing rows.
///
///     SELECT parent, count(*), min(rowid) FROM pragma_foreign_key_check('Track', 'main') GROUP BY fkid
struct ReferenceCheck: HealthCheck {
  let name = "foreign_key_check"

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    let tables = subject.tables.filter { !$0.foreignKeys.isEmpty }
    return try tables.flatMap { table in
      try part(of: table.entry.reference.name, in: database) {
        // Every row violates a key without a referenced table, which another check reports.
        guard table.foreignKeys.allSatisfy({ ParentKeyCheck.fault(of: $0, in: subject) == nil }) else { return [] }
        return try orphans(of: table.entry.reference, in: database)
      }
    }.orFine(name, "no row of \(Plural.of(tables.count, "table")) with foreign keys refers to a missing row")
  }

  private func orphans(of table: TableReference, in database: Database) throws -> [HealthResult] {
    var results: [HealthResult] = []
    let sql: SQLText = """
      SELECT "parent", count(*), CAST(coalesce(min("rowid"), '') AS TEXT) FROM pragma_foreign_key_check(\(table.name), \(table.database)) \
      GROUP BY "fkid" ORDER BY "fkid"
      """
    try database.runUndivided {
      results = []
      try database.scan(sql) { statement in
        let (parent, count) = try (statement.columnText(at: 0), Int(statement.columnInteger(at: 1)))
        let first = try statement.columnText(at: 2)
        let place = first.isEmpty ? "" : ", first rowid \(first)"
        results.append(
          HealthResult(
            name, table.name, .finding, "\(Plural.of(count, "row")) without its row of \(parent)\(place)",
            remedy: "delete these rows or add the missing ones; PRAGMA foreign_key_check(\(SQLIdentifier.quoted(table.name))) lists them"))
        return true
      }
    }
    return results
  }
}

/// Finds foreign keys whose referenced table or unique key is missing, so that writes fail while foreign keys are enforced.
struct ParentKeyCheck: HealthCheck {
  let name = "parent_keys"

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    let keys = subject.tables.flatMap(\.foreignKeys)
    return subject.tables.flatMap { table in
      table.foreignKeys.compactMap { key in
        Self.fault(of: key, in: subject).map { fault in
          let object = "\(table.entry.reference.name)(\(key.columns.joined(separator: ", ")))"
          return HealthResult(name, object, .finding, fault.text, remedy: fault.remedy)
        }
      }
    }.orFine(name, "each of \(Plural.of(keys.count, "foreign key")) refers to a unique key")
  }

  /// Returns what is wrong with the referenced key; nil for a sound one.
  static func fault(of key: ForeignKeySchema, in subject: HealthSubject) -> (text: String, remedy: String)? {
    guard let parent = subject.table(key.table.name) else {
      // A virtual table or view can be referenced by name, but never has a key.
      return ("the referenced table \(key.table.name) does not exist", "create it, or remove the foreign key")
    }
    let columns = key.referencedColumns
    guard columns.count == key.columns.count, columns.allSatisfy({ parent.column(named: $0) != nil }) else {
      return ("\(key.table.name) has no such key", "name its columns in the foreign key")
    }
    guard !parent.isUnique(columns) else { return nil }
    let list = columns.map(SQLIdentifier.quoted).joined(separator: ", ")
    let name = SQLIdentifier.quoted(([key.table.name] + columns + ["key"]).joined(separator: "_"))
    return (
      "\(key.table.name)(\(columns.joined(separator: ", "))) is neither the primary key nor UNIQUE",
      "CREATE UNIQUE INDEX \(name) ON \(SQLIdentifier.quoted(key.table.name))(\(list))"
    )
  }
}

/// Finds foreign keys without an index, for which SQLite reads the whole table whenever a referenced row is deleted.
struct ReferenceIndexCheck: HealthCheck {
  let name = "foreign_key_indexes"

  /// The number of rows from which a scan is noticeable.
  static let largeTable = 10_000

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    try subject.tables.flatMap { table in
      try part(of: table.entry.reference.name, in: database) {
        let missing = try table.foreignKeys.compactMap { key in try suggestion(for: key, of: table, subject, database).map { (key, $0) } }
        guard !missing.isEmpty else { return [] }
        let rows = try database.rowCount(of: table.entry.reference)
        return missing.map { key, sql in
          HealthResult(
            name, "\(table.entry.reference.name)(\(key.columns.joined(separator: ", ")))", rows < Self.largeTable ? .note : .finding,
            "no index: deleting a row of \(key.table.name) reads \(Plural.of(rows, "row"))", remedy: sql)
        }
      }
    }.orFine(name, "each foreign key has an index")
  }

  private func suggestion(
    for key: ForeignKeySchema, of table: TableSchema, _ subject: HealthSubject, _ database: Database
  ) throws -> String? {
    guard ParentKeyCheck.fault(of: key, in: subject) == nil, let parent = subject.table(key.table.name) else { return nil }
    let columns = zip(key.columns, key.referencedColumns).map { name, referenced in
      let (own, other) = (table.column(named: name)?.collation, parent.column(named: referenced)?.collation)
      return ChildKey.Column(name: name, collation: own?.asciiLowercased == other?.asciiLowercased ? nil : other)
    }
    return try IndexSuggestion(for: ChildKey(table: table.entry.reference, columns: columns), in: database)?.sql
  }
}

extension TableSchema {
  /// Returns whether the primary key or a unique index consists of exactly these columns.
  fileprivate func isUnique(_ columns: [String]) -> Bool {
    let names = Set(columns.map(\.asciiLowercased))
    if Set(primaryKey.map(\.asciiLowercased)) == names { return true }
    return indexes.contains { index in
      index.isUnique && !index.isPartial && index.terms.count == names.count
        && Set(index.terms.compactMap { $0.column?.asciiLowercased }) == names
        && index.terms.allSatisfy { term in
          guard let name = term.column, let column = column(named: name) else { return false }
          return column.collation.isSameIdentifier(as: term.collation)
        }
    }
  }
}
