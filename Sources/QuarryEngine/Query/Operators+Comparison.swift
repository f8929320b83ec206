// See Operators+Equality.swift for the number of overloads.

/// Returns whether an expression comes before another.
///
/// ```swift
/// Reminder.where { $0.priority < $0.listID }
/// // SELECT * FROM reminders WHERE (priority < listID)
/// ```
public func < <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Comparison<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: OrderedOperand {
  Comparison(left, .less, right)
}

/// Returns whether an expression comes before a value; for nil, NULL.
///
/// ```swift
/// Reminder.where { $0.priority < 3 }
/// // SELECT * FROM reminders WHERE (priority < 3)
/// ```
public func < <E: QueryExpression>(left: E, right: E.QueryValue?) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(left, .less, Constant(right))
}

/// Returns whether a value comes before an expression; for nil, NULL.
///
/// ```swift
/// Reminder.where { 3 < $0.priority }
/// // SELECT * FROM reminders WHERE (3 < priority)
/// ```
public func < <E: QueryExpression>(left: E.QueryValue?, right: E) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(Constant(left), .less, right)
}

/// Returns whether an expression comes before another or is equal to it.
///
/// ```swift
/// Reminder.where { $0.priority <= $0.listID }
/// // SELECT * FROM reminders WHERE (priority <= listID)
/// ```
public func <= <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Comparison<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: OrderedOperand {
  Comparison(left, .atMost, right)
}

/// Returns whether an expression comes before a value or is equal to it; for nil, NULL.
///
/// ```swift
/// Reminder.where { $0.priority <= 3 }
/// // SELECT * FROM reminders WHERE (priority <= 3)
/// ```
public func <= <E: QueryExpression>(left: E, right: E.QueryValue?) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(left, .atMost, Constant(right))
}

/// Returns whether a value comes before an expression or is equal to it; for nil, NULL.
///
/// ```swift
/// Reminder.where { 3 <= $0.priority }
/// // SELECT * FROM reminders WHERE (3 <= priority)
/// ```
public func <= <E: QueryExpression>(left: E.QueryValue?, right: E) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(Constant(left), .atMost, right)
}

/// Returns whether an expression comes after another.
///
/// ```swift
/// Reminder.where { $0.priority > $0.listID }
/// // SELECT * FROM reminders WHERE (priority > listID)
/// ```
public func > <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Comparison<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: OrderedOperand {
  Comparison(left, .greater, right)
}

/// Returns whether an expression comes after a value; for nil, NULL.
///
/// ```swift
/// Reminder.where { $0.priority > 3 }
/// // SELECT * FROM reminders WHERE (priority > 3)
/// ```
public func > <E: QueryExpression>(left: E, right: E.QueryValue?) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(left, .greater, Constant(right))
}

/// Returns whether a value comes after an expression; for nil, NULL.
///
/// ```swift
/// Reminder.where { 3 > $0.priority }
/// // SELECT * FROM reminders WHERE (3 > priority)
/// ```
public func > <E: QueryExpression>(left: E.QueryValue?, right: E) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(Constant(left), .greater, right)
}

/// Returns whether an expression comes after another or is equal to it.
///
/// ```swift
/// Reminder.where { $0.priority >= $0.listID }
/// // SELECT * FROM reminders WHERE (priority >= listID)
/// ```
public func >= <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Comparison<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: OrderedOperand {
  Comparison(left, .atLeast, right)
}

/// Returns whether an expression comes after a value or is equal to it; for nil, NULL.
///
/// ```swift
/// Reminder.where { $0.priority >= 3 }
/// // SELECT * FROM reminders WHERE (priority >= 3)
/// ```
public func >= <E: QueryExpression>(left: E, right: E.QueryValue?) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(left, .atLeast, Constant(right))
}

/// Returns whether a value comes after an expression or is equal to it; for nil, NULL.
///
/// ```swift
/// Reminder.where { 3 >= $0.priority }
/// // SELECT * FROM reminders WHERE (3 >= priority)
/// ```
public func >= <E: QueryExpression>(left: E.QueryValue?, right: E) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(Constant(left), .atLeast, right)
}
