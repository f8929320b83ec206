internal import QuarryEngine

/// An expression that the query builder has a function or an operator for.
protocol SwiftWritten {
  /// Returns the expression in Swift; nil if only SQL can express it.
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm?
}

extension SwiftWriter {
  /// Returns the type as which operands are compared or computed: their own, or any.
  func type(of terms: [SwiftTerm]) -> SwiftType {
    let expressions = Set(terms.filter(\.isExpression).map(\.type))
    let values = Set(terms.filter { !$0.isExpression && !$0.isNull }.map(\.type))
    var type = expressions.isEmpty ? values.first : expressions.first
    let others = expressions.isEmpty ? values : expressions
    if others.isSubset(of: [.integer, .real]), others.union(values) == [.integer, .real] {
      type = .real
    } else if others.count > 1 {
      type = .any
    }
    guard let type else { return .any }
    return terms.allSatisfy { $0.isExpression || $0.isNull || plain($0, as: type) != nil } ? type : .any
  }

  /// Returns an operator between two operands of one type.
  mutating func infix(
    _ left: SwiftTerm, _ symbol: String, _ right: SwiftTerm, as operand: SwiftType? = nil, _ result: SwiftType = .boolean
  ) -> SwiftTerm {
    let (left, right) = (light(left), light(right))
    let type = operand ?? type(of: [left, right])
    let precedence: SwiftTerm.Precedence = result == .boolean ? .comparison : .arithmetic
    let inner: SwiftTerm.Precedence = result == .boolean ? .arithmetic : .none
    // An operator needs an expression on one side.
    let first = right.isExpression ? self.operand(left, as: type, in: inner) : expression(left, as: type, in: inner)
    let second = self.operand(right, as: type, in: inner)
    var term = SwiftTerm.expression("\(first) \(symbol) \(second)", result, weight: left.weight + right.weight + 1)
    term.precedence = precedence
    return term
  }

  /// Returns operands whose storage class determines that of the result: 2 must not become 2.0.
  func exact(_ terms: [SwiftTerm]) -> [SwiftTerm] {
    guard type(of: terms) == .real else { return terms }
    return terms.map { term in
      guard case .value(.integer(let value)) = term.content else { return term }
      return .expression("Constant<Int>(\(SwiftLiteral.text(value)))", .integer)
    }
  }

  /// Returns a comparison by order; a Boolean has one only as a value of any type.
  mutating func comparison(_ left: SwiftTerm, _ symbol: String, _ right: SwiftTerm) -> SwiftTerm {
    let type = type(of: [left, right])
    return infix(left, symbol, right, as: type == .boolean ? .any : type)
  }

  /// Returns a call of a method of the query builder.
  mutating func call(
    _ receiver: SwiftTerm, _ type: SwiftType, _ method: String, _ arguments: [String] = [], _ result: SwiftType
  ) -> SwiftTerm {
    let receiver = light(receiver)
    return .expression(
      "\(expression(receiver, as: type)).\(method)(\(arguments.joined(separator: ", ")))", result, weight: receiver.weight + 1)
  }

  /// Returns the negation of a condition.
  mutating func not(_ term: SwiftTerm) -> SwiftTerm {
    prefix("!", expression(light(term, limit: 3), as: .boolean), .boolean, weight: min(term.weight, 3))
  }

  /// Returns an operator before its operand.
  func prefix(_ symbol: String, _ operand: String, _ type: SwiftType, weight: Int) -> SwiftTerm {
    var term = SwiftTerm.expression(symbol + operand, type, weight: weight + 1)
    term.precedence = .unary
    return term
  }
}

extension Column: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? { writer.column(name) }
}

extension Constant: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    guard let value else { return .value(.null) }
    return (try? value.databaseValue).map { .value($0, value is Bool ? .boolean : nil) }
  }
}

extension OpenParameter: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? { writer.parameter(token) }
}

extension Widened: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? { writer.term(operand) }
}

extension Equality: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    guard let right else { return Identity(left, nil, isNegated: isNegated).swift(&writer) }
    let terms = [writer.term(left), writer.term(right)]
    // A plain nil would be compared by IS NULL.
    guard !terms.contains(where: \.isNull) else { return nil }
    return writer.infix(terms[0], isNegated ? "!=" : "==", terms[1])
  }
}

extension Identity: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let left = writer.light(writer.term(left))
    var term: SwiftTerm
    if let right {
      let right = writer.light(writer.term(right))
      let type = writer.type(of: [left, right])
      term = writer.call(left, type, isNegated ? "isNot" : "is", [writer.operand(right, as: type)], .boolean)
    } else {
      term = .expression("\(writer.expression(left)).\(isNegated ? "isNotNull" : "isNull")", .boolean, weight: left.weight)
    }
    term.isOptional = false
    return term
  }
}

extension Comparison: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let symbol =
      switch comparator {
      case .less: "<"
      case .atMost: "<="
      case .greater: ">"
      case .atLeast: ">="
      }
    return writer.comparison(writer.term(left), symbol, writer.term(right))
  }
}

extension Between: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let terms = [writer.term(operand), writer.light(writer.term(lower)), writer.light(writer.term(upper))]
    let common = writer.type(of: terms)
    let type = common == .boolean ? .any : common
    let plain = terms.dropFirst().compactMap { $0.isNull ? nil : writer.plain($0, as: type) }
    let bounds = plain.count == 2 ? plain : terms.dropFirst().map { writer.expression($0, as: type) }
    let term = writer.call(terms[0], type, "between", [bounds[0], "and: \(bounds[1])"], .boolean)
    return isNegated ? writer.not(term) : term
  }
}

extension Membership: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    guard case .list(let list) = members else { return nil }
    let left = writer.term(operand)
    let members = list.map { writer.term($0) }
    let type = writer.type(of: [left] + members)
    let values = members.compactMap { $0.isNull ? nil : writer.plain($0, as: type) }
    // SQLite ignores the affinity of an expression in the list, so that it is no equal of a comparison.
    guard values.count == members.count else { return nil }
    let term = writer.call(left, type, "in", ["[\(values.joined(separator: ", "))]"], .boolean)
    return isNegated ? writer.not(term) : term
  }
}

extension Logic: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    guard let first = terms.first else { return nil }
    var result = writer.term(first)
    for term in terms.dropFirst() {
      let next = writer.term(term)
      let sides = [writer.light(result, limit: 3), writer.light(next, limit: 3)]
      let precedence: SwiftTerm.Precedence = joiner == .and ? .conjunction : .disjunction
      // A comparison binds tighter, and so does a chain of the same operator.
      let inner: [SwiftTerm.Precedence] = [result.precedence == precedence ? precedence : .comparison, .comparison]
      let text = zip(sides, inner).map { writer.expression($0, as: .boolean, in: $1) }.joined(separator: joiner == .and ? " && " : " || ")
      result = .expression(text, .boolean, weight: sides[0].weight + sides[1].weight + 1)
      result.precedence = precedence
    }
    return result
  }
}

extension Negation: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? { writer.not(writer.term(operand)) }
}

extension Arithmetic: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let symbol =
      switch symbol {
      case .plus: "+"
      case .minus: "-"
      case .times: "*"
      case .dividedBy: "/"
      case .remainder: "%"
      }
    let terms = writer.exact([writer.term(left), writer.term(right)])
    guard !terms.contains(where: \.isNull) else { return nil }
    let common = writer.type(of: terms)
    let type = common.isNumeric ? common : .any
    return writer.infix(terms[0], symbol, terms[1], as: type, type)
  }
}

extension Negative: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let operand = writer.light(writer.term(operand))
    let type = operand.type.isNumeric ? operand.type : .any
    return writer.prefix("-", writer.expression(operand, as: type), type, weight: operand.weight)
  }
}

extension Concatenation: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let terms = parts.map { writer.light(writer.term($0), limit: 1) }
    guard var result = terms.first, !terms.contains(where: \.isNull) else { return nil }
    for term in terms.dropFirst() {
      // Two plain texts would be joined by Swift.
      if !result.isExpression, !term.isExpression { result = .expression(writer.expression(result, as: .text), .text) }
      let next = writer.light(result)
      let text = "\(writer.operand(next, as: .text)) + \(writer.operand(term, as: .text))"
      result = .expression(text, .text, weight: next.weight + term.weight + 1)
      result.precedence = .arithmetic
    }
    return result
  }
}
