internal import QuarryEngine

extension ParameterInference {
  /// Returns the evidence of the clause, regardless of adjacent tokens.
  func clauseEvidence(_ operand: ClosedRange<Int>) -> ParameterEvidence? {
    if [.preceding, .following].contains(tokens.keyword(operand.upperBound + 1)) { return ParameterEvidence(.integer) }
    if [.attach, .vacuum].contains(syntax.kind.verb) { return ParameterEvidence(.text) }
    guard let clause = syntax.clause(at: operand.lowerBound) else { return nil }
    switch clause.keyword {
    case .limit: return ParameterEvidence(.integer)
    case .select: return selectedEvidence(operand, after: clause.index)
    default: return nil
    }
  }

  /// Returns the evidence of an operator on the operand: `||`, arithmetic, `->`.
  func operatorEvidence(_ operand: ClosedRange<Int>) -> ParameterEvidence? {
    let (before, after) = (operand.lowerBound - 1, operand.upperBound + 1)
    if tokens.keyword(after) == .as, let opener = tokens.opener(of: operand.lowerBound), tokens.keyword(opener - 1) == .cast {
      return ParameterEvidence(castType(opener))
    }
    if ["->", "->>"].contains(tokens.symbol(after)) { return ParameterEvidence(.text, valueType: .json) }
    if tokens.keyword(before) == .escape { return ParameterEvidence(.text) }
    guard let operation = [before, after].first(where: { operationType($0) != nil }) else { return nil }
    var evidence = ParameterEvidence(operationType(operation))
    evidence.isConcatenated = tokens.isSymbol(operation, "||")
    return evidence
  }

  /// Returns the type of the operands and the result of an operator; nil for a token that is not an arithmetic or text operator.
  func operationType(_ index: Int) -> ExpressionType? {
    switch tokens.symbol(index) {
    case "||": .text
    case "+", "-", "*", "/", "%": .numeric
    case "<<", ">>", "&", "|": .integer
    default: nil
    }
  }

  /// Returns the type named by CAST before its closing parenthesis.
  func castType(_ opener: Int) -> ExpressionType? {
    let end = tokens.partner(of: opener)
    guard let word = (opener..<end).last(where: { tokens.keyword($0) == .as && tokens.opener(of: $0) == opener }) else { return nil }
    return FilterColumn(resultNamed: "", declaredType: tokens.text(word + 1..<end)).type
  }

  // MARK: Lists

  /// Returns the evidence of a list if the operand is a whole item of it.
  func listEvidence(_ operand: ClosedRange<Int>) -> ParameterEvidence? {
    let (before, after) = (operand.lowerBound - 1, tokens.symbol(operand.upperBound + 1))
    guard ["(", ","].contains(tokens.symbol(before)) || tokens.keyword(before) == .distinct, [",", ")"].contains(after) else { return nil }
    guard let opener = tokens.opener(of: operand.lowerBound) else { return nil }
    let end = tokens.partner(of: opener)
    let items = tokens.items(in: opener + 1..<end)
    guard let position = items.firstIndex(where: { $0.contains(operand.lowerBound) }) else { return nil }
    if tokens.keyword(opener - 1) == .in { return leftEvidence(before: opener - 1) }
    if isInValues(opener) { return storedEvidence(position, in: syntax.query(at: opener)) }
    if isFunctionName(opener - 1) { return argumentEvidence(position, of: items, function: tokens.text(opener - 1).uppercased()) }
    return rowEvidence(position, opener...end)
  }

  private func argumentEvidence(_ position: Int, of items: [Range<Int>], function: String) -> ParameterEvidence? {
    guard let argument = FunctionSignature.named(function)?.argument(position) else { return nil }
    guard argument == .likeOthers else { return argument.evidence }
    return items.enumerated().lazy.filter { $0.offset != position }.compactMap { deeper?.expression(in: $0.element) }.first
  }

  /// Returns the evidence of a row of columns with which a row of parameters is compared, or to which it is assigned: `(a, b) = (:a, :b)`.
  private func rowEvidence(_ position: Int, _ row: ClosedRange<Int>) -> ParameterEvidence? {
    if isComparator(row.lowerBound - 1), tokens.isSymbol(row.lowerBound - 2, ")") {
      let end = row.lowerBound - 2
      guard let item = item(position, in: tokens.partner(of: end) + 1..<end) else { return nil }
      return isInSet(row.lowerBound) ? assignedEvidence(item.lowerBound) : expression(in: item)
    }
    let opener = row.upperBound + 2
    guard isComparator(opener - 1), tokens.isSymbol(opener, "(") else { return nil }
    return item(position, in: opener + 1..<tokens.partner(of: opener)).flatMap(expression)
  }

  private func item(_ position: Int, in range: Range<Int>) -> Range<Int>? {
    let items = tokens.items(in: range)
    return items.indices.contains(position) ? items[position] : nil
  }

  // MARK: Stored values

  /// Returns the evidence of the column into which a selected value is inserted.
  private func selectedEvidence(_ operand: ClosedRange<Int>, after clause: Int) -> ParameterEvidence? {
    let query = syntax.query(at: clause)
    guard query.insertTarget != nil else { return nil }
    let (before, after) = (operand.lowerBound - 1, operand.upperBound + 1)
    let isBegun = tokens.isSymbol(before, ",") || [.select, .all, .distinct].contains(tokens.keyword(before))
    let isEnded =
      tokens[after] == nil || [",", ";"].contains(tokens.symbol(after)) || [.from, .where, .as].contains(tokens.keyword(after))
    guard isBegun, isEnded else { return nil }
    return storedEvidence(tokens.items(in: clause + 1..<after).count - 1, in: query)
  }

  /// Returns the evidence of the column into which the value at a position of a row is inserted.
  private func storedEvidence(_ position: Int, in query: QuerySyntax) -> ParameterEvidence? {
    guard let target = query.insertTarget, let table = target.name.flatMap({ schemas.table($0.name, in: $0.database) }) else { return nil }
    let all = table.columns.filter { !$0.isHidden && $0.generation == nil }.map(\.name)
    let columns = target.columnNames.isEmpty ? all : target.columnNames
    return columns.indices.contains(position) ? ParameterEvidence(column: columns[position], of: table, isAssigned: true) : nil
  }

  /// Returns whether a token is in the SET clause of an UPDATE.
  func isInSet(_ index: Int) -> Bool {
    syntax.clause(at: index)?.keyword == .set
  }

  /// Returns the evidence of the column named by a token in the SET clause of an UPDATE.
  func assignedEvidence(_ index: Int) -> ParameterEvidence? {
    guard let name = tokens.name(index), let table = syntax.query(at: index).sources.first?.name else { return nil }
    return schemas.table(table.name, in: table.database).flatMap { ParameterEvidence(column: name, of: $0, isAssigned: true) }
  }
}
