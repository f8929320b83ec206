/// An SQL function: its name, and the types of its parameters and its result.
struct SQLFunction<Output: QueryOutput, each Parameter: QueryOperand>: Sendable {
  let name: StaticString

  init(_ name: StaticString) {
    self.name = name
  }

  /// Returns a call of the function with operands of its parameters' types.
  func callAsFunction(_ operand: repeat any QueryExpression<each Parameter>) -> FunctionCall<Output> {
    var operands: [any QueryExpression] = []
    for operand in repeat each operand { operands.append(operand) }
    return FunctionCall(name: name, operands: operands)
  }
}

/// A call of a function: `length(title)`.
///
/// ```swift
/// Column<String>("title").length()
/// // length(title)
/// ```
///
/// It is created by functions of ``QueryExpression``, whose operands the compiler checks, and by `TypedFunction.call(_:)`, which checks
/// them at run time.
public struct FunctionCall<Output: QueryOutput>: QueryExpression {
  public typealias QueryValue = Output.QueryValue

  package let name: StaticString
  package let operands: [any QueryExpression]

  fileprivate init(name: StaticString, operands: [any QueryExpression]) {
    self.name = name
    self.operands = operands
  }

  /// Creates the call of a function whose operands have been checked at run time.
  init(name: StaticString, values: [any QueryExpression<DatabaseValue>]) {
    self.init(name: name, operands: values)
  }

  /// Creates the call of a function whose operands and result have one type.
  init(_ name: StaticString, _ operands: [any QueryExpression<Output.QueryValue>]) {
    self.init(name: name, operands: operands)
  }

  public func write(to sql: inout SQLWriter) {
    sql.append(name)
    sql.append("(")
    sql.append(operands, separator: ", ") { $0.append($1) }
    sql.append(")")
  }
}

/// SQLite's functions, with the types of their operands.
enum Functions {
  static let length = SQLFunction<Int?, String>("length")
  static let lower = SQLFunction<String?, String>("lower")
  static let upper = SQLFunction<String?, String>("upper")
  static let replace = SQLFunction<String?, String, String, String>("replace")
}
