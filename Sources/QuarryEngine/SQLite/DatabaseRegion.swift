/// The part of a database that a statement reads: tables and their columns.
///
/// ```swift
/// let statement = try db.makeStatement(sql: "SELECT name FROM player WHERE score > 100")
/// try statement.databaseRegion.description  // main.player(name, score)
/// ```
///
/// Names are spelled as in the schema, and compared as in SQLite, ignoring the case of ASCII letters.
public struct DatabaseRegion: Sendable {
  /// The columns of each table; empty if the rows of a table are counted without reading their values.
  public private(set) var columns: [TableReference: Set<String>] = [:]

  /// Creates the region of a statement that reads nothing.
  public init() {}

  /// Whether no table is read.
  public var isEmpty: Bool { columns.isEmpty }

  /// The tables.
  public var tables: Set<TableReference> { Set(columns.keys) }

  /// Adds a column; if its name is empty, only its table.
  mutating func insert(column: String, of table: TableReference) {
    let table = columns.keys.first { $0.isSameTable(as: table) } ?? table
    var names = columns[table, default: []]
    if !column.isEmpty, !names.contains(where: column.isSameIdentifier) { names.insert(column) }
    columns[table] = names
  }
}

extension DatabaseRegion: Hashable {
  /// Returns whether both contain the same columns of the same tables.
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
  /// The tables and columns that the statement reads, as reported to SQLite's authorizer when the SQL is compiled.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT count(*) FROM player")
  /// try statement.databaseRegion.tables  // [TableReference(database: "main", name: "player")]
  /// ```
  ///
  /// A view is included in addition to the tables that it reads. The corresponding C function is `sqlite3_set_authorizer`.
  ///
  /// - Throws: ``DatabaseError`` if the SQL no longer compiles.
  public var databaseRegion: DatabaseRegion {
    get throws {
      try database.checkAccess()
      return try database.collectingRegion { _ = try Statement(sql: sql, options: [], database: database) }
    }
  }
}
