/// The reason why operands cannot be combined.
///
/// ```swift
/// let title = TypedExpression(columnNamed: "title", type: .text)
/// do {
///   _ = try title.equals(TypedExpression(literal: .integer(3)))
/// } catch {
///   print(error)  // Prints a text cannot be compared with an integer
/// }
/// ```
package enum Incompatibility: Error, Hashable, Sendable {
  /// Two expressions that cannot be compared.
  case notComparable(ExpressionType, ExpressionType)
  /// Booleans can be equal, but have no order.
  case notOrdered
  /// An operand, by its position from 0, that is not a Boolean.
  case notTruth(ExpressionType, operand: Int)
  /// An operand, by its position from 0, that is not a number.
  case notNumber(ExpressionType, operand: Int)
  /// An operand, by its position from 0, that is not a text.
  case notText(ExpressionType, operand: Int)
  /// `||` between two Booleans, which can only mean OR.
  case joinedTruths
  /// `IN` with an empty list.
  case emptyList
  /// A function that ``TypedFunction`` does not support.
  case unknownFunction(String)
  /// A function's operand, by its position from 0, of a type that it does not accept.
  case wrongOperand(function: String, expected: String, found: ExpressionType, operand: Int)
  /// A number of operands that a function does not accept; nil for no maximum.
  case wrongCount(function: String, least: Int, most: Int?, found: Int)
}

extension Incompatibility: CustomStringConvertible {
  /// The reason as a sentence without a period.
  package var description: String {
    switch self {
    case .notComparable(let left, let right): "\(left.phrase) cannot be compared with \(right.phrase)"
    case .notOrdered: "Booleans have no order: compare them with = or <>"
    case .notTruth(let type, _): "a condition is expected here, but this is \(type.phrase)"
    case .notNumber(let type, _): "a number is expected here, but this is \(type.phrase)"
    case .notText(let type, _): "text is expected here, but this is \(type.phrase)"
    case .joinedTruths: "|| joins text, but these are Booleans: join them with or"
    case .emptyList: "the list after in is empty"
    case .unknownFunction(let name): "there is no function \(name)"
    case .wrongOperand(let function, let expected, let found, _): "\(function) expects \(expected), but this is \(found.phrase)"
    case .wrongCount(let function, let least, let most, let found):
      "\(function) expects \(Self.count(least, most)), but there \(found == 1 ? "is 1" : "are \(found)")"
    }
  }

  private static func count(_ least: Int, _ most: Int?) -> String {
    guard let most else { return "\(least) arguments or more" }
    if least == most { return least == 1 ? "1 argument" : "\(least) arguments" }
    return "\(least) to \(most) arguments"
  }
}
