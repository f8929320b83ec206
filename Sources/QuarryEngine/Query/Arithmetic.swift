/// An arithmetic operation on two numbers of one type: `+`, `-`, `*`, `/`, `%`.
///
/// ```swift
/// Column<Int?>("priority") + 3
/// // (priority + 3)
/// ```
///
/// Its output is optional, because the result of a division by zero or with a NULL operand is NULL.
public struct Arithmetic<Operand: NumericOperand>: QueryExpression {
  public typealias QueryValue = Operand
  public typealias Output = Operand?

  package let left: any QueryExpression<Operand>
  package let symbol: ArithmeticSymbol
  package let right: any QueryExpression<Operand>

  package init(_ left: any QueryExpression<Operand>, _ symbol: ArithmeticSymbol, _ right: any QueryExpression<Operand>) {
    self.left = left
    self.symbol = symbol
    self.right = right
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    sql.append(left, symbol.keyword, right)
  }
}

/// An arithmetic operator.
public enum ArithmeticSymbol: Hashable, Sendable, CaseIterable {
  /// `+`, `-`, `*`, `/` and `%`.
  case plus, minus, times, dividedBy, remainder

  var keyword: StaticString {
    switch self {
    case .plus: " + "
    case .minus: " - "
    case .times: " * "
    case .dividedBy: " / "
    case .remainder: " % "
    }
  }
}

/// A number with the opposite sign: `-(x)`.
///
/// ```swift
/// -Column<Int?>("priority")
/// // -(priority)
/// ```
public struct Negative<Operand: NumericOperand>: QueryExpression {
  public typealias QueryValue = Operand
  public typealias Output = Operand?

  package let operand: any QueryExpression<Operand>

  /// Writes the operand in parentheses, because a negative constant would result in `--`, which begins a comment.
  public func write(to sql: inout SQLWriter) {
    sql.append("-")
    sql.append(parenthesized: operand)
  }
}

/// A value that SQLite compares without the affinity of its column: `+(x)`.
///
/// ```swift
/// try TypedExpression(columnNamed: "code", type: .text).plain().equals(TypedExpression(literal: .text("1")))
/// // (+(code) = '1')
/// ```
public struct UnaryPlus<Operand: QueryOperand>: QueryExpression {
  public typealias QueryValue = Operand
  public typealias Output = Operand?

  package let operand: any QueryExpression<Operand>

  public func write(to sql: inout SQLWriter) {
    sql.append("+")
    sql.append(parenthesized: operand)
  }
}

/// The concatenation of texts: SQL's `||`.
///
/// ```swift
/// Column<String>("title").concatenated(with: "!")
/// // (title || '!')
/// ```
public struct Concatenation: QueryExpression {
  public typealias QueryValue = String
  public typealias Output = String?

  package let parts: [any QueryExpression<String>]

  init(_ operands: [any QueryExpression<String>]) {
    parts = operands.flatMap { operand in (operand as? Concatenation)?.parts ?? [operand] }
  }

  public var parenthesization: Parenthesization { .own }

  public func write(to sql: inout SQLWriter) {
    sql.append("(")
    sql.append(parts, separator: " || ") { $0.append(operand: $1) }
    sql.append(")")
  }
}
