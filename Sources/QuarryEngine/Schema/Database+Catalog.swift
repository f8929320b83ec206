extension Database {
  /// The databases of this connection and the names of what lies in them.
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
        let path: String? = try row[2]
        return try CatalogDatabase(name: name, path: path == "" ? nil : path, entries: catalogEntries(of: name))
      })
  }

  /// The tables, virtual tables and views of one database, by name without regard to case.
  func catalogEntries(of database: String) throws -> [CatalogEntry] {
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

  /// The names of a database's virtual tables, with their modules.
  private func virtualTableModules(of database: String) throws -> [String: String] {
    let sql = """
      SELECT name, sql FROM \(SQLIdentifier.quoted(database)).sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE %'
      """
    return try Dictionary(
      Row.fetchAll(self, sql: sql).map { row in
        try (row.schemaText(at: 0) ?? "", row.schemaText(at: 1).flatMap(VirtualTableModule.name) ?? "")
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// The number of columns that SQLite finds when asked for this table alone: one view that does not compile makes
  /// `PRAGMA table_list` leave out the columns of others.
  private func columnCount(of reference: TableReference) -> Int? {
    let sql = "SELECT count(*) FROM pragma_table_xinfo(?, ?)"
    let count = try? Int.fetchOne(self, sql: sql, arguments: [reference.name, reference.database])
    return count == 0 ? nil : count
  }
}

extension CatalogEntry.Kind {
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
