/// An argument of a function in a query: a plain value, which is bound, or an expression with values of the same type.
///
/// ```swift
/// Reminder.where { $0.title.like("Get%") }    // SELECT * FROM reminders WHERE (title LIKE 'Get%')
/// Reminder.where { $0.title.like($0.title) }  // SELECT * FROM reminders WHERE (title LIKE title)
/// ```
///
/// Every ``QueryOperand`` and every ``QueryExpression`` is one, without code. A value is still no expression: operators take both by
/// overloads, so that `1 == 2` has its usual meaning in Swift.
public protocol QueryArgument<QueryValue>: Sendable {
  /// The type for comparisons; never optional, because NULL is a value of every type in SQL.
  associatedtype QueryValue: QueryOperand

  /// The argument as an expression.
  var queryArgument: any QueryExpression<QueryValue> { get }
}

extension QueryExpression {
  /// The expression itself.
  public var queryArgument: any QueryExpression<QueryValue> { self }
}

extension QueryOperand {
  /// The value as an expression, bound when the statement runs.
  public var queryArgument: any QueryExpression<QueryValue> { Constant(self) }
}
