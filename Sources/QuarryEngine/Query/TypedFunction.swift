/// An SQLite function with its parameter and result types, for type checking at run time.
///
/// ```swift
/// let title = TypedExpression(columnNamed: "title", type: .text)
/// try TypedFunction.named("LENGTH")?.call([title]).expression.queryString  // length(title)
/// ```
package struct TypedFunction: Sendable {
  /// The types that a parameter accepts.
  package enum Parameter: Hashable, Sendable {
    /// A text, a text or a blob, a number, a date or time (as a text or a number), or any value.
    case text, textOrBlob, number, moment, any

    /// The accepted type, for use in a sentence.
    package var phrase: String {
      switch self {
      case .text: "text"
      case .textOrBlob: "text or a blob"
      case .number: "a number"
      case .moment: "a date, text or a number"
      case .any: "a value"
      }
    }

    package func takes(_ type: ExpressionType) -> Bool {
      switch (self, type) {
      case (_, .any), (_, .null), (.any, _): true
      case (.text, .text), (.text, .date), (.textOrBlob, .text), (.textOrBlob, .date), (.textOrBlob, .blob): true
      case (.number, .integer), (.number, .real), (.number, .numeric): true
      case (.moment, .text), (.moment, .date), (.moment, .integer), (.moment, .real), (.moment, .numeric): true
      default: false
      }
    }
  }

  /// The result type of a function.
  enum Result: Hashable, Sendable {
    case type(ExpressionType)
    /// The type of the first operand.
    case first
    /// The narrowest common type of all operands, which must be comparable.
    case common
  }

  private let keyword: StaticString
  /// The parameters, in order.
  package let parameters: [Parameter]
  /// The minimum number of operands.
  package let least: Int
  /// Whether the last parameter may be repeated.
  package let isVariadic: Bool
  let result: Result

  /// The name in lower case.
  package var name: String { keyword.description }

  private init(_ keyword: StaticString, _ parameters: [Parameter], least: Int? = nil, isVariadic: Bool = false, _ result: Result) {
    self.keyword = keyword
    self.parameters = parameters
    self.least = least ?? parameters.count
    self.isVariadic = isVariadic
    self.result = result
  }

  /// Every function, by name.
  package static let all: [TypedFunction] = [
    .init("abs", [.number], .first),
    .init("ceil", [.number], .type(.numeric)),
    .init("coalesce", [.any, .any], isVariadic: true, .common),
    .init("date", [.moment, .text], least: 0, isVariadic: true, .type(.text)),
    .init("datetime", [.moment, .text], least: 0, isVariadic: true, .type(.text)),
    .init("floor", [.number], .type(.numeric)),
    .init("hex", [.textOrBlob], .type(.text)),
    .init("ifnull", [.any, .any], .common),
    .init("instr", [.textOrBlob, .textOrBlob], .type(.integer)),
    .init("json_extract", [.text, .text], isVariadic: true, .type(.any)),
    .init("json_valid", [.text], .type(.boolean)),
    .init("julianday", [.moment, .text], least: 0, isVariadic: true, .type(.real)),
    .init("length", [.textOrBlob], .type(.integer)),
    .init("lower", [.text], .type(.text)),
    .init("ltrim", [.text, .text], least: 1, .type(.text)),
    .init("max", [.any, .any], isVariadic: true, .common),
    .init("min", [.any, .any], isVariadic: true, .common),
    .init("nullif", [.any, .any], .common),
    .init("replace", [.text, .text, .text], .type(.text)),
    .init("round", [.number, .number], least: 1, .type(.real)),
    .init("rtrim", [.text, .text], least: 1, .type(.text)),
    .init("strftime", [.text, .moment, .text], least: 1, isVariadic: true, .type(.text)),
    .init("substr", [.textOrBlob, .number, .number], least: 2, .first),
    .init("time", [.moment, .text], least: 0, isVariadic: true, .type(.text)),
    .init("trim", [.text, .text], least: 1, .type(.text)),
    .init("typeof", [.any], .type(.text)),
    .init("unixepoch", [.moment, .text], least: 0, isVariadic: true, .type(.integer)),
    .init("upper", [.text], .type(.text)),
  ]

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the function with a name, ignoring case.
  ///
  /// ```swift
  /// TypedFunction.named("Substr")?.parameters  // [.textOrBlob, .number, .number]
  /// TypedFunction.named("random")              // nil
  /// ```
  package static func named(_ name: String) -> TypedFunction? {
    byName[name.lowercased()]
  }
}

extension TypedFunction {
  /// Returns a call of the function.
  ///
  /// ```swift
  /// let title = TypedExpression(columnNamed: "title", type: .text)
  /// try TypedFunction.named("substr")?.call([title, TypedExpression(literal: .integer(1))])
  /// // substr(title, 1)
  /// ```
  ///
  /// - Throws: ``Incompatibility`` if the number of operands or one of their types does not match the parameters.
  package func call(_ operands: [TypedExpression]) throws(Incompatibility) -> TypedExpression {
    try check(operands)
    return switch result {
    case .type(let type): typed(operands, as: type)
    case .first: typed(operands, as: operands.first?.type ?? .any)
    case .common: typed(operands, as: try Self.commonType(of: operands))
    }
  }

  private func check(_ operands: [TypedExpression]) throws(Incompatibility) {
    let most = isVariadic ? nil : parameters.count
    if operands.count < least || operands.count > most ?? .max {
      throw .wrongCount(function: name, least: least, most: most, found: operands.count)
    }
    for (index, operand) in operands.enumerated() {
      guard let parameter = index < parameters.count ? parameters[index] : parameters.last, !parameter.takes(operand.type) else { continue }
      throw .wrongOperand(function: name, expected: parameter.phrase, found: operand.type, operand: index)
    }
  }

  private static func commonType(of operands: [TypedExpression]) throws(Incompatibility) -> ExpressionType {
    let known = operands.filter { $0.type != .null }
    guard let first = known.first else { return .any }
    return try first.unified(with: Array(known.dropFirst())).type
  }

  private func typed(_ operands: [TypedExpression], as type: ExpressionType) -> TypedExpression {
    switch type {
    case .integer: .integer(node(operands, yielding: Int?.self))
    case .real: .real(node(operands, yielding: Double?.self))
    case .numeric: .numeric(node(operands, yielding: Number?.self))
    case .text: .text(node(operands, yielding: String?.self))
    case .blob: .blob(node(operands, yielding: [UInt8]?.self))
    case .boolean: .boolean(node(operands, yielding: Bool?.self))
    case .date: .date(node(operands, yielding: DateText?.self))
    case .any, .null: .any(node(operands, yielding: DatabaseValue?.self))
    }
  }

  private func node<Output: QueryOutput>(_ operands: [TypedExpression], yielding output: Output.Type) -> FunctionCall<Output> {
    FunctionCall(name: keyword, values: operands.map(\.asValue))
  }
}
