extension RowSet {
  /// The SELECT that gives these rows in this order, for people and other programs; the engine itself reads them by key.
  ///
  /// A query's parameters are values of it; ``SQLText/queryString`` writes all of them as literals.
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
      sql.append(query: query, arguments: arguments)
      sql.append("\n)")
    case .returned(let rows):
      sql.append("(")
      sql.append(rows.query)
      sql.append(")")
    }
  }
}

extension SQLText {
  /// Appends a query that a person wrote, with a `?` and its value in the place of each parameter, NULL for those that have no value.
  fileprivate mutating func append(query: String, arguments: [DatabaseValue]) {
    let tokens = StatementTokens(query)
    var end = 0
    for parameter in tokens.parameters {
      raw(String(decoding: tokens.bytes[end..<parameter.range.lowerBound], as: UTF8.self))
      append(argument: arguments.indices.contains(parameter.number - 1) ? arguments[parameter.number - 1] : .null)
      end = parameter.range.upperBound
    }
    raw(String(decoding: tokens.bytes[end...], as: UTF8.self))
  }
}
