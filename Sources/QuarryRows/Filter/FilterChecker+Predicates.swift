internal import QuarryEngine

extension FilterChecker {
  mutating func predicate(_ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    switch node.kind {
    case .comparison(let comparison, let left, let right): return self.comparison(comparison, left, right, node, room)
    case .identity(let left, let right, let isNegated): return identity(left, right, isNegated: isNegated, node, room)
    case .between(let operand, let lower, let upper, let isNegated): return between(operand, lower, upper, isNegated: isNegated, node, room)
    case .membership(let operand, let members, let isNegated): return membership(operand, members, isNegated: isNegated, node, room)
    case .pattern(let kind, let operand, let pattern, let escape, let isNegated):
      return self.pattern(kind, operand, pattern, escape: escape, isNegated: isNegated, room)
    case .match(let match, let operand, let part): return self.match(match, operand, part, room)
    case .fullText(let table, let words): return fullText(table, words, node, room)
    case .anywhere(let part): return anywhere(part, node, room)
    default: return nil
    }
  }

  // MARK: Comparisons

  private mutating func comparison(
    _ comparison: FilterComparison, _ left: FilterSyntax, _ right: FilterSyntax, _ node: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    let before = argumentCount
    guard let (first, second) = pair(left, right, room, 3) else {
      offerWhole(comparison, left, right, node)
      return nil
    }
    for (date, value, operand, other, comparison) in [
      (right, second, left, first, comparison), (left, first, right, second, comparison.reversed),
    ] {
      switch self.date(date, value, beside: operand, other) {
      case .bounds(let start, let end):
        argumentCount += argumentCount - before
        return try? Self.compared(other, comparison, start, end)
      case .refused:
        offerPart(comparison, operand, date)
        return nil
      case .other: break
      }
    }
    adviseOfConstant(left, right, node)
    adviseOfMonth(left, beside: right)
    adviseOfMonth(right, beside: left)
    adviseOfPrice(right, beside: first)
    adviseOfJSON(left, beside: right)
    adviseOfJSON(right, beside: left)
    return compare(left, first, right, second, node) { (first, second) throws(Incompatibility) in
      try Self.compared(first, comparison, second)
    }
  }

  /// Adds a hint that `2022 > 13` compares two numbers, and no column; `1 = 1` is a customary way to write true.
  private mutating func adviseOfConstant(_ left: FilterSyntax, _ right: FilterSyntax, _ node: FilterSyntax) {
    guard left.isLiteral, right.isLiteral, left != right else { return }
    let sentence = "\(source(node)) is the same for every row, because it names no column."
    advice.append(FilterHint(range: node.range, sentence: sentence, replacements: []))
  }

  /// Adds a hint that `$5`, compared with a number, is a parameter.
  private mutating func adviseOfPrice(_ node: FilterSyntax, beside other: TypedExpression) {
    guard case .parameter(let token) = node.kind, token.hasPrefix("$"), Int(token.dropFirst()) != nil, other.type.isNumber else { return }
    let number = FilterReplacement(node.range, String(token.dropFirst()))
    advice.append(FilterHint(range: node.range, sentence: "\(token) is a parameter. Quarry asks for its value.", replacements: [number]))
  }

  /// Suggests corrections that change both sides of a comparison.
  private mutating func offerWhole(_ comparison: FilterComparison, _ left: FilterSyntax, _ right: FilterSyntax, _ node: FilterSyntax) {
    switch (left.kind, right.kind) {
    case (.column(let name), .column(let text)) where columns.named(name) == nil && columns.named(text) == nil:
      guard let near = columns.nearest(to: name).first(where: { columns.named($0)?.type == .text }) else { return }
      let whole = "\(FilterFormatter.name(near)) \(comparison.rawValue) \(FilterFormatter.quoted(text))"
      reports.offer(whole, at: node.range, forFaultAt: left.range.lowerBound, .unknownColumn)
    case (.column(let name), .arithmetic) where columns.named(name)?.type == .text:
      reports.offer(FilterFormatter.quoted(source(right)), at: right.range, forFaultAt: right.range.lowerBound, .unknownColumn)
    default: break
    }
  }

  /// Offers the number of a month or day for one that is compared with `month(OrderDate)`, a month of a year.
  private mutating func offerPart(_ comparison: FilterComparison, _ call: FilterSyntax, _ number: FilterSyntax) {
    guard case .call(let name, let operands) = call.kind, case .literal(.integer) = number.kind, operands.count == 1,
      let part = ["month": "%m", "day": "%d"][name]
    else { return }
    reports.offer(
      "cast(strftime('\(part)', \(source(operands[0]))) as integer)", at: call.range, forFaultAt: number.range.lowerBound, .impossibleDate)
  }

  private mutating func identity(
    _ left: FilterSyntax, _ right: FilterSyntax, isNegated: Bool, _ node: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    if case .literal(.truth(let truth)) = right.kind {
      guard let operand = self.truth(left, room.inside(1)) else { return nil }
      return .boolean(TruthTest(operand: operand, truth: truth, isNegated: isNegated))
    }
    guard let (first, second) = pair(left, right, room, 4) else { return nil }
    if isNumberBesideDate(left, first, right, second, isNegated: isNegated, node) { return nil }
    advise(left, right, isNegated: isNegated, node)
    return compare(left, first, right, second, node) { (first, second) throws(Incompatibility) in
      try first.isSame(as: second, negated: isNegated)
    }
  }

  /// Checks two compared values, and infers the type of a parameter from the other value.
  private mutating func pair(
    _ left: FilterSyntax, _ right: FilterSyntax, _ room: Room, _ entries: Int
  ) -> (TypedExpression, TypedExpression)? {
    if reports.literals(left, right) { return nil }
    // A value compared with a date may be written twice, in a range, which is nested deeper.
    let isDated = left.isDateLike || right.isDateLike
    let first = value(left, isDated ? room.inside(entries + 5, deeper: 3) : room.inside(1), beside: right)
    let second = value(right, isDated ? room.inside(entries + 5, deeper: 3) : room.inside(entries), beside: left)
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
      reports.mismatch(left, first.type, right, second.type, node)
      return nil
    }
    do throws(Incompatibility) { return try make(first, second) } catch {
      if case .notOrdered = error { reports.noOrder(node) } else { reports.mismatch(left, first.type, right, second.type, node) }
      return nil
    }
  }

  /// Returns whether a written date is compared with a number, which it never equals.
  private func isDateBesideNumber(
    _ left: FilterSyntax, _ first: TypedExpression, _ right: FilterSyntax, _ second: TypedExpression
  ) -> Bool {
    func isDate(_ node: FilterSyntax) -> Bool { if case .literal(.date(let text)) = node.kind { text.utf8.count > 7 } else { false } }
    func isNumber(_ value: TypedExpression) -> Bool { value.type == .integer || value.type == .real || value.type == .numeric }
    return isDate(left) && isNumber(second) || isDate(right) && isNumber(first)
  }

  private mutating func between(
    _ operand: FilterSyntax, _ lower: FilterSyntax, _ upper: FilterSyntax, isNegated: Bool, _ node: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    guard let (value, bounds) = list(operand, [lower, upper], node, room) else { return nil }
    do throws(Incompatibility) {
      if bounds.contains(where: \.1.isDate) { return try within(value, bounds[0], bounds[1], isNegated: isNegated) }
      return try value.between(bounds[0].0, and: bounds[1].0, negated: isNegated)
    } catch {
      reports.noOrder(node)
      return nil
    }
  }

  private mutating func membership(
    _ operand: FilterSyntax, _ members: [FilterSyntax], isNegated: Bool, _ node: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    guard let (value, members) = list(operand, members, node, room) else { return nil }
    do throws(Incompatibility) {
      if members.contains(where: \.1.isDate) { return try isAmong(value, members, isNegated: isNegated) }
      return try value.isIn(members.map(\.0), negated: isNegated)
    } catch {
      reports.noOrder(node)
      return nil
    }
  }

  /// Checks a value and the list of values it is compared with.
  private mutating func list(
    _ operand: FilterSyntax, _ members: [FilterSyntax], _ node: FilterSyntax, _ room: Room
  ) -> (TypedExpression, [(TypedExpression, DateOperand)])? {
    if operand.isLiteral, members.allSatisfy(\.isLiteral), let first = members.first, reports.literals(operand, first) { return nil }
    let isDated = members.contains(where: \.isDateLike)
    let before = argumentCount
    let value = value(operand, isDated ? room.inside(8, deeper: min(members.count, 502) + 3) : room.inside(1), beside: members.first)
    let argumentsOfOperand = argumentCount - before
    var values: [TypedExpression] = []
    for member in members {
      let found = self.value(member, room.inside(6), beside: operand)
      infer(member, beside: operand, value)
      if let found { values.append(found) }
    }
    if let first = members.first { infer(operand, beside: first, values.first) }
    guard let value, values.count == members.count else { return nil }
    if let first = members.first { adviseOfJSON(operand, beside: first) }
    let count = errors.count
    let dates = zip(members, values).map { date($0, $1, beside: operand, value) }
    for ((member, other), date) in zip(zip(members, values), dates) {
      guard case .other = date else { continue }
      _ = compare(operand, value, member, other, node) { (value, other) throws(Incompatibility) in
        if value.type != other.type { _ = try value.unified(with: [other]) }
        return value
      }
    }
    // Each date is compared separately.
    if dates.contains(where: \.isDate) { argumentCount += argumentsOfOperand * members.count * 2 }
    return errors.count > count ? nil : (value, Array(zip(values, dates)))
  }

  private mutating func infer(_ node: FilterSyntax, beside other: FilterSyntax, _ value: TypedExpression?) {
    guard case .parameter = node.kind else { return }
    parameters.infer(at: node.range.lowerBound, type: value?.type, column: name(beside: other))
  }

  /// Returns the name of the column beside a parameter; nil in another table, whose values cannot be offered.
  private func name(beside other: FilterSyntax) -> String? {
    columns.isQualified ? nil : other.comparedColumn.flatMap { columns.named($0)?.name }
  }

  /// Reports a number compared with a column of dates stored as texts, and returns whether it did.
  private mutating func isNumberBesideDate(
    _ left: FilterSyntax, _ first: TypedExpression, _ right: FilterSyntax, _ second: TypedExpression, isNegated: Bool, _ node: FilterSyntax
  ) -> Bool {
    guard let column = columns.compared(with: left), column.type == .date, !column.dates.isNumeric, !column.holdsTimes
    else {
      return false
    }
    guard second.type == .integer || second.type == .real || second.type == .numeric, first.type == .date else { return false }
    reports.add(
      .impossibleDate, node.range, "\(column.name) holds dates, but \(source(right)) is a number.",
      ["\(source(left)) \(isNegated ? "!=" : "=") \(source(right))"])
    return true
  }

  /// Suggests `=` for a date after `is`, which compares the text, whereas `=` covers the whole day.
  private mutating func advise(_ left: FilterSyntax, _ right: FilterSyntax, isNegated: Bool, _ node: FilterSyntax) {
    guard let column = left.columnName.flatMap({ columns.named($0) }), column.type == .date, let text = right.dateText else { return }
    guard let date = try? WrittenDate(text) else {
      advice.append(
        FilterHint(range: right.range, sentence: "\(source(right)) is not a date: only exactly this text matches.", replacements: []))
      return
    }
    guard date.end != nil else { return }
    advice.append(
      FilterHint(
        range: node.range, sentence: "This \(isNegated ? "excludes" : "matches") only values stored as \(text), without a time.",
        replacements: [FilterReplacement(node.range, "\(source(left)) \(isNegated ? "!=" : "=") \(text)")]))
  }

  // MARK: Texts

  private mutating func pattern(
    _ kind: PatternMatch.Kind, _ operand: FilterSyntax, _ pattern: FilterSyntax, escape: FilterSyntax?, isNegated: Bool, _ room: Room
  ) -> TypedExpression? {
    let word = kind.filterText
    if reports.literals(operand, pattern, matching: word) || reports.longPattern(pattern) { return nil }
    let first = text(operand, room.inside(1), because: "\(word) matches text", beside: pattern)
    let second = text(pattern, room.inside(4), because: "\(word) expects a pattern", beside: operand)
    let third = escape.flatMap { text($0, room.inside(5), because: "escape expects one character", beside: nil) }
    if let escape, reports.escape(escape, kind) { return nil }
    if kind == .regexp, reportExpression(pattern) { return nil }
    guard let first, let second, (third == nil) == (escape == nil) else { return nil }
    return try? first.matches(kind, second, escape: third, negated: isNegated)
  }

  private mutating func match(
    _ match: FilterMatch, _ operand: FilterSyntax, _ part: FilterSyntax, _ room: Room
  ) -> TypedExpression? {
    if reports.literals(operand, part, matching: match.rawValue) || reports.longPattern(part) { return nil }
    let isPlain = part.isLiteral
    let first = text(operand, room.inside(match == .lacks ? 4 : 1), because: "\(match.rawValue) matches text", beside: part)
    let second = sought(part, room.inside(isPlain ? 5 : 19, deeper: isPlain ? 2 : 8), beside: operand)
    guard let first, let second else { return nil }
    return try? first.has(second, at: match.position, negated: match == .lacks, isServed: columns.isServed)
  }

  private mutating func anywhere(_ part: FilterSyntax, _ node: FilterSyntax, _ room: Room) -> TypedExpression? {
    if reports.longPattern(part) { return nil }
    let searched = columns.searched
    let sought = sought(part, room.inside(part.isLiteral ? 12 : 26, deeper: 12 + min(columns.all.count, 502)), beside: nil)
    argumentCount += columns.all.count * (part.isLiteral ? 2 : 9)
    guard let sought else { return nil }
    let matches = searched.compactMap { column in
      try? TypedExpression(columnNamed: column.name, type: column.type).has(sought, at: .anywhere, isServed: columns.isServed)
    }
    let values = part.dateText.map { holders(of: $0, at: part) } ?? []
    if matches.isEmpty, values.isEmpty {
      reports.add(FilterError(.noTextColumn, node.range, "There is no text column to search."))
      return nil
    }
    return try? .joined(matches + values, by: .or)
  }

  /// Returns the conditions on columns of numbers, or of dates stored as numbers, if the searched text is one number or one date.
  private mutating func holders(of text: String, at node: FilterSyntax) -> [TypedExpression] {
    let found = columns.holders(of: text)
    guard !found.isEmpty else { return [] }
    let names = found.prefix(Self.mostNames).map(\.column.name).joined(separator: ", ")
    let others = found.count > Self.mostNames ? " and \(found.count - Self.mostNames) more" : ""
    advice.append(
      FilterHint(
        range: node.range, sentence: "\(text) matches text that contains it, and equal values in \(names)\(others).", replacements: []))
    return found.map(\.condition)
  }

  private static let mostNames = 8

  /// Returns the text to search for; for a date, its written form.
  private mutating func sought(_ node: FilterSyntax, _ room: Room, beside: FilterSyntax?) -> TypedExpression? {
    if case .literal(.date(let text)) = node.kind {
      argumentCount += 1
      return .text(Constant(text))
    }
    return text(node, room, because: "the search value must be text", beside: beside)
  }

  mutating func text(
    _ node: FilterSyntax, _ room: Room, because reason: String, beside: FilterSyntax?
  ) -> TypedExpression? {
    let value = value(node, room, beside: beside)
    if case .parameter = node.kind {
      let column = beside.flatMap { name(beside: $0) }
      parameters.infer(at: node.range.lowerBound, type: .text, column: column)
    }
    guard let value else { return nil }
    if value.asText != nil { return value }
    reports.noText(node, value.type, reason)
    return nil
  }
}

extension FilterSyntax {
  /// The column with which a value next to this node is compared.
  var comparedColumn: String? {
    switch kind {
    case .column(let name): name
    case .collated(let operand, _), .plus(let operand): operand.comparedColumn
    default: nil
    }
  }

  /// The text; nil if the node is neither a text nor a date.
  var dateText: String? {
    switch kind {
    case .literal(.date(let text)), .literal(.text(let text)): text
    default: nil
    }
  }

  /// Whether it is a date, or a call that returns a date as a text.
  var givesDate: Bool {
    switch kind {
    case .literal(.date): true
    case .literal(.text(let text)): (try? WrittenDate(text))?.precision ?? .year >= .day
    case .call("date", _), .call("datetime", _): true
    default: false
    }
  }

  /// Whether it may cover a whole year, month or day.
  fileprivate var isDateLike: Bool {
    switch kind {
    case .literal(.date), .literal(.text), .literal(.integer(1000...9999)), .parameter: true
    default: false
    }
  }
}

extension FilterChecker.DateOperand {
  fileprivate var isDate: Bool { if case .bounds = self { true } else { false } }
}

extension FilterMatch {
  fileprivate var position: MatchPosition {
    switch self {
    case .contains, .lacks: .anywhere
    case .starts: .start
    case .ends: .end
    }
  }
}
