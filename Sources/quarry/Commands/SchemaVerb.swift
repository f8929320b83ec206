internal import ArgumentParser
internal import Browser
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles
internal import Terminal

struct SchemaVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the CREATE statements of the database, or of one table, or a diagram of the tables.")

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "Table or view, printed with its indexes and triggers, or one index or trigger.", completion: .tables)
  var name: String?

  @Option(help: "Print SQL, or a diagram for Mermaid or Graphviz. With a name, the diagram also contains the tables next to this one.")
  var format = SchemaFormat.sql

  func run() throws {
    Interrupts.watch()
    if let diagram = format.diagram { return try printDiagram(diagram) }
    let queue = try database.openForReading(.schema)
    let statements = try queue.read { db in
      try db.reportIgnoredSchemaSQL(of: name.map { [$0] })
      return if let name { try self.statements(of: name, db) } else { try allStatements(db) }
    }
    // A U+FFFD that replaces invalid bytes cannot be distinguished from an original one, which hardly any SQL contains.
    if statements.contains(where: { $0.sql.contains("\u{FFFD}") }) {
      StandardError.write("quarry: some of the SQL is not UTF-8: U+FFFD (\u{FFFD}) replaces the invalid bytes\n")
    }
    for remark in remarks { try StandardOutput.write("-- \(remark.pictured.replacing("\n", with: "␊"))\n") }
    for statement in statements { try StandardOutput.write(String(decoding: statement.script, as: UTF8.self)) }
  }

  private func printDiagram(_ diagram: SchemaDiagram) throws {
    let graph = try database.openForReading(.schema).read { db in
      var graph = try db.schemaGraph()
      graph.tables.removeAll { $0.reference.database != "main" }
      guard let name else { return graph }
      let table = try TableSchema(named: name, in: db)
      if table.entry.kind == .view { throw Failure.refused("\(table.entry.reference.name) is a view: a diagram shows tables") }
      return graph.neighborhood(of: table.entry.reference)
    }
    try StandardOutput.write(diagram.text(of: graph))
  }

  /// Remarks about the files that were loaded as tables.
  private var remarks: [String] {
    PrivateTables.files.filter { name == nil || $0.name == name }.map { file in
      let remarks = [file.renaming, file.rejection].compactMap(\.self).map { "; \($0)" }.joined()
      return "\(file.name) is \(file.fileName): \(file.reading)\(remarks)"
    }
  }

  /// Returns all statements, except those of tables created by SQLite itself or by virtual tables.
  private func allStatements(_ db: Database) throws -> [SchemaStatement] {
    let made = try db.catalog().databases.first { $0.name == "main" }?.entries.filter(\.isMadeByAnother).map(\.reference.name) ?? []
    let rows = try Row.fetchAll(db, sql: "SELECT tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    return try rows.compactMap { row in
      guard let table = try row.schemaText(at: 0), !made.contains(table) else { return nil }
      return try row.bytes(at: 1).map(SchemaStatement.init)
    }
  }

  private func statements(of name: String, _ db: Database) throws -> [SchemaStatement] {
    let sql = """
      SELECT sql FROM main.sqlite_schema
      WHERE sql IS NOT NULL AND (tbl_name = :name COLLATE NOCASE OR name = :name COLLATE NOCASE)
      ORDER BY rowid
      """
    let statements = try Row.fetchAll(db, sql: sql, arguments: ["name": name]).compactMap { try $0.bytes(at: 0).map(SchemaStatement.init) }
    if !statements.isEmpty { return statements }
    if let table = try TableReference(qualified: name, in: db), table.database == "main" { return try self.statements(of: table.name, db) }
    throw try NoSuchTable.failure(name, db)
  }
}

/// The format of a printed schema.
enum SchemaFormat: String, CaseIterable, ExpressibleByArgument {
  case sql, mermaid, dot

  /// The format of a diagram; nil for SQL.
  var diagram: SchemaDiagram? { SchemaDiagram(rawValue: rawValue) }
}

extension SchemaGraph {
  /// Returns a table with its referenced and referencing tables.
  fileprivate func neighborhood(of reference: TableReference) -> SchemaGraph {
    let center = tables.first { $0.reference.isSameTable(as: reference) }
    return SchemaGraph(
      tables: tables.filter { table in
        table.reference.isSameTable(as: reference)
          || table.foreignKeys.contains { $0.schema.table.isSameTable(as: reference) }
          || center?.foreignKeys.contains { $0.schema.table.isSameTable(as: table.reference) } == true
      })
  }
}

extension CatalogEntry {
  fileprivate var isMadeByAnother: Bool {
    switch kind {
    case .shadow, .system: true
    case .table, .view, .virtual: false
    }
  }
}

extension Database {
  /// Reports text in a schema that SQLite ignores, and that is therefore omitted, on standard error.
  ///
  /// - Parameter names: The objects or their tables, or nil for all.
  func reportIgnoredSchemaSQL(of names: [String]? = nil, in database: String = "main") throws {
    for ignored in try ignoredSchemaSQL(of: names, in: database) { StandardError.write("quarry: \(ignored)\n") }
  }
}

/// The failure for an unknown table name.
enum NoSuchTable {
  /// Returns the failure, with similar table names.
  static func failure(_ name: String, _ db: Database) throws -> Failure {
    let near = try db.tableNames(near: TableReference(qualified: name, in: db) ?? TableReference(name: name))
    let offer = near.isEmpty ? "`quarry tables` lists the tables" : "did you mean \(near.joined(separator: " or "))?"
    return .refused("no such table: \(name); \(offer)")
  }
}

extension TableSchema {
  /// Reads the schema of a table or view of `main`, or else of an attached database.
  ///
  /// The name may be qualified: `Track`, `main.Track`.
  ///
  /// - Throws: `Failure` with similar table names if the table or view does not exist.
  init(named name: String, in db: Database) throws {
    let known =
      try Self.schema(of: TableReference(name: name), in: db)
      ?? TableReference(qualified: name, in: db).flatMap { try Self.schema(of: $0, in: db) }
      ?? TableReference(attached: name, in: db).flatMap { try Self.schema(of: $0, in: db) }
    guard let known else { throw try NoSuchTable.failure(name, db) }
    self = known
  }

  private static func schema(of table: TableReference, in db: Database) throws -> TableSchema? {
    do {
      return try db.tableSchema(table)
    } catch let error as DatabaseError where error.message.hasPrefix("no such table") {
      return nil
    }
  }
}

extension TableReference {
  /// Finds a table or view with this name in the attached databases, in their order.
  ///
  /// Returns nil if no table or view has the name.
  fileprivate init?(attached name: String, in db: Database) throws {
    let entries = try db.catalog().databases.filter { $0.name != "main" }.flatMap(\.entries)
    guard let entry = entries.first(where: { $0.reference.name.lowercased() == name.lowercased() }) else { return nil }
    self = entry.reference
  }

  /// Parses a qualified name: `main.Track`.
  ///
  /// Returns nil for a name without a database.
  init?(qualified name: String, in db: Database) throws {
    let databases = try db.catalog().databases.map(\.name)
    guard let database = databases.first(where: { name.lowercased().hasPrefix("\($0.lowercased()).") }) else { return nil }
    self.init(database: database, name: String(name.dropFirst(database.count + 1)))
  }
}
