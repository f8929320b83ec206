/// Operands of one type: two compared operands, or an operand and a list to search for it.
package protocol UniformOperands {
  associatedtype Operand: QueryOperand

  var type: ExpressionType { get }
  var first: any QueryExpression<Operand> { get }
  var rest: [any QueryExpression<Operand>] { get }

  func comparison(_ comparator: Comparator) throws(Incompatibility) -> any QueryExpression<Bool>
  func between(isNegated: Bool) throws(Incompatibility) -> any QueryExpression<Bool>
}

extension UniformOperands {
  func equality(isNegated: Bool) -> any QueryExpression<Bool> { Equality(first, rest.first, isNegated: isNegated) }
  func identity(isNegated: Bool) -> any QueryExpression<Bool> { Identity(first, rest.first, isNegated: isNegated) }
  func membership(isNegated: Bool) -> any QueryExpression<Bool> { Membership(first, .list(rest), isNegated: isNegated) }
}

/// Operands with an order.
struct OrderedOperands<Operand: OrderedOperand>: UniformOperands {
  let type: ExpressionType
  let first: any QueryExpression<Operand>
  let rest: [any QueryExpression<Operand>]

  func comparison(_ comparator: Comparator) -> any QueryExpression<Bool> { Comparison(first, comparator, rest.first ?? first) }
  func between(isNegated: Bool) -> any QueryExpression<Bool> {
    Between(first, rest.first ?? first, rest.last ?? first, isNegated: isNegated)
  }
}

/// Booleans, which have no order.
private struct Truths: UniformOperands {
  let type = ExpressionType.boolean
  let first: any QueryExpression<Bool>
  let rest: [any QueryExpression<Bool>]

  func comparison(_ comparator: Comparator) throws(Incompatibility) -> any QueryExpression<Bool> { throw .notOrdered }
  func between(isNegated: Bool) throws(Incompatibility) -> any QueryExpression<Bool> { throw .notOrdered }
}

extension TypedExpression {
  /// Returns this expression and other expressions as operands of their narrowest common type.
  package func unified(with others: [TypedExpression]) throws(Incompatibility) -> any UniformOperands {
    let (first, rest) = Self.adaptingTruths(self, others)
    var type = first.type == .null ? .any : first.type
    for other in rest {
      _ = try Self.commonType(first.type, other.type)
      type = (try? Self.commonType(type, other.type)) ?? .any
    }
    return first.operands(with: rest, as: type)
  }

  /// Returns the type as which two operands are compared or computed; the only place where types are combined at run time.
  private static func commonType(_ left: ExpressionType, _ right: ExpressionType) throws(Incompatibility) -> ExpressionType {
    switch (left, right) {
    case (.null, _), (_, .null), (.any, _), (_, .any): .any
    case (let left, let right) where left == right: left
    case (.integer, .real), (.real, .integer): .real
    case (.integer, .numeric), (.numeric, .integer), (.real, .numeric), (.numeric, .real): .numeric
    case (.date, .text), (.text, .date): .text
    case (.date, .integer), (.integer, .date), (.date, .real), (.real, .date), (.date, .numeric), (.numeric, .date): .any
    default: throw .notComparable(left, right)
    }
  }

  private func operands(with others: [TypedExpression], as type: ExpressionType) -> any UniformOperands {
    switch type {
    case .integer: ordered(others, type, \.asInteger)
    case .real: ordered(others, type, \.asReal)
    case .numeric: ordered(others, type, \.asNumber)
    case .text: ordered(others, type, \.asText)
    case .blob: ordered(others, type, \.asBlob)
    case .boolean: uniform(others, \.asTruth) { Truths(first: $0, rest: $1) }
    case .date: ordered(others, type, \.asDate)
    case .any, .null: OrderedOperands(type: .any, first: asValue, rest: others.map(\.asValue))
    }
  }

  private func ordered<Operand: OrderedOperand>(
    _ rest: [TypedExpression], _ type: ExpressionType, _ conversion: (TypedExpression) -> (any QueryExpression<Operand>)?
  ) -> any UniformOperands {
    uniform(rest, conversion) { OrderedOperands(type: type, first: $0, rest: $1) }
  }

  /// Returns the operands converted by `conversion`, or as values of any type if one cannot be converted.
  private func uniform<Operand>(
    _ rest: [TypedExpression], _ conversion: (TypedExpression) -> (any QueryExpression<Operand>)?,
    _ make: (any QueryExpression<Operand>, [any QueryExpression<Operand>]) -> any UniformOperands
  ) -> any UniformOperands {
    let converted = rest.compactMap(conversion)
    guard let head = conversion(self), converted.count == rest.count else { return operands(with: rest, as: .any) }
    return make(head, converted)
  }

  /// Converts the literals 0 and 1 to Booleans if another operand is a Boolean.
  private static func adaptingTruths(_ first: TypedExpression, _ rest: [TypedExpression]) -> (TypedExpression, [TypedExpression]) {
    guard ([first] + rest).contains(where: { $0.type == .boolean }) else { return (first, rest) }
    return (first.asTruthLiteral ?? first, rest.map { $0.asTruthLiteral ?? $0 })
  }

  private var asTruthLiteral: TypedExpression? {
    guard case .integer(let expression as Constant<Int>) = self, let value = expression.value, value == 0 || value == 1 else { return nil }
    return TypedExpression(literal: value == 1)
  }
}

extension TypedExpression {
  var asInteger: (any QueryExpression<Int>)? {
    if case .integer(let expression) = self { expression } else { nil }
  }

  var asReal: (any QueryExpression<Double>)? {
    switch self {
    case .integer(let expression): Widened<Int, Double>(expression)
    case .real(let expression): expression
    default: nil
    }
  }

  var asNumber: (any QueryExpression<Number>)? {
    switch self {
    case .integer(let expression): Widened<Int, Number>(expression)
    case .real(let expression): Widened<Double, Number>(expression)
    case .numeric(let expression): expression
    default: nil
    }
  }

  /// The expression as a text: a date is its written text, and a value of any type may be a text.
  package var asText: (any QueryExpression<String>)? {
    switch self {
    case .text(let expression): expression
    case .date(let expression): Widened<DateText, String>(expression)
    case .any(let expression): Widened<DatabaseValue, String>(expression)
    case .null: Constant<String>(nil)
    default: nil
    }
  }

  var asBlob: (any QueryExpression<[UInt8]>)? {
    if case .blob(let expression) = self { expression } else { nil }
  }

  /// The expression as a Boolean: a value of any type may be one, which SQLite reads as not 0.
  package var asTruth: (any QueryExpression<Bool>)? {
    switch self {
    case .boolean(let expression): expression
    case .any(let expression): Widened<DatabaseValue, Bool>(expression)
    case .null: Constant<Bool>(nil)
    default: nil
    }
  }

  var asDate: (any QueryExpression<DateText>)? {
    if case .date(let expression) = self { expression } else { nil }
  }

  var asValue: any QueryExpression<DatabaseValue> {
    switch self {
    case .integer(let expression): Widened<Int, DatabaseValue>(expression)
    case .real(let expression): Widened<Double, DatabaseValue>(expression)
    case .numeric(let expression): Widened<Number, DatabaseValue>(expression)
    case .text(let expression): Widened<String, DatabaseValue>(expression)
    case .blob(let expression): Widened<[UInt8], DatabaseValue>(expression)
    case .boolean(let expression): Widened<Bool, DatabaseValue>(expression)
    case .date(let expression): Widened<DateText, DatabaseValue>(expression)
    case .any(let expression): expression
    case .null: Constant<DatabaseValue>(nil)
    }
  }
}
