/// One value of many rows: `count`, `sum`, `avg` and the like.
///
/// ```swift
/// Reminder.select { ($0.id.count(), $0.priority.max()) }
/// // SELECT count(id), max(priority) FROM reminders
/// ```
///
/// A query that selects one yields one row, or one for each group of ``Select/group(_:)``.
public struct Aggregate<Operand: QueryOperand, Output: QueryOutput>: QueryExpression {
  public typealias QueryValue = Output.QueryValue

  let name: StaticString
  /// Nil is `*`.
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
  /// Returns the number of rows in which the expression is not NULL, or of its different values.
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
  /// Returns the least value, or NULL where there is none.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.min() }
  /// // SELECT min(priority) FROM reminders
  /// ```
  public func min() -> Aggregate<QueryValue, QueryValue?> {
    Aggregate("min", self)
  }

  /// Returns the greatest value, or NULL where there is none.
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
  /// Returns the mean, or NULL where there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.avg() }
  /// // SELECT avg(priority) FROM reminders
  /// ```
  public func avg(distinct: Bool = false) -> Aggregate<QueryValue, Double?> {
    Aggregate("avg", self, isDistinct: distinct)
  }

  /// Returns the sum, or NULL where there are no values.
  ///
  /// ```swift
  /// Reminder.select { $0.priority.sum() }
  /// // SELECT sum(priority) FROM reminders
  /// ```
  ///
  /// A sum of integers that is past 64 bits is SQLite's error when the query is fetched; ``total(distinct:)`` has no such bound.
  public func sum(distinct: Bool = false) -> Aggregate<QueryValue, QueryValue?> {
    Aggregate("sum", self, isDistinct: distinct)
  }

  /// Returns the sum as a real, 0 where there are no values.
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
  /// Returns the texts one after the other, `separator` (a comma where there is none) between them; NULL where there are no texts.
  ///
  /// ```swift
  /// Reminder.select { $0.title.groupConcat(separator: ", ") }
  /// // SELECT group_concat(title, ', ') FROM reminders
  /// ```
  public func groupConcat(separator: String? = nil) -> Aggregate<String, String?> {
    Aggregate("group_concat", self, separator: separator)
  }

  /// Returns the different texts one after the other, a comma between them; NULL where there are no texts.
  ///
  /// ```swift
  /// Reminder.select { $0.title.groupConcat(distinct: true) }
  /// // SELECT group_concat(DISTINCT title) FROM reminders
  /// ```
  public func groupConcat(distinct: Bool) -> Aggregate<String, String?> {
    Aggregate("group_concat", self, isDistinct: distinct)
  }
}
