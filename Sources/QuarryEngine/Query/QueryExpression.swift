/// An SQL expression with a value for each row: a column, a constant, or an operation on other expressions.
///
/// ```swift
/// let isUrgent = Column<Int?>("priority") >= 3
/// isUrgent.queryString  // (priority >= 3)
/// ```
///
/// Expressions are plain values; ``SQLWriter`` turns them into SQL. Operands of different types do not compile: every operation is generic
/// over its operands' type, and stores `any QueryExpression<Operand>`. An expression is not `Equatable`: `==` returns another expression.
/// Plain values are not expressions, so `1 == 2` has its usual meaning in Swift.
///
/// A custom type conforms by writing its SQL:
///
/// ```swift
/// struct Trimmed: QueryExpression {
///   typealias QueryValue = String
///   typealias Output = String?
///   let text: any QueryExpression<String>
///
///   func write(to sql: inout SQLWriter) {
///     sql.append("trim(")
///     sql.append(text)
///     sql.append(")")
///   }
/// }
/// Reminder.where { Trimmed(text: $0.title) == "Call" }
/// // SELECT * FROM reminders WHERE (trim(title) = 'Call')
/// ```
public protocol QueryExpression<QueryValue>: OrderingTerm, QueryArgument, SelectTerm
where Output: QueryOutput, Output.QueryValue == QueryValue {
  /// Writes the expression, in parentheses if its outermost part is an operator.
  func write(to sql: inout SQLWriter)

  /// The parentheses that an enclosing operator must write.
  var parenthesization: Parenthesization { get }
}

/// The way an expression is delimited as an operand.
public enum Parenthesization: Hashable, Sendable {
  /// No parentheses: a name, a value, a call.
  case none
  /// Its own parentheses.
  case own
  /// Parentheses written by the enclosing operator.
  case needed
}

extension QueryExpression {
  /// ``Parenthesization/none``, for a name, a value or a call.
  public var parenthesization: Parenthesization { .none }

  /// The SQL of the expression, outside any statement.
  ///
  /// ```swift
  /// (Column<Int?>("priority") >= 3).sqlText.sql  // (priority >= ?)
  /// ```
  public var sqlText: SQLText { SQLWriter.text(write) }

  /// The SQL of the expression with literals as arguments, for display.
  ///
  /// ```swift
  /// (Column<Int?>("priority") >= 3).queryString  // (priority >= 3)
  /// ```
  public var queryString: String { sqlText.queryString }
}
