public import QuarryChanges
public import QuarryEngine
public import QuarryRows

// Suggestions for values. Each needs one statement, which examines only some rows.

extension RemoteDataSource {
  /// Returns the changes that an expression would make to a column in the rows of a set.
  public func edits(of column: String, to expression: ColumnExpression, in set: RowSet, limit: Int) async throws -> [ColumnEdit] {
    let reading = try await inSchema { db in try ColumnEditReading(of: column, to: expression, in: set, db) }
    return try await link.wholeValues(of: reading.sql, width: reading.width, limit: limit).compactMap(reading.edit)
  }

  /// Returns suggested values for a column, from the first rows of the referenced table.
  public func choices(for column: String, of table: TableReference, prefix: String, limit: Int) async throws -> [ColumnChoice] {
    let origin = try await inSchema { db in
      try db.choiceOrigin(of: column, of: db.tableSchema(table), prefix: prefix, limit: limit, among: RemoteLink.choiceRowLimit)
    }
    switch origin {
    case .listed(let choices): return choices
    case .referred(let sql, let width): return try await link.wholeValues(of: sql, width: width, limit: limit).compactMap(ColumnChoice.init)
    case .column(let column):
      return try await values(of: column, prefix: prefix, limit: limit).map { ColumnChoice(value: $0) }
    }
  }

  /// Returns values for a parameter.
  public func values(of choices: ParameterChoices, limit: Int) async throws -> [DatabaseValue] {
    try await values(of: choices, prefix: "", limit: limit)
  }

  /// Returns values from the first rows of a table or query, and for a table also from its last rows.
  private func values(of choices: ParameterChoices, prefix: String, limit: Int) async throws -> [DatabaseValue] {
    switch choices {
    case .column(let table, let column): return try await link.someValues(of: column, in: table, prefix: prefix, limit: limit)
    case .query(let sql):
      try RemoteGuard.check(sql)
      let width = try await inSchema { db in
        let statement = try db.makeStatement(sql: sql)
        return statement.isReadonly ? statement.columnCount : 0
      }
      guard width > 0 else { throw DatabaseError(DatabaseError.SQLITE_READONLY, "choices must come from one SELECT", sql: sql) }
      // The line break ends a comment at the end of the query.
      let rows = try await link.wholeValues(of: "\(raw: sql)\n", width: width, limit: RemoteLink.choiceQueryLimit)
      var known: Set<DatabaseValue> = []
      return Array(rows.compactMap { $0.first?.value }.filter { $0.isWritten(with: prefix) && known.insert($0).inserted }.prefix(limit))
    }
  }
}

extension RemoteLink {
  /// The number of rows of a table that are searched for matching values.
  static let choiceRowLimit = 20_000
  /// The number of rows of a query that are searched for distinct values.
  static let choiceQueryLimit = 1000

  /// Reads the first rows of a SELECT with complete values.
  ///
  ///     WITH "rows of the query"(c0, c1) AS (SELECT …) SELECT … FROM "rows of the query" LIMIT 100
  func wholeValues(of sql: SQLText, width: Int, limit: Int) async throws -> [[StoredValue]] {
    try RemoteProjection.checkWidth(width)
    let names = (0..<width).map { "c\($0)" }
    let cells = names.map { RemoteProjection.cell($0, limit: nil) + " AS a" }.joined(separator: ", ")
    let statement: SQLText = """
      WITH "rows of the query"(\(raw: names.joined(separator: ", "))) AS (\(sql)) SELECT \(raw: cells) FROM "rows of the query" \
      LIMIT \(raw: String(max(0, limit)))
      """
    return try await rows(
      RemoteStatement(around: statement, limit: database.capabilities.parameterLimit), on: reading(.background)
    ).rows.map {
      try $0.map { try StoredValue($0) ?? .null }
    }
  }

  /// Returns some distinct values of a table's column, without NULL.
  func someValues(of column: String, in table: TableReference, prefix: String, limit: Int) async throws -> [DatabaseValue] {
    let sample = try await schema().queue.read { db in
      try DistinctValues.sample(of: column, in: table, prefix: prefix, limit: max(0, limit), on: db)
    }
    let sql: SQLText = "SELECT +\(identifier: "value of the column") AS a FROM (\(sample))"
    let statement = try RemoteStatement(own: sql, limit: database.capabilities.parameterLimit, isBrief: false)
    return try await rows(statement, on: reading(.background)).rows.compactMap { $0.first.flatMap(\.plainValue) }
  }
}
