extension ParameterInference {
  /// What a whole expression says of a value that it is compared with.
  func expression(in range: Range<Int>) -> ParameterEvidence? {
    guard let first = range.first else { return nil }
    let primary = primary(at: first)
    if primary.end >= range.upperBound { return primary.evidence }
    return Self.operationType(tokens.text(primary.end)).map { ParameterEvidence($0) }
  }

  /// Reads one value, with its signs before it and its collation after it; says nothing of a parameter, NULL, or what is not known.
  func primary(at first: Int) -> (evidence: ParameterEvidence?, end: Int) {
    guard tokens.indices.contains(first) else { return (nil, first + 1) }
    var start = first
    while isSign(start), tokens.indices.contains(start + 1) { start += 1 }
    var (evidence, end) = operand(at: start)
    while ["COLLATE", "OVER", "FILTER"].contains(tokens.text(end)) { end = endOfCall(end + 1) }
    return (evidence, end)
  }

  private func operand(at first: Int) -> (evidence: ParameterEvidence?, end: Int) {
    switch tokens[first].kind {
    case .text: return (ParameterEvidence(isDate(first) ? .date : .text, weight: .literal), first + 1)
    case .number: return (ParameterEvidence(.numeric, weight: .literal), first + 1)
    case .blob: return (ParameterEvidence(.blob, weight: .literal), first + 1)
    case .parameter: return (nil, first + 1)
    case .symbol: return tokens.text(first) == "(" ? (parenthesized(first), endOfCall(first)) : (nil, first + 1)
    case .word, .quotedName: return named(first)
    default: return (nil, first + 1)
    }
  }

  private func isDate(_ index: Int) -> Bool {
    CivilTime(String(tokens.written(index).dropFirst().dropLast())) != nil
  }

  /// The index after a closing parenthesis, or after the one token.
  private func endOfCall(_ index: Int) -> Int {
    tokens.text(index) == "(" ? (tokens.partner(index) ?? index) + 1 : index + 1
  }

  private func parenthesized(_ opener: Int) -> ParameterEvidence? {
    guard let deeper, let end = tokens.partner(opener), opener + 1 < end else { return nil }
    if ["SELECT", "WITH"].contains(tokens.text(opener + 1)) { return selected(0, in: opener) }
    let items = tokens.items(in: opener + 1..<end)
    return items.count == 1 ? items.first.flatMap(deeper.expression) : nil
  }

  private func named(_ first: Int) -> (evidence: ParameterEvidence?, end: Int) {
    let word = tokens.text(first)
    if word == "CAST", tokens.text(first + 1) == "(" { return (ParameterEvidence(castType(first + 1)), endOfCall(first + 1)) }
    if isFunctionName(first) { return (result(of: first), endOfCall(first + 1)) }
    switch word {
    case "NULL": return (nil, first + 1)
    case "CASE": return (nil, endOfCase(first))
    case "CURRENT_DATE", "CURRENT_TIMESTAMP", "CURRENT_TIME": return (ParameterEvidence(.date), first + 1)
    default: return column(first)
    }
  }

  private func endOfCase(_ first: Int) -> Int {
    var depth = 0
    for index in first..<tokens.indices.upperBound {
      if tokens.text(index) == "CASE" { depth += 1 }
      if tokens.text(index) == "END" { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return tokens.indices.upperBound
  }

  private func result(of function: Int) -> ParameterEvidence? {
    guard let signature = FunctionSignature.named(tokens.text(function)) else { return nil }
    guard signature.result == .likeOthers else { return signature.result.evidence }
    guard let deeper, let end = tokens.partner(function + 1), function + 2 < end else { return nil }
    return tokens.items(in: function + 2..<end).lazy.compactMap(deeper.expression).first
  }

  private func column(_ first: Int) -> (evidence: ParameterEvidence?, end: Int) {
    var path = tokens.name(first).map { [$0] } ?? []
    var end = first + 1
    while tokens.text(end) == ".", let name = tokens.name(end + 1) {
      path.append(name)
      end += 2
    }
    if path.count == 1, ["TRUE", "FALSE"].contains(tokens.text(first)) { return (ParameterEvidence(.boolean, weight: .literal), end) }
    return (column(path, in: scopes.scopeOfToken[first]), end)
  }
}
