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
      self, sql: "SELECT sql FROM \(schema) WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [table.name])?[0]
    guard let sql else { throw DefinitionError.noSuchTable(table.name) }
    var definition = try TableDefinition(sql: sql)
    if table.database.isSameIdentifier(as: "temp") { definition.options.insert(.temporary) }
    let indexes = try Row.fetchAll(
      self, sql: "SELECT sql FROM \(schema) WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL ORDER BY rowid",
      arguments: [table.name])
    definition.indexes = try indexes.map { row in try IndexDefinition(sql: row[0]) }
    return definition
  }

  /// A column of an existing table, by what the lookups here need.
  struct ColumnSummary: Hashable {
    var name: String
    /// Its place in the primary key, from 1; 0 outside of it.
    var primaryKeyPlace: Int
  }

  /// The columns of a table; none where there is no such table.
  func columns(of table: String, in database: String?) throws -> [ColumnSummary] {
    let place = database.map { _ in ", ?" } ?? ""
    let arguments: [String] = [table] + (database.map { [$0] } ?? [])
    let rows = try Row.fetchAll(
      self, sql: "SELECT name, pk FROM pragma_table_xinfo(?\(place))", arguments: StatementArguments(arguments))
    return try rows.map { row in ColumnSummary(name: try row[0], primaryKeyPlace: try row[1]) }
  }

  /// Returns the definition with the columns that its foreign keys refer to.
  func resolvingForeignKeys(of definition: TableDefinition) throws -> TableDefinition {
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
  func resolvingForeignKeys(of change: TableAlteration.Change, table: String) throws -> TableAlteration.Change {
    guard case .add(let builder) = change else { return change }
    var known = builder.definition
    known.columns += try columns(of: table, in: nil).map { column in
      ColumnDefinition(name: column.name, constraints: column.primaryKeyPlace == 1 ? [ColumnConstraint(.primaryKey(.init()))] : [])
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
    let primaryKey = columns.filter { $0.primaryKeyPlace > 0 }.sorted { $0.primaryKeyPlace < $1.primaryKeyPlace }
    if primaryKey.isEmpty { throw DefinitionError.noReferencedKey(table: definition.name, referenced: key.table) }
    return primaryKey.map(\.name)
  }
}
