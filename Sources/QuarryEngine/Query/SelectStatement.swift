/// The clauses of a SELECT, without the types of its columns.
package struct SelectStatement: Sendable {
  /// The selected expressions.
  enum Result: Sendable {
    /// Every column of every source.
    case everything
    /// Every column of the first source.
    case firstSource
    case expressions([any QueryExpression])
    /// The number of rows.
    case rowCount
  }

  var isDistinct = false
  var result: Result
  var sources: [Source]
  var predicates: [any QueryExpression<Bool>] = []
  var groups: [any QueryExpression] = []
  var groupPredicates: [any QueryExpression<Bool>] = []
  var orders: [Ordering] = []
  var limit: Limit?

  struct Limit: Hashable, Sendable {
    var count: Int
    var offset: Int?
  }

  /// A table to read from, and its join with the preceding sources.
  struct Source: Sendable {
    enum Join: Hashable, Sendable { case inner, left }

    var table: String
    /// Its name in the query: the table's own or an alias.
    var name: String
    var join = Join.inner
    var condition: (any QueryExpression<Bool>)?
  }
}

extension SelectStatement {
  /// The statement as SQL.
  var sqlText: SQLText { SQLWriter.text(write) }

  func write(to sql: inout SQLWriter) {
    sql.withScope(sources.map(\.name)) { sql in
      sql.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
      writeResult(to: &sql)
      writeSources(to: &sql)
      writePredicates(predicates, after: " WHERE ", to: &sql)
      writeGroups(to: &sql)
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
    if case .expressions = result { return false }
    return !isDistinct && groups.isEmpty && groupPredicates.isEmpty && limit == nil
  }

  private func writeResult(to sql: inout SQLWriter) {
    switch result {
    case .everything: sql.append("*")
    case .rowCount: sql.append("count(*)")
    case .expressions(let expressions): sql.append(expressions, separator: ", ") { $0.append($1) }
    case .firstSource:
      if sources.count > 1, let source = sources.first {
        sql.append(identifier: source.name)
        sql.append(".")
      }
      sql.append("*")
    }
  }

  private func writeSources(to sql: inout SQLWriter) {
    sql.append(" FROM ")
    for (index, source) in sources.enumerated() {
      if index > 0 { sql.append(source.join == .left ? " LEFT JOIN " : " JOIN ") }
      sql.append(identifier: source.table)
      if source.name != source.table {
        sql.append(" AS ")
        sql.append(identifier: source.name)
      }
      if let condition = source.condition {
        sql.append(" ON ")
        sql.append(condition)
      }
    }
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
