/// The tables of a connection's databases, with the foreign keys between them; views are not included.
public struct SchemaGraph: Hashable, Sendable {
  /// A table or virtual table with its columns and keys.
  public struct Table: Hashable, Sendable {
    /// The table.
    public var reference: TableReference
    /// The columns in order, without hidden ones; empty for a virtual table.
    public var columns: [Column]
    /// The names of the primary key's columns in the key's order; empty if none is declared.
    public var primaryKey: [String]
    /// The foreign keys in the order of their declaration.
    public var foreignKeys: [Key]

    /// Creates a table.
    public init(reference: TableReference, columns: [Column] = [], primaryKey: [String] = [], foreignKeys: [Key] = []) {
      self.reference = reference
      self.columns = columns
      self.primaryKey = primaryKey
      self.foreignKeys = foreignKeys
    }
  }

  /// A column of a table.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// The declared type; empty if none is declared.
    public var declaredType: String

    /// Creates a column.
    public init(name: String, declaredType: String) {
      (self.name, self.declaredType) = (name, declaredType)
    }
  }

  /// A foreign key of a table, with the number of rows that it can connect.
  public struct Key: Hashable, Sendable {
    /// The foreign key.
    public var schema: ForeignKeySchema
    /// Whether a row may refer to no row, because one of the columns may be NULL.
    public var isOptional: Bool
    /// Whether at most one row refers to each row, because the columns are unique.
    public var isUnique: Bool

    /// Creates a foreign key.
    public init(_ schema: ForeignKeySchema, isOptional: Bool, isUnique: Bool) {
      (self.schema, self.isOptional, self.isUnique) = (schema, isOptional, isUnique)
    }
  }

  /// The tables, those of `main` first, and in each database by name.
  public var tables: [Table]

  /// Creates a graph.
  public init(tables: [Table]) { self.tables = tables }

  /// The number of foreign keys.
  public var keyCount: Int { tables.reduce(0) { $0 + $1.foreignKeys.count } }
}

extension SchemaGraph.Table {
  /// Creates a table from its schema.
  public init(_ schema: TableSchema) {
    let indexes = schema.indexes.filter { $0.isUnique && !$0.isPartial }.map { $0.terms.map(\.column) }
    let unique = indexes.compactMap { terms in terms.contains(nil) ? nil : terms.compactMap(\.self) } + [schema.primaryKey]
    self.init(
      reference: schema.entry.reference,
      columns: schema.columns.filter { !$0.isHidden }.map { SchemaGraph.Column(name: $0.name, declaredType: $0.declaredType) },
      primaryKey: schema.primaryKey,
      foreignKeys: schema.foreignKeys.map { key in
        SchemaGraph.Key(
          key, isOptional: key.columns.contains { schema.column(named: $0)?.isNullable ?? true },
          isUnique: unique.contains { !$0.isEmpty && $0.isWithin(key.columns) })
      })
  }
}

extension Database {
  /// Reads the tables of all databases with their keys.
  ///
  ///     SELECT … FROM main.sqlite_schema AS owner, pragma_table_xinfo(owner.name, 'main') AS part WHERE owner.type = 'table' …
  ///
  /// The number of statements depends on the number of databases only. Virtual tables have neither columns nor keys.
  ///
  /// - Throws: `DatabaseError` if a schema cannot be read.
  public func schemaGraph() throws -> SchemaGraph {
    try SchemaGraph(tables: catalog().databases.flatMap { try SchemaGraphReader(of: $0, in: self).tables })
  }
}

/// The columns and keys of the tables of one database.
private struct SchemaGraphReader {
  private struct Column {
    var name: String
    var type: String
    var isNotNull: Bool
    var keyPosition: Int
    var isHidden: Bool
  }

  private let entries: [CatalogEntry]
  private let columns: [IdentifierKey: [Column]]
  private let keys: [IdentifierKey: [ForeignKeySchema]]
  /// The columns of the unique indexes of each table.
  private let unique: [IdentifierKey: [[String]]]

  init(of database: CatalogDatabase, in connection: Database) throws {
    entries = database.entries.filter(\.hasRowsOfItsOwn)
    columns = try Self.columns(of: database.name, in: connection)
    unique = try Self.uniqueColumns(of: database.name, in: connection)
    let primaryKeys = columns.mapValues(Self.primaryKey)
    keys = try ForeignKeySchema.all(in: database.name, connection) { primaryKeys[IdentifierKey($0.name)] ?? [] }
  }

  var tables: [SchemaGraph.Table] {
    entries.map { entry in
      let name = IdentifierKey(entry.reference.name)
      let columns = columns[name] ?? []
      return SchemaGraph.Table(
        reference: entry.reference,
        columns: columns.filter { !$0.isHidden }.map { SchemaGraph.Column(name: $0.name, declaredType: $0.type) },
        primaryKey: Self.primaryKey(columns),
        foreignKeys: (keys[name] ?? []).map { key($0, of: entry, columns) })
    }
  }

  private func key(_ key: ForeignKeySchema, of entry: CatalogEntry, _ columns: [Column]) -> SchemaGraph.Key {
    let primaryKey = Self.primaryKey(columns)
    let unique = (self.unique[IdentifierKey(entry.reference.name)] ?? []) + [primaryKey]
    func isNullable(_ name: String) -> Bool {
      guard let column = columns.first(where: { $0.name.isSameIdentifier(as: name) }) else { return true }
      let isRowID = primaryKey.count == 1 && column.type.isSameIdentifier(as: "INTEGER")
      return !column.isNotNull && !(column.keyPosition > 0 && (entry.isWithoutRowID || isRowID))
    }
    return SchemaGraph.Key(
      key, isOptional: key.columns.contains(where: isNullable), isUnique: unique.contains { !$0.isEmpty && $0.isWithin(key.columns) })
  }

  private static func primaryKey(_ columns: [Column]) -> [String] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
  }

  private static func columns(of database: String, in connection: Database) throws -> [IdentifierKey: [Column]] {
    let sql = """
      SELECT owner.name, part.name, part.type, part."notnull", part.pk, part.hidden
      FROM \(ownTables(of: database)), pragma_table_xinfo(owner.name, ?1) AS part
      WHERE \(isOwnTable)
      """
    var columns: [IdentifierKey: [Column]] = [:]
    for row in try Row.fetchAll(connection, sql: sql, arguments: [database]) {
      let column = try Column(
        name: row.schemaText(at: 1) ?? "", type: row.schemaText(at: 2) ?? "", isNotNull: row[3], keyPosition: row[4],
        isHidden: row[5] == 1)
      columns[IdentifierKey(try row.schemaText(at: 0) ?? ""), default: []].append(column)
    }
    return columns
  }

  private static func uniqueColumns(of database: String, in connection: Database) throws -> [IdentifierKey: [[String]]] {
    let sql = """
      SELECT owner.name, list.name, part.name
      FROM \(ownTables(of: database)), pragma_index_list(owner.name, ?1) AS list, pragma_index_info(list.name, ?1) AS part
      WHERE \(isOwnTable) AND list."unique" AND NOT list.partial
      """
    var columns: [IdentifierKey: [String: [String?]]] = [:]
    for row in try Row.fetchAll(connection, sql: sql, arguments: [database]) {
      let table = IdentifierKey(try row.schemaText(at: 0) ?? "")
      try columns[table, default: [:]][row.schemaText(at: 1) ?? "", default: []].append(row.schemaText(at: 2))
    }
    return columns.mapValues { indexes in
      indexes.values.filter { !$0.contains(nil) }.map { $0.compactMap(\.self) }
    }
  }

  private static func ownTables(of database: String) -> String { "\(SQLIdentifier.quoted(database)).sqlite_schema AS owner" }

  /// The condition for tables that are not virtual: one whose module is missing would end the whole query.
  private static let isOwnTable = "owner.type = 'table' AND owner.rootpage > 0"
}

extension [String] {
  /// Returns whether each of these names is one of the others, as SQLite compares names.
  fileprivate func isWithin(_ others: [String]) -> Bool {
    allSatisfy { name in others.contains { $0.isSameIdentifier(as: name) } }
  }
}
