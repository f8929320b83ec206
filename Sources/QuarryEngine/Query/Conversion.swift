/// A value converted to another storage class: `CAST`.
///
/// ```swift
/// Column<Int?>("priority").cast(to: String.self)
/// // CAST(priority AS TEXT)
/// ```
public struct Cast<Target: CastTarget>: QueryExpression {
  public typealias QueryValue = Target
  public typealias Output = Target?

  package let operand: any QueryExpression

  package init(operand: any QueryExpression) {
    self.operand = operand
  }

  public func write(to sql: inout SQLWriter) {
    sql.append("CAST(")
    sql.append(operand)
    sql.append(" AS ")
    sql.append(Target.castType)
    sql.append(")")
  }
}

/// An expression treated as one of a wider type, without any SQL.
///
/// ```swift
/// let priority = TypedExpression(columnNamed: "priority", type: .integer)
/// try priority.compared(.greater, TypedExpression(literal: .real(2.5)))
/// // (priority > 2.5)
/// ```
///
/// SQLite compares an integer with a real by value. A CAST would be redundant, and prevent the use of an index.
public struct Widened<Narrow: QueryOperand, Wide: QueryOperand>: QueryExpression {
  public typealias QueryValue = Wide
  public typealias Output = Wide?

  package let operand: any QueryExpression<Narrow>

  public var parenthesization: Parenthesization { operand.parenthesization }

  public func write(to sql: inout SQLWriter) {
    sql.append(operand)
  }
}

extension Widened where Wide == DatabaseValue {
  /// Widens any value.
  init(_ operand: any QueryExpression<Narrow>) { self.operand = operand }
}

extension Widened where Narrow == Int, Wide == Double {
  init(_ operand: any QueryExpression<Int>) { self.operand = operand }
}

extension Widened where Narrow == Int, Wide == Number {
  init(_ operand: any QueryExpression<Int>) { self.operand = operand }
}

extension Widened where Narrow == Double, Wide == Number {
  init(_ operand: any QueryExpression<Double>) { self.operand = operand }
}

extension Widened where Narrow == DateText, Wide == String {
  /// Treats a date as its written text for comparisons.
  init(_ operand: any QueryExpression<DateText>) { self.operand = operand }
}

extension Widened where Narrow == DatabaseValue, Wide == String {
  /// Treats a value of a column without a type as a text.
  init(_ operand: any QueryExpression<DatabaseValue>) { self.operand = operand }
}

extension Widened where Narrow == DatabaseValue, Wide == Bool {
  /// Treats a value of a column without a type as a Boolean, which is true if it is a number other than 0.
  init(_ operand: any QueryExpression<DatabaseValue>) { self.operand = operand }
}
