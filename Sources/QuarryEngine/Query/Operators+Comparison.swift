// Each operator has three overloads, each with a concrete result: two expressions of one type, an expression and a plain value, and a plain
// value and an expression. A value may be nil, which is NULL. More overloads, or opaque results, would make predicates slow to compile.

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

/// Returns whether an expression comes before a value; NULL for nil.
///
/// ```swift
/// Reminder.where { $0.priority < 3 }
/// // SELECT * FROM reminders WHERE (priority < 3)
/// ```
public func < <E: QueryExpression>(left: E, right: E.QueryValue?) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(left, .less, Constant(right))
}

/// Returns whether a value comes before an expression; NULL for nil.
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

/// Returns whether an expression comes before a value or is equal to it; NULL for nil.
///
/// ```swift
/// Reminder.where { $0.priority <= 3 }
/// // SELECT * FROM reminders WHERE (priority <= 3)
/// ```
public func <= <E: QueryExpression>(left: E, right: E.QueryValue?) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(left, .atMost, Constant(right))
}

/// Returns whether a value comes before an expression or is equal to it; NULL for nil.
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

/// Returns whether an expression comes after a value; NULL for nil.
///
/// ```swift
/// Reminder.where { $0.priority > 3 }
/// // SELECT * FROM reminders WHERE (priority > 3)
/// ```
public func > <E: QueryExpression>(left: E, right: E.QueryValue?) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(left, .greater, Constant(right))
}

/// Returns whether a value comes after an expression; NULL for nil.
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

/// Returns whether an expression comes after a value or is equal to it; NULL for nil.
///
/// ```swift
/// Reminder.where { $0.priority >= 3 }
/// // SELECT * FROM reminders WHERE (priority >= 3)
/// ```
public func >= <E: QueryExpression>(left: E, right: E.QueryValue?) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(left, .atLeast, Constant(right))
}

/// Returns whether a value comes after an expression or is equal to it; NULL for nil.
///
/// ```swift
/// Reminder.where { 3 >= $0.priority }
/// // SELECT * FROM reminders WHERE (3 >= priority)
/// ```
public func >= <E: QueryExpression>(left: E.QueryValue?, right: E) -> Comparison<E.QueryValue> where E.QueryValue: OrderedOperand {
  Comparison(Constant(left), .atLeast, right)
}

/// Returns whether two expressions are equal: `=`, which is never true for NULL.
///
/// ```swift
/// Reminder.where { $0.id == $0.listID }
/// // SELECT * FROM reminders WHERE (id = listID)
/// ```
public func == <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Equality<L.QueryValue>
where L.QueryValue == R.QueryValue {
  Equality(left, right)
}

/// Returns whether an expression equals a value: `=`, or `IS NULL` for nil.
///
/// ```swift
/// Reminder.where { $0.priority == 3 }
/// // SELECT * FROM reminders WHERE (priority = 3)
/// Reminder.where { $0.priority == nil }
/// // SELECT * FROM reminders WHERE (priority IS NULL)
/// ```
public func == <E: QueryExpression>(left: E, right: E.QueryValue?) -> Equality<E.QueryValue> {
  Equality(left, constant: right)
}

/// Returns whether a value equals an expression, which SQL names first: `=`, or `IS NULL` for nil.
///
/// ```swift
/// Reminder.where { 3 == $0.priority }
/// // SELECT * FROM reminders WHERE (priority = 3)
/// ```
public func == <E: QueryExpression>(left: E.QueryValue?, right: E) -> Equality<E.QueryValue> {
  Equality(right, constant: left)
}

/// Returns whether two expressions differ: `<>`, which excludes NULL (``QueryExpression/isNot(_:)-(Self.QueryValue?)`` includes it).
///
/// ```swift
/// Reminder.where { $0.id != $0.listID }
/// // SELECT * FROM reminders WHERE (id <> listID)
/// ```
public func != <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Equality<L.QueryValue>
where L.QueryValue == R.QueryValue {
  Equality(left, right, isNegated: true)
}

/// Returns whether an expression differs from a value: `<>`, which excludes NULL (``QueryExpression/isNot(_:)-(Self.QueryValue?)`` includes
/// it).
///
/// ```swift
/// Reminder.where { $0.priority != 3 }
/// // SELECT * FROM reminders WHERE (priority <> 3)
/// Reminder.where { $0.priority != nil }
/// // SELECT * FROM reminders WHERE (priority IS NOT NULL)
/// ```
public func != <E: QueryExpression>(left: E, right: E.QueryValue?) -> Equality<E.QueryValue> {
  Equality(left, constant: right, isNegated: true)
}

/// Returns whether a value differs from an expression: `<>`, which excludes NULL (``QueryExpression/isNot(_:)-(Self.QueryValue?)`` includes
/// it).
///
/// ```swift
/// Reminder.where { 3 != $0.priority }
/// // SELECT * FROM reminders WHERE (priority <> 3)
/// ```
public func != <E: QueryExpression>(left: E.QueryValue?, right: E) -> Equality<E.QueryValue> {
  Equality(right, constant: left, isNegated: true)
}
