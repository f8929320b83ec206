// Each operator has three overloads, each with a concrete result: two expressions of one type, an expression and a plain value, and a plain
// value and an expression. A value may be nil, which is NULL. More overloads, or opaque results, would make predicates slow to compile.

/// Returns whether two expressions are equal; NULL, which nothing equals, is asked for by IS.
///
/// ```swift
/// Reminder.where { $0.id == $0.listID }
/// // SELECT * FROM reminders WHERE (id = listID)
/// ```
public func == <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Equality<L.QueryValue>
where L.QueryValue == R.QueryValue {
  Equality(left, right)
}

/// Returns whether an expression equals a value; NULL, which nothing equals, is asked for by IS.
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

/// Returns whether a value equals an expression, in SQL after it; NULL, which nothing equals, is asked for by IS.
///
/// ```swift
/// Reminder.where { 3 == $0.priority }
/// // SELECT * FROM reminders WHERE (priority = 3)
/// ```
public func == <E: QueryExpression>(left: E.QueryValue?, right: E) -> Equality<E.QueryValue> {
  Equality(right, constant: left)
}

/// Returns whether two expressions differ: `<>`, which drops NULL (``QueryExpression/isNot(_:)-(Self.QueryValue?)`` keeps it).
///
/// ```swift
/// Reminder.where { $0.id != $0.listID }
/// // SELECT * FROM reminders WHERE (id <> listID)
/// ```
public func != <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Equality<L.QueryValue>
where L.QueryValue == R.QueryValue {
  Equality(left, right, isNegated: true)
}

/// Returns whether an expression differs from a value: `<>`, which drops NULL (``QueryExpression/isNot(_:)-(Self.QueryValue?)`` keeps it).
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

/// Returns whether a value differs from an expression: `<>`, which drops NULL (``QueryExpression/isNot(_:)-(Self.QueryValue?)`` keeps it).
///
/// ```swift
/// Reminder.where { 3 != $0.priority }
/// // SELECT * FROM reminders WHERE (priority <> 3)
/// ```
public func != <E: QueryExpression>(left: E.QueryValue?, right: E) -> Equality<E.QueryValue> {
  Equality(right, constant: left, isNegated: true)
}
