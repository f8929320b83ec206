// See Operators+Comparison.swift for the number of overloads.

/// Returns the sum of two numbers.
///
/// ```swift
/// Reminder.select { $0.priority + $0.id }
/// // SELECT (priority + id) FROM reminders
/// ```
public func + <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .plus, right)
}

/// Returns the sum of an expression and a number.
///
/// ```swift
/// Reminder.select { $0.priority + 3 }
/// // SELECT (priority + 3) FROM reminders
/// ```
public func + <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .plus, Constant(right))
}

/// Returns the sum of a number and an expression.
///
/// ```swift
/// Reminder.select { 3 + $0.priority }
/// // SELECT (3 + priority) FROM reminders
/// ```
public func + <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .plus, right)
}

/// Returns a text followed by another: SQL's `||`.
///
/// ```swift
/// Reminder.select { $0.title + $0.title.upper() }
/// // SELECT (title || upper(title)) FROM reminders
/// ```
public func + (left: some QueryExpression<String>, right: some QueryExpression<String>) -> Concatenation {
  Concatenation([left, right])
}

/// Returns a text followed by a value; NULL for nil.
///
/// ```swift
/// Reminder.select { $0.title + "!" }
/// // SELECT (title || '!') FROM reminders
/// ```
public func + (left: some QueryExpression<String>, right: String?) -> Concatenation {
  Concatenation([left, Constant(right)])
}

/// Returns a value followed by a text; NULL for nil.
///
/// ```swift
/// Reminder.select { "! " + $0.title }
/// // SELECT ('! ' || title) FROM reminders
/// ```
public func + (left: String?, right: some QueryExpression<String>) -> Concatenation {
  Concatenation([Constant(left), right])
}

/// Returns the difference of two numbers.
///
/// ```swift
/// Reminder.select { $0.priority - $0.id }
/// // SELECT (priority - id) FROM reminders
/// ```
public func - <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .minus, right)
}

/// Returns the difference of an expression and a number.
///
/// ```swift
/// Reminder.select { $0.priority - 3 }
/// // SELECT (priority - 3) FROM reminders
/// ```
public func - <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .minus, Constant(right))
}

/// Returns the difference of a number and an expression.
///
/// ```swift
/// Reminder.select { 3 - $0.priority }
/// // SELECT (3 - priority) FROM reminders
/// ```
public func - <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .minus, right)
}

/// Returns the product of two numbers.
///
/// ```swift
/// Reminder.select { $0.priority * $0.id }
/// // SELECT (priority * id) FROM reminders
/// ```
public func * <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .times, right)
}

/// Returns the product of an expression and a number.
///
/// ```swift
/// Reminder.select { $0.priority * 3 }
/// // SELECT (priority * 3) FROM reminders
/// ```
public func * <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .times, Constant(right))
}

/// Returns the product of a number and an expression.
///
/// ```swift
/// Reminder.select { 3 * $0.priority }
/// // SELECT (3 * priority) FROM reminders
/// ```
public func * <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .times, right)
}

/// Returns the quotient of two numbers: whole if both are integers, NULL for division by zero.
///
/// ```swift
/// Reminder.select { $0.priority / $0.id }
/// // SELECT (priority / id) FROM reminders
/// ```
public func / <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .dividedBy, right)
}

/// Returns the quotient of an expression and a number: whole if both are integers, NULL for division by zero.
///
/// ```swift
/// Reminder.select { $0.priority / 3 }
/// // SELECT (priority / 3) FROM reminders
/// ```
public func / <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .dividedBy, Constant(right))
}

/// Returns the quotient of a number and an expression: whole if both are integers, NULL for division by zero.
///
/// ```swift
/// Reminder.select { 3 / $0.priority }
/// // SELECT (3 / priority) FROM reminders
/// ```
public func / <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .dividedBy, right)
}

/// Returns the remainder of a division; NULL for division by zero.
///
/// ```swift
/// Reminder.select { $0.priority % $0.id }
/// // SELECT (priority % id) FROM reminders
/// ```
public func % <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .remainder, right)
}

/// Returns the remainder of an expression divided by a number; NULL for division by zero.
///
/// ```swift
/// Reminder.select { $0.priority % 3 }
/// // SELECT (priority % 3) FROM reminders
/// ```
public func % <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .remainder, Constant(right))
}

/// Returns the remainder of a number divided by an expression; NULL for division by zero.
///
/// ```swift
/// Reminder.select { 3 % $0.priority }
/// // SELECT (3 % priority) FROM reminders
/// ```
public func % <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .remainder, right)
}

/// Returns a number with the opposite sign.
///
/// ```swift
/// Reminder.select { -$0.priority }
/// // SELECT -(priority) FROM reminders
/// ```
public prefix func - <E: QueryExpression>(operand: E) -> Negative<E.QueryValue> where E.QueryValue: NumericOperand {
  Negative(operand: operand)
}
