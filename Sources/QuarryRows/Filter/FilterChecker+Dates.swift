internal import QuarryEngine

/// Comparisons with dates.
///
/// A date that is shorter than the stored format covers the whole year, month or day.
extension FilterChecker {
  /// An operand of a comparison with a date.
  enum DateOperand {
    /// A date in the storage format of the other operand: the first value that it covers and, unless it is an instant, the first value
    /// after it.
    case bounds(TypedExpression, TypedExpression?)
    /// Not a date, or not compared with one: compared unchanged.
    case other
    /// Rejected and reported.
    case refused
  }

  /// Parses an operand as a date if the other operand is a date or a text, and reports its errors.
  mutating func date(_ node: FilterSyntax, _ value: TypedExpression, beside operand: FilterSyntax, _ other: TypedExpression) -> DateOperand
  {
    switch (other.type, node.kind) {
    case (.date, _):
      let column = columns.compared(with: operand)
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
    case .column, .related: return isOtherwiseStored(node, value, storage, operand) ? .refused : .other
    default: return number(node, value, storage, operand, column)
    }
  }

  /// Returns the range of stored values that a date covers.
  private mutating func bounds(
    _ text: String, _ node: FilterSyntax, _ storage: DateStorage, _ operand: FilterSyntax, _ column: FilterColumn? = nil
  ) -> DateOperand {
    if let column, column.type == .date, !column.sample.disputedUnits.isEmpty { return isDisputed(column, text, node) }
    do throws(DateFault) {
      let date = try WrittenDate(text)
      guard let (start, end) = date.bounds(in: storage) else {
        reports.add(
          .impossibleDate, node.range, "\(column?.name ?? "This") holds \(storage.phrase), but \(text) is more precise.",
          [String(text.prefix(4))])
        return .refused
      }
      argumentCount += 1
      // The value is computed once: `month(d)` is the whole month, and never a part of it.
      if operand.precision == date.precision { return .bounds(Self.expression(start), nil) }
      if let column, storage.isNumeric {
        advise(column, text, start, end, node)
      } else if column != nil {
        adviseOfNumbers(node, beside: operand)
      }
      return .bounds(Self.expression(start), end.map(Self.expression))
    } catch {
      let isQuoted = node.text != nil && column != nil
      let hint = isQuoted && error.suggestions.isEmpty ? "Write is '…' to match text exactly as it is stored." : nil
      reports.add(.impossibleDate, node.range, error.sentence, hint: hint, error.suggestions)
      return .refused
    }
  }

  /// Reports a column whose numbers have no common unit; the suggestions are the numbers that represent the date in each unit.
  private mutating func isDisputed(_ column: FilterColumn, _ text: String, _ node: FilterSyntax) -> DateOperand {
    let units = column.sample.disputedUnits
    let dates = units.map { unit in (try? WrittenDate(text))?.bounds(in: unit)?.0.sqlLiteral }
    reports.add(
      .impossibleDate, node.range, "\(column.name) holds numbers in several units: \(units.map(\.phrase).joined(separator: ", or ")).",
      hint: "Choose the number that represents \(text) in the intended unit.", dates.compactMap(\.self))
    return .refused
  }

  private static func expression(_ value: DatabaseValue) -> TypedExpression {
    if case .text(let text) = value { TypedExpression(literal: DateText(text)) } else { TypedExpression(literal: value) }
  }

  private mutating func advise(_ column: FilterColumn, _ text: String, _ start: DatabaseValue, _ end: DatabaseValue?, _ node: FilterSyntax)
  {
    let range = end.map { ">= \(start.sqlLiteral) and < \($0.sqlLiteral)" } ?? start.sqlLiteral
    let zone = column.dates == .years ? "" : ", in UTC"
    advice.append(
      FilterHint(
        range: node.range, sentence: "\(column.name) holds \(column.dates.phrase): \(text) means \(range)\(zone).", replacements: []))
  }

  /// Adds a hint about numbers in a column that is compared with a date as text: SQLite sorts every number before every text.
  private mutating func adviseOfNumbers(_ node: FilterSyntax, beside operand: FilterSyntax) {
    guard let column = columns.compared(with: operand), column.sample.hasNumbers else { return }
    let unit = column.sample.unit
    var replacements: [FilterReplacement] = []
    if !column.sample.hasTexts, let number = unit?.conversion(of: source(node)) {
      replacements = [FilterReplacement(node.range, number)]
    } else if column.sample.hasTexts, unit == .seconds || unit == .julianDays {
      replacements = [FilterReplacement(operand.range, "datetime(\(source(operand)), 'auto')")]
    }
    let what = column.sample.hasTexts ? "numbers and text" : "numbers"
    let sentence = "\(column.name) holds \(what): SQLite sorts every number before every date stored as text."
    if advice.contains(where: { $0.sentence == sentence }) { return }
    advice.append(FilterHint(range: node.range, sentence: sentence, replacements: replacements))
  }

  /// Adds a hint that `2021-01` is a subtraction when it is compared with a numeric column.
  mutating func adviseOfMonth(_ node: FilterSyntax, beside operand: FilterSyntax) {
    guard case .literal(.date(let text)) = node.kind, text.utf8.count == Self.monthLength else { return }
    guard let column = columns.compared(with: operand) else { return }
    let numbers = text.split(separator: "-").compactMap { Int($0) }
    let difference = numbers.dropFirst().reduce(numbers.first ?? 0, -)
    let number = column.sample.unit?.conversion(of: "\(text)-01")
    let sentence = "\(text) is a subtraction here (\(difference)): \(column.name) is not a date column."
    advice.append(
      FilterHint(range: node.range, sentence: sentence, replacements: number.map { [FilterReplacement(node.range, $0)] } ?? []))
  }

  // MARK: Operands that are not dates

  /// Checks a number compared with dates.
  ///
  /// If the dates are texts, it is rejected, with the date that it resembles; otherwise it is compared unchanged.
  private mutating func number(
    _ node: FilterSyntax, _ value: TypedExpression, _ storage: DateStorage, _ operand: FilterSyntax, _ column: FilterColumn?
  ) -> DateOperand {
    guard value.type.isNumber, value.type != .any, value.type != .null else {
      return isOtherwiseStored(node, value, storage, operand) ? .refused : .other
    }
    let suggestions = node.isNumberAlone ? DateFault.suggestions(for: source(node)) : []
    if suggestions.isEmpty, storage.isNumeric { return .other }
    // A function of a date may return a number, regardless of its column.
    if suggestions.isEmpty, column == nil, !node.isNumberAlone { return .other }
    let subject = node.range.count <= 40 ? source(node) : "This"
    let kind = if case .arithmetic = node.kind { "a calculation" } else { "a number" }
    reports.add(.impossibleDate, node.range, "\(subject) is \(kind), not a date. Write a date as 1997-01-31.", suggestions)
    return .refused
  }

  /// Reports a text compared with dates that are stored as numbers, because every text is greater than every number.
  private mutating func isOtherwiseStored(_ node: FilterSyntax, _ value: TypedExpression, _ storage: DateStorage, _ operand: FilterSyntax)
    -> Bool
  {
    guard storage.isNumeric, value.type == .text else { return false }
    let text = source(node)
    reports.add(
      .notComparable, node.range, "\(source(operand)) holds \(storage.phrase), but \(text.utf8.count <= 40 ? text : "this") is text.",
      storage.conversion(of: text).map { [$0] } ?? [])
    return true
  }

  /// Checks an operand compared with a column of times of day: it must be a time, or a date with a time.
  private mutating func time(_ node: FilterSyntax, _ value: TypedExpression) -> DateOperand {
    guard let text = node.text, !text.isEmpty, (try? WrittenDate("2000-01-01 " + text)) == nil, (try? WrittenDate(text)) == nil else {
      return .other
    }
    reports.add(.impossibleDate, node.range, "\(source(node)) is not a time of day. Write a time as '12:30:00'.")
    return .refused
  }

  // MARK: The comparison

  /// Returns a comparison with the whole range that a date covers.
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

  /// Returns a comparison of two values, which has SQL's meaning except for `!=`.
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

  /// Returns the condition that a value is between two bounds, some of which are dates.
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
  /// The comparison with its operands exchanged.
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
  /// The precision of all values of a call such as `month(d)`; nil for another operand.
  fileprivate var precision: WrittenDate.Precision? {
    guard case .call(let name, _) = kind, let grain = FilterGrain(rawValue: name) else { return nil }
    return switch grain {
    case .month: .month
    case .week, .day: .day
    case .year, .quarter, .range: nil
    }
  }

  /// Whether it is a value extracted from JSON.
  ///
  /// Next to it, a year and month are a date, not a subtraction of numbers.
  fileprivate var isValueOfJSON: Bool {
    switch kind {
    case .path, .relatedPath, .extraction(.value, _, _): true
    case .collated(let operand, _), .plus(let operand): operand.isValueOfJSON
    default: false
    }
  }

  /// Whether it consists of numbers alone, like a date written with other separators.
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
