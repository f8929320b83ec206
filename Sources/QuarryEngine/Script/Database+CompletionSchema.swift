extension Database {
  /// Reads what completions of SQL are made from: the tables, views and virtual tables of all databases with their columns, and the
  /// functions.
  ///
  /// ```swift
  /// let schema = try db.completionSchema()
  /// SQLScript("SELECT * FROM Tr").completions(at: 16, schema: schema).map(\.label)   // ["Track"]
  /// ```
  ///
  ///     PRAGMA database_list; PRAGMA main.table_list
  ///     SELECT name, type FROM pragma_table_xinfo('Track', 'main')
  ///     SELECT DISTINCT name FROM pragma_function_list ORDER BY name
  ///
  /// - Throws: `DatabaseError` where the schema cannot be read.
  public func completionSchema() throws -> SQLCompletionSchema {
    let entries = try catalog().databases.flatMap(\.entries)
    return try SQLCompletionSchema(
      tables: entries.map { entry in
        try SQLCompletionSchema.Table(reference: entry.reference, kind: entry.kind.word, columns: completionColumns(of: entry.reference))
      },
      functions: String.fetchAll(self, sql: "SELECT DISTINCT name FROM pragma_function_list ORDER BY name"))
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
