extension Database {
  /// Makes a table.
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
  /// - Throws: ``DefinitionError`` for what is wrong by itself, ``DatabaseError`` for what SQLite refuses.
  public func create(table name: String, options: TableDefinition.Options = [], body: (TableBuilder) throws -> Void) throws {
    try create(TableDefinition(name, options: options, body: body))
  }

  /// Makes a table, with its indexes, by its definition; a foreign key without columns refers to the other table's primary key.
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
  /// Both are made, or neither.
  ///
  /// - Throws: ``DefinitionError`` for what is wrong by itself, ``DatabaseError`` for what SQLite refuses.
  public func create(_ definition: TableDefinition) throws {
    try definition.validate()
    try executeAll(try resolvingForeignKeys(of: definition).statements)
  }

  /// Makes an index of columns.
  ///
  /// ```swift
  /// try db.create(index: "player_on_email", on: "player", columns: ["email"], options: .unique, condition: Column<String>("email") != nil)
  /// // CREATE UNIQUE INDEX player_on_email ON player (email) WHERE email IS NOT NULL
  /// ```
  ///
  /// - Parameters:
  ///   - name: The index's name.
  ///   - table: The table whose rows are in the index.
  ///   - columns: The columns, from the first to sort by on.
  ///   - options: Whether the index is unique, and what happens where it is there already.
  ///   - condition: Only rows for which it holds are in the index.
  /// - Throws: ``DefinitionError`` for what is wrong by itself, ``DatabaseError`` for what SQLite refuses.
  public func create(
    index name: String, on table: String, columns: [String], options: IndexDefinition.Options = [],
    condition: (any QueryExpression<Bool>)? = nil
  ) throws {
    try create(IndexDefinition(name, on: table, columns: columns, options: options, condition: condition?.definitionSQL))
  }

  /// Makes an index of expressions.
  ///
  /// ```swift
  /// try db.create(index: "player_on_lower", on: "player", expressions: [Column<String>("name").lower()])
  /// // CREATE INDEX player_on_lower ON player (lower(name))
  /// ```
  ///
  /// - Throws: ``DefinitionError`` for what is wrong by itself, ``DatabaseError`` for what SQLite refuses.
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

  /// Makes an index by its definition.
  ///
  /// ```swift
  /// let terms = [IndexDefinition.Term(.column("score"), direction: .descending)]
  /// try db.create(IndexDefinition("player_on_score", on: "player", terms: terms))
  /// // CREATE INDEX player_on_score ON player (score DESC)
  /// ```
  ///
  /// - Throws: ``DefinitionError`` for what is wrong by itself, ``DatabaseError`` for what SQLite refuses.
  public func create(_ definition: IndexDefinition) throws {
    let columns = try columns(of: definition.table, in: nil)
    if columns.isEmpty { throw DefinitionError.noSuchTable(definition.table) }
    try definition.validate(columns: columns.map(\.name))
    try execute(sql: definition.sql)
  }

  /// Changes a table: all of the changes, or none where one fails.
  ///
  /// ```swift
  /// try db.alter(table: "player") { t in t.add(column: "hasBonus", .boolean) }
  /// // ALTER TABLE player ADD COLUMN hasBonus BOOLEAN
  /// ```
  ///
  /// - Throws: ``DefinitionError`` for what is wrong by itself, ``DatabaseError`` for what SQLite refuses.
  public func alter(table name: String, body: (TableAlteration) throws -> Void) throws {
    let alteration = TableAlteration(of: name)
    try body(alteration)
    try executeAll(try alteration.changes.flatMap { change in try resolvingForeignKeys(of: change, table: name).statements(table: name) })
  }

  /// Gives a table another name.
  ///
  /// ```swift
  /// try db.rename(table: "referer", to: "referrer")
  /// // ALTER TABLE referer RENAME TO referrer
  /// ```
  ///
  /// - Throws: ``DefinitionError`` where the name cannot be one, ``DatabaseError`` for what SQLite refuses.
  public func rename(table name: String, to newName: String) throws {
    try DefinitionName.check(newName, of: "the table")
    try execute(sql: "ALTER TABLE \(SQLIdentifier.quoted(name)) RENAME TO \(SQLIdentifier.quoted(newName))")
  }

  /// Removes a table with all it holds.
  ///
  /// ```swift
  /// try db.drop(table: "player", ifExists: true)
  /// // DROP TABLE IF EXISTS player
  /// ```
  ///
  /// - Throws: ``DatabaseError``, also where there is no such table, unless `ifExists` is true.
  public func drop(table name: String, ifExists: Bool = false) throws {
    try execute(sql: "DROP TABLE \(ifExists ? "IF EXISTS " : "")\(SQLIdentifier.quoted(name))")
  }

  /// Removes an index.
  ///
  /// ```swift
  /// try db.drop(index: "player_on_email")
  /// // DROP INDEX player_on_email
  /// ```
  ///
  /// - Throws: ``DatabaseError``, also where there is no such index, unless `ifExists` is true.
  public func drop(index name: String, ifExists: Bool = false) throws {
    try execute(sql: "DROP INDEX \(ifExists ? "IF EXISTS " : "")\(SQLIdentifier.quoted(name))")
  }

  /// Runs statements, all of them or none.
  private func executeAll(_ statements: [String]) throws {
    if statements.count == 1 { return try execute(sql: statements[0]) }
    try inTransaction { _ in for statement in statements { try execute(sql: statement) } }
  }
}

extension Database {
  /// Returns the definition of an existing table, with its indexes; rendered, it makes the same table.
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
  /// - Throws: ``DefinitionError`` where there is no such table, or it is a virtual one; ``DatabaseError``.
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

  /// A column of an existing table, by what the lookups here need.
  private struct ColumnSummary: Hashable {
    var name: String
    /// Its place in the primary key, from 1; 0 outside of it.
    var primaryKeyPosition: Int
  }

  /// Reads the columns of a table; none where there is no such table.
  private func columns(of table: String, in database: String?) throws -> [ColumnSummary] {
    let schemaArgument = database.map { _ in ", ?" } ?? ""
    let arguments: [String] = [table] + (database.map { [$0] } ?? [])
    let rows = try Row.fetchAll(
      self, sql: "SELECT name, pk FROM pragma_table_xinfo(?\(schemaArgument))", arguments: StatementArguments(arguments))
    return try rows.map { row in ColumnSummary(name: try row[0], primaryKeyPosition: try row[1]) }
  }

  /// Returns the definition with the columns that its foreign keys refer to.
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

  /// Returns the change with the columns that a new column's foreign key refers to.
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
