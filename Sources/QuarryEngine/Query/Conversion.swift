/// A value made into one of another storage class: `CAST`.
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

/// An expression taken for one of a wider type, with nothing written.
///
/// ```swift
/// let priority = TypedExpression(columnNamed: "priority", type: .integer)
/// try priority.compared(.greater, TypedExpression(literal: .real(2.5)))
/// // (priority > 2.5)
/// ```
///
/// SQLite compares an integer with a real by value: a CAST would say nothing more, and keep it from using an index.
public struct Widened<Narrow: QueryOperand, Wide: QueryOperand>: QueryExpression {
  public typealias QueryValue = Wide
  public typealias Output = Wide?

  let operand: any QueryExpression<Narrow>

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
  /// Widens a date, which is compared as the text that it is written as.
  init(_ operand: any QueryExpression<DateText>) { self.operand = operand }
}

extension Widened where Narrow == DatabaseValue, Wide == String {
  /// Takes a value of a column that has no type for a text.
  init(_ operand: any QueryExpression<DatabaseValue>) { self.operand = operand }
}

extension Widened where Narrow == DatabaseValue, Wide == Bool {
  /// Takes a value of a column that has no type for a truth: it is true where it is a number other than 0.
  init(_ operand: any QueryExpression<DatabaseValue>) { self.operand = operand }
}
