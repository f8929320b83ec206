extension Database {
  /// Values for a parameter, to choose from.
  ///
  /// ```swift
  /// try db.values(of: .query("SELECT DISTINCT Country FROM Customer ORDER BY 1"), prefix: "b")
  /// // ["Belgium", "Brazil"]
  /// ```
  ///
  /// - Parameters:
  ///   - choices: where the values are taken from.
  ///   - prefix: what the values begin with as texts, without regard to case.
  ///   - limit: the greatest number of values.
  /// - Returns: Different values, in the order of the query or of the column; NULL and blobs are none.
  /// - Throws: ``DatabaseError``, as where there is no such column, or the query writes.
  public func values(of choices: ParameterChoices, prefix: String = "", limit: Int = 100) throws -> [DatabaseValue] {
    switch choices {
    case .query(let sql): try values(ofQuery: sql, prefix: prefix, limit: limit)
    case .column(let table, let column):
      try distinctValues(of: column, in: .table(table), prefix: prefix, limit: max(0, limit)).values.filter { $0.isWritten(with: prefix) }
    }
  }

  private func values(ofQuery sql: String, prefix: String, limit: Int) throws -> [DatabaseValue] {
    let statement = try makeStatement(sql: sql)
    guard statement.isReadonly, statement.columnCount > 0 else {
      throw DatabaseError(DatabaseError.SQLITE_READONLY, "choices come from one SELECT", sql: sql)
    }
    var values: [DatabaseValue] = []
    var known: Set<DatabaseValue> = []
    var rest = Self.choiceRowLimit
    while values.count < limit, rest > 0, try statement.step() {
      let value = try statement.wholeValue(at: 0)
      if value.isWritten(with: prefix), known.insert(value).inserted { values.append(value) }
      rest -= 1
    }
    return values
  }

  /// So many rows are looked at for those that begin with what has been written.
  private static let choiceRowLimit = 100_000
}
