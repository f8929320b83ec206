extension ParameterInference {
  /// Whether a token compares what stands before it with what follows.
  func isComparator(_ place: Int) -> Bool {
    switch tokens.symbol(place) {
    case "=", "==", "<>", "!=", "<", "<=", ">", ">=": true
    default: tokens.keyword(place) == .is
    }
  }

  private static let patterns: [Keyword] = [.like, .glob, .regexp, .match]

  /// What the operand is compared with, before it or after it.
  func comparisonEvidence(_ operand: ClosedRange<Int>) -> ParameterEvidence? {
    precedingEvidence(operand.lowerBound - 1) ?? followingEvidence(operand.upperBound + 1)
  }

  /// What a comparison says that ends with this token, right before the operand.
  private func precedingEvidence(_ last: Int) -> ParameterEvidence? {
    if tokens.isSymbol(last, "="), isInSet(last), isSetTarget(last - 1) { return assignedEvidence(last - 1) }
    if isComparator(last) { return leftEvidence(before: last) }
    switch tokens.keyword(last) {
    case let word? where Self.patterns.contains(word): return patternEvidence(leftEvidence(before: last))
    case .not where tokens.keyword(last - 1) == .is: return leftEvidence(before: last - 1)
    case .from where tokens.keyword(last - 1) == .distinct: return leftEvidence(before: tokens.keyword(last - 2) == .not ? last - 3 : last - 2)
    case .between: return leftEvidence(before: last)
    case .and: return betweenEvidence(last)
    case .when: return caseEvidence(last)
    default: return nil
    }
  }

  /// What a comparison says that begins with this token, right after the operand.
  private func followingEvidence(_ first: Int) -> ParameterEvidence? {
    if tokens.keyword(first) == .is {
      var place = first + 1
      while [.not, .distinct, .from].contains(tokens.keyword(place)) { place += 1 }
      return value(at: place)
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

  /// Whether a column name is what `=` assigns to: it follows SET, or a comma in it.
  private func isSetTarget(_ index: Int) -> Bool {
    tokens.name(index) != nil && (tokens.keyword(index - 1) == .set || tokens.isSymbol(index - 1, ","))
  }

  /// A pattern is a text, whatever it is matched with.
  private func patternEvidence(_ left: ParameterEvidence?) -> ParameterEvidence {
    var evidence = ParameterEvidence(.text, weight: left?.column == nil ? .operation : .column)
    evidence.column = left?.column
    evidence.choices = left?.choices
    return evidence
  }

  /// What stands before BETWEEN, where this AND belongs to one.
  private func betweenEvidence(_ and: Int) -> ParameterEvidence? {
    let start = max(syntax.clause(at: and)?.place ?? 0, tokens.opener(of: and) ?? 0)
    var place = and - 1
    while place > start {
      switch tokens.keyword(place) {
      case .between: return leftEvidence(before: place)
      case .and, .or, .on, .when, .then, .else, .case: return nil
      default: place = tokens.isSymbol(place, ")") ? tokens.partner(of: place) - 1 : place - 1
      }
    }
    return nil
  }

  /// What stands between CASE and its first WHEN.
  private func caseEvidence(_ when: Int) -> ParameterEvidence? {
    var depth = 0
    var place = when - 1
    while place >= 0, !tokens.isSymbol(place, "(") {
      switch tokens.keyword(place) {
      case .end: depth += 1
      case .case where depth == 0: return tokens.keyword(place + 1) == .when ? nil : value(at: place + 1)
      case .case: depth -= 1
      default: if tokens.isSymbol(place, ")") { place = tokens.partner(of: place) }
      }
      place -= 1
    }
    return nil
  }

  // MARK: Operands

  /// What the value says that ends before an operator, a NOT before that apart.
  func leftEvidence(before operation: Int) -> ParameterEvidence? {
    var last = tokens.keyword(operation - 1) == .not ? operation - 2 : operation - 1
    if tokens.keyword(last - 1) == .collate { last -= 2 }
    guard tokens[last] != nil else { return nil }
    let first = operandStart(endingAt: last)
    if let type = operationType(first - 1), !isSign(first - 1) { return ParameterEvidence(type) }
    return expression(in: first..<last + 1)
  }

  /// What the value says that begins at a token, as far as operators of arithmetic reach.
  private func value(at first: Int) -> ParameterEvidence? {
    guard tokens[first] != nil else { return nil }
    let primary = primary(at: first)
    if let type = operationType(primary.end) { return ParameterEvidence(type) }
    return primary.evidence
  }

  /// Returns the first token of the value that ends at one: a name with its table, a call, parentheses, or the token.
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
