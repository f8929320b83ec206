public import QuarryEngine

/// The names that SQL can use on a connection, from which completions are built.
///
/// ```swift
/// let schema = try SQLCompletionSchema(of: db)
/// schema.table(named: "track")?.columns.first?.name   // TrackId
/// ```
public struct SQLCompletionSchema: Hashable, Sendable {
  /// A column with its name and its declared type.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// The declared type; empty if none is declared.
    public var declaredType: String

    /// Creates a column.
    public init(name: String, declaredType: String = "") {
      self.name = name
      self.declaredType = declaredType
    }
  }

  /// A table, view or virtual table.
  public struct Table: Hashable, Sendable {
    /// Its database and its name.
    public var reference: TableReference
    /// Its kind: `table`, `view`, `virtual table`, `shadow table`, `system table`.
    public var kind: String
    /// Its columns, including hidden ones; empty if SQLite cannot list them.
    public var columns: [Column]
    /// Whether rows can be inserted, updated or deleted; true for a view only if it has a trigger for that.
    public var takesRows: Bool
    /// Its foreign keys, from which join conditions are built.
    public var foreignKeys: [ForeignKeySchema]

    /// Creates a table; by default, rows can be changed in everything except views.
    public init(
      reference: TableReference, kind: String = "table", columns: [Column], takesRows: Bool? = nil, foreignKeys: [ForeignKeySchema] = []
    ) {
      self.reference = reference
      self.kind = kind
      self.columns = columns
      self.takesRows = takesRows ?? (kind != "view")
      self.foreignKeys = foreignKeys
    }
  }

  /// The tables of all databases, grouped by database.
  public var tables: [Table]
  /// The table-valued functions, such as `json_each`, with the columns of their rows.
  public var tableFunctions: [Table]
  /// The names of the functions, each once.
  public var functions: [String]
  /// The names of the pragmas.
  public var pragmas: [String]
  /// The names of the collations.
  public var collations: [String]
  /// The keywords, in capitals.
  public var keywords: [String]

  /// Creates a schema, by default with SQLite's keywords.
  public init(
    tables: [Table] = [], tableFunctions: [Table] = [], functions: [String] = [], pragmas: [String] = [],
    collations: [String] = ["BINARY", "NOCASE", "RTRIM"], keywords: [String]? = nil
  ) {
    self.tables = tables
    self.tableFunctions = tableFunctions
    self.functions = functions
    self.pragmas = pragmas
    self.collations = collations
    self.keywords = keywords ?? SQLKeywords.all
  }
}

extension SQLCompletionSchema {
  /// Returns the table to which SQLite resolves a name: first in `temp`, then in `main`, then in the first database that has it.
  ///
  /// ```swift
  /// schema.table(named: "track")                      // main.Track
  /// schema.table(named: "track", database: "archive") // archive.Track
  /// ```
  public func table(named name: String, database: String? = nil) -> Table? {
    if let database {
      return tables.first { $0.reference.name.isSameIdentifier(as: name) && $0.reference.database.isSameIdentifier(as: database) }
    }
    return tables.filter { $0.reference.name.isSameIdentifier(as: name) }.min { $0.searchRank < $1.searchRank }
  }

  /// Returns whether the name of a table or a column begins with `prefix`, ignoring case.
  func hasName(beginningWith prefix: String) -> Bool {
    let prefix = prefix.lowercased()
    return tables.contains { table in
      table.reference.name.lowercased().hasPrefix(prefix) || table.columns.contains { $0.name.lowercased().hasPrefix(prefix) }
    }
  }

  /// The databases to which SQLite resolves unqualified table names, by those names in lower case.
  var firstDatabases: [String: String] {
    var firsts: [String: String] = [:]
    for rank in 0...2 {
      for table in tables where table.searchRank == rank {
        let (database, name) = (table.reference.database, table.reference.name.lowercased())
        if firsts[name] == nil { firsts[name] = database }
      }
    }
    return firsts
  }

  /// The names of the databases that have tables, in order.
  var databases: [String] {
    var names: [String] = []
    for table in tables where !names.contains(table.reference.database) { names.append(table.reference.database) }
    return names
  }
}

extension SQLCompletionSchema.Table {
  /// The order in which SQLite searches its database for an unqualified name.
  fileprivate var searchRank: Int {
    reference.database.isSameIdentifier(as: "temp") ? 0 : reference.database.isSameIdentifier(as: "main") ? 1 : 2
  }
}

extension SQLCompletionSchema {
  /// Reads the names for completions of SQL: the tables, views and virtual tables of all databases with their columns, the functions,
  /// pragmas and collations.
  ///
  /// ```swift
  /// let schema = try SQLCompletionSchema(of: db)
  /// SQLScript("SELECT * FROM Tr").completions(at: 16, schema: schema).map(\.label)   // ["Track"]
  /// ```
  ///
  ///     PRAGMA database_list; PRAGMA main.table_list
  ///     SELECT name, type FROM pragma_table_xinfo('Track', 'main')
  ///     SELECT DISTINCT name FROM pragma_function_list ORDER BY name
  ///     SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger'
  ///
  /// - Throws: `DatabaseError` if the schema cannot be read.
  public init(of database: Database) throws {
    let databases = try database.catalog().databases
    let triggered = try Self.triggeredTables(in: databases.map(\.name), database)
    let tables = try databases.flatMap(\.entries).map { entry in
      let takesRows = entry.kind != .view || triggered.contains(entry.reference.name.lowercased())
      return try Table(
        reference: entry.reference, kind: entry.kind.word, columns: Self.columns(of: entry.reference, database), takesRows: takesRows,
        foreignKeys: entry.kind == .table ? ForeignKeySchema.all(of: entry.reference, in: database) : [])
    }
    let pragmas = try String.fetchAll(database, sql: "SELECT DISTINCT name FROM pragma_pragma_list ORDER BY name")
    try self.init(
      tables: tables, tableFunctions: Self.tableFunctions(pragmas: pragmas, database),
      functions: String.fetchAll(database, sql: "SELECT DISTINCT name FROM pragma_function_list ORDER BY name"), pragmas: pragmas,
      collations: String.fetchAll(database, sql: "SELECT DISTINCT name FROM pragma_collation_list ORDER BY name"))
  }

  /// Reads the names, in lower case, of tables and views with triggers.
  ///
  /// All triggers of a view are INSTEAD OF triggers, which make it changeable.
  private static func triggeredTables(in databases: [String], _ database: Database) throws -> Set<String> {
    try Set(
      (databases + ["temp"]).flatMap { name in
        try String.fetchAll(database, sql: "SELECT tbl_name FROM \(SQLIdentifier.quoted(name)).sqlite_schema WHERE type = 'trigger'")
      }.map { $0.lowercased() })
  }

  /// Reads the modules with eponymous virtual tables, and the pragmas that return rows, which are also table-valued functions.
  private static func tableFunctions(pragmas: [String], _ database: Database) throws -> [Table] {
    let modules = try String.fetchAll(database, sql: "SELECT DISTINCT name FROM pragma_module_list ORDER BY name")
    let names = Set(modules).union(pragmas.map { "pragma_\($0)" }).sorted()
    return try names.map { name in
      let reference = TableReference(name: name)
      return try Table(reference: reference, kind: "table-valued function", columns: columns(of: reference, database))
    }.filter { !$0.columns.isEmpty }
  }

  /// Reads the columns of a table; none if its module is missing or a view does not compile.
  private static func columns(of table: TableReference, _ database: Database) throws -> [Column] {
    let sql = "SELECT name, type FROM pragma_table_xinfo(?, ?)"
    do {
      return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [table.name, table.database]).map {
        try Column(name: $0[0], declaredType: $0[1])
      }
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_ERROR {
      return []
    }
  }
}

extension CatalogEntry.Kind {
  /// The kind as a word.
  fileprivate var word: String {
    switch self {
    case .table: "table"
    case .view: "view"
    case .virtual: "virtual table"
    case .shadow: "shadow table"
    case .system: "system table"
    }
  }
}
