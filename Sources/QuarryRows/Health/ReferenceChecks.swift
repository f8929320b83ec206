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
        return try orphans(of: table, in: database)
      }
    }.orFine(name, tables.isEmpty ? "no table has a foreign key" : "no row refers to a missing row")
  }

  private func orphans(of table: TableSchema, in database: Database) throws -> [HealthResult] {
    var results: [HealthResult] = []
    let (name, reference) = (table.entry.reference.name, table.entry.reference)
    let sql: SQLText = """
      SELECT "parent", count(*), CAST(coalesce(min("rowid"), '') AS TEXT), "fkid" \
      FROM pragma_foreign_key_check(\(name), \(reference.database)) GROUP BY "fkid" ORDER BY "fkid"
      """
    try database.runUndivided {
      results = []
      try database.scan(sql) { statement in
        let (parent, count) = try (statement.columnText(at: 0), Int(statement.columnInteger(at: 1)))
        let first = try statement.columnText(at: 2)
        let place = first.isEmpty ? "" : ", first rowid \(first)"
        // SQLite numbers the keys of a table from the last to the first.
        let key = table.foreignKeys.count - 1 - Int(try statement.columnInteger(at: 3))
        let rows = table.foreignKeys.indices.contains(key) ? table.foreignKeys[key].orphansSQL(of: reference) : nil
        let text = "\(Plural.of(count, "row")) without its row of \(parent)\(place)"
        results.append(HealthResult(self.name, name, .finding, text, remedy: rows.map(HealthRemedy.rows)))
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
    }.orFine(name, keys.isEmpty ? "no table has a foreign key" : "\(Plural.of(keys.count, "foreign key")), and each refers to a unique key")
  }

  /// Returns what is wrong with the referenced key; nil for a sound one.
  static func fault(of key: ForeignKeySchema, in subject: HealthSubject) -> (text: String, remedy: HealthRemedy)? {
    guard let parent = subject.table(key.table.name) else {
      // A virtual table or view can be referenced by name, but never has a key.
      return ("the referenced table \(key.table.name) does not exist", .advice("create it, or remove the foreign key"))
    }
    let columns = key.referencedColumns
    guard columns.count == key.columns.count, columns.allSatisfy({ parent.column(named: $0) != nil }) else {
      return ("\(key.table.name) has no such key", .advice("name its columns in the foreign key"))
    }
    guard !parent.isUnique(columns) else { return nil }
    let list = columns.map(SQLIdentifier.quoted).joined(separator: ", ")
    let name = SQLIdentifier.quoted(([key.table.name] + columns + ["key"]).joined(separator: "_"))
    return (
      "\(key.table.name)(\(columns.joined(separator: ", "))) is neither the primary key nor UNIQUE",
      .maintenance(.createIndex(sql: "CREATE UNIQUE INDEX \(name) ON \(SQLIdentifier.quoted(key.table.name))(\(list))"))
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
            "no index: deleting a row of \(key.table.name) reads \(Plural.of(rows, "row"))",
            remedy: .maintenance(.createIndex(sql: sql)))
        }
      }
    }.orFine(name, "no foreign key lacks an index")
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

extension ForeignKeySchema {
  /// Returns a SELECT of the rows that refer to missing rows.
  fileprivate func orphansSQL(of child: TableReference) -> String {
    let present = columns.map { "child.\(SQLIdentifier.quoted($0)) IS NOT NULL" }
    let equal = zip(referencedColumns, columns).map { "parent.\(SQLIdentifier.quoted($0)) = child.\(SQLIdentifier.quoted($1))" }
    return "SELECT * FROM \(child.sql) AS child WHERE \(present.joined(separator: " AND ")) AND NOT EXISTS "
      + "(SELECT 1 FROM \(table.sql) AS parent WHERE \(equal.joined(separator: " AND ")))"
  }
}
