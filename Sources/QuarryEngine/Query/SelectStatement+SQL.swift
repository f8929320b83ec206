extension SelectStatement {
  /// The statement as SQL.
  var sqlText: SQLText { SQLWriter.text(write) }

  func write(to sql: inout SQLWriter) {
    writeCommonTables(to: &sql)
    sql.withScope(sources.map(\.shown)) { sql in
      sql.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
      writeResult(to: &sql)
      writeSources(to: &sql)
      writePredicates(predicates, after: " WHERE ", to: &sql)
      writeGroups(to: &sql)
    }
    for combination in combinations {
      sql.append(combination.symbol.keyword)
      combination.query.write(to: &sql)
    }
    sql.withScope(sources.map(\.shown)) { sql in
      writeOrders(to: &sql)
      writeLimit(to: &sql)
    }
  }

  /// The statement that counts the rows of this statement.
  ///
  /// ```sql
  /// SELECT count(*) FROM reminders WHERE isCompleted
  /// SELECT count(*) FROM (SELECT DISTINCT priority FROM reminders)
  /// ```
  var countText: SQLText {
    if countsSources {
      var statement = self
      statement.orders = []
      statement.result = .rowCount
      return statement.sqlText
    }
    var sql: SQLText = "SELECT count(*) FROM ("
    sql.append(sqlText)
    sql.append(")")
    return sql
  }

  /// Whether there is one row for each row of the sources, so that these can be counted; not for expressions, which may be aggregates.
  private var countsSources: Bool {
    if case .terms = result { return false }
    return combinations.isEmpty && !isDistinct && groups.isEmpty && groupPredicates.isEmpty && limit == nil
  }

  private func writeCommonTables(to sql: inout SQLWriter) {
    guard !commonTables.isEmpty else { return }
    sql.append(commonTables.contains { $0.query.reads($0.name) } ? "WITH RECURSIVE " : "WITH ")
    sql.append(commonTables, separator: ", ") { sql, table in
      sql.append(identifier: table.name)
      sql.append(" (")
      sql.append(table.columns, separator: ", ") { $0.append(identifier: $1) }
      sql.append(") AS (")
      table.query.write(to: &sql)
      sql.append(")")
    }
    sql.append(" ")
  }

  private func writeResult(to sql: inout SQLWriter) {
    switch result {
    case .everything: sql.append("*")
    case .rowCount: sql.append("count(*)")
    case .terms(let terms): sql.append(terms, separator: ", ") { writeTerm($1, to: &$0) }
    case .firstSource: writeColumns(of: sources.first?.shown.name, to: &sql)
    }
  }

  private func writeTerm(_ term: Selection, to sql: inout SQLWriter) {
    switch term.content {
    case .expression(let expression): sql.append(expression)
    case .columns(let source): writeColumns(of: source, to: &sql)
    }
  }

  private func writeColumns(of source: String?, to sql: inout SQLWriter) {
    if sources.count > 1, let source {
      sql.append(identifier: source)
      sql.append(".")
    }
    sql.append("*")
  }

  private func writeSources(to sql: inout SQLWriter) {
    sql.append(" FROM ")
    for (index, source) in sources.enumerated() {
      if index > 0 { sql.append(source.join.keyword) }
      if source.join == .right || source.join == .full { sql.require("a RIGHT or FULL JOIN", since: .outerJoins) }
      writeOrigin(of: source, to: &sql)
      if let condition = source.condition {
        sql.append(" ON ")
        sql.append(condition)
      }
    }
  }

  private func writeOrigin(of source: Source, to sql: inout SQLWriter) {
    switch source.origin {
    case .table(let table):
      sql.append(identifier: table)
      if table == source.shown.name { return }
    case .query(let query):
      sql.append("(")
      query.write(to: &sql)
      sql.append(")")
    }
    sql.append(" AS ")
    sql.append(identifier: source.shown.name)
  }

  private func writePredicates(_ predicates: [any QueryExpression<Bool>], after keyword: StaticString, to sql: inout SQLWriter) {
    guard !predicates.isEmpty else { return }
    sql.append(keyword)
    sql.append(Logic(.and, predicates))
  }

  private func writeGroups(to sql: inout SQLWriter) {
    guard !groups.isEmpty else { return writePredicates(groupPredicates, after: " HAVING ", to: &sql) }
    sql.append(" GROUP BY ")
    sql.append(groups, separator: ", ") { $0.append(term: $1) }
    writePredicates(groupPredicates, after: " HAVING ", to: &sql)
  }

  private func writeOrders(to sql: inout SQLWriter) {
    guard !orders.isEmpty else { return }
    sql.append(" ORDER BY ")
    sql.append(orders, separator: ", ") { $1.write(to: &$0) }
  }

  private func writeLimit(to sql: inout SQLWriter) {
    guard let limit else { return }
    sql.append(" LIMIT ")
    sql.append(value: limit.count)
    guard let offset = limit.offset else { return }
    sql.append(" OFFSET ")
    sql.append(value: offset)
  }
}
