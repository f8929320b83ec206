extension RowSet {
  /// The SELECT that gives these rows in this order, for people and other programs; the engine itself reads them by key.
  ///
  /// ```sql
  /// SELECT * FROM Track WHERE (Milliseconds > 300000) ORDER BY Name
  /// ```
  ///
  /// Rows that a statement has returned are no database's but their own: nowhere else does the SELECT give them.
  public var sqlText: SQLText {
    var sql = SQLText("SELECT * FROM ")
    append(source, to: &sql)
    if !condition.isEmpty {
      sql.append(" WHERE ")
      sql.append(condition)
    }
    if !order.isNatural {
      sql.append(" ORDER BY ")
      sql.append(order.sqlText)
    }
    return sql
  }

  private func append(_ source: Source, to sql: inout SQLText) {
    switch source {
    case .table(let table):
      if table.database != "main" {
        sql.append(identifier: table.database)
        sql.append(".")
      }
      sql.append(identifier: table.name)
    case .query(let query, let arguments):
      sql.append("(")
      sql.raw(Self.filledIn(query, with: arguments))
      sql.append("\n)")
    case .returned(let rows):
      sql.append("(")
      sql.raw(rows.query)
      sql.append(")")
    }
  }

  /// Returns a query with literals in the place of its parameters, NULL for those that have no value.
  ///
  ///     SELECT * FROM Track WHERE Name LIKE '%love%'   -- of LIKE :name
  static func filledIn(_ query: String, with arguments: [DatabaseValue]) -> String {
    StatementTokens(query).replacingParameters { number in
      (arguments.indices.contains(number - 1) ? arguments[number - 1] : .null).sqlLiteral
    }
  }
}
