/// The definition of a table, which can be created without a database, compared, changed and rendered to SQL.
///
/// ```swift
/// let definition = TableDefinition("player", options: .strict) { t in
///   t.autoIncrementedPrimaryKey("id")
///   t.column("name", .text).notNull()
/// }
/// definition.sql
/// // CREATE TABLE player (
/// //   id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
/// //   name TEXT NOT NULL
/// // ) STRICT
/// ```
public struct TableDefinition: Hashable, Sendable {
  /// Options of a table.
  ///
  /// ```swift
  /// TableDefinition("player", options: [.ifNotExists, .strict]) { t in t.column("name", .text) }.sql
  /// // CREATE TABLE IF NOT EXISTS player (
  /// //   name TEXT
  /// // ) STRICT
  /// ```
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Creating the table does nothing if it already exists.
    public static let ifNotExists = Options(rawValue: 1 << 0)
    /// The table exists as long as the connection.
    public static let temporary = Options(rawValue: 1 << 1)
    /// The primary key is the table's only key; see <https://www.sqlite.org/withoutrowid.html>.
    public static let withoutRowID = Options(rawValue: 1 << 2)
    /// Columns accept only values of their type; see <https://www.sqlite.org/stricttables.html>.
    public static let strict = Options(rawValue: 1 << 3)
  }

  /// The table's name.
  public var name: String
  /// The options of the table.
  public var options: Options
  /// The columns, in order.
  public var columns: [ColumnDefinition]
  /// The table constraints, in declaration order; column constraints belong to their columns.
  public var constraints: [TableConstraint]
  /// The indexes created together with the table.
  public var indexes: [IndexDefinition]

  /// Creates a definition from existing columns.
  ///
  /// ```swift
  /// TableDefinition("player", columns: [ColumnDefinition(name: "name", type: .text)]).sql
  /// // CREATE TABLE player (
  /// //   name TEXT
  /// // )
  /// ```
  public init(
    _ name: String, options: Options = [], columns: [ColumnDefinition], constraints: [TableConstraint] = [], indexes: [IndexDefinition] = []
  ) {
    self.name = name
    self.options = options
    self.columns = columns
    self.constraints = constraints
    self.indexes = indexes
  }

  /// Creates a definition like ``Database/create(table:options:body:)``, but without a database.
  ///
  /// ```swift
  /// let definition = TableDefinition("player") { t in t.column("name", .text).notNull() }
  /// definition.sql
  /// // CREATE TABLE player (
  /// //   name TEXT NOT NULL
  /// // )
  /// ```
  ///
  /// - Throws: Any error of `body`.
  public init(_ name: String, options: Options = [], body: (TableBuilder) throws -> Void) rethrows {
    let builder = TableBuilder(TableDefinition(name, options: options, columns: []))
    try body(builder)
    self = builder.definition
  }
}

extension TableDefinition {
  /// The names of the primary key's columns, in the key's order; empty if the table has no primary key.
  ///
  /// ```swift
  /// TableDefinition("player") { t in t.autoIncrementedPrimaryKey("id") }.primaryKey  // ["id"]
  /// ```
  public var primaryKey: [String] {
    for constraint in constraints {
      if case .primaryKey(let columns, _, _) = constraint.kind { return columns.map(\.name) }
    }
    return columns.filter(\.isPrimaryKey).map(\.name)
  }

  /// All foreign keys, column constraints first.
  ///
  /// ```swift
  /// let definition = TableDefinition("book") { t in t.column("authorID", .integer).references("author") }
  /// definition.foreignKeys.map(\.table)  // ["author"]
  /// ```
  public var foreignKeys: [ForeignKeyDefinition] {
    let ofColumns = columns.flatMap(\.constraints).compactMap { constraint in
      if case .references(let key) = constraint.kind { key } else { nil }
    }
    let ofTable = constraints.compactMap { constraint in
      if case .foreignKey(let key) = constraint.kind { key } else { nil }
    }
    return ofColumns + ofTable
  }

  /// Replaces every foreign key with the result of `change`.
  mutating func replaceForeignKeys<Failure>(
    _ change: (ForeignKeyDefinition) throws(Failure) -> ForeignKeyDefinition
  ) throws(Failure) {
    for column in columns.indices {
      for index in columns[column].constraints.indices {
        guard case .references(let key) = columns[column].constraints[index].kind else { continue }
        columns[column].constraints[index].kind = .references(try change(key))
      }
    }
    for index in constraints.indices {
      guard case .foreignKey(let key) = constraints[index].kind else { continue }
      constraints[index].kind = .foreignKey(try change(key))
    }
  }
}

extension ColumnDefinition {
  var isPrimaryKey: Bool {
    constraints.contains { if case .primaryKey = $0.kind { true } else { false } }
  }
}
