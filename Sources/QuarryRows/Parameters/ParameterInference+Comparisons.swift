internal import QuarryEngine

extension ParameterInference {
  /// Returns whether a token is an operator that compares its operands.
  func isComparator(_ index: Int) -> Bool {
    switch tokens.symbol(index) {
    case "=", "==", "<>", "!=", "<", "<=", ">", ">=": true
    default: tokens.keyword(index) == .is
    }
  }

  private static let patterns: [Keyword] = [.like, .glob, .regexp, .match]

  /// Returns the evidence of a comparison before or after the operand.
  func comparisonEvidence(_ operand: ClosedRange<Int>) -> ParameterEvidence? {
    precedingEvidence(operand.lowerBound - 1) ?? followingEvidence(operand.upperBound + 1)
  }

  /// Returns the evidence of a comparison that ends with this token, right before the operand.
  private func precedingEvidence(_ last: Int) -> ParameterEvidence? {
    if tokens.isSymbol(last, "="), isInSet(last), isSetTarget(last - 1) { return assignedEvidence(last - 1) }
    if isComparator(last) { return leftEvidence(before: last) }
    switch tokens.keyword(last) {
    case let word? where Self.patterns.contains(word): return patternEvidence(leftEvidence(before: last))
    case .not where tokens.keyword(last - 1) == .is: return leftEvidence(before: last - 1)
    case .from where tokens.keyword(last - 1) == .distinct:
      return leftEvidence(before: tokens.keyword(last - 2) == .not ? last - 3 : last - 2)
    case .between: return leftEvidence(before: last)
    case .and: return betweenEvidence(last)
    case .when: return caseEvidence(last)
    default: return nil
    }
  }

  /// Returns the evidence of a comparison that begins with this token, right after the operand.
  private func followingEvidence(_ first: Int) -> ParameterEvidence? {
    if tokens.keyword(first) == .is {
      var index = first + 1
      while [.not, .distinct, .from].contains(tokens.keyword(index)) { index += 1 }
      return value(at: index)
    }
    if isComparator(first) { return value(at: first + 1) }
    let next = tokens.keyword(first) == .not ? first + 1 : first
    switch tokens.keyword(next) {
    case let word? where Self.patterns.contains(word): return ParameterEvidence(.text)
    case .between, .when: return value(at: next + 1)
    case .in where tokens.isSymbol(next + 1, "("): return value(at: next + 1) ?? value(at: next + 2)
    default: return nil
    }
  }

  /// Returns whether `=` assigns to a column name, which follows SET or a comma in it.
  private func isSetTarget(_ index: Int) -> Bool {
    tokens.name(index) != nil && (tokens.keyword(index - 1) == .set || tokens.isSymbol(index - 1, ","))
  }

  /// Returns the evidence for the pattern of LIKE or GLOB, which is always a text.
  private func patternEvidence(_ left: ParameterEvidence?) -> ParameterEvidence {
    var evidence = ParameterEvidence(.text, weight: left?.column == nil ? .operation : .column)
    evidence.column = left?.column
    evidence.choices = left?.choices
    return evidence
  }

  /// Returns the evidence of the operand before BETWEEN, if this AND belongs to one.
  private func betweenEvidence(_ and: Int) -> ParameterEvidence? {
    let start = max(syntax.clause(at: and)?.index ?? 0, tokens.opener(of: and) ?? 0)
    var index = and - 1
    while index > start {
      switch tokens.keyword(index) {
      case .between: return leftEvidence(before: index)
      case .and, .or, .on, .when, .then, .else, .case: return nil
      default: index = tokens.isSymbol(index, ")") ? tokens.partner(of: index) - 1 : index - 1
      }
    }
    return nil
  }

  /// Returns the evidence of the operand between CASE and its first WHEN.
  private func caseEvidence(_ when: Int) -> ParameterEvidence? {
    var depth = 0
    var index = when - 1
    while index >= 0, !tokens.isSymbol(index, "(") {
      switch tokens.keyword(index) {
      case .end: depth += 1
      case .case where depth == 0: return tokens.keyword(index + 1) == .when ? nil : value(at: index + 1)
      case .case: depth -= 1
      default: if tokens.isSymbol(index, ")") { index = tokens.partner(of: index) }
      }
      index -= 1
    }
    return nil
  }

  // MARK: Operands

  /// Returns the evidence of the value before an operator, ignoring a NOT before the operator.
  func leftEvidence(before operation: Int) -> ParameterEvidence? {
    var last = tokens.keyword(operation - 1) == .not ? operation - 2 : operation - 1
    if tokens.keyword(last - 1) == .collate { last -= 2 }
    guard tokens[last] != nil else { return nil }
    let first = operandStart(endingAt: last)
    if let type = operationType(first - 1), !isSign(first - 1) { return ParameterEvidence(type) }
    return expression(in: first..<last + 1)
  }

  /// Returns the evidence of the value that begins at a token, including arithmetic operators.
  private func value(at first: Int) -> ParameterEvidence? {
    guard tokens[first] != nil else { return nil }
    let primary = primary(at: first)
    if let type = operationType(primary.end) { return ParameterEvidence(type) }
    return primary.evidence
  }

  /// Returns the first token of the value that ends at a token: a name with its table, a call, parentheses, or the token itself.
  private func operandStart(endingAt last: Int) -> Int {
    if tokens.isSymbol(last, ")") {
      let opener = tokens.partner(of: last)
      if [.filter, .over].contains(tokens.keyword(opener - 1)) { return operandStart(endingAt: opener - 2) }
      return isFunctionName(opener - 1) || tokens.keyword(opener - 1) == .cast ? opener - 1 : opener
    }
    guard tokens.name(last) != nil else { return last }
    var first = last
    while tokens.isSymbol(first - 1, "."), tokens.name(first - 2) != nil { first -= 2 }
    return first
  }
}
