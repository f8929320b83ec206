extension FilterChecker {
  mutating func predicate(_ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    switch node.kind {
    case .comparison(let comparison, let left, let right): return self.comparison(comparison, left, right, node, room)
    case .identity(let left, let right, let isNegated): return identity(left, right, isNegated: isNegated, node, room)
    case .between(let operand, let lower, let upper, let isNegated):
      return list(operand, [lower, upper], node, room) { (value, bounds) throws(Incompatibility) in
        try value.between(bounds[0], and: bounds[1], negated: isNegated)
      }
    case .membership(let operand, let members, let isNegated):
      return list(operand, members, node, room) { (value, members) throws(Incompatibility) in try value.isIn(members, negated: isNegated) }
    case .pattern(let kind, let operand, let pattern, let escape, let isNegated):
      return self.pattern(kind, operand, pattern, escape: escape, isNegated: isNegated, room)
    case .match(let match, let operand, let part): return self.match(match, operand, part, room)
    case .anywhere(let part): return anywhere(part, node, room)
    default: return nil
    }
  }

  // MARK: Comparisons

  private mutating func comparison(
    _ comparison: FilterComparison, _ left: FilterSyntax, _ right: FilterSyntax, _ node: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    guard let (first, second) = pair(left, right, room, 3) else { return nil }
    if comparison == .equal { advise(left, right, node) }
    return compare(left, first, right, second, node) { (first, second) throws(Incompatibility) in
      switch comparison {
      case .equal: try first.equals(second)
      case .different: try first.differs(from: second)
      case .unlike: try first.isSame(as: second, negated: true)
      case .less: try first.compared(.less, second)
      case .atMost: try first.compared(.atMost, second)
      case .greater: try first.compared(.greater, second)
      case .atLeast: try first.compared(.atLeast, second)
      }
    }
  }

  private mutating func identity(
    _ left: FilterSyntax, _ right: FilterSyntax, isNegated: Bool, _ node: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    if case .literal(.truth(let truth)) = right.kind {
      guard let operand = self.truth(left, room.inside(1)) else { return nil }
      return .boolean(TruthTest(operand: operand, truth: truth, isNegated: isNegated))
    }
    guard let (first, second) = pair(left, right, room, 4) else { return nil }
    if !isNegated { advise(left, right, node) }
    return compare(left, first, right, second, node) { (first, second) throws(Incompatibility) in
      try first.isSame(as: second, negated: isNegated)
    }
  }

  /// Checks two values that are compared, and tells each parameter of the other.
  private mutating func pair(
    _ left: FilterSyntax, _ right: FilterSyntax, _ room: Room, _ entries: Int
  ) -> (TypedExpression, TypedExpression)? {
    if reportLiterals(left, right) { return nil }
    let (first, second) = (value(left, room.inside(1), beside: right), value(right, room.inside(entries), beside: left))
    infer(left, beside: right, second)
    infer(right, beside: left, first)
    guard let first, let second else { return nil }
    return (first, second)
  }

  private mutating func compare(
    _ left: FilterSyntax, _ first: TypedExpression, _ right: FilterSyntax, _ second: TypedExpression, _ node: FilterSyntax,
    _ make: (TypedExpression, TypedExpression) throws(Incompatibility) -> TypedExpression
  ) -> TypedExpression? {
    if isDateBesideNumber(left, first, right, second) {
      reportMismatch(left, first.type, right, second.type, node)
      return nil
    }
    do throws(Incompatibility) { return try make(first, second) } catch {
      if case .notOrdered = error { reportNoOrder(node) } else { reportMismatch(left, first.type, right, second.type, node) }
      return nil
    }
  }

  /// Whether a date as written meets a number, which nothing ever equals.
  private func isDateBesideNumber(
    _ left: FilterSyntax, _ first: TypedExpression, _ right: FilterSyntax, _ second: TypedExpression
  ) -> Bool {
    func isDate(_ node: FilterSyntax) -> Bool { if case .literal(.date) = node.kind { true } else { false } }
    func isNumber(_ value: TypedExpression) -> Bool { value.type == .integer || value.type == .real || value.type == .numeric }
    return isDate(left) && isNumber(second) || isDate(right) && isNumber(first)
  }

  /// Checks a value against several that it is compared with.
  private mutating func list(
    _ operand: FilterSyntax, _ members: [FilterSyntax], _ node: FilterSyntax, _ room: Room,
    _ make: (TypedExpression, [TypedExpression]) throws(Incompatibility) -> TypedExpression
  ) -> TypedExpression? {
    if operand.isLiteral, members.allSatisfy(\.isLiteral), let first = members.first, reportLiterals(operand, first) { return nil }
    let value = value(operand, room.inside(1), beside: members.first)
    var values: [TypedExpression] = []
    for member in members {
      let found = self.value(member, room.inside(6), beside: operand)
      infer(member, beside: operand, value)
      if let found { values.append(found) }
    }
    if let first = members.first { infer(operand, beside: first, values.first) }
    guard let value, values.count == members.count else { return nil }
    let count = errors.count
    for (member, other) in zip(members, values) {
      _ = compare(operand, value, member, other, node) { (value, other) throws(Incompatibility) in
        if value.type != other.type { _ = try value.unified(with: [other]) }
        return value
      }
    }
    if errors.count > count { return nil }
    if let result = try? make(value, values) { return result }
    reportNoOrder(node)
    return nil
  }

  private mutating func infer(_ node: FilterSyntax, beside other: FilterSyntax, _ value: TypedExpression?) {
    guard case .parameter = node.kind else { return }
    parameters.infer(at: node.range.lowerBound, type: value?.type, column: other.comparedColumn.flatMap { columns.named($0)?.name })
  }

  /// A day alone equals no moment but midnight.
  private mutating func advise(_ left: FilterSyntax, _ right: FilterSyntax, _ node: FilterSyntax) {
    guard let name = left.columnName, let column = columns.named(name), column.hasTimes, let day = right.day else { return }
    let text = "\(FilterFormatter.name(column.name)) ^= \(FilterFormatter.quoted(day))"
    advice.append(
      FilterAdvice(
        range: node.range, sentence: "This matches only what is written \(day), without a time.",
        replacements: [FilterReplacement(node.range, text)]))
  }

  // MARK: Texts

  private mutating func pattern(
    _ kind: PatternMatch.Kind, _ operand: FilterSyntax, _ pattern: FilterSyntax, escape: FilterSyntax?, isNegated: Bool, _ room: Room
  ) -> TypedExpression? {
    if reportLiterals(operand, pattern) || reportLongPattern(pattern) { return nil }
    let word = kind == .like ? "like" : "glob"
    let first = text(operand, room.inside(1), because: "\(word) looks at texts", beside: pattern)
    let second = text(pattern, room.inside(4), because: "\(word) takes a pattern", beside: operand)
    let third = escape.flatMap { text($0, room.inside(5), because: "escape takes one character", beside: nil) }
    if let escape, reportEscape(escape, kind) { return nil }
    guard let first, let second, (third == nil) == (escape == nil) else { return nil }
    return try? first.matches(kind, second, escape: third, negated: isNegated)
  }

  private mutating func match(
    _ match: FilterMatch, _ operand: FilterSyntax, _ part: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    if reportLiterals(operand, part) || reportLongPattern(part) { return nil }
    let isPlain = part.isLiteral
    let first = text(operand, room.inside(match == .lacks ? 4 : 1), because: "\(match.rawValue) looks at texts", beside: part)
    let second = sought(part, room.inside(isPlain ? 5 : 19, deeper: isPlain ? 2 : 8), beside: operand)
    guard let first, let second else { return nil }
    return try? first.has(second, at: match.place, negated: match == .lacks)
  }

  private mutating func anywhere(_ part: FilterSyntax, _ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    if reportLongPattern(part) { return nil }
    let searched = columns.searched
    let sought = sought(part, room.inside(part.isLiteral ? 12 : 26, deeper: 12 + min(searched.count, 502)), beside: nil)
    argumentCount += searched.count * (part.isLiteral ? 2 : 9)
    guard let sought else { return nil }
    if searched.isEmpty {
      errors.append(FilterError(.noTextColumn, node.range, "No column here holds text that could be searched."))
      return nil
    }
    let matches = searched.compactMap { try? TypedExpression(columnNamed: $0.name, type: $0.type).has(sought, at: .anywhere) }
    return try? .joined(matches, by: .or)
  }

  /// What is looked for: a date as the text that it is written as.
  private mutating func sought(_ node: FilterSyntax, _ room: Room, beside: FilterSyntax?) -> TypedExpression? {
    if case .literal(.date(let text)) = node.kind {
      argumentCount += 1
      return .text(Constant(text))
    }
    return text(node, room, because: "what is looked for is a text", beside: beside)
  }

  private mutating func text(
    _ node: FilterSyntax, _ room: Room, because reason: String, beside: FilterSyntax?
  ) -> TypedExpression? {
    let value = value(node, room, beside: beside)
    if case .parameter = node.kind {
      let column = beside?.comparedColumn.flatMap { columns.named($0)?.name }
      parameters.infer(at: node.range.lowerBound, type: .text, column: column)
    }
    guard let value else { return nil }
    if value.asText != nil { return value }
    reportNoText(node, value.type, reason)
    return nil
  }
}

extension FilterSyntax {
  /// The column that a value beside this is compared with.
  var comparedColumn: String? {
    switch kind {
    case .column(let name): name
    case .collated(let operand, _), .plus(let operand): operand.comparedColumn
    default: nil
    }
  }

  /// The day, where it is a date or text of a day alone.
  fileprivate var day: String? {
    let text: String
    switch kind {
    case .literal(.date(let date)): text = date
    case .literal(.text(let string)): text = string
    default: return nil
    }
    let bytes = Array(text.utf8)
    guard bytes.count == 10 else { return nil }
    return bytes.indices.allSatisfy { $0 == 4 || $0 == 7 ? bytes[$0] == UInt8(ascii: "-") : bytes[$0].isFilterDigit } ? text : nil
  }
}

extension FilterMatch {
  fileprivate var place: TextPlace {
    switch self {
    case .contains, .lacks: .anywhere
    case .starts: .start
    case .ends: .end
    }
  }
}
