/// An aggregate function over rows, such as `count`, `sum` and `avg`, or over the rows that match a filter.
///
/// ```swift
/// Reminder.select { ($0.id.count(), $0.priority.max(filter: $0.isCompleted)) }
/// // SELECT count(id), max(priority) FILTER (WHERE isCompleted) FROM reminders
/// ```
///
/// A query that selects an aggregate returns one row, or one row for each group of ``Select/group(_:)``.
public struct Aggregate<Operand: QueryOperand, Output: QueryOutput>: QueryExpression {
  public typealias QueryValue = Output.QueryValue

  let name: StaticString
  /// The argument; nil for `*`.
  let operand: (any QueryExpression<Operand>)?
  let isDistinct: Bool
  let separator: String?
  /// The order in which the rows are read.
  let orders: [Ordering]
  /// The condition on the rows.
  let filter: (any QueryExpression<Bool>)?

  init(
    _ name: StaticString, _ operand: (any QueryExpression<Operand>)?, isDistinct: Bool = false, separator: String? = nil,
    orders: [Ordering] = [], filter: (any QueryExpression<Bool>)? = nil
  ) {
    self.name = name
    self.operand = operand
    self.isDistinct = isDistinct
    self.separator = separator
    self.orders = orders
    self.filter = filter
  }

  public func write(to sql: inout SQLWriter) {
    if isDistinct, let separator {
      writeSeparated(by: separator, to: &sql)
    } else {
      writeCall(of: name, to: &sql)
    }
  }

  /// Writes the distinct texts with a separator, for which SQLite's function has no argument beside DISTINCT.
  private func writeSeparated(by separator: String, to sql: inout SQLWriter) {
    sql.append("(SELECT group_concat(value, ")
    sql.append(value: separator)
    sql.append(") FROM json_each(")
    sql.withinTableFunction { writeCall(of: "json_group_array", to: &$0) }
    sql.append("))")
  }

  private func writeCall(of name: StaticString, to sql: inout SQLWriter) {
    sql.append(name)
    sql.append(isDistinct ? "(DISTINCT " : "(")
    if let operand { sql.append(operand) } else { sql.append("*") }
    if let separator, !isDistinct {
      sql.append(", ")
      sql.append(value: separator)
    }
    if !orders.isEmpty {
      sql.require("an aggregate with an order", since: .aggregateOrder)
      sql.append(" ORDER BY ")
      sql.append(orders, separator: ", ") { $1.write(to: &$0) }
    }
    sql.append(")")
    guard let filter else { return }
    sql.append(" FILTER (WHERE ")
    sql.append(filter)
    sql.append(")")
  }
}

extension TableColumns {
  /// Returns the number of rows, or of the rows that match a filter: `count(*)`.
  ///
  /// ```swift
  /// Reminder.select { ($0.count(), $0.count(filter: $0.isCompleted)) }
  /// // SELECT count(*), count(*) FILTER (WHERE isCompleted) FROM reminders
  /// ```
  ///
  /// For a column `count`, declare a property with another name: `let total = Column<Int>("count")`.
  public func count(filter: (any QueryExpression<Bool>)? = nil) -> Aggregate<Int, Int> {
    Aggregate("count", nil, filter: filter)
  }
}

extension QueryExpression {
  /// Returns the number of rows in which the expression is not NULL, or the number of its distinct values.
  ///
  /// ```swift
  /// Reminder.select { ($0.id.count(), $0.priority.count(distinct: true), $0.id.count(filter: $0.priority == 3)) }
  /// // SELECT count(id), count(DISTINCT priority), count(id) FILTER (WHERE (priority = 3)) FROM reminders
  /// ```
  ///
  /// - Parameters:
  ///   - distinct: Whether to count equal values once.
  ///   - filter: The condition on the counted rows; nil for all rows. The other aggregates have the same parameters.
  public func count(distinct: Bool = false, filter: (any QueryExpression<Bool>)? = nil) -> Aggregate<QueryValue, Int> {
    Aggregate("count", self, isDistinct: distinct, filter: filter)
  }
}

extension QueryExpression where QueryValue: OrderedOperand {
  /// Returns the minimum, or NULL if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.min() }
  /// // SELECT min(priority) FROM reminders
  /// ```
  public func min(filter: (any QueryExpression<Bool>)? = nil) -> Aggregate<QueryValue, QueryValue?> {
    Aggregate("min", self, filter: filter)
  }

  /// Returns the maximum, or NULL if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.max() }
  /// // SELECT max(priority) FROM reminders
  /// ```
  public func max(filter: (any QueryExpression<Bool>)? = nil) -> Aggregate<QueryValue, QueryValue?> {
    Aggregate("max", self, filter: filter)
  }
}

extension QueryExpression where QueryValue: NumericOperand {
  /// Returns the mean, or NULL if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.avg() }
  /// // SELECT avg(priority) FROM reminders
  /// ```
  public func avg(distinct: Bool = false, filter: (any QueryExpression<Bool>)? = nil) -> Aggregate<QueryValue, Double?> {
    Aggregate("avg", self, isDistinct: distinct, filter: filter)
  }

  /// Returns the sum, or NULL if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.sum(filter: !$0.isCompleted) }
  /// // SELECT sum(priority) FILTER (WHERE NOT (isCompleted)) FROM reminders
  /// ```
  ///
  /// If a sum of integers exceeds 64 bits, fetching the query throws an error of SQLite; ``total(distinct:filter:)`` has no such limit.
  public func sum(distinct: Bool = false, filter: (any QueryExpression<Bool>)? = nil) -> Aggregate<QueryValue, QueryValue?> {
    Aggregate("sum", self, isDistinct: distinct, filter: filter)
  }

  /// Returns the sum as a real, or 0 if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.total() }
  /// // SELECT total(priority) FROM reminders
  /// ```
  public func total(distinct: Bool = false, filter: (any QueryExpression<Bool>)? = nil) -> Aggregate<QueryValue, Double> {
    Aggregate("total", self, isDistinct: distinct, filter: filter)
  }
}

extension QueryExpression<String> {
  /// Returns the concatenated texts, or NULL if there are no texts.
  ///
  /// ```swift
  /// Reminder.select { $0.title.groupConcat(separator: ", ") }
  /// // SELECT group_concat(title, ', ') FROM reminders
  /// Reminder.select { $0.title.groupConcat(distinct: true) }
  /// // SELECT group_concat(DISTINCT title) FROM reminders
  /// Reminder.select { $0.title.groupConcat(separator: "; ", distinct: true) }
  /// // SELECT (SELECT group_concat(value, '; ') FROM json_each(json_group_array(DISTINCT reminders.title))) FROM reminders
  /// Reminder.select { $0.title.groupConcat(separator: ", ", order: $0.priority.desc(), $0.title) }
  /// // SELECT group_concat(title, ', ' ORDER BY priority DESC, title) FROM reminders
  /// ```
  ///
  /// DISTINCT with a separator ends a text at its first NUL.
  ///
  /// - Parameters:
  ///   - separator: The text between two texts; nil for a comma.
  ///   - distinct: Whether to take equal texts once.
  ///   - order: The order of the texts; without one, SQLite may return any. It requires SQLite 3.44; with an older library, making a
  ///     statement of the query throws `SQLITE_ERROR`.
  ///   - filter: The condition on the rows; nil for all rows.
  public func groupConcat(
    separator: String? = nil, distinct: Bool = false, order: any OrderingTerm..., filter: (any QueryExpression<Bool>)? = nil
  ) -> Aggregate<String, String?> {
    Aggregate("group_concat", self, isDistinct: distinct, separator: separator, orders: order.map(\.ordering), filter: filter)
  }
}
