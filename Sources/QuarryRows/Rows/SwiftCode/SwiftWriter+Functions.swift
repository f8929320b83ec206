internal import QuarryEngine

extension PatternMatch: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let (text, pattern) = (writer.term(text), writer.light(writer.term(pattern)))
    guard !pattern.isNull else { return nil }
    var arguments = [writer.operand(pattern, as: .text)]
    switch escapeCharacter {
    case .some(let character?): arguments.append("escape: \(SwiftLiteral.string(String(character)))")
    case .some(nil): break
    case nil: return nil
    }
    let method =
      switch kind {
      case .like: "like"
      case .glob: "glob"
      case .regexp: "regexp"
      }
    let term = writer.call(text, .text, method, arguments, .boolean)
    return isNegated ? writer.not(term) : term
  }

  /// The character after ESCAPE, or no character without ESCAPE; nil if it is not a constant.
  private var escapeCharacter: Character?? {
    guard let escape else { return .some(looksBehindNUL ? "\\" : nil) }
    guard let text = (escape as? Constant<String>)?.value, text.unicodeScalars.count == 1 else { return nil }
    return .some(text.first)
  }
}

extension Collated: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let names: [String: String] = ["BINARY": ".binary", "NOCASE": ".nocase", "RTRIM": ".rtrim"]
    let name = names[collation.rawValue.uppercased()] ?? "Collation(rawValue: \(SwiftLiteral.string(collation.rawValue)))"
    return writer.call(writer.term(operand), .text, "collate", [name], .text)
  }
}

extension Cast: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let (operand, type) = (writer.term(operand), SwiftType(Target.self))
    return writer.call(operand, operand.type, "cast", ["to: \(type.rawValue).self"], type)
  }
}

extension FullTextMatch: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let (column, words) = (writer.term(column), writer.term(words))
    guard column.isExpression, !words.isNull, let text = writer.plain(words, as: .text) else { return nil }
    return .expression("FullTextMatch(\(writer.expression(column)), \(text))", .boolean, weight: 1)
  }
}

extension JSONExtraction: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    guard let text = (path as? Constant<String>)?.value, let path = try? JSONPath(operand: text) else { return nil }
    guard path.text == text, path.escapedText == escapedPath?.value else { return nil }
    let document = writer.light(writer.term(document))
    let steps = path.steps.map { step in
      switch step {
      case .key(let key): ".key(\(SwiftLiteral.string(key)))"
      case .element(let index): ".element(\(index))"
      case .fromEnd(let distance): ".fromEnd(\(distance))"
      case .each: ".each"
      }
    }
    let arguments = [
      writer.expression(document, as: .text), kind == .json ? ".json" : ".value", "JSONPath([\(steps.joined(separator: ", "))])",
    ]
    return .expression("JSONExtraction(\(arguments.joined(separator: ", ")))", .any, weight: document.weight + 1)
  }
}

extension FunctionCall: SwiftWritten {
  func swift(_ writer: inout SwiftWriter) -> SwiftTerm? {
    let terms = operands.map { writer.term($0) }
    guard let first = terms.first, !terms.contains(where: \.isNull) else { return nil }
    let rest = Array(terms.dropFirst())
    switch (name.description, terms.count) {
    case ("length", 1): return first.type == .text ? writer.call(first, .text, "length", [], .integer) : nil
    case ("lower", 1), ("upper", 1): return writer.call(first, .text, name.description, [], .text)
    case ("trim", 1...2), ("ltrim", 1...2), ("rtrim", 1...2), ("replace", 3): return writer.text(first, name.description, rest, .text)
    case ("instr", 2): return terms.allSatisfy { $0.type == .text } ? writer.text(first, "instr", rest, .integer) : nil
    case ("substr", 2...3):
      guard first.type == .text, rest.allSatisfy({ $0.type == .integer }) else { return nil }
      return writer.call(first, .text, "substr", rest.map { writer.operand(writer.light($0), as: .integer) }, .text)
    case ("abs", 1): return first.type.isNumeric ? writer.call(first, first.type, "abs", [], first.type) : nil
    case ("round", 1...2): return writer.rounded(first, rest.first)
    case ("coalesce", 2), ("ifnull", 2): return writer.choice(name.description, first, rest[0])
    default: return nil
    }
  }
}

extension SwiftWriter {
  /// Returns a function of texts.
  fileprivate mutating func text(_ receiver: SwiftTerm, _ function: String, _ others: [SwiftTerm], _ result: SwiftType) -> SwiftTerm {
    let arguments = others.map { operand(light($0), as: .text) }
    return call(receiver, .text, function, arguments, result)
  }

  /// Returns a rounded number; nil unless the number of digits is a plain value.
  fileprivate mutating func rounded(_ number: SwiftTerm, _ digits: SwiftTerm?) -> SwiftTerm? {
    guard number.type.isNumeric else { return nil }
    guard let digits else { return call(number, number.type, "round", [], .real) }
    guard !digits.isExpression, let count = plain(digits, as: .integer) else { return nil }
    return call(number, number.type, "round", [count], .real)
  }

  /// Returns the first of two values that is not NULL.
  fileprivate mutating func choice(_ function: String, _ first: SwiftTerm, _ second: SwiftTerm) -> SwiftTerm {
    let terms = exact([first, light(second)])
    let (second, type) = (terms[1], type(of: terms))
    var term = call(terms[0], type, function, [operand(second, as: type)], type)
    let isPlain = plain(second, as: type) != nil
    term.isOptional = !isPlain && (!second.isExpression || second.type != type || second.isOptional)
    return term
  }
}
