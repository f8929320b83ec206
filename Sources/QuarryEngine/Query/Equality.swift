/// Whether two expressions of one type are equal: `=`, `<>`, or `IS NULL` against nil.
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
  /// Nil is NULL, which nothing equals: it is asked for by IS.
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

/// Whether two expressions of one type are the same, NULL being the same as NULL: `IS`, `IS NOT`.
///
/// ```swift
/// Column<Int?>("priority").is(3)     // (priority IS 3)
/// Column<Int?>("priority").isNot(3)  // (priority IS NOT 3)
/// ```
public struct Identity<Operand: QueryOperand>: QueryExpression {
  public typealias QueryValue = Bool
  public typealias Output = Bool

  package let left: any QueryExpression<Operand>
  /// Nil is NULL.
  package let right: (any QueryExpression<Operand>)?
  package let isNegated: Bool

  init(_ left: any QueryExpression<Operand>, _ right: (any QueryExpression<Operand>)?, isNegated: Bool = false) {
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

/// Whether a truth is true, or false, NULL being neither: `IS TRUE`, `IS NOT FALSE`.
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
  /// Compares with a plain value, which stands on the right wherever it was written; nil is NULL.
  init(_ left: any QueryExpression<Operand>, constant: Operand?, isNegated: Bool = false) {
    self.init(left, constant.map(Constant.init), isNegated: isNegated)
  }
}
