extension ParameterInference {
  /// What the clause says, whatever stands beside the operand.
  func clauseEvidence(_ operand: ClosedRange<Int>) -> ParameterEvidence? {
    let after = tokens.text(operand.upperBound + 1)
    if ["PRECEDING", "FOLLOWING"].contains(after) { return ParameterEvidence(.integer) }
    guard let clause = tokens.wordBefore(operand.lowerBound, among: Self.clauses) else { return nil }
    switch tokens.text(clause) {
    case "LIMIT": return ParameterEvidence(.integer)
    case "ATTACH": return ParameterEvidence(.text)
    case "INTO" where tokens.text(0) == "VACUUM": return ParameterEvidence(.text)
    case "SELECT": return selectedEvidence(operand, after: clause)
    default: return nil
    }
  }

  /// What an operator that makes something of the operand says: `||`, arithmetic, `->`.
  func operatorEvidence(_ operand: ClosedRange<Int>) -> ParameterEvidence? {
    let (before, after) = (tokens.text(operand.lowerBound - 1), tokens.text(operand.upperBound + 1))
    if after == "AS", let opener = tokens.opener(operand.lowerBound), tokens.text(opener - 1) == "CAST" {
      return ParameterEvidence(castType(opener))
    }
    if ["->", "->>"].contains(after) { return ParameterEvidence(.text, valueType: .json) }
    if before == "ESCAPE" { return ParameterEvidence(.text) }
    guard let operation = [before, after].first(where: { Self.operationType($0) != nil }) else { return nil }
    var evidence = ParameterEvidence(Self.operationType(operation))
    evidence.isConcatenated = operation == "||"
    return evidence
  }

  /// The type of what an operator takes and gives; nil for one that is none of arithmetic or texts.
  static func operationType(_ text: String) -> ExpressionType? {
    switch text {
    case "||": .text
    case "+", "-", "*", "/", "%": .numeric
    case "<<", ">>", "&", "|": .integer
    default: nil
    }
  }

  /// The type that CAST names before its closing parenthesis.
  func castType(_ opener: Int) -> ExpressionType? {
    guard let end = tokens.partner(opener) else { return nil }
    guard let word = (opener..<end).last(where: { tokens.text($0) == "AS" && tokens.opener($0) == opener }) else { return nil }
    return FilterColumn(resultNamed: "", declaredType: tokens.written(word + 1..<end)).type
  }

  // MARK: Lists

  /// What the list says that the operand is a whole item of.
  func listEvidence(_ operand: ClosedRange<Int>) -> ParameterEvidence? {
    let (before, after) = (tokens.text(operand.lowerBound - 1), tokens.text(operand.upperBound + 1))
    guard ["(", ",", "DISTINCT"].contains(before), [",", ")"].contains(after) else { return nil }
    guard let opener = tokens.opener(operand.lowerBound), let end = tokens.partner(opener) else { return nil }
    let items = tokens.items(in: opener + 1..<end)
    guard let place = items.firstIndex(where: { $0.contains(operand.lowerBound) }) else { return nil }
    if tokens.text(opener - 1) == "IN" { return leftEvidence(before: opener - 1) }
    if isInValues(opener) { return storedEvidence(place, near: opener) }
    if isFunctionName(opener - 1) { return argumentEvidence(place, of: items, function: tokens.text(opener - 1)) }
    return rowEvidence(place, opener...end)
  }

  private func argumentEvidence(_ place: Int, of items: [Range<Int>], function: String) -> ParameterEvidence? {
    guard let argument = FunctionSignature.named(function)?.argument(place) else { return nil }
    guard argument == .likeOthers else { return argument.evidence }
    return items.enumerated().lazy.filter { $0.offset != place }.compactMap { deeper?.expression(in: $0.element) }.first
  }

  /// What a row of columns says that a row of parameters is compared with or assigned to: `(a, b) = (:a, :b)`.
  private func rowEvidence(_ place: Int, _ row: ClosedRange<Int>) -> ParameterEvidence? {
    let comparators = Self.comparators
    if comparators.contains(tokens.text(row.lowerBound - 1)), tokens.text(row.lowerBound - 2) == ")" {
      let end = row.lowerBound - 2
      guard let opener = tokens.partner(end), let item = item(place, in: opener + 1..<end) else { return nil }
      return isInSet(row.lowerBound) ? assignedEvidence(item.lowerBound) : expression(in: item)
    }
    guard comparators.contains(tokens.text(row.upperBound + 1)), tokens.text(row.upperBound + 2) == "(" else { return nil }
    guard let end = tokens.partner(row.upperBound + 2), let item = item(place, in: row.upperBound + 3..<end) else { return nil }
    return expression(in: item)
  }

  private func item(_ place: Int, in range: Range<Int>) -> Range<Int>? {
    let items = range.isEmpty ? [] : tokens.items(in: range)
    return items.indices.contains(place) ? items[place] : nil
  }

  // MARK: Stored values

  /// What the column says that a selected value is inserted into.
  private func selectedEvidence(_ operand: ClosedRange<Int>, after clause: Int) -> ParameterEvidence? {
    guard scopes.scopes[scopes.scopeOfToken[clause]].target != nil else { return nil }
    let after = tokens.text(operand.upperBound + 1)
    let isItem = ["SELECT", "ALL", "DISTINCT", ","].contains(tokens.text(operand.lowerBound - 1))
    guard isItem, ["", ",", "FROM", "WHERE", "AS", ";"].contains(after) else { return nil }
    return storedEvidence(tokens.items(in: clause + 1..<operand.upperBound + 1).count - 1, near: clause)
  }

  /// What the column says that the value in a place of a row is inserted into.
  private func storedEvidence(_ place: Int, near index: Int) -> ParameterEvidence? {
    guard let target = scopes.scopes[scopes.scopeOfToken[index]].target, let table = schemas.table(target.name, in: target.database)
    else { return nil }
    let all = table.columns.filter { !$0.isHidden && $0.generation == nil }.map(\.name)
    let columns = target.columnNames.isEmpty ? all : target.columnNames
    return columns.indices.contains(place) ? ParameterEvidence(column: columns[place], of: table, isAssigned: true) : nil
  }

  /// Whether a token stands in the SET of an UPDATE.
  func isInSet(_ index: Int) -> Bool {
    tokens.wordBefore(index, among: Self.clauses).map { tokens.text($0) == "SET" } ?? false
  }

  /// What the column says that a token names in the SET of an UPDATE.
  func assignedEvidence(_ index: Int) -> ParameterEvidence? {
    var scope: Int? = scopes.scopeOfToken[index]
    while let number = scope, scopes.scopes[number].tables.isEmpty, scopes.scopes[number].target == nil {
      scope = scopes.scopes[number].parent
    }
    guard let scope, let name = tokens.name(index) else { return nil }
    guard let updated = scopes.scopes[scope].target ?? scopes.scopes[scope].tables.first else { return nil }
    return schemas.table(updated.name, in: updated.database).flatMap { ParameterEvidence(column: name, of: $0, isAssigned: true) }
  }
}
