extension TableDefinition {
  /// The statements that create the table and its indexes.
  ///
  /// ```swift
  /// TableDefinition("player") { t in t.column("email", .text).indexed() }.statements
  /// // CREATE TABLE player (
  /// //   email TEXT
  /// // )
  /// // CREATE INDEX player_on_email ON player (email)
  /// ```
  public var statements: [String] { [createTable] + indexes.map(\.sql) }

  /// The SQL that creates the table and its indexes; the referenced columns of a foreign key are omitted if it has none.
  ///
  /// ```swift
  /// TableDefinition("player", options: .withoutRowID) { t in t.column("name", .text).primaryKey() }.sql
  /// // CREATE TABLE player (
  /// //   name TEXT PRIMARY KEY
  /// // ) WITHOUT ROWID
  /// ```
  public var sql: String { statements.joined(separator: ";\n") }

  private var createTable: String {
    let temporary = options.contains(.temporary) ? "TEMPORARY " : ""
    let condition = options.contains(.ifNotExists) ? "IF NOT EXISTS " : ""
    let lines = (columns.map(\.sql) + constraints.map(\.sql)).map { "  " + $0 }.joined(separator: ",\n")
    let table = "CREATE \(temporary)TABLE \(condition)\(SQLIdentifier.quoted(name)) (\n\(lines)\n)"
    let suffixes: [String] = (options.contains(.strict) ? ["STRICT"] : []) + (options.contains(.withoutRowID) ? ["WITHOUT ROWID"] : [])
    return suffixes.isEmpty ? table : table + " " + suffixes.joined(separator: ", ")
  }
}

extension ColumnDefinition {
  /// The column as written in CREATE TABLE and ALTER TABLE.
  ///
  /// ```swift
  /// ColumnDefinition(name: "home page", type: .text).sql  // "home page" TEXT
  /// ```
  public var sql: String {
    ([SQLIdentifier.quoted(name)] + (type.map { [$0.sql] } ?? []) + constraints.map(\.sql)).joined(separator: " ")
  }
}

extension ColumnType {
  /// The type in SQL; a name that would not be parsed as a type is quoted, because SQLite accepts any text.
  var sql: String {
    let name = rawValue.prefix { $0 != "(" }
    let isPlain = name.split(separator: " ").allSatisfy { SQLIdentifier.isPlain(String($0)) } && !name.isEmpty
    return isPlain && hasPlainSizes ? rawValue : SQLIdentifier.delimited(rawValue, by: "\"")
  }

  private var hasPlainSizes: Bool {
    guard let start = rawValue.firstIndex(of: "(") else { return true }
    let sizes = rawValue[rawValue.index(after: start)...].dropLast().split(separator: ",", omittingEmptySubsequences: false)
    return rawValue.last == ")" && sizes.count <= 2 && sizes.allSatisfy { size in Double(size.filter { $0 != " " }) != nil }
  }
}

extension ConflictResolution {
  static func clause(_ resolution: ConflictResolution?) -> String {
    resolution.map { " ON CONFLICT \($0.rawValue)" } ?? ""
  }
}

extension ColumnConstraint {
  package var sql: String {
    (name.map { "CONSTRAINT \(SQLIdentifier.quoted($0)) " } ?? "") + kind.sql
  }
}

extension ColumnConstraint.Kind {
  var sql: String {
    switch self {
    case .notNull(let resolution): "NOT NULL" + ConflictResolution.clause(resolution)
    case .primaryKey(let key): key.sql
    case .unique(let resolution): "UNIQUE" + ConflictResolution.clause(resolution)
    case .check(let sql): "CHECK (\(sql))"
    case .defaults(let value): "DEFAULT " + value.sql
    case .collation(let collation): "COLLATE " + SQLIdentifier.quoted(collation.rawValue)
    case .references(let key): key.referenceSQL
    case .generated(let sql, let generation): "GENERATED ALWAYS AS (\(sql)) \(generation == .stored ? "STORED" : "VIRTUAL")"
    }
  }
}

extension ColumnConstraint.PrimaryKey {
  var sql: String {
    "PRIMARY KEY" + Ordering.clause(direction) + ConflictResolution.clause(onConflict) + (isAutoIncremented ? " AUTOINCREMENT" : "")
  }
}

extension ColumnConstraint.DefaultValue {
  var sql: String {
    switch self {
    case .literal(let sql): sql
    case .expression(let sql): "(\(sql))"
    case .unstorable: "NULL"
    }
  }
}

extension Ordering {
  static func clause(_ direction: Direction?) -> String {
    switch direction {
    case .ascending: " ASC"
    case .descending: " DESC"
    case nil: ""
    }
  }
}

extension Collation {
  static func clause(_ collation: Collation?) -> String {
    collation.map { " COLLATE " + SQLIdentifier.quoted($0.rawValue) } ?? ""
  }
}

extension TableConstraint {
  package var sql: String {
    (name.map { "CONSTRAINT \(SQLIdentifier.quoted($0)) " } ?? "") + kind.sql
  }
}

extension TableConstraint.Kind {
  var sql: String {
    switch self {
    case .primaryKey(let columns, let resolution, let isAutoIncremented):
      "PRIMARY KEY (\(columns.map(\.sql).joined(separator: ", "))\(isAutoIncremented ? " AUTOINCREMENT" : ""))"
        + ConflictResolution.clause(resolution)
    case .unique(let columns, let resolution):
      "UNIQUE (\(columns.map(\.sql).joined(separator: ", ")))" + ConflictResolution.clause(resolution)
    case .check(let sql): "CHECK (\(sql))"
    case .foreignKey(let key): "FOREIGN KEY (\(SQLIdentifier.list(key.columns))) " + key.referenceSQL
    }
  }
}

extension TableConstraint.KeyColumn {
  var sql: String { SQLIdentifier.quoted(name) + Collation.clause(collation) + Ordering.clause(direction) }
}

extension SQLIdentifier {
  static func list(_ names: [String]) -> String {
    names.map(quoted).joined(separator: ", ")
  }
}

extension ForeignKeyDefinition {
  var referenceSQL: String {
    var sql = "REFERENCES " + SQLIdentifier.quoted(table)
    if let referencedColumns { sql += " (\(SQLIdentifier.list(referencedColumns)))" }
    if let onDelete { sql += " ON DELETE " + onDelete.rawValue }
    if let onUpdate { sql += " ON UPDATE " + onUpdate.rawValue }
    if isDeferred { sql += " DEFERRABLE INITIALLY DEFERRED" }
    return sql
  }
}

extension IndexDefinition {
  /// The SQL that creates the index.
  ///
  /// ```swift
  /// IndexDefinition("player_on_name", on: "player", columns: ["name"], options: [.unique, .ifNotExists]).sql
  /// // CREATE UNIQUE INDEX IF NOT EXISTS player_on_name ON player (name)
  /// ```
  public var sql: String {
    let unique = options.contains(.unique) ? "UNIQUE " : ""
    let condition = options.contains(.ifNotExists) ? "IF NOT EXISTS " : ""
    let subjects = terms.map(\.sql).joined(separator: ", ")
    return "CREATE \(unique)INDEX \(condition)\(SQLIdentifier.quoted(name)) ON \(SQLIdentifier.quoted(table)) (\(subjects))"
      + (self.condition.map { " WHERE \($0)" } ?? "")
  }
}

extension IndexDefinition.Term {
  var sql: String {
    let text =
      switch subject {
      case .column(let name): SQLIdentifier.quoted(name)
      case .expression(let sql): sql
      }
    return text + Collation.clause(collation) + Ordering.clause(direction)
  }
}
