internal import QuarryEngine

/// Comparisons with dates: what is written shorter than a column stores it means all of the year, month or day.
extension FilterChecker {
  /// A value that stands beside one that is compared.
  enum DateOperand {
    /// A date, as the other side stores dates: the least value that it covers, and the least that is beyond it where it is no instant.
    case bounds(TypedExpression, TypedExpression?)
    /// Not a date, or not beside one: compared as it stands.
    case other
    /// Refused, and reported.
    case refused
  }

  /// Reads what is compared with `operand` as a date, where that is a date or a text, and says what is wrong with it.
  mutating func date(_ node: FilterSyntax, _ value: TypedExpression, beside operand: FilterSyntax, _ other: TypedExpression) -> DateOperand
  {
    switch (other.type, node.kind) {
    case (.date, _):
      let column = operand.comparedColumn.flatMap { columns.named($0) }
      return column?.holdsTimes == true ? time(node, value) : date(node, value, operand, column)
    case (.text, .literal(.date(let text))):
      return bounds(text, node, .text, operand)
    case (.any, .literal(.date(let text))) where text.utf8.count > Self.monthLength || operand.isValueOfJSON:
      adviseOfNumbers(node, beside: operand)
      return bounds(text, node, .text, operand)
    case (.any, .literal(.text)) where node.givesDate:
      adviseOfNumbers(node, beside: operand)
      return .other
    default: return .other
    }
  }

  private static let monthLength = 7

  private mutating func date(_ node: FilterSyntax, _ value: TypedExpression, _ operand: FilterSyntax, _ column: FilterColumn?)
    -> DateOperand
  {
    let storage = column?.dates ?? .text
    switch node.kind {
    case .literal(.date(let text)): return bounds(text, node, storage, operand, column)
    case .literal(.text(let text)):
      guard text.isEmpty, !storage.isNumeric else { return bounds(text, node, storage, operand, column) }
      return .other
    case .literal(.integer(1000...9999)) where node.range.count <= 4: return bounds(source(node, or: value), node, storage, operand, column)
    case .parameter:
      guard case .any(let constant as Constant<DatabaseValue>) = value, case .text(let text)? = constant.value,
        (try? WrittenDate(text)) != nil
      else {
        return .other
      }
      return bounds(text, node, storage, operand, column)
    case .column: return isOtherwiseStored(node, value, storage, operand) ? .refused : .other
    default: return number(node, value, storage, operand, column)
    }
  }

  /// Takes a date as a range of what the column stores.
  private mutating func bounds(
    _ text: String, _ node: FilterSyntax, _ storage: DateStorage, _ operand: FilterSyntax, _ column: FilterColumn? = nil
  ) -> DateOperand {
    if let column, column.type == .date, !column.sample.disputedUnits.isEmpty { return isDisputed(column, text, node) }
    do throws(DateFault) {
      let date = try WrittenDate(text)
      guard let (start, end) = date.bounds(in: storage) else {
        reports.add(
          .impossibleDate, node.range, "\(column?.name ?? "This") holds \(storage.phrase), and \(text) is finer than that.",
          [String(text.prefix(4))])
        return .refused
      }
      argumentCount += 1
      if let column, storage.isNumeric {
        advise(column, text, start, end, node)
      } else if column != nil {
        adviseOfNumbers(node, beside: operand)
      }
      return .bounds(Self.expression(start), end.map(Self.expression))
    } catch {
      let isQuoted = node.text != nil && column != nil
      let hint = isQuoted && error.suggestions.isEmpty ? "is '…' asks for a text exactly as it is stored." : nil
      reports.add(.impossibleDate, node.range, error.sentence, hint: hint, error.suggestions)
      return .refused
    }
  }

  /// Asks for the unit of a column whose numbers agree on none; each is offered as the number that the date is then.
  private mutating func isDisputed(_ column: FilterColumn, _ text: String, _ node: FilterSyntax) -> DateOperand {
    let units = column.sample.disputedUnits
    let dates = units.map { unit in (try? WrittenDate(text))?.bounds(in: unit)?.0.sqlLiteral }
    reports.add(
      .impossibleDate, node.range, "\(column.name) holds numbers of several units: \(units.map(\.phrase).joined(separator: ", or ")).",
      hint: "Compare with a number of the unit that is meant: \(text) is one of those that are offered.", dates.compactMap(\.self))
    return .refused
  }

  private static func expression(_ value: DatabaseValue) -> TypedExpression {
    if case .text(let text) = value { TypedExpression(literal: DateText(text)) } else { TypedExpression(literal: value) }
  }

  private mutating func advise(_ column: FilterColumn, _ text: String, _ start: DatabaseValue, _ end: DatabaseValue?, _ node: FilterSyntax)
  {
    let range = end.map { "from \(start.sqlLiteral) to before \($0.sqlLiteral)" } ?? start.sqlLiteral
    let zone = column.dates == .years ? "" : ", in UTC"
    advice.append(
      FilterHint(
        range: node.range, sentence: "\(column.name) holds \(column.dates.phrase): \(text) is \(range)\(zone).", replacements: []))
  }

  /// Says of numbers in a column that a date is compared with as a text: SQLite puts each number before every text.
  private mutating func adviseOfNumbers(_ node: FilterSyntax, beside operand: FilterSyntax) {
    guard let column = columns.compared(with: operand), column.sample.hasNumbers else { return }
    let unit = column.sample.unit
    var replacements: [FilterReplacement] = []
    if !column.sample.hasTexts, let number = unit?.conversion(of: source(node)) {
      replacements = [FilterReplacement(node.range, number)]
    } else if column.sample.hasTexts, unit == .seconds || unit == .julianDays {
      replacements = [FilterReplacement(operand.range, "datetime(\(source(operand)), 'auto')")]
    }
    let what = column.sample.hasTexts ? "numbers besides texts" : "numbers"
    let sentence = "\(column.name) holds \(what): to SQLite each number is less than any date that is written as a text."
    if advice.contains(where: { $0.sentence == sentence }) { return }
    advice.append(FilterHint(range: node.range, sentence: sentence, replacements: replacements))
  }

  /// Says of `2021-01` beside a column of numbers that it is a difference.
  mutating func adviseOfMonth(_ node: FilterSyntax, beside operand: FilterSyntax) {
    guard case .literal(.date(let text)) = node.kind, text.utf8.count == Self.monthLength else { return }
    guard let column = columns.compared(with: operand) else { return }
    let numbers = text.split(separator: "-").compactMap { Int($0) }
    let difference = numbers.dropFirst().reduce(numbers.first ?? 0, -)
    let number = column.sample.unit?.conversion(of: "\(text)-01")
    let sentence = "\(text) is the difference \(difference) here: \(column.name) holds no dates by its type."
    advice.append(
      FilterHint(range: node.range, sentence: sentence, replacements: number.map { [FilterReplacement(node.range, $0)] } ?? []))
  }

  // MARK: What is no date

  /// Checks a number beside dates: beside texts it is refused, with the date that it looks like; beside numbers it is compared as it is.
  private mutating func number(
    _ node: FilterSyntax, _ value: TypedExpression, _ storage: DateStorage, _ operand: FilterSyntax, _ column: FilterColumn?
  ) -> DateOperand {
    guard value.type.isNumber, value.type != .any, value.type != .null else {
      return isOtherwiseStored(node, value, storage, operand) ? .refused : .other
    }
    let suggestions = node.isNumberAlone ? DateFault.suggestions(for: source(node)) : []
    if suggestions.isEmpty, storage.isNumeric { return .other }
    // A function of a date may give a number, which its column says nothing of.
    if suggestions.isEmpty, column == nil, !node.isNumberAlone { return .other }
    let subject = node.range.count <= 40 ? source(node) : "This"
    let kind = if case .arithmetic = node.kind { "a calculation" } else { "a number" }
    reports.add(.impossibleDate, node.range, "\(subject) is \(kind), and no date: a date is written 1997-01-31.", suggestions)
    return .refused
  }

  /// Reports a text beside dates that are numbers, which is greater than each of them.
  private mutating func isOtherwiseStored(_ node: FilterSyntax, _ value: TypedExpression, _ storage: DateStorage, _ operand: FilterSyntax)
    -> Bool
  {
    guard storage.isNumeric, value.type == .text else { return false }
    let text = source(node)
    reports.add(
      .notComparable, node.range, "\(source(operand)) holds \(storage.phrase), and \(text.utf8.count <= 40 ? text : "this") gives a text.",
      storage.conversion(of: text).map { [$0] } ?? [])
    return true
  }

  /// Checks what is compared with a column of times of day: a time, or a date with one.
  private mutating func time(_ node: FilterSyntax, _ value: TypedExpression) -> DateOperand {
    guard let text = node.text, !text.isEmpty, (try? WrittenDate("2000-01-01 " + text)) == nil, (try? WrittenDate(text)) == nil else {
      return .other
    }
    reports.add(.impossibleDate, node.range, "\(source(node)) is no time of day: a time is written '12:30:00'.")
    return .refused
  }

  // MARK: The comparison

  /// Compares with all that a date covers.
  ///
  ///     OrderDate = 2021-01     -- (OrderDate >= '2021-01' AND OrderDate < '2021-02')
  ///     OrderDate > 2021-01-01  -- (OrderDate >= '2021-01-02')
  static func compared(
    _ operand: TypedExpression, _ comparison: FilterComparison, _ start: TypedExpression, _ end: TypedExpression?
  ) throws(Incompatibility) -> TypedExpression {
    guard let end else { return try compared(operand, comparison, start) }
    return switch comparison {
    case .equal: try .joined([operand.compared(.atLeast, start), operand.compared(.less, end)], by: .and)
    case .different: try .joined([operand.compared(.less, start), operand.compared(.atLeast, end)], by: .or)
    case .unlike: try .joined([operand.compared(.less, start), operand.compared(.atLeast, end), operand.isNull()], by: .or)
    case .less: try operand.compared(.less, start)
    case .atMost: try operand.compared(.less, end)
    case .greater: try operand.compared(.atLeast, end)
    case .atLeast: try operand.compared(.atLeast, start)
    }
  }

  /// Compares two values as SQL does, but for `!=`.
  static func compared(
    _ first: TypedExpression, _ comparison: FilterComparison, _ second: TypedExpression
  ) throws(Incompatibility) -> TypedExpression {
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

  /// Returns the condition that a value lies between two others, of which some are dates.
  func within(_ operand: TypedExpression, _ lower: (TypedExpression, DateOperand), _ upper: (TypedExpression, DateOperand), isNegated: Bool)
    throws(Incompatibility) -> TypedExpression
  {
    let first = try Self.compared(operand, isNegated ? .less : .atLeast, lower)
    let second = try Self.compared(operand, isNegated ? .greater : .atMost, upper)
    return try .joined([first, second], by: isNegated ? .or : .and)
  }

  func isAmong(_ operand: TypedExpression, _ members: [(TypedExpression, DateOperand)], isNegated: Bool) throws(Incompatibility)
    -> TypedExpression
  {
    var terms: [TypedExpression] = []
    var others: [TypedExpression] = []
    for member in members {
      if case .bounds(let start, let end?) = member.1 {
        terms.append(try Self.compared(operand, isNegated ? .different : .equal, start, end))
      } else if case .bounds(let value, nil) = member.1 {
        others.append(value)
      } else {
        others.append(member.0)
      }
    }
    if !others.isEmpty { terms.append(try operand.isIn(others, negated: isNegated)) }
    return terms.count == 1 ? terms[0] : try .joined(terms, by: isNegated ? .and : .or)
  }

  private static func compared(
    _ operand: TypedExpression, _ comparison: FilterComparison, _ other: (TypedExpression, DateOperand)
  ) throws(Incompatibility) -> TypedExpression {
    if case .bounds(let start, let end) = other.1 { return try compared(operand, comparison, start, end) }
    return try compared(operand, comparison, other.0)
  }

  private func source(_ node: FilterSyntax, or value: TypedExpression) -> String {
    node.range.isEmpty ? node.description : source(node)
  }
}

extension FilterComparison {
  /// The comparison with its sides exchanged.
  var reversed: FilterComparison {
    switch self {
    case .equal, .different, .unlike: self
    case .less: .greater
    case .atMost: .atLeast
    case .greater: .less
    case .atLeast: .atMost
    }
  }
}

extension FilterSyntax {
  /// Whether it is a value out of JSON, beside which a year and a month are those, and no difference of numbers.
  fileprivate var isValueOfJSON: Bool {
    switch kind {
    case .path, .extraction(.value, _, _): true
    case .collated(let operand, _), .plus(let operand): operand.isValueOfJSON
    default: false
    }
  }

  /// Whether it is made of numbers alone, as a date that is written with other signs is.
  fileprivate var isNumberAlone: Bool {
    switch kind {
    case .literal(.integer), .literal(.real): true
    case .literal(.date(let text)): text.utf8.count == 7
    case .negation(let operand): operand.isNumberAlone
    case .arithmetic(_, let left, let right): left.isNumberAlone && right.isNumberAlone
    default: false
    }
  }
}
