/// A name of a schema object for lookup as in SQLite, which ignores the case of ASCII letters.
struct IdentifierKey: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ name: String) {
    bytes = name.utf8.map(\.asciiLowercased)
  }
}

/// The tables and views of one database by name, with their objects; one read of the schema serves all tables.
struct SchemaListing: Sendable {
  /// The entries of `sqlite_schema` for a table or view.
  struct Objects: Sendable {
    /// The SQL that created it; nil for SQLite's own tables.
    var sql: String?
    var triggers: [TriggerSchema] = []
    /// The SQL that created its indexes, by name; automatic indexes have none.
    var indexes: [IdentifierKey: String] = [:]
    /// The number of bytes after their statements, which SQLite ignores.
    var ignoredSQLCount = 0
  }

  /// The entries, sorted by name, ignoring case.
  let entries: [CatalogEntry]
  private let places: [IdentifierKey: Int]
  private let objects: [IdentifierKey: Objects]

  fileprivate init(_ entries: [CatalogEntry], _ objects: [IdentifierKey: Objects]) {
    self.entries = entries.sorted {
      ($0.reference.name.lowercased(), $0.reference.name) < ($1.reference.name.lowercased(), $1.reference.name)
    }
    places = Dictionary(self.entries.enumerated().map { (IdentifierKey($1.reference.name), $0) }, uniquingKeysWith: { first, _ in first })
    self.objects = objects
  }

  /// The current names of tables that SQLite has renamed, by their earlier names.
  fileprivate static let currentNames = ["sqlite_master": "sqlite_schema", "sqlite_temp_master": "sqlite_temp_schema"]

  /// Returns the table or view with a name; nil if no table or view has it.
  subscript(name: String) -> (entry: CatalogEntry, objects: Objects)? {
    let current = Self.currentNames[name.asciiLowercased].flatMap { places[IdentifierKey($0)] }
    guard let place = places[IdentifierKey(name)] ?? current else { return nil }
    return (entries[place], objects[IdentifierKey(entries[place].reference.name)] ?? Objects())
  }
}

extension Database {
  /// Returns the tables and views of a database, which are read again only if its schema changes.
  ///
  ///     PRAGMA main.table_list; SELECT type, name, tbl_name, sql FROM main.sqlite_schema
  ///
  /// - Parameter name: The only table that is needed; nil for all tables. If no schema version is available, only this table is read: see
  ///   ``keptUntilSchemaChanges(of:_:)``.
  func schemaListing(of database: String, about name: String? = nil) throws -> SchemaListing {
    try keptUntilSchemaChanges(of: database) { try readListing(of: database, about: nil) } ?? readListing(of: database, about: name)
  }

  private func readListing(of database: String, about name: String?) throws -> SchemaListing {
    let name = name.map { SchemaListing.currentNames[$0.asciiLowercased] ?? $0 }
    let list = "PRAGMA \(SQLIdentifier.quoted(database)).table_list" + (name.map { "(\(SQLIdentifier.quoted($0)))" } ?? "")
    let listed = try Row.fetchAll(self, sql: list).filter { try ($0[0] as String).isSameIdentifier(as: database) }
    let hasModules = try listed.contains { try ["virtual", "shadow"].contains($0[2] as String) }
    let modules = try hasModules ? virtualTableModules(of: database) : [:]
    let entries = try listed.map { try catalogEntry($0, modules) }
    return try SchemaListing(entries, schemaObjects(of: database, about: name))
  }

  private func schemaObjects(of database: String, about name: String?) throws -> [IdentifierKey: SchemaListing.Objects] {
    let source = "SELECT type, name, tbl_name, sql FROM \(SQLIdentifier.quoted(database)).sqlite_schema"
    let condition = name == nil ? "" : " WHERE tbl_name = ? COLLATE NOCASE"
    var objects: [IdentifierKey: SchemaListing.Objects] = [:]
    for row in try Row.fetchAll(self, sql: source + condition, arguments: name.map { [$0] } ?? []) {
      let own = try row.schemaText(at: 1) ?? ""
      let kind = try row.schemaText(at: 0)
      let table = kind == "table" || kind == "view" ? IdentifierKey(own) : IdentifierKey(try row.schemaText(at: 2) ?? "")
      var entry = objects[table] ?? SchemaListing.Objects()
      let sql = try row.schemaSQL(at: 3, ignored: &entry.ignoredSQLCount)
      switch kind {
      case "table", "view": entry.sql = sql
      case "trigger": entry.triggers.append(TriggerSchema(name: own, sql: sql ?? ""))
      case "index": entry.indexes[IdentifierKey(own)] = sql
      default: break
      }
      objects[table] = entry
    }
    return objects
  }

  private func catalogEntry(_ row: Row, _ modules: [String: VirtualTable]) throws -> CatalogEntry {
    let reference = try TableReference(database: row[0], name: row.schemaText(at: 1) ?? "")
    let type: String = try row[2]
    let listedCount: Int = try row[3]
    let isKnown = listedCount > 0 || type == "table" || type == "shadow"
    return try CatalogEntry(
      reference: reference,
      kind: CatalogEntry.Kind(type: type, name: reference.name, modules),
      isWithoutRowID: row[4],
      isStrict: row[5],
      columnCount: isKnown ? listedCount : columnCount(of: reference))
  }

  /// Reads a database's virtual tables, by their names in lower case.
  private func virtualTableModules(of database: String) throws -> [String: VirtualTable] {
    let sql = """
      SELECT name, sql FROM \(SQLIdentifier.quoted(database)).sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE %'
      """
    return try Dictionary(
      Row.fetchAll(self, sql: sql).map { row in
        let name = try row.schemaText(at: 0) ?? ""
        let syntax = try row.schemaText(at: 1).flatMap(VirtualTableSyntax.init)
        return (name.lowercased(), VirtualTable(name: name, module: syntax?.module ?? ""))
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the number of columns that SQLite reports for this table alone.
  ///
  /// One view that does not compile makes `PRAGMA table_list` omit the column counts of other tables.
  private func columnCount(of reference: TableReference) -> Int? {
    let sql = "SELECT count(*) FROM pragma_table_xinfo(?, ?)"
    let count = try? Int.fetchOne(self, sql: sql, arguments: [reference.name, reference.database])
    return count == 0 ? nil : count
  }
}

/// A virtual table and its module.
private struct VirtualTable {
  let name: String
  let module: String
}

extension CatalogEntry.Kind {
  /// Creates the kind of a catalog entry.
  ///
  /// - Parameters:
  ///   - type: `table`, `view`, `virtual` or `shadow`, as returned by `PRAGMA table_list`.
  ///   - modules: The virtual tables of the database, by their names in lower case.
  fileprivate init(type: String, name: String, _ modules: [String: VirtualTable]) {
    switch type {
    case "view":
      self = .view
    case "virtual":
      self = .virtual(module: modules[name.lowercased()]?.module ?? "")
    case "shadow":
      self = Self.owner(of: name.lowercased(), among: modules).map { .shadow(of: $0) } ?? .table
    default:
      self = name.lowercased().hasPrefix("sqlite_") ? .system : .table
    }
  }

  /// Returns the virtual table with the longest name with which a shadow table's name begins: `notes_content` belongs to `notes`.
  private static func owner(of name: String, among modules: [String: VirtualTable]) -> String? {
    var rest = name[...]
    while let place = rest.lastIndex(of: "_") {
      if let owner = modules[String(name[..<place])] { return owner.name }
      rest = name[..<place]
    }
    return nil
  }
}
