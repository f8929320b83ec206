// See Operators+Equality.swift for the number of overloads.

/// Returns the sum of two numbers.
///
/// ```swift
/// Reminder.select { $0.priority + 3 }
/// // SELECT (priority + 3) FROM reminders
/// ```
public func + <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .plus, right)
}

/// Returns the sum of two numbers.
public func + <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .plus, Constant(right))
}

/// Returns the sum of two numbers.
public func + <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .plus, right)
}

/// Returns the difference of two numbers.
///
/// ```swift
/// Reminder.select { $0.priority - 3 }
/// // SELECT (priority - 3) FROM reminders
/// ```
public func - <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .minus, right)
}

/// Returns the difference of two numbers.
public func - <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .minus, Constant(right))
}

/// Returns the difference of two numbers.
public func - <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .minus, right)
}

/// Returns the product of two numbers.
///
/// ```swift
/// Reminder.select { $0.priority * 3 }
/// // SELECT (priority * 3) FROM reminders
/// ```
public func * <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .times, right)
}

/// Returns the product of two numbers.
public func * <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .times, Constant(right))
}

/// Returns the product of two numbers.
public func * <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .times, right)
}

/// Returns the quotient of two numbers: whole where both are, NULL by zero.
///
/// ```swift
/// Reminder.select { $0.priority / 3 }
/// // SELECT (priority / 3) FROM reminders
/// ```
public func / <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .dividedBy, right)
}

/// Returns the quotient of two numbers: whole where both are, NULL by zero.
public func / <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .dividedBy, Constant(right))
}

/// Returns the quotient of two numbers: whole where both are, NULL by zero.
public func / <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .dividedBy, right)
}

/// Returns the remainder of a division: NULL by zero.
///
/// ```swift
/// Reminder.select { $0.priority % 3 }
/// // SELECT (priority % 3) FROM reminders
/// ```
public func % <L: QueryExpression, R: QueryExpression>(left: L, right: R) -> Arithmetic<L.QueryValue>
where L.QueryValue == R.QueryValue, L.QueryValue: NumericOperand {
  Arithmetic(left, .remainder, right)
}

/// Returns the remainder of a division: NULL by zero.
public func % <E: QueryExpression>(left: E, right: E.QueryValue?) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(left, .remainder, Constant(right))
}

/// Returns the remainder of a division: NULL by zero.
public func % <E: QueryExpression>(left: E.QueryValue?, right: E) -> Arithmetic<E.QueryValue> where E.QueryValue: NumericOperand {
  Arithmetic(Constant(left), .remainder, right)
}

/// Returns a number with the other sign.
public prefix func - <E: QueryExpression>(operand: E) -> Opposite<E.QueryValue> where E.QueryValue: NumericOperand {
  Opposite(operand: operand)
}
