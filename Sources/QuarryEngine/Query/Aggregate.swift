/// An aggregate function over rows, such as `count`, `sum` and `avg`.
///
/// ```swift
/// Reminder.select { ($0.id.count(), $0.priority.max()) }
/// // SELECT count(id), max(priority) FROM reminders
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

  init(_ name: StaticString, _ operand: (any QueryExpression<Operand>)?, isDistinct: Bool = false, separator: String? = nil) {
    self.name = name
    self.operand = operand
    self.isDistinct = isDistinct
    self.separator = separator
  }

  public func write(to sql: inout SQLWriter) {
    sql.append(name)
    sql.append(isDistinct ? "(DISTINCT " : "(")
    if let operand { sql.append(operand) } else { sql.append("*") }
    if let separator {
      sql.append(", ")
      sql.append(value: separator)
    }
    sql.append(")")
  }
}

extension QueryExpression {
  /// Returns the number of rows in which the expression is not NULL, or the number of its distinct values.
  ///
  /// ```swift
  /// Reminder.select { ($0.id.count(), $0.priority.count(distinct: true)) }
  /// // SELECT count(id), count(DISTINCT priority) FROM reminders
  /// ```
  public func count(distinct: Bool = false) -> Aggregate<QueryValue, Int> {
    Aggregate("count", self, isDistinct: distinct)
  }
}

extension QueryExpression where QueryValue: OrderedOperand {
  /// Returns the minimum, or NULL if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.min() }
  /// // SELECT min(priority) FROM reminders
  /// ```
  public func min() -> Aggregate<QueryValue, QueryValue?> {
    Aggregate("min", self)
  }

  /// Returns the maximum, or NULL if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.max() }
  /// // SELECT max(priority) FROM reminders
  /// ```
  public func max() -> Aggregate<QueryValue, QueryValue?> {
    Aggregate("max", self)
  }
}

extension QueryExpression where QueryValue: NumericOperand {
  /// Returns the mean, or NULL if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.avg() }
  /// // SELECT avg(priority) FROM reminders
  /// ```
  public func avg(distinct: Bool = false) -> Aggregate<QueryValue, Double?> {
    Aggregate("avg", self, isDistinct: distinct)
  }

  /// Returns the sum, or NULL if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.sum() }
  /// // SELECT sum(priority) FROM reminders
  /// ```
  ///
  /// If a sum of integers exceeds 64 bits, fetching the query throws an error of SQLite; ``total(distinct:)`` has no such limit.
  public func sum(distinct: Bool = false) -> Aggregate<QueryValue, QueryValue?> {
    Aggregate("sum", self, isDistinct: distinct)
  }

  /// Returns the sum as a real, or 0 if there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.total() }
  /// // SELECT total(priority) FROM reminders
  /// ```
  public func total(distinct: Bool = false) -> Aggregate<QueryValue, Double> {
    Aggregate("total", self, isDistinct: distinct)
  }
}

extension QueryExpression<String> {
  /// Returns the concatenated texts, separated by `separator` (by default a comma), or NULL if there are no texts.
  ///
  /// ```swift
  /// Reminder.select { $0.title.groupConcat(separator: ", ") }
  /// // SELECT group_concat(title, ', ') FROM reminders
  /// ```
  public func groupConcat(separator: String? = nil) -> Aggregate<String, String?> {
    Aggregate("group_concat", self, separator: separator)
  }

  /// Returns the concatenated distinct texts, separated by commas, or NULL if there are no texts.
  ///
  /// ```swift
  /// Reminder.select { $0.title.groupConcat(distinct: true) }
  /// // SELECT group_concat(DISTINCT title) FROM reminders
  /// ```
  public func groupConcat(distinct: Bool) -> Aggregate<String, String?> {
    Aggregate("group_concat", self, isDistinct: distinct)
  }
}
