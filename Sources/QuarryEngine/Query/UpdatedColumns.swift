/// The columns of a table that an UPDATE can set; ``TableColumns`` provides the columns of the row before the update.
@dynamicMemberLookup
public struct UpdatedColumns<Source: Table> {
  let draft: UpdateDraft

  /// The column, which can be changed by `+=` and similar operators.
  ///
  /// ```swift
  /// Reminder.update { $0.priority += 1 }
  /// // UPDATE reminders SET priority = (priority + 1)
  /// ```
  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> UpdatedColumn<Output> {
    UpdatedColumn(draft: draft, column: Column(Source.columns[keyPath: keyPath].name, in: draft.statement.source))
  }

  /// Sets a column to a value.
  ///
  /// ```swift
  /// Reminder.update { $0.priority = 3 }
  /// // UPDATE reminders SET priority = 3
  /// ```
  // Disfavored, so that `+=` is not Swift's, for which the column would have to be read.
  @_disfavoredOverload
  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Output {
    @available(*, unavailable, message: "use the row before the update, the closure's second argument") get { unreadable() }
    nonmutating set { draft.statement.assign(BoundValue(newValue), to: Source.columns[keyPath: keyPath].name) }
  }

  /// Sets a column to an expression over the row before the update.
  ///
  /// ```swift
  /// Reminder.update { $0.title = $1.title + "!" }
  /// // UPDATE reminders SET title = (title || '!')
  /// ```
  @_disfavoredOverload
  public subscript<Output>(
    dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>
  ) -> any QueryExpression<Output.QueryValue> {
    @available(*, unavailable) get { unreadable() }
    nonmutating set { draft.statement.assign(newValue, to: Source.columns[keyPath: keyPath].name) }
  }
}

// The compiler tries these for wrong uses only, to say what is wrong.
extension UpdatedColumns {
  /// Refuses reading a column.
  public subscript<Output>(dynamicMember keyPath: any KeyPath<Source.Columns, Column<Output>> & Sendable) -> Output {
    @available(*, unavailable, message: "use the row before the update, the closure's second argument") get { unreadable() }
  }

  /// Refuses nil for a column that is not optional.
  @available(*, unavailable, message: "only a column with an optional type can be NULL")
  public subscript<Output>(dynamicMember keyPath: KeyPath<Source.Columns, Column<Output>>) -> Output? {
    get { unreadable() }
    nonmutating set {}
  }
}

/// An UPDATE while its columns are assigned.
final class UpdateDraft {
  var statement: WriteStatement

  init(_ statement: WriteStatement) {
    self.statement = statement
  }
}

/// A column of an UPDATE, which `+=`, `-=`, `*=`, `/=` and `%=` change in relation to its value; NULL stays NULL.
///
/// ```swift
/// Reminder.update {
///   $0.priority += 1
///   $0.title += "!"
/// }
/// // UPDATE reminders SET priority = (priority + 1), title = (title || '!')
/// ```
///
/// A column that was assigned before in the same closure has the assigned value.
public struct UpdatedColumn<Output: QueryOutput> {
  let draft: UpdateDraft
  let column: Column<Output>

  fileprivate func change(_ change: (any QueryExpression<Output.QueryValue>) -> any QueryExpression) {
    draft.statement.assign(change(draft.statement.value(of: column)), to: column.name)
  }
}

/// Adds a number to a column.
///
/// ```swift
/// Reminder.update { $0.priority += 1 }
/// // UPDATE reminders SET priority = (priority + 1)
/// ```
public func += <Output>(left: UpdatedColumn<Output>, right: Output.QueryValue) where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .plus, Constant(right)) }
}

/// Adds a number to a column that is an expression over the row before the update.
///
/// ```swift
/// Reminder.update { $0.priority += $1.id }
/// // UPDATE reminders SET priority = (priority + id)
/// ```
public func += <Output>(left: UpdatedColumn<Output>, right: some QueryExpression<Output.QueryValue>)
where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .plus, right) }
}

/// Subtracts a number from a column.
///
/// ```swift
/// Reminder.update { $0.priority -= 1 }
/// // UPDATE reminders SET priority = (priority - 1)
/// ```
public func -= <Output>(left: UpdatedColumn<Output>, right: Output.QueryValue) where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .minus, Constant(right)) }
}

/// Subtracts a number from a column that is an expression over the row before the update.
///
/// ```swift
/// Reminder.update { $0.priority -= $1.id }
/// // UPDATE reminders SET priority = (priority - id)
/// ```
public func -= <Output>(left: UpdatedColumn<Output>, right: some QueryExpression<Output.QueryValue>)
where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .minus, right) }
}

/// Multiplies a column by a number.
///
/// ```swift
/// Reminder.update { $0.priority *= 2 }
/// // UPDATE reminders SET priority = (priority * 2)
/// ```
public func *= <Output>(left: UpdatedColumn<Output>, right: Output.QueryValue) where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .times, Constant(right)) }
}

/// Multiplies a column by a number that is an expression over the row before the update.
///
/// ```swift
/// Reminder.update { $0.priority *= $1.id }
/// // UPDATE reminders SET priority = (priority * id)
/// ```
public func *= <Output>(left: UpdatedColumn<Output>, right: some QueryExpression<Output.QueryValue>)
where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .times, right) }
}

/// Divides a column by a number.
///
/// ```swift
/// Reminder.update { $0.priority /= 2 }
/// // UPDATE reminders SET priority = (priority / 2)
/// ```
public func /= <Output>(left: UpdatedColumn<Output>, right: Output.QueryValue) where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .dividedBy, Constant(right)) }
}

/// Divides a column by a number that is an expression over the row before the update.
///
/// ```swift
/// Reminder.update { $0.priority /= $1.id }
/// // UPDATE reminders SET priority = (priority / id)
/// ```
public func /= <Output>(left: UpdatedColumn<Output>, right: some QueryExpression<Output.QueryValue>)
where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .dividedBy, right) }
}

/// Sets a column to the remainder of its division by a number.
///
/// ```swift
/// Reminder.update { $0.priority %= 2 }
/// // UPDATE reminders SET priority = (priority % 2)
/// ```
public func %= <Output>(left: UpdatedColumn<Output>, right: Output.QueryValue) where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .remainder, Constant(right)) }
}

/// Sets a column to the remainder of its division by a number that is an expression over the row before the update.
///
/// ```swift
/// Reminder.update { $0.priority %= $1.id }
/// // UPDATE reminders SET priority = (priority % id)
/// ```
public func %= <Output>(left: UpdatedColumn<Output>, right: some QueryExpression<Output.QueryValue>)
where Output.QueryValue: NumericOperand {
  left.change { Arithmetic($0, .remainder, right) }
}

/// Appends a text to a column.
///
/// ```swift
/// Reminder.update { $0.title += "!" }
/// // UPDATE reminders SET title = (title || '!')
/// Reminder.update { $0.title += $1.title.upper() }
/// // UPDATE reminders SET title = (title || upper(title))
/// ```
public func += <Output>(left: UpdatedColumn<Output>, right: some QueryArgument<String>) where Output.QueryValue == String {
  left.change { Concatenation([$0, right.queryArgument]) }
}

// The compiler prefers Swift's operators of these types, which change a value in place, to the generic ones above.

extension Int {
  /// Adds a value to a column.
  public static func += (left: UpdatedColumn<Int>, right: Int) { left.change { Arithmetic($0, .plus, Constant(right)) } }

  /// Subtracts a value from a column.
  public static func -= (left: UpdatedColumn<Int>, right: Int) { left.change { Arithmetic($0, .minus, Constant(right)) } }

  /// Multiplies a column by a value.
  public static func *= (left: UpdatedColumn<Int>, right: Int) { left.change { Arithmetic($0, .times, Constant(right)) } }

  /// Divides a column by a value.
  public static func /= (left: UpdatedColumn<Int>, right: Int) { left.change { Arithmetic($0, .dividedBy, Constant(right)) } }

  /// Sets a column to the remainder of its division by a value.
  public static func %= (left: UpdatedColumn<Int>, right: Int) { left.change { Arithmetic($0, .remainder, Constant(right)) } }
}

extension Int64 {
  /// Adds a value to a column.
  public static func += (left: UpdatedColumn<Int64>, right: Int64) { left.change { Arithmetic($0, .plus, Constant(right)) } }

  /// Subtracts a value from a column.
  public static func -= (left: UpdatedColumn<Int64>, right: Int64) { left.change { Arithmetic($0, .minus, Constant(right)) } }

  /// Multiplies a column by a value.
  public static func *= (left: UpdatedColumn<Int64>, right: Int64) { left.change { Arithmetic($0, .times, Constant(right)) } }

  /// Divides a column by a value.
  public static func /= (left: UpdatedColumn<Int64>, right: Int64) { left.change { Arithmetic($0, .dividedBy, Constant(right)) } }

  /// Sets a column to the remainder of its division by a value.
  public static func %= (left: UpdatedColumn<Int64>, right: Int64) { left.change { Arithmetic($0, .remainder, Constant(right)) } }
}

extension Double {
  /// Adds a value to a column.
  public static func += (left: UpdatedColumn<Double>, right: Double) { left.change { Arithmetic($0, .plus, Constant(right)) } }

  /// Subtracts a value from a column.
  public static func -= (left: UpdatedColumn<Double>, right: Double) { left.change { Arithmetic($0, .minus, Constant(right)) } }

  /// Multiplies a column by a value.
  public static func *= (left: UpdatedColumn<Double>, right: Double) { left.change { Arithmetic($0, .times, Constant(right)) } }

  /// Divides a column by a value.
  public static func /= (left: UpdatedColumn<Double>, right: Double) { left.change { Arithmetic($0, .dividedBy, Constant(right)) } }
}

extension String {
  /// Appends a text to a column.
  public static func += (left: UpdatedColumn<String>, right: String) { left.change { Concatenation([$0, Constant(right)]) } }
}

/// Stops the program; the body of a getter that Swift requires and the compiler makes unavailable.
func unreadable() -> Never {
  fatalError("a column has no value before its statement has run")
}
