extension ParameterInference {
  static let comparators: Set<String> = ["=", "==", "<>", "!=", "<", "<=", ">", ">=", "IS"]
  private static let patterns: Set<String> = ["LIKE", "GLOB", "REGEXP", "MATCH"]

  /// What the operand is compared with, before it or after it.
  func comparisonEvidence(_ operand: ClosedRange<Int>) -> ParameterEvidence? {
    precedingEvidence(operand.lowerBound - 1) ?? followingEvidence(operand.upperBound + 1)
  }

  /// What a comparison says that ends with this token, right before the operand.
  private func precedingEvidence(_ last: Int) -> ParameterEvidence? {
    let word = tokens.text(last)
    if word == "=", isInSet(last), isSetTarget(last - 1) { return assignedEvidence(last - 1) }
    if Self.comparators.contains(word) { return leftEvidence(before: last) }
    if Self.patterns.contains(word) { return patternEvidence(leftEvidence(before: last)) }
    switch word {
    case "NOT" where tokens.text(last - 1) == "IS": return leftEvidence(before: last - 1)
    case "FROM" where tokens.text(last - 1) == "DISTINCT": return leftEvidence(before: tokens.text(last - 2) == "NOT" ? last - 3 : last - 2)
    case "BETWEEN": return leftEvidence(before: last)
    case "AND": return betweenEvidence(last)
    case "WHEN": return caseEvidence(last)
    default: return nil
    }
  }

  /// What a comparison says that begins with this token, right after the operand.
  private func followingEvidence(_ first: Int) -> ParameterEvidence? {
    let word = tokens.text(first)
    let next = word == "NOT" ? first + 1 : first
    if word == "IS" {
      var place = first + 1
      while ["NOT", "DISTINCT", "FROM"].contains(tokens.text(place)) { place += 1 }
      return value(at: place)
    }
    if Self.comparators.contains(word) { return value(at: first + 1) }
    if Self.patterns.contains(tokens.text(next)) { return ParameterEvidence(.text) }
    switch tokens.text(next) {
    case "BETWEEN", "WHEN": return value(at: next + 1)
    case "IN" where tokens.text(next + 1) == "(": return value(at: next + 1) ?? value(at: next + 2)
    default: return nil
    }
  }

  /// Whether a column name is what `=` assigns to: it follows SET, or a comma in it.
  private func isSetTarget(_ index: Int) -> Bool {
    tokens.name(index) != nil && ["SET", ","].contains(tokens.text(index - 1))
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
    let ends = Self.clauses.union(["BETWEEN", "AND", "OR", "WHEN", "THEN", "ELSE", "CASE"])
    guard let between = tokens.wordBefore(and, among: ends), tokens.text(between) == "BETWEEN" else { return nil }
    return leftEvidence(before: between)
  }

  /// What stands between CASE and its first WHEN.
  private func caseEvidence(_ when: Int) -> ParameterEvidence? {
    var depth = 0
    var place = when - 1
    while place >= 0, tokens.text(place) != "(" {
      switch tokens.text(place) {
      case "END": depth += 1
      case "CASE" where depth == 0: return tokens.text(place + 1) == "WHEN" ? nil : value(at: place + 1)
      case "CASE": depth -= 1
      case ")": place = tokens.partner(place) ?? place
      default: break
      }
      place -= 1
    }
    return nil
  }

  // MARK: Operands

  /// What the value says that ends before an operator, a NOT before that apart.
  func leftEvidence(before operation: Int) -> ParameterEvidence? {
    var last = tokens.text(operation - 1) == "NOT" ? operation - 2 : operation - 1
    if tokens.text(last - 1) == "COLLATE" { last -= 2 }
    guard tokens.indices.contains(last), let first = operandStart(endingAt: last) else { return nil }
    if let type = Self.operationType(tokens.text(first - 1)), !isSign(first - 1) { return ParameterEvidence(type) }
    return expression(in: first..<last + 1)
  }

  /// What the value says that begins at a token, as far as operators of arithmetic reach.
  private func value(at first: Int) -> ParameterEvidence? {
    guard tokens.indices.contains(first) else { return nil }
    let primary = primary(at: first)
    if let type = Self.operationType(tokens.text(primary.end)) { return ParameterEvidence(type) }
    return primary.evidence
  }

  /// The first token of the value that ends at one: a name with its table, a call, parentheses, or the token.
  private func operandStart(endingAt last: Int) -> Int? {
    if tokens.text(last) == ")" {
      guard let opener = tokens.partner(last) else { return nil }
      if ["FILTER", "OVER"].contains(tokens.text(opener - 1)) { return operandStart(endingAt: opener - 2) }
      return isFunctionName(opener - 1) || tokens.text(opener - 1) == "CAST" ? opener - 1 : opener
    }
    guard tokens.name(last) != nil else { return last }
    var first = last
    while tokens.text(first - 1) == ".", tokens.name(first - 2) != nil { first -= 2 }
    return first
  }
}
