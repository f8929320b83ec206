extension Database {
  /// All that the schema says of one table, virtual table or view.
  ///
  ///     PRAGMA main.table_list; PRAGMA main.table_xinfo(Track); PRAGMA main.index_list(Track); …
  ///
  /// Where SQLite cannot tell the columns (a module is missing, a view does not compile) they are empty and `problem` says why.
  ///
  /// - Throws: `DatabaseError`, with `no such table` where there is none of this name.
  public func tableSchema(_ reference: TableReference) throws -> TableSchema {
    let entry = try catalogEntry(of: reference)
    var schema = TableSchema(
      entry: entry, columns: [], primaryKey: [], foreignKeys: [], indexes: [], triggers: [],
      sql: try tableSQL(entry.reference))
    schema.triggers = try triggers(of: entry.reference)
    do {
      schema.indexes = try indexes(of: entry.reference)
      schema.columns = try columns(of: entry, indexes: schema.indexes)
      schema.primaryKey = primaryKeyColumns(schema.columns)
      schema.foreignKeys = try foreignKeys(of: entry.reference)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      schema.problem = entry.kind.problem(error)
    }
    schema.problem = try schema.problem ?? missingCollation(of: schema)
    if schema.problem == nil { try noteUnreadableColumns(of: &schema) }
    return schema
  }

  /// Says which columns cannot be computed here: those of functions that only the program that made the table has.
  private func noteUnreadableColumns(of schema: inout TableSchema) throws {
    guard try problem(ofReading: schema.columns.filter { $0.generation == .virtual }, of: schema.entry.reference) != nil else { return }
    for index in schema.columns.indices where schema.columns[index].generation == .virtual {
      schema.columns[index].problem = try problem(ofReading: [schema.columns[index]], of: schema.entry.reference)
    }
  }

  private func problem(ofReading columns: [ColumnSchema], of table: TableReference) throws -> String? {
    guard !columns.isEmpty else { return nil }
    let names = columns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
    do {
      _ = try makeStatement(sql: "SELECT \(names) FROM \(table.sql)")
      return nil
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      return error.sentence
    }
  }

  /// Says which collation is missing without which SQLite cannot read a table at all: one that the rows themselves are sorted by.
  private func missingCollation(of schema: TableSchema) throws -> String? {
    guard schema.entry.isWithoutRowID, let key = schema.indexes.first(where: { $0.origin == .primaryKey }) else { return nil }
    // Not PRAGMA collation_list, which has those too that are only named in the schema.
    guard let missing = key.terms.first(where: { !["BINARY", "NOCASE", "RTRIM"].contains($0.collation.uppercased()) }),
      (try? makeStatement(sql: "SELECT 1 FROM \(schema.entry.reference.sql)")) == nil
    else { return nil }
    return "no such collation sequence: \(missing.collation), by which its rows are sorted. Only the program that made the table reads it."
  }

  /// The names of a database's tables and views that resemble one, nearest first: to offer where there is no such table.
  public func tableNames(near reference: TableReference) throws -> [String] {
    NearestNames.to(reference.name, among: try catalogEntries(of: reference.database).map(\.reference.name))
  }

  private func catalogEntry(of reference: TableReference) throws -> CatalogEntry {
    let names = [reference.name, Self.currentNames[reference.name.lowercased()] ?? reference.name]
    let entries = try catalogEntries(of: reference.database)
    guard let entry = entries.first(where: { entry in names.contains { $0.isSameIdentifier(as: entry.reference.name) } }) else {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, "no such table: \(reference.name)")
    }
    return entry
  }

  /// What SQLite lists under another name than the one it was long known by.
  private static let currentNames = ["sqlite_master": "sqlite_schema", "sqlite_temp_master": "sqlite_temp_schema"]

  private func tableSQL(_ reference: TableReference) throws -> String? {
    let sql = "SELECT sql FROM \(reference.schemaTable) WHERE name = ? AND type IN ('table', 'view')"
    return try Row.fetchOne(self, sql: sql, arguments: [reference.name])?.schemaText(at: 0)
  }

  private func triggers(of reference: TableReference) throws -> [TriggerSchema] {
    let sql = "SELECT name, sql FROM \(reference.schemaTable) WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"
    return try Row.fetchAll(self, sql: sql, arguments: [reference.name]).map {
      try TriggerSchema(name: $0.schemaText(at: 0) ?? "", sql: $0.schemaText(at: 1) ?? "")
    }
  }

  private func columns(of entry: CatalogEntry, indexes: [IndexSchema]) throws -> [ColumnSchema] {
    let sql = "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?, ?)"
    let rows = try Row.fetchAll(self, sql: sql, arguments: [entry.reference.name, entry.reference.database])
    let keyLength = try rows.count { try ($0[4] as Int) > 0 }
    let hasRowIDKey = keyLength == 1 && !entry.isWithoutRowID && !indexes.contains { $0.origin == .primaryKey }
    return try rows.map { try ColumnSchema($0, of: entry, hasRowIDKey: hasRowIDKey) }
  }

  private func primaryKeyColumns(_ columns: [ColumnSchema]) -> [String] {
    columns.filter { $0.primaryKeyPlace != nil }.sorted { $0.primaryKeyPlace ?? 0 < $1.primaryKeyPlace ?? 0 }.map(\.name)
  }
}

extension TableReference {
  /// The table of its database that holds the schema.
  var schemaTable: String {
    "\(SQLIdentifier.quoted(database)).sqlite_schema"
  }
}

extension ColumnSchema {
  /// - Parameter hasRowIDKey: whether the one column of the primary key may be the rowid: no index serves the key.
  fileprivate init(_ row: Row, of entry: CatalogEntry, hasRowIDKey: Bool) throws {
    let type = try row.schemaText(at: 1) ?? ""
    let place: Int = try row[4]
    let hidden: Int = try row[5]
    let isNotNull: Bool = try row[2]
    let isRowID = hasRowIDKey && place > 0 && type.isSameIdentifier(as: "INTEGER")
    try self.init(
      name: row.schemaText(at: 0) ?? "",
      declaredType: type,
      affinity: Affinity(declaredType: type, isStrict: entry.isStrict),
      isNullable: !isNotNull && !isRowID && !(entry.isWithoutRowID && place > 0),
      defaultSQL: row.schemaText(at: 3),
      generation: [2: .virtual, 3: .stored][hidden],
      isHidden: hidden == 1,
      primaryKeyPlace: place > 0 ? place : nil,
      isRowID: isRowID)
  }
}

extension CatalogEntry.Kind {
  /// Why SQLite cannot tell the columns, with what that means for a view.
  fileprivate func problem(_ error: DatabaseError) -> String {
    self == .view ? "the view does not work: \(error.sentence)" : error.sentence
  }
}
