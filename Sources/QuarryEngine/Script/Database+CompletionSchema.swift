extension Database {
  /// Reads what completions of SQL are made from: the tables, views and virtual tables of all databases with their columns, the
  /// functions, pragmas and collations.
  ///
  /// ```swift
  /// let schema = try db.completionSchema()
  /// SQLScript("SELECT * FROM Tr").completions(at: 16, schema: schema).map(\.label)   // ["Track"]
  /// ```
  ///
  ///     PRAGMA database_list; PRAGMA main.table_list
  ///     SELECT name, type FROM pragma_table_xinfo('Track', 'main')
  ///     SELECT DISTINCT name FROM pragma_function_list ORDER BY name
  ///     SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger'
  ///
  /// - Throws: `DatabaseError` where the schema cannot be read.
  public func completionSchema() throws -> SQLCompletionSchema {
    let databases = try catalog().databases
    let triggered = try triggeredTables(in: databases.map(\.name))
    let tables = try databases.flatMap(\.entries).map { entry in
      let takesRows = entry.kind != .view || triggered.contains(entry.reference.name.lowercased())
      return try SQLCompletionSchema.Table(
        reference: entry.reference, kind: entry.kind.word, columns: completionColumns(of: entry.reference), takesRows: takesRows)
    }
    let pragmas = try String.fetchAll(self, sql: "SELECT DISTINCT name FROM pragma_pragma_list ORDER BY name")
    return try SQLCompletionSchema(
      tables: tables, tableFunctions: completionTableFunctions(pragmas: pragmas),
      functions: String.fetchAll(self, sql: "SELECT DISTINCT name FROM pragma_function_list ORDER BY name"), pragmas: pragmas,
      collations: String.fetchAll(self, sql: "SELECT DISTINCT name FROM pragma_collation_list ORDER BY name"))
  }

  /// The names, in small letters, of what has triggers: a view has none but those INSTEAD OF what changes it.
  private func triggeredTables(in databases: [String]) throws -> Set<String> {
    try Set(
      (databases + ["temp"]).flatMap { database in
        try String.fetchAll(self, sql: "SELECT tbl_name FROM \(SQLIdentifier.quoted(database)).sqlite_schema WHERE type = 'trigger'")
      }.map { $0.lowercased() })
  }

  /// The modules whose tables are there without being created, and the pragmas that give rows, which can be called as such.
  private func completionTableFunctions(pragmas: [String]) throws -> [SQLCompletionSchema.Table] {
    let modules = try String.fetchAll(self, sql: "SELECT DISTINCT name FROM pragma_module_list ORDER BY name")
    let names = Set(modules).union(pragmas.map { "pragma_\($0)" }).sorted()
    return try names.map { name in
      let reference = TableReference(name: name)
      return try SQLCompletionSchema.Table(reference: reference, kind: "table-valued function", columns: completionColumns(of: reference))
    }.filter { !$0.columns.isEmpty }
  }

  /// The columns of a table; none where a module is missing or a view does not compile.
  private func completionColumns(of table: TableReference) throws -> [SQLCompletionSchema.Column] {
    let sql = "SELECT name, type FROM pragma_table_xinfo(?, ?)"
    do {
      return try Row.fetchAll(cachedStatement(sql: sql), arguments: [table.name, table.database]).map {
        try SQLCompletionSchema.Column(name: $0[0], declaredType: $0[1])
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
