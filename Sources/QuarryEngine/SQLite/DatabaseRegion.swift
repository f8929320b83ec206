/// The part of a database that a statement reads: tables, and of each table columns.
///
/// ```swift
/// let statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > 100")
/// try statement.databaseRegion.description  // main.player(name, score)
/// ```
public struct DatabaseRegion: Hashable, Sendable {
  /// The columns of each table; none where a table's rows are counted, but no value of theirs is read.
  public private(set) var columns: [TableReference: Set<String>] = [:]

  /// Creates the region of a statement that reads nothing.
  public init() {}

  /// Whether no table is read.
  public var isEmpty: Bool { columns.isEmpty }

  /// The tables.
  public var tables: Set<TableReference> { Set(columns.keys) }

  mutating func insert(column: String, of table: TableReference) {
    var names = columns[table, default: []]
    // SQLite tells of a table of which no column is read by an empty name.
    if !column.isEmpty { names.insert(column) }
    columns[table] = names
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
    defer { region = nil }
    try body()
    return region ?? DatabaseRegion()
  }

  /// Adds a column that a statement being compiled reads, where somebody collects the region.
  func noteRead(_ table: UnsafePointer<CChar>?, _ column: UnsafePointer<CChar>?, _ database: UnsafePointer<CChar>?) {
    guard region != nil, let table else { return }
    let reference = TableReference(database: database.map { String(cString: $0) } ?? "main", name: String(cString: table))
    region?.insert(column: column.map { String(cString: $0) } ?? "", of: reference)
  }
}
