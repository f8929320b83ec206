/// An ordering comparison of two expressions of one ordered type: `<`, `<=`, `>`, `>=`.
///
/// ```swift
/// Column<Int?>("priority") < 3
/// // (priority < 3)
/// ```
///
/// The result is NULL if an operand is NULL.
public struct Comparison<Operand: OrderedOperand>: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  package let left: any QueryExpression<Operand>
  package let comparator: Comparator
  package let right: any QueryExpression<Operand>

  init(_ left: any QueryExpression<Operand>, _ comparator: Comparator, _ right: any QueryExpression<Operand>) {
    self.left = left
    self.comparator = comparator
    self.right = right
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    sql.append(left, comparator.keyword, right)
  }
}

/// The operator of an ordering comparison.
package enum Comparator: Hashable, Sendable, CaseIterable {
  /// `<`, `<=`, `>` and `>=`.
  case less, atMost, greater, atLeast

  var keyword: StaticString {
    switch self {
    case .less: " < "
    case .atMost: " <= "
    case .greater: " > "
    case .atLeast: " >= "
    }
  }
}

/// Whether an expression is between two other expressions, both included: `BETWEEN`.
///
/// ```swift
/// Column<Int?>("priority").between(1, and: 3)
/// // (priority BETWEEN 1 AND 3)
/// ```
public struct Between<Operand: OrderedOperand>: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  package let operand: any QueryExpression<Operand>
  package let lower: any QueryExpression<Operand>
  package let upper: any QueryExpression<Operand>
  package let isNegated: Bool

  init(
    _ operand: any QueryExpression<Operand>, _ lower: any QueryExpression<Operand>, _ upper: any QueryExpression<Operand>,
    isNegated: Bool = false
  ) {
    self.operand = operand
    self.lower = lower
    self.upper = upper
    self.isNegated = isNegated
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    sql.append("(")
    sql.append(operand: operand)
    sql.append(isNegated ? " NOT BETWEEN " : " BETWEEN ")
    sql.append(operand: lower)
    sql.append(" AND ")
    sql.append(operand: upper)
    sql.append(")")
  }
}

/// Whether an expression equals one of several values, or one of a query's results: `IN`.
///
/// ```swift
/// Column<Int?>("priority").in([1, 3])
/// // (priority IN (1, 3))
/// ```
public struct Membership<Operand: QueryOperand>: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  package enum Members {
    case list([any QueryExpression<Operand>])
    case query(SelectStatement)
  }

  package let operand: any QueryExpression<Operand>
  package let members: Members
  package let isNegated: Bool

  init(_ operand: any QueryExpression<Operand>, _ members: Members, isNegated: Bool = false) {
    self.operand = operand
    self.members = members
    self.isNegated = isNegated
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    sql.append("(")
    sql.append(operand: operand)
    sql.append(isNegated ? " NOT IN (" : " IN (")
    switch members {
    case .list(let list): sql.append(list, separator: ", ") { $0.append($1) }
    case .query(let query): query.write(to: &sql)
    }
    sql.append("))")
  }
}

/// Whether a query returns any row: `EXISTS`.
///
/// ```swift
/// Reminder.where { $0.isCompleted }.exists()
/// // EXISTS (SELECT * FROM reminders WHERE isCompleted)
/// ```
public struct Existence: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool

  let query: SelectStatement

  public func write(to sql: inout SQLWriter) {
    sql.append("EXISTS (")
    query.write(to: &sql)
    sql.append(")")
  }
}
