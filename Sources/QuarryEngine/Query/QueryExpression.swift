/// An expression of SQL that has a value for each row: a column, a constant, or an operation on others.
///
/// ```swift
/// let isUrgent = Column<Int?>("priority") >= 3
/// isUrgent.queryString  // (priority >= 3)
/// ```
///
/// Expressions are inert values; ``SQLWriter`` turns one into SQL. What is no expression of one type with itself cannot be built: every
/// operation is generic over its operands' type, and holds `any QueryExpression<Operand>`. An expression is not `Equatable`: `==` makes
/// another expression, and plain values are no expressions, so `1 == 2` stays Swift's own.
///
/// A type of one's own conforms by writing itself:
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
public protocol QueryExpression<QueryValue>: OrderingTerm {
  /// The type that operators compare: never optional, since NULL is a value of every type in SQL.
  associatedtype QueryValue: QueryOperand

  /// The type that a selected column of this expression is decoded as: optional where NULL may come out.
  associatedtype Output: QueryOutput where Output.QueryValue == QueryValue

  /// Writes the expression, in parentheses where it has an operator outside of them.
  func write(to sql: inout SQLWriter)

  /// What an operator around the expression has to write around it.
  var parenthesization: Parenthesization { get }
}

/// How an expression keeps together as an operand.
public enum Parenthesization: Hashable, Sendable {
  /// By itself: a name, a value, a call.
  case none
  /// By parentheses of its own.
  case own
  /// Only by parentheses that the operator around it writes.
  case needed
}

extension QueryExpression {
  /// ``Parenthesization/none``: a name, a value or a call keeps together by itself.
  public var parenthesization: Parenthesization { .none }

  /// The expression by itself, outside of any statement.
  ///
  /// ```swift
  /// (Column<Int?>("priority") >= 3).sqlText.sql  // (priority >= ?)
  /// ```
  public var sqlText: SQLText { SQLWriter.text(write) }

  /// The expression with literals in the place of its arguments, to be read.
  ///
  /// ```swift
  /// (Column<Int?>("priority") >= 3).queryString  // (priority >= 3)
  /// ```
  public var queryString: String { sqlText.queryString }
}
