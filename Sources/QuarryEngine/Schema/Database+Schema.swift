extension Database {
  /// Reads the databases of this connection and the names of their tables and views.
  ///
  ///     PRAGMA database_list
  ///     PRAGMA main.table_list
  ///
  /// A virtual table whose module is missing and a view that does not compile are listed, without a number of columns.
  ///
  /// - Throws: `DatabaseError` if the schema itself cannot be read.
  public func catalog() throws -> Catalog {
    let databases = try Row.fetchAll(self, sql: "PRAGMA database_list")
    return try Catalog(
      databases: databases.map { row in
        let name: String = try row[1]
        // A path need not be UTF-8.
        let path = try row.bytes(at: 2) ?? []
        return try CatalogDatabase(name: name, path: path.isEmpty ? nil : PathText.text(path), entries: schemaListing(of: name).entries)
      })
  }
}

extension Database {
  /// Reads the schema of a table, virtual table or view.
  ///
  ///     PRAGMA main.table_list; PRAGMA main.table_xinfo(Track); PRAGMA main.index_list(Track); …
  ///
  /// If SQLite cannot list the columns (a module is missing, a view does not compile), they are empty, and `problem` contains the reason.
  ///
  /// - Throws: `DatabaseError`, with `no such table` if no table has this name.
  public func tableSchema(_ reference: TableReference) throws -> TableSchema {
    let listing = try schemaListing(of: reference.database, about: reference.name)
    guard let (entry, objects) = listing[reference.name] else {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, "no such table: \(reference.name)")
    }
    var schema = TableSchema(
      entry: entry, columns: [], primaryKey: [], foreignKeys: [], indexes: [], triggers: objects.triggers, sql: objects.sql)
    schema.ignoredSQLCount = objects.ignoredSQLCount
    do {
      schema.indexes = try indexes(of: entry.reference, objects)
      schema.columns = try columns(of: entry, indexes: schema.indexes)
      noteCollations(of: &schema)
      schema.primaryKey = primaryKeyColumns(schema.columns)
      schema.foreignKeys = try ForeignKeySchema.all(of: entry.reference, in: self)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      schema.problem = entry.kind.problem(error)
    }
    schema.problem = try schema.problem ?? missingCollation(of: schema)
    if schema.problem == nil { try noteUnreadableColumns(of: &schema) }
    return schema
  }

  /// Adds the collations of columns if any is declared, because SQLite searches all columns for each one.
  private func noteCollations(of schema: inout TableSchema) {
    guard schema.sql?.asciiLowercased.contains("collate") == true else { return }
    for index in schema.columns.indices {
      if let name = collation(ofColumn: schema.columns[index].name, in: schema.entry.reference) { schema.columns[index].collation = name }
    }
  }

  /// Marks columns that cannot be computed here, because their functions exist only in the program that created the table.
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

  /// Returns a message about a missing collation without which SQLite cannot read a table at all, because its rows are sorted by it.
  ///
  /// Returns nil if no such collation is missing.
  private func missingCollation(of schema: TableSchema) throws -> String? {
    guard schema.entry.isWithoutRowID, let key = schema.indexes.first(where: { $0.origin == .primaryKey }) else { return nil }
    // Not PRAGMA collation_list, which also lists collations that are only named in the schema.
    guard let missing = key.terms.first(where: { !["BINARY", "NOCASE", "RTRIM"].contains($0.collation.uppercased()) }),
      (try? makeStatement(sql: "SELECT 1 FROM \(schema.entry.reference.sql)")) == nil
    else { return nil }
    return "no such collation sequence: \(missing.collation), which sorts its rows. Only the program that created the table can read it."
  }

  /// Returns the names of a database's tables and views similar to a name, most similar first, as suggestions for a missing table.
  package func tableNames(near reference: TableReference) throws -> [String] {
    NearestNames.to(reference.name, among: try schemaListing(of: reference.database).entries.map(\.reference.name))
  }

  /// Returns the foreign keys in the same database that refer to a table, including its own.
  ///
  /// ```swift
  /// try db.references(to: TableReference(name: "Track")).map(\.table.name)  // ["InvoiceLine", "PlaylistTrack"]
  /// ```
  ///
  /// - Throws: ``DatabaseError`` if the schema cannot be read.
  public func references(to reference: TableReference) throws -> [InboundReference] {
    try InboundReference.all(to: reference, in: self)
  }

  private func columns(of entry: CatalogEntry, indexes: [IndexSchema]) throws -> [ColumnSchema] {
    let sql = "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?, ?)"
    let rows = try Row.fetchAll(self, sql: sql, arguments: [entry.reference.name, entry.reference.database])
    let keyLength = try rows.count { try ($0[4] as Int) > 0 }
    let hasRowIDKey = keyLength == 1 && !entry.isWithoutRowID && !indexes.contains { $0.origin == .primaryKey }
    return try rows.map { try ColumnSchema($0, of: entry, hasRowIDKey: hasRowIDKey) }
  }

  private func primaryKeyColumns(_ columns: [ColumnSchema]) -> [String] {
    columns.filter { $0.primaryKeyPosition != nil }.sorted { $0.primaryKeyPosition ?? 0 < $1.primaryKeyPosition ?? 0 }.map(\.name)
  }
}

extension TableReference {
  /// The schema table of its database.
  package var schemaTable: String {
    "\(SQLIdentifier.quoted(database)).sqlite_schema"
  }
}

extension ColumnSchema {
  /// Reads a column.
  ///
  /// - Parameter hasRowIDKey: Whether the only column of the primary key may be the rowid, because the key has no index.
  fileprivate init(_ row: Row, of entry: CatalogEntry, hasRowIDKey: Bool) throws {
    let type = try row.schemaText(at: 1) ?? ""
    let position: Int = try row[4]
    let hidden: Int = try row[5]
    let isNotNull: Bool = try row[2]
    let isRowID = hasRowIDKey && position > 0 && type.isSameIdentifier(as: "INTEGER")
    try self.init(
      name: row.schemaText(at: 0) ?? "",
      declaredType: type,
      affinity: Affinity(declaredType: type, isStrict: entry.isStrict),
      isNullable: !isNotNull && !isRowID && !(entry.isWithoutRowID && position > 0),
      defaultSQL: row.schemaText(at: 3),
      generation: [2: .virtual, 3: .stored][hidden],
      isHidden: hidden == 1,
      primaryKeyPosition: position > 0 ? position : nil,
      isRowID: isRowID)
  }
}

extension CatalogEntry.Kind {
  /// Returns the reason why SQLite cannot list the columns, with an explanation for a view.
  fileprivate func problem(_ error: DatabaseError) -> String {
    self == .view ? "the view does not work: \(error.sentence)" : error.sentence
  }
}

extension Database {
  /// Reads the indexes of a table, in the order in which SQLite lists them.
  ///
  ///     PRAGMA main.index_list(Track); PRAGMA main.index_xinfo(IFK_TrackAlbumId)
  private func indexes(of reference: TableReference, _ objects: SchemaListing.Objects) throws -> [IndexSchema] {
    let sql = "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?, ?) ORDER BY seq"
    return try Row.fetchAll(self, sql: sql, arguments: [reference.name, reference.database]).map { row in
      let name = try row.schemaText(at: 0) ?? ""
      return try IndexSchema(
        name: name,
        isUnique: row[1],
        isPartial: row[3],
        origin: IndexSchema.Origin(row[2]),
        terms: indexTerms(name, in: reference.database),
        sql: objects.indexes[IdentifierKey(name)])
    }
  }

  private func indexTerms(_ index: String, in database: String) throws -> [IndexSchema.Term] {
    let sql = "SELECT name, desc, coll FROM pragma_index_xinfo(?, ?) WHERE key ORDER BY seqno"
    return try Row.fetchAll(self, sql: sql, arguments: [index, database]).map { row in
      try IndexSchema.Term(column: row.schemaText(at: 0), isDescending: row[1], collation: row.schemaText(at: 2) ?? "BINARY")
    }
  }
}

extension IndexSchema.Origin {
  fileprivate init(_ letters: String) {
    switch letters {
    case "pk": self = .primaryKey
    case "u": self = .uniqueConstraint
    default: self = .createIndex
    }
  }
}

extension Row {
  /// Returns a text of the schema for display; invalid UTF-8 is replaced by U+FFFD, so that one invalid text does not hide the rest.
  ///
  /// - Throws: The same errors as ``bytes(at:)``.
  package func schemaText(at index: Int) throws -> String? {
    try bytes(at: index).map { String(decoding: $0, as: UTF8.self) }
  }
}
