/// The part of a database that a statement reads: tables, and of each table columns.
///
/// ```swift
/// let statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > 100")
/// try statement.databaseRegion.description  // main.player(name, score)
/// ```
///
/// Names are spelled as the schema has them, and compared without regard to the case of ASCII letters, as SQLite compares them.
public struct DatabaseRegion: Sendable {
  /// The columns of each table; none where a table's rows are counted, but no value of theirs is read.
  public private(set) var columns: [TableReference: Set<String>] = [:]

  /// Creates the region of a statement that reads nothing.
  public init() {}

  /// Whether no table is read.
  public var isEmpty: Bool { columns.isEmpty }

  /// The tables.
  public var tables: Set<TableReference> { Set(columns.keys) }

  /// Adds a column, or only its table where the column's name is empty.
  mutating func insert(column: String, of table: TableReference) {
    let table = columns.keys.first { $0.isSameTable(as: table) } ?? table
    var names = columns[table, default: []]
    if !column.isEmpty, !names.contains(where: column.isSameIdentifier) { names.insert(column) }
    columns[table] = names
  }
}

extension DatabaseRegion: Hashable {
  /// Whether both are the same columns of the same tables.
  public static func == (lhs: DatabaseRegion, rhs: DatabaseRegion) -> Bool {
    lhs.folded == rhs.folded
  }

  /// Hashes the tables and their columns.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(folded)
  }

  private var folded: [String: Set<String>] {
    let pairs = columns.map { ("\($0.database).\($0.name)".asciiLowercased, Set($1.map(\.asciiLowercased))) }
    return Dictionary(pairs, uniquingKeysWith: { $0.union($1) })
  }
}

extension DatabaseRegion: CustomStringConvertible {
  /// The tables with their columns, sorted, such as `main.player(name, score)`.
  public var description: String {
    columns.map { table, names in
      let list = names.isEmpty ? "" : "(" + names.sorted().joined(separator: ", ") + ")"
      return "\(table.database).\(table.name)\(list)"
    }.sorted().joined(separator: ", ")
  }
}

extension Statement {
  /// The tables and columns that the statement reads, as SQLite's authorizer is told of them when it compiles the SQL.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT count(*) FROM player")
  /// try statement.databaseRegion.tables  // [TableReference(database: "main", name: "player")]
  /// ```
  ///
  /// A view stands there beside the tables that it reads. The corresponding C function is `sqlite3_set_authorizer`.
  ///
  /// - Throws: ``DatabaseError`` where the SQL no longer compiles.
  public var databaseRegion: DatabaseRegion {
    get throws {
      try database.checkAccess()
      return try database.collectingRegion { _ = try Statement(sql: sql, options: [], database: database) }
    }
  }
}

extension Database {
  /// Runs `body`, and returns what is read by the statements that it compiles.
  func collectingRegion(_ body: () throws -> Void) throws -> DatabaseRegion {
    region = DatabaseRegion()
    unlocatedTables = []
    defer { region = nil }
    try body()
    var collected = region ?? DatabaseRegion()
    region = nil
    for (database, name) in unlocatedTables {
      if let table = try locate(name, in: database) { collected.insert(column: "", of: table) }
    }
    return collected
  }

  /// The table or view that a name means: without a database, of `temp` before `main`, and of attached ones in their order.
  private func locate(_ name: String, in database: String?) throws -> TableReference? {
    // The schema's own tables are not in the schema.
    if ["sqlite_master", "sqlite_schema"].contains(name.asciiLowercased) {
      return TableReference(database: database ?? "main", name: name)
    }
    let databases = try String.fetchAll(self, sql: "SELECT name FROM pragma_database_list ORDER BY name <> 'temp', seq")
    for candidate in databases where database?.isSameIdentifier(as: candidate) != false {
      let sql = """
        SELECT name FROM \(SQLIdentifier.quoted(candidate)).sqlite_schema
        WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE
        """
      if let found = try String.fetchOne(self, sql: sql, arguments: [name]) { return TableReference(database: candidate, name: found) }
    }
    return nil
  }

  /// Adds a column that a statement being compiled reads, where somebody collects the region.
  func noteRead(_ request: AuthorizationRequest) {
    guard region != nil, request.action == .read, let table = request.first else { return }
    if let database = request.database, let column = request.second, !column.isEmpty {
      region?.insert(column: column, of: TableReference(database: database, name: table))
    } else {
      // A table of which no column is read is told by the names that the statement has for it, which need not name its database.
      unlocatedTables.append((request.database, table))
    }
  }
}
