internal import QuarryEngine

extension ParameterInference {
  /// Returns the evidence of a whole expression for a value compared with it.
  func expression(in range: Range<Int>) -> ParameterEvidence? {
    guard let first = range.first else { return nil }
    let primary = primary(at: first)
    if primary.end >= range.upperBound { return primary.evidence }
    return operationType(primary.end).map { ParameterEvidence($0) }
  }

  /// Parses one value, including its signs and its collation; there is no evidence for a parameter, NULL, or an unknown value.
  func primary(at first: Int) -> (evidence: ParameterEvidence?, end: Int) {
    var start = first
    while isSign(start) { start += 1 }
    var (evidence, end) = operand(at: start)
    while [.collate, .over, .filter].contains(tokens.keyword(end)) { end = tokens.index(after: end + 1) }
    return (evidence, end)
  }

  private func operand(at first: Int) -> (evidence: ParameterEvidence?, end: Int) {
    switch tokens[first]?.kind {
    case .text: return (ParameterEvidence(isDate(first) ? .date : .text, weight: .literal), first + 1)
    case .number: return (ParameterEvidence(.numeric, weight: .literal), first + 1)
    case .blob: return (ParameterEvidence(.blob, weight: .literal), first + 1)
    case .parameter: return (nil, first + 1)
    case .symbol("("): return (parenthesized(first), tokens.index(after: first))
    case .word, .quotedName: return named(first)
    default: return (nil, first + 1)
    }
  }

  private func isDate(_ index: Int) -> Bool {
    CivilTime(String(tokens.text(index).dropFirst().dropLast())) != nil
  }

  private func parenthesized(_ opener: Int) -> ParameterEvidence? {
    guard let deeper else { return nil }
    if tokens.isQuery(opener + 1) { return selected(0, in: opener) }
    let items = tokens.items(in: opener + 1..<tokens.partner(of: opener))
    return items.count == 1 ? items.first.flatMap(deeper.expression) : nil
  }

  private func named(_ first: Int) -> (evidence: ParameterEvidence?, end: Int) {
    let isCalled = tokens.isSymbol(first + 1, "(")
    if isFunctionName(first) { return (result(of: first), tokens.index(after: first + 1)) }
    switch tokens.keyword(first) {
    case .cast where isCalled: return (ParameterEvidence(castType(first + 1)), tokens.index(after: first + 1))
    case .null: return (nil, first + 1)
    case .case: return (nil, endOfCase(first))
    case .currentDate, .currentTimestamp, .currentTime: return (ParameterEvidence(.date), first + 1)
    default: return column(first)
    }
  }

  private func endOfCase(_ first: Int) -> Int {
    var depth = 0
    for index in first..<tokens.count {
      if tokens.keyword(index) == .case { depth += 1 }
      if tokens.keyword(index) == .end { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return tokens.count
  }

  private func result(of function: Int) -> ParameterEvidence? {
    guard let signature = FunctionSignature.named(tokens.text(function).uppercased()) else { return nil }
    guard signature.result == .likeOthers else { return signature.result.evidence }
    guard let deeper else { return nil }
    return tokens.items(in: function + 2..<tokens.partner(of: function + 1)).lazy.compactMap(deeper.expression).first
  }

  private func column(_ first: Int) -> (evidence: ParameterEvidence?, end: Int) {
    var path = tokens.name(first).map { [$0] } ?? []
    var end = first + 1
    while tokens.isSymbol(end, "."), let name = tokens.name(end + 1) {
      path.append(name)
      end += 2
    }
    if path.count == 1, tokens.isWord(first, "true") || tokens.isWord(first, "false") {
      return (ParameterEvidence(.boolean, weight: .literal), end)
    }
    return (column(path, in: syntax.query(at: first)), end)
  }
}
