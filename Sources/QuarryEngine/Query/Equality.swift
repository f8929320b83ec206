/// Whether two expressions of one type are equal: `=`, `<>`, or `IS NULL` for nil.
///
/// ```swift
/// Column<Int?>("priority") == 3    // (priority = 3)
/// Column<Int?>("priority") != 3    // (priority <> 3)
/// Column<Int?>("priority") == nil  // (priority IS NULL)
/// ```
public struct Equality<Operand: QueryOperand>: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool?

  package let left: any QueryExpression<Operand>
  /// The right operand; nil for NULL, which is compared with IS.
  package let right: (any QueryExpression<Operand>)?
  package let isNegated: Bool

  package init(_ left: any QueryExpression<Operand>, _ right: (any QueryExpression<Operand>)?, isNegated: Bool = false) {
    self.left = left
    self.right = right
    self.isNegated = isNegated
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    guard let right else { return Identity(left, nil, isNegated: isNegated).write(to: &sql) }
    sql.append(left, isNegated ? " <> " : " = ", right)
  }
}

/// Whether two expressions of one type are the same: `IS`, `IS NOT`, for which NULL is the same as NULL.
///
/// ```swift
/// Column<Int?>("priority").is(3)     // (priority IS 3)
/// Column<Int?>("priority").isNot(3)  // (priority IS NOT 3)
/// ```
public struct Identity<Operand: QueryOperand>: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool

  package let left: any QueryExpression<Operand>
  /// The right operand; nil for NULL.
  package let right: (any QueryExpression<Operand>)?
  package let isNegated: Bool

  package init(_ left: any QueryExpression<Operand>, _ right: (any QueryExpression<Operand>)?, isNegated: Bool = false) {
    self.left = left
    self.right = right
    self.isNegated = isNegated
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    sql.append("(")
    sql.append(operand: left)
    sql.append(isNegated ? " IS NOT " : " IS ")
    if let right { sql.append(operand: right) } else { sql.append("NULL") }
    sql.append(")")
  }
}

/// Whether a condition is true or false, where NULL is neither: `IS TRUE`, `IS NOT FALSE`.
///
/// ```swift
/// TruthTest(operand: Column<Bool>("isCompleted"), truth: false, isNegated: true)
/// // (isCompleted IS NOT FALSE)
/// ```
package struct TruthTest: QueryExpression {
  package typealias QueryValue = Bool
  package typealias Output = Bool

  package let operand: any QueryExpression<Bool>
  package let truth: Bool
  package let isNegated: Bool

  package init(operand: any QueryExpression<Bool>, truth: Bool, isNegated: Bool) {
    (self.operand, self.truth, self.isNegated) = (operand, truth, isNegated)
  }

  package var parenthesization: Parenthesization { .own }

  package func write(to sql: inout SQLWriter) {
    sql.append("(")
    sql.append(operand: operand)
    sql.append(isNegated ? " IS NOT " : " IS ")
    sql.append(truth ? "TRUE)" : "FALSE)")
  }
}

extension Equality {
  /// Compares with a plain value, NULL for nil, which is always the right operand in SQL.
  init(_ left: any QueryExpression<Operand>, constant: Operand?, isNegated: Bool = false) {
    self.init(left, constant.map(Constant.init), isNegated: isNegated)
  }
}
