public import QuarryEngine

/// What SQL can name on a connection: what completions are made from.
///
/// ```swift
/// let schema = try SQLCompletionSchema(of: db)
/// schema.table(named: "track")?.columns.first?.name   // TrackId
/// ```
public struct SQLCompletionSchema: Hashable, Sendable {
  /// A column, by its name and the type as declared; that is empty where none is.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// The type as declared; empty where none is.
    public var declaredType: String

    /// Makes a column.
    public init(name: String, declaredType: String = "") {
      self.name = name
      self.declaredType = declaredType
    }
  }

  /// A table, view or virtual table.
  public struct Table: Hashable, Sendable {
    /// Its database and its name.
    public var reference: TableReference
    /// What it is in a word or two: `table`, `view`, `virtual table`, `shadow table`, `system table`.
    public var kind: String
    /// Its columns, hidden ones too; empty where SQLite cannot tell them.
    public var columns: [Column]
    /// Whether rows can be inserted, updated and deleted; of views those that have a trigger for that.
    public var takesRows: Bool
    /// Its foreign keys, by which it is joined.
    public var foreignKeys: [ForeignKeySchema]

    /// Makes a table; where it is not told, all but views take rows.
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

  /// The tables of all databases, those of one database together.
  public var tables: [Table]
  /// What a FROM can call, such as `json_each`, with the columns of its rows.
  public var tableFunctions: [Table]
  /// The names of the functions, each once.
  public var functions: [String]
  /// The names of the pragmas.
  public var pragmas: [String]
  /// The names of the collations.
  public var collations: [String]
  /// The keywords, in capitals.
  public var keywords: [String]

  /// Makes a schema, with SQLite's keywords where no others are told.
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
  /// Returns the table that SQLite takes a name for: the one in `temp` if there is one, else in `main`, else in the first database that has
  /// it.
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

  /// Returns whether a table or a column has a name that begins so, without regard to case.
  func hasName(beginningWith prefix: String) -> Bool {
    let prefix = prefix.lowercased()
    return tables.contains { table in
      table.reference.name.lowercased().hasPrefix(prefix) || table.columns.contains { $0.name.lowercased().hasPrefix(prefix) }
    }
  }

  /// The databases that SQLite takes names for that tell none, by those names in small letters.
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

  /// The names of the databases that have tables, in their order.
  var databases: [String] {
    var names: [String] = []
    for table in tables where !names.contains(table.reference.database) { names.append(table.reference.database) }
    return names
  }
}

extension SQLCompletionSchema.Table {
  /// When SQLite looks into its database for a name that tells none.
  fileprivate var searchRank: Int {
    reference.database.isSameIdentifier(as: "temp") ? 0 : reference.database.isSameIdentifier(as: "main") ? 1 : 2
  }
}

extension SQLCompletionSchema {
  /// Reads what completions of SQL are made from: the tables, views and virtual tables of all databases with their columns, the
  /// functions, pragmas and collations.
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
  /// - Throws: `DatabaseError` where the schema cannot be read.
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

  /// Reads the names, in small letters, of what has triggers: a view has none but those INSTEAD OF what changes it.
  private static func triggeredTables(in databases: [String], _ database: Database) throws -> Set<String> {
    try Set(
      (databases + ["temp"]).flatMap { name in
        try String.fetchAll(database, sql: "SELECT tbl_name FROM \(SQLIdentifier.quoted(name)).sqlite_schema WHERE type = 'trigger'")
      }.map { $0.lowercased() })
  }

  /// Reads the modules whose tables are there without being created, and the pragmas that give rows, which can be called as such.
  private static func tableFunctions(pragmas: [String], _ database: Database) throws -> [Table] {
    let modules = try String.fetchAll(database, sql: "SELECT DISTINCT name FROM pragma_module_list ORDER BY name")
    let names = Set(modules).union(pragmas.map { "pragma_\($0)" }).sorted()
    return try names.map { name in
      let reference = TableReference(name: name)
      return try Table(reference: reference, kind: "table-valued function", columns: columns(of: reference, database))
    }.filter { !$0.columns.isEmpty }
  }

  /// Reads the columns of a table; none where a module is missing or a view does not compile.
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
  /// What it is in a word or two.
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
