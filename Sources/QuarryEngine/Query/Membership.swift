/// Whether an expression is one of several values, or of what a query yields: `IN`.
///
/// ```swift
/// Column<Int?>("priority").in([1, 3])
/// // (priority IN (1, 3))
/// ```
public struct Membership<Operand: QueryOperand>: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  enum Members {
    case list([any QueryExpression<Operand>])
    case query(SelectStatement)
  }

  let operand: any QueryExpression<Operand>
  let members: Members
  let isNegated: Bool

  init(_ operand: any QueryExpression<Operand>, _ members: Members, isNegated: Bool = false) {
    self.operand = operand
    self.members = members
    self.isNegated = isNegated
  }

  public var enclosure: Enclosure { .own }

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

/// Whether a query yields any row: `EXISTS`.
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
