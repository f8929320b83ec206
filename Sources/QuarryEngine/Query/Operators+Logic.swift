/// Returns whether both of two truths hold.
///
/// ```swift
/// Reminder.where { !$0.isCompleted && $0.priority == 3 }
/// // SELECT * FROM reminders WHERE (NOT (isCompleted) AND (priority = 3))
/// ```
public func && (left: some QueryExpression<Bool>, right: some QueryExpression<Bool>) -> Logic {
  Logic(.and, [left, right])
}

/// Returns whether one of two truths holds.
///
/// ```swift
/// Reminder.where { !$0.isCompleted || $0.priority == 3 }
/// // SELECT * FROM reminders WHERE (NOT (isCompleted) OR (priority = 3))
/// ```
public func || (left: some QueryExpression<Bool>, right: some QueryExpression<Bool>) -> Logic {
  Logic(.or, [left, right])
}

/// Returns the opposite of a truth.
///
/// ```swift
/// Reminder.where { !$0.isCompleted }
/// // SELECT * FROM reminders WHERE NOT (isCompleted)
/// ```
public prefix func ! (operand: some QueryExpression<Bool>) -> Negation {
  Negation(operand)
}
