extension RowSet {
  /// The SELECT that gives these rows in this order, for people and other programs; the engine itself reads them by key.
  ///
  /// ```sql
  /// SELECT * FROM Track WHERE (Milliseconds > 300000) ORDER BY Name
  /// ```
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
    case .query(let query):
      sql.append("(")
      sql.raw(query)
      sql.append("\n)")
    }
  }
}
