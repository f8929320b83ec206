// See Operators+Comparison.swift for the number of overloads.

/// Returns whether both conditions are true.
///
/// ```swift
/// Reminder.where { !$0.isCompleted && $0.priority == 3 }
/// // SELECT * FROM reminders WHERE (NOT (isCompleted) AND (priority = 3))
/// ```

/// Returns whether a condition and a value are true.
///
/// ```swift
/// Reminder.where { $0.isCompleted && true }
/// // SELECT * FROM reminders WHERE (isCompleted AND 1)
/// ```
public func && (left: some QueryExpression<Bool>, right: some QueryArgument<Bool>) -> Logic {
  Logic(.and, [left, right.queryArgument])
}

/// Returns whether a value and a condition are true.
///
/// ```swift
/// Reminder.where { true && $0.isCompleted }
/// // SELECT * FROM reminders WHERE (1 AND isCompleted)
/// ```
public func && (left: Bool, right: some QueryExpression<Bool>) -> Logic {
  Logic(.and, [Constant(left), right])
}

/// Returns whether at least one of two conditions is true.
///
/// ```swift
/// Reminder.where { !$0.isCompleted || $0.priority == 3 }
/// // SELECT * FROM reminders WHERE (NOT (isCompleted) OR (priority = 3))
/// ```

/// Returns whether a condition or a value is true.
///
/// ```swift
/// Reminder.where { $0.isCompleted || false }
/// // SELECT * FROM reminders WHERE (isCompleted OR 0)
/// ```
public func || (left: some QueryExpression<Bool>, right: some QueryArgument<Bool>) -> Logic {
  Logic(.or, [left, right.queryArgument])
}

/// Returns whether a value or a condition is true.
///
/// ```swift
/// Reminder.where { false || $0.isCompleted }
/// // SELECT * FROM reminders WHERE (0 OR isCompleted)
/// ```
public func || (left: Bool, right: some QueryExpression<Bool>) -> Logic {
  Logic(.or, [Constant(left), right])
}

/// Returns the negation of a condition.
///
/// ```swift
/// Reminder.where { !$0.isCompleted }
/// // SELECT * FROM reminders WHERE NOT (isCompleted)
/// ```
public prefix func ! (operand: some QueryExpression<Bool>) -> Negation {
  Negation(operand)
}

/// Returns an expression, or a value if it is NULL: the same as ``QueryExpression/coalesce(_:)-(Self.QueryValue)``.
///
/// ```swift
/// Reminder.select { $0.priority ?? 0 }
/// // SELECT coalesce(priority, 0) FROM reminders
/// ```
public func ?? <E: QueryExpression>(left: E, right: E.QueryValue) -> FunctionCall<E.QueryValue> {
  left.coalesce(right)
}

/// Returns an expression, or another of the same type if it is NULL.
///
/// ```swift
/// Reminder.select { $0.priority ?? $0.listID }
/// // SELECT coalesce(priority, listID) FROM reminders
/// ```
// Without it, the compiler would prefer Swift's operator for two expressions of one type.
public func ?? <E: QueryExpression>(left: E, right: E) -> FunctionCall<E.Output> {
  left.coalesce(right)
}

/// Returns an expression, or another if it is NULL.
///
/// ```swift
/// Reminder.select { $0.priority ?? $0.listID ?? 0 }
/// // SELECT coalesce(priority, coalesce(listID, 0)) FROM reminders
/// ```
public func ?? <L: QueryExpression, R: QueryExpression<L.QueryValue>>(left: L, right: R) -> FunctionCall<R.Output> {
  left.coalesce(right)
}
