extension Database {
  /// Creates a table.
  ///
  /// ```swift
  /// try db.create(table: "place") { t in
  ///   t.autoIncrementedPrimaryKey("id")
  ///   t.column("latitude", .double).notNull()
  ///   t.column("longitude", .double).notNull()
  ///   t.uniqueKey(["latitude", "longitude"])
  /// }
  /// // CREATE TABLE place (
  /// //   id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  /// //   latitude DOUBLE NOT NULL,
  /// //   longitude DOUBLE NOT NULL,
  /// //   UNIQUE (latitude, longitude)
  /// // )
  /// ```
  ///
  /// - Throws: ``DefinitionError`` if the definition is invalid, ``DatabaseError`` if SQLite rejects it.
  public func create(table name: String, options: TableDefinition.Options = [], body: (TableBuilder) throws -> Void) throws {
    try create(TableDefinition(name, options: options, body: body))
  }

  /// Creates a table and its indexes from a definition; a foreign key without columns refers to the other table's primary key.
  ///
  /// ```swift
  /// let definition = TableDefinition("team") { t in
  ///   t.column("code", .text).primaryKey()
  ///   t.column("name", .text).indexed()
  /// }
  /// try db.create(definition)
  /// // CREATE TABLE team (
  /// //   code TEXT PRIMARY KEY,
  /// //   name TEXT
  /// // );
  /// // CREATE INDEX team_on_name ON team (name)
  /// ```
  ///
  /// If one statement fails, nothing is created.
  ///
  /// - Throws: ``DefinitionError`` if the definition is invalid, ``DatabaseError`` if SQLite rejects it.
  public func create(_ definition: TableDefinition) throws {
    try definition.validate()
    try executeAll(try resolvingForeignKeys(of: definition).statements)
  }

  /// Creates an index on columns.
  ///
  /// ```swift
  /// try db.create(index: "player_on_email", on: "player", columns: ["email"], options: .unique, condition: Column<String>("email") != nil)
  /// // CREATE UNIQUE INDEX player_on_email ON player (email) WHERE email IS NOT NULL
  /// ```
  ///
  /// - Parameters:
  ///   - name: The index's name.
  ///   - table: The indexed table.
  ///   - columns: The columns, the first being the primary sort key.
  ///   - options: Whether the index is unique, and whether an existing index is an error.
  ///   - condition: The condition of a partial index; nil to index all rows.
  /// - Throws: ``DefinitionError`` if the definition is invalid, ``DatabaseError`` if SQLite rejects it.
  public func create(
    index name: String, on table: String, columns: [String], options: IndexDefinition.Options = [],
    condition: (any QueryExpression<Bool>)? = nil
  ) throws {
    try create(IndexDefinition(name, on: table, columns: columns, options: options, condition: condition?.definitionSQL))
  }

  /// Creates an index on expressions.
  ///
  /// ```swift
  /// try db.create(index: "player_on_lower", on: "player", expressions: [Column<String>("name").lower()])
  /// // CREATE INDEX player_on_lower ON player (lower(name))
  /// ```
  ///
  /// - Throws: ``DefinitionError`` if the definition is invalid, ``DatabaseError`` if SQLite rejects it.
  public func create(
    index name: String, on table: String, expressions: [any OrderingTerm], options: IndexDefinition.Options = [],
    condition: (any QueryExpression<Bool>)? = nil
  ) throws {
    let terms = try expressions.map(\.ordering).map { ordering in
      if ordering.nulls != nil { throw DefinitionError.nullsPlace(index: name, table: table) }
      return IndexDefinition.Term(.expression(sql: ordering.expression.queryString), direction: ordering.direction)
    }
    try create(IndexDefinition(name, on: table, terms: terms, options: options, condition: condition?.definitionSQL))
  }

  /// Creates an index from a definition.
  ///
  /// ```swift
  /// let terms = [IndexDefinition.Term(.column("score"), direction: .descending)]
  /// try db.create(IndexDefinition("player_on_score", on: "player", terms: terms))
  /// // CREATE INDEX player_on_score ON player (score DESC)
  /// ```
  ///
  /// - Throws: ``DefinitionError`` if the definition is invalid, ``DatabaseError`` if SQLite rejects it.
  public func create(_ definition: IndexDefinition) throws {
    let columns = try columns(of: definition.table, in: nil)
    if columns.isEmpty { throw DefinitionError.noSuchTable(definition.table) }
    try definition.validate(columns: columns.map(\.name))
    try execute(sql: definition.sql)
  }

  /// Alters a table; if one change fails, none is made.
  ///
  /// ```swift
  /// try db.alter(table: "player") { t in t.add(column: "hasBonus", .boolean) }
  /// // ALTER TABLE player ADD COLUMN hasBonus BOOLEAN
  /// ```
  ///
  /// - Throws: ``DefinitionError`` if a change is invalid, ``DatabaseError`` if SQLite rejects it.
  public func alter(table name: String, body: (TableAlteration) throws -> Void) throws {
    let alteration = TableAlteration(of: name)
    try body(alteration)
    try executeAll(try alteration.changes.flatMap { change in try resolvingForeignKeys(of: change, table: name).statements(table: name) })
  }

  /// Renames a table.
  ///
  /// ```swift
  /// try db.rename(table: "referer", to: "referrer")
  /// // ALTER TABLE referer RENAME TO referrer
  /// ```
  ///
  /// - Throws: ``DefinitionError`` if the name is invalid, ``DatabaseError`` if SQLite rejects it.
  public func rename(table name: String, to newName: String) throws {
    try DefinitionName.check(newName, of: "the table")
    try execute(sql: "ALTER TABLE \(SQLIdentifier.quoted(name)) RENAME TO \(SQLIdentifier.quoted(newName))")
  }

  /// Drops a table with its rows, indexes and triggers.
  ///
  /// ```swift
  /// try db.drop(table: "player", ifExists: true)
  /// // DROP TABLE IF EXISTS player
  /// ```
  ///
  /// - Throws: ``DatabaseError``, also if the table does not exist and `ifExists` is false.
  public func drop(table name: String, ifExists: Bool = false) throws {
    try execute(sql: "DROP TABLE \(ifExists ? "IF EXISTS " : "")\(SQLIdentifier.quoted(name))")
  }

  /// Drops an index.
  ///
  /// ```swift
  /// try db.drop(index: "player_on_email")
  /// // DROP INDEX player_on_email
  /// ```
  ///
  /// - Throws: ``DatabaseError``, also if the index does not exist and `ifExists` is false.
  public func drop(index name: String, ifExists: Bool = false) throws {
    try execute(sql: "DROP INDEX \(ifExists ? "IF EXISTS " : "")\(SQLIdentifier.quoted(name))")
  }

  /// Runs all statements; if one fails, none takes effect.
  private func executeAll(_ statements: [String]) throws {
    if statements.count == 1 { return try execute(sql: statements[0]) }
    try inTransaction { _ in for statement in statements { try execute(sql: statement) } }
  }
}

extension Database {
  /// Returns the definition of an existing table with its indexes; its SQL creates the same table.
  ///
  /// ```swift
  /// try db.execute(sql: "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
  /// let definition = try db.tableDefinition(TableReference(name: "player"))
  /// definition.primaryKey  // ["id"]
  /// ```
  ///
  /// It is read from `sqlite_schema`:
  ///
  /// ```sql
  /// SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = 'player' COLLATE NOCASE
  /// ```
  ///
  /// - Throws: ``DefinitionError`` if the table does not exist or is virtual; ``DatabaseError``.
  public func tableDefinition(_ table: TableReference) throws -> TableDefinition {
    let schema = SQLIdentifier.quoted(table.database) + ".sqlite_schema"
    let sql: String? = try Row.fetchOne(
      self, sql: "SELECT sql FROM \(schema) WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [table.name])?.schemaSQL(at: 0)
    guard let sql else { throw DefinitionError.noSuchTable(table.name) }
    var definition = try TableDefinition(sql: sql)
    if table.database.isSameIdentifier(as: "temp") { definition.options.insert(.temporary) }
    let indexes = try Row.fetchAll(
      self, sql: "SELECT sql FROM \(schema) WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL ORDER BY rowid",
      arguments: [table.name])
    definition.indexes = try indexes.map { row in try IndexDefinition(sql: row.schemaSQL(at: 0) ?? "") }
    return definition
  }

  /// A column of an existing table, with the properties needed here.
  private struct ColumnSummary: Hashable {
    var name: String
    /// Its position in the primary key, from 1; 0 if it is not part of it.
    var primaryKeyPosition: Int
  }

  /// Returns the columns of a table; none if the table does not exist.
  private func columns(of table: String, in database: String?) throws -> [ColumnSummary] {
    let schemaArgument = database.map { _ in ", ?" } ?? ""
    let arguments: [String] = [table] + (database.map { [$0] } ?? [])
    let rows = try Row.fetchAll(
      self, sql: "SELECT name, pk FROM pragma_table_xinfo(?\(schemaArgument))", arguments: StatementArguments(arguments))
    return try rows.map { row in ColumnSummary(name: try row[0], primaryKeyPosition: try row[1]) }
  }

  /// Returns the definition with the columns referenced by its foreign keys.
  private func resolvingForeignKeys(of definition: TableDefinition) throws -> TableDefinition {
    var resolved = definition
    let database = definition.options.contains(.temporary) ? "temp" : "main"
    try resolved.replaceForeignKeys { key in
      var key = key
      if key.referencedColumns == nil {
        key.referencedColumns = try primaryKey(referredToBy: key, of: definition, in: database)
      }
      return key
    }
    try resolved.validate()
    return resolved
  }

  /// Returns the change with the columns referenced by a new column's foreign key.
  private func resolvingForeignKeys(of change: TableAlteration.Change, table: String) throws -> TableAlteration.Change {
    guard case .add(let builder) = change else { return change }
    var known = builder.definition
    known.columns += try columns(of: table, in: nil).map { column in
      ColumnDefinition(name: column.name, constraints: column.primaryKeyPosition == 1 ? [ColumnConstraint(.primaryKey(.init()))] : [])
    }
    let resolved = try resolvingForeignKeys(of: known)
    builder.definition.columns = Array(resolved.columns.prefix(builder.definition.columns.count))
    return .add(builder)
  }

  private func primaryKey(referredToBy key: ForeignKeyDefinition, of definition: TableDefinition, in database: String) throws -> [String] {
    if key.table.isSameIdentifier(as: definition.name) {
      if definition.primaryKey.isEmpty { throw DefinitionError.noReferencedKey(table: definition.name, referenced: key.table) }
      return definition.primaryKey
    }
    let columns = try columns(of: key.table, in: database)
    if columns.isEmpty { throw DefinitionError.noReferencedTable(table: definition.name, referenced: key.table) }
    let primaryKey = columns.filter { $0.primaryKeyPosition > 0 }.sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }
    if primaryKey.isEmpty { throw DefinitionError.noReferencedKey(table: definition.name, referenced: key.table) }
    return primaryKey.map(\.name)
  }
}
