extension Database {
  /// Reads the databases of this connection and the names of what lies in them.
  ///
  ///     PRAGMA database_list
  ///     PRAGMA main.table_list
  ///
  /// A virtual table whose module is missing and a view that does not compile are listed, without a number of columns.
  ///
  /// - Throws: `DatabaseError` where the schema itself cannot be read.
  public func catalog() throws -> Catalog {
    let databases = try Row.fetchAll(self, sql: "PRAGMA database_list")
    return try Catalog(
      databases: databases.map { row in
        let name: String = try row[1]
        // A path need not be UTF-8.
        let path = try row.bytes(at: 2) ?? []
        return try CatalogDatabase(name: name, path: path.isEmpty ? nil : PathText.text(path), entries: catalogEntries(of: name))
      })
  }

  /// Reads the tables, virtual tables and views of one database, by name without regard to case.
  private func catalogEntries(of database: String) throws -> [CatalogEntry] {
    let listed = try Row.fetchAll(self, sql: "PRAGMA \(SQLIdentifier.quoted(database)).table_list").filter {
      try ($0[0] as String).isSameIdentifier(as: database)
    }
    let virtualTables = try listed.contains { try ($0[2] as String) == "virtual" } ? virtualTableModules(of: database) : [:]
    return
      try listed
      .map { try catalogEntry($0, virtualTables: virtualTables) }
      .sorted { ($0.reference.name.lowercased(), $0.reference.name) < ($1.reference.name.lowercased(), $1.reference.name) }
  }

  private func catalogEntry(_ row: Row, virtualTables: [String: String]) throws -> CatalogEntry {
    let reference = try TableReference(database: row[0], name: row.schemaText(at: 1) ?? "")
    let type: String = try row[2]
    let listedCount: Int = try row[3]
    let isKnown = listedCount > 0 || type == "table" || type == "shadow"
    return try CatalogEntry(
      reference: reference,
      kind: CatalogEntry.Kind(type: type, name: reference.name, virtualTables: virtualTables),
      isWithoutRowID: row[4],
      isStrict: row[5],
      columnCount: isKnown ? listedCount : columnCount(of: reference))
  }

  /// Reads the names of a database's virtual tables, with their modules.
  private func virtualTableModules(of database: String) throws -> [String: String] {
    let sql = """
      SELECT name, sql FROM \(SQLIdentifier.quoted(database)).sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE %'
      """
    return try Dictionary(
      Row.fetchAll(self, sql: sql).map { row in
        try (row.schemaText(at: 0) ?? "", row.schemaText(at: 1).flatMap(VirtualTableSyntax.init)?.module ?? "")
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Reads the number of columns that SQLite finds when asked for this table alone: one view that does not compile makes
  /// `PRAGMA table_list` leave out the columns of others.
  private func columnCount(of reference: TableReference) -> Int? {
    let sql = "SELECT count(*) FROM pragma_table_xinfo(?, ?)"
    let count = try? Int.fetchOne(self, sql: sql, arguments: [reference.name, reference.database])
    return count == 0 ? nil : count
  }
}

extension CatalogEntry.Kind {
  /// Reads the kind of a catalog entry.
  ///
  /// - Parameter type: `table`, `view`, `virtual` or `shadow`, as `PRAGMA table_list` says.
  init(type: String, name: String, virtualTables: [String: String]) {
    switch type {
    case "view":
      self = .view
    case "virtual":
      self = .virtual(module: virtualTables[name] ?? "")
    case "shadow":
      let owners = virtualTables.keys.filter { name.lowercased().hasPrefix($0.lowercased() + "_") }
      self = owners.max { $0.utf8.count < $1.utf8.count }.map { .shadow(of: $0) } ?? .table
    default:
      self = name.lowercased().hasPrefix("sqlite_") ? .system : .table
    }
  }
}

extension Database {
  /// Reads all that the schema says of one table, virtual table or view.
  ///
  ///     PRAGMA main.table_list; PRAGMA main.table_xinfo(Track); PRAGMA main.index_list(Track); …
  ///
  /// Where SQLite cannot tell the columns (a module is missing, a view does not compile) they are empty and `problem` says why.
  ///
  /// - Throws: `DatabaseError`, with `no such table` where there is none of this name.
  public func tableSchema(_ reference: TableReference) throws -> TableSchema {
    let entry = try catalogEntry(of: reference)
    var ignoredCount = 0
    var schema = TableSchema(
      entry: entry, columns: [], primaryKey: [], foreignKeys: [], indexes: [], triggers: [],
      sql: try tableSQL(entry.reference, ignored: &ignoredCount))
    schema.triggers = try triggers(of: entry.reference, ignored: &ignoredCount)
    do {
      schema.indexes = try indexes(of: entry.reference, ignored: &ignoredCount)
      schema.columns = try columns(of: entry, indexes: schema.indexes)
      noteCollations(of: &schema)
      schema.primaryKey = primaryKeyColumns(schema.columns)
      schema.foreignKeys = try ForeignKeySchema.all(of: entry.reference, in: self)
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      schema.problem = entry.kind.problem(error)
    }
    schema.ignoredSQLCount = ignoredCount
    schema.problem = try schema.problem ?? missingCollation(of: schema)
    if schema.problem == nil { try noteUnreadableColumns(of: &schema) }
    return schema
  }

  /// Adds the collations of columns, where any is declared: SQLite looks for each column among all.
  private func noteCollations(of schema: inout TableSchema) {
    guard schema.sql?.asciiLowercased.contains("collate") == true else { return }
    for index in schema.columns.indices {
      if let name = collation(ofColumn: schema.columns[index].name, in: schema.entry.reference) { schema.columns[index].collation = name }
    }
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

  /// Returns the names of a database's tables and views that resemble one, nearest first: to offer where there is no such table.
  public func tableNames(near reference: TableReference) throws -> [String] {
    NearestNames.to(reference.name, among: try catalogEntries(of: reference.database).map(\.reference.name))
  }

  /// Returns the foreign keys of other tables, and of the table itself, in the same database that refer to a table.
  ///
  /// ```swift
  /// try db.references(to: TableReference(name: "Track")).map(\.table.name)  // ["InvoiceLine", "PlaylistTrack"]
  /// ```
  ///
  /// - Throws: ``DatabaseError`` where the schema cannot be read.
  public func references(to reference: TableReference) throws -> [InboundReference] {
    try InboundReference.all(to: reference, in: self)
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

  private func tableSQL(_ reference: TableReference, ignored: inout Int) throws -> String? {
    let sql = "SELECT sql FROM \(reference.schemaTable) WHERE name = ? AND type IN ('table', 'view')"
    return try Row.fetchOne(self, sql: sql, arguments: [reference.name])?.schemaSQL(at: 0, ignored: &ignored)
  }

  private func triggers(of reference: TableReference, ignored: inout Int) throws -> [TriggerSchema] {
    let sql = "SELECT name, sql FROM \(reference.schemaTable) WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"
    return try Row.fetchAll(self, sql: sql, arguments: [reference.name]).map {
      try TriggerSchema(name: $0.schemaText(at: 0) ?? "", sql: $0.schemaSQL(at: 1, ignored: &ignored) ?? "")
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
    columns.filter { $0.primaryKeyPosition != nil }.sorted { $0.primaryKeyPosition ?? 0 < $1.primaryKeyPosition ?? 0 }.map(\.name)
  }
}

extension TableReference {
  /// The table of its database that holds the schema.
  var schemaTable: String {
    "\(SQLIdentifier.quoted(database)).sqlite_schema"
  }
}

extension ColumnSchema {
  /// Reads a column.
  ///
  /// - Parameter hasRowIDKey: whether the one column of the primary key may be the rowid: no index serves the key.
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
  /// Returns why SQLite cannot tell the columns, with what that means for a view.
  fileprivate func problem(_ error: DatabaseError) -> String {
    self == .view ? "the view does not work: \(error.sentence)" : error.sentence
  }
}

extension Database {
  /// Reads the indexes of a table, in the order in which SQLite lists them.
  ///
  ///     PRAGMA main.index_list(Track); PRAGMA main.index_xinfo(IFK_TrackAlbumId)
  private func indexes(of reference: TableReference, ignored: inout Int) throws -> [IndexSchema] {
    let sql = """
      SELECT list.name, list."unique", list.origin, list.partial, entry.sql
      FROM pragma_index_list(?1, ?2) AS list
      LEFT JOIN \(reference.schemaTable) AS entry ON entry.type = 'index' AND entry.name = list.name
      ORDER BY list.seq
      """
    return try Row.fetchAll(self, sql: sql, arguments: [reference.name, reference.database]).map { row in
      let name = try row.schemaText(at: 0) ?? ""
      return try IndexSchema(
        name: name,
        isUnique: row[1],
        isPartial: row[3],
        origin: IndexSchema.Origin(row[2]),
        terms: indexTerms(name, in: reference.database),
        sql: row.schemaSQL(at: 4, ignored: &ignored))
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
  /// Returns a text of the schema for a person to read: bytes that are not UTF-8 are shown as U+FFFD, so that one bad text hides nothing
  /// else.
  ///
  /// - Throws: As ``bytes(at:)``.
  package func schemaText(at index: Int) throws -> String? {
    try bytes(at: index).map { String(decoding: $0, as: UTF8.self) }
  }
}
