internal import QuarryEngine

/// The errors of a filter, with their sentences and possible corrections.
struct FilterReports {
  let bytes: [UInt8]
  var columns: FilterColumns
  private(set) var errors: [FilterError] = []

  init(_ bytes: [UInt8], columns: FilterColumns) { (self.bytes, self.columns) = (bytes, columns) }

  mutating func add(_ error: FilterError) { errors.append(error) }

  func source(_ node: FilterSyntax) -> String {
    String(decoding: bytes[node.range.clamped(to: bytes.indices)], as: UTF8.self)
  }

  /// Returns the replacement of a node by a text, in parentheses if the node is in parentheses.
  private func replacing(_ node: FilterSyntax, by text: String) -> FilterReplacement {
    let isEnclosed = source(node).hasPrefix("(")
    return FilterReplacement(node.range, isEnclosed ? "(\(text))" : text)
  }

  /// Returns the source of a node for use in a sentence.
  private func shown(_ node: FilterSyntax) -> String { node.range.count <= 40 ? source(node) : "this" }

  /// Returns `Milliseconds is declared INTEGER`, `Name holds text`, `3 is an integer`, `length(Name) is an integer`.
  private func phrase(_ node: FilterSyntax, _ type: ExpressionType) -> String {
    switch node.kind {
    case .column: "\(shown(node)) \(contents(of: node.columnName.flatMap(columns.named), type))"
    case .literal: "\(shown(node)) is \(type.phrase)"
    default: "\(shown(node)) is \(type.phrase)"
    }
  }

  /// Returns a description of the values of a column, or only of its declared type: SQLite also stores non-numeric texts in a numeric
  /// column.
  private func contents(of column: FilterColumn?, _ type: ExpressionType) -> String {
    guard let declared = column?.declaredType, (1...40).contains(declared.utf8.count), type.isNumber || type == .boolean || type == .blob
    else {
      return "holds \(type.contents)"
    }
    return "is declared \(declared)"
  }

  mutating func add(
    _ kind: FilterError.Kind, _ range: Range<Int>, _ sentence: String, hint: String? = nil, _ texts: [String] = []
  ) {
    errors.append(
      FilterError(kind, range, sentence, hint: hint, replacements: texts.map { FilterReplacement(range, $0) }))
  }

  // MARK: Names

  mutating func unknownColumn(_ name: String, _ node: FilterSyntax, beside: FilterSyntax?) {
    if errors.count >= FilterErrors.most { return }
    if let whole = columns.unquotedName(at: node.range, in: bytes) {
      errors.append(FilterError(.unknownColumn, node.range, "There is no column \(name).", replacements: [whole]))
      return
    }
    var texts = columns.nearest(to: name).map(columns.written)
    let other = beside.flatMap { columns.compared(with: $0) }
    // Of two unknown names, the first is probably a column and the second a text.
    let isBesideName = beside?.columnName != nil && other == nil
    if let beside, !beside.isLiteral, !isBesideName || node.range.lowerBound > beside.range.lowerBound {
      texts.append(FilterFormatter.quoted(name.trimmingPrefix { "“‘„«".contains($0) }.filter { !"”’»".contains($0) }))
    }
    if let moment = Self.moments[name.lowercased()] { texts.insert(conversion(of: moment, for: other), at: 0) }
    add(.unknownColumn, node.range, "There is no column \(name).", hint: hint(beside: other, isNamed: texts.isEmpty), texts)
  }

  /// Returns a hint about the compared column, if it is not a text column; otherwise the list of columns, if no name is similar.
  private func hint(beside column: FilterColumn?, isNamed: Bool) -> String? {
    switch column?.type {
    case .integer?, .real?, .numeric?: return "\(column?.name ?? "") \(contents(of: column, .numeric))."
    case .date?: return "\(column?.name ?? "") holds dates. Write a date as 1997-01-31."
    default: break
    }
    let names = columns.offered.prefix(8).map { columns.written($0.name) }.joined(separator: ", ")
    return isNamed && !names.isEmpty ? "The columns are \(names)." : nil
  }

  private static let moments = [
    "today": "date('now')", "current_date": "date('now')", "yesterday": "date('now', '-1 day')", "now": "datetime('now')",
    "current_timestamp": "datetime('now')",
  ]

  mutating func unknownFunction(_ name: String, _ operands: [FilterSyntax], _ node: FilterSyntax) {
    let range = node.range.lowerBound..<min(node.range.lowerBound + name.utf8.count, node.range.upperBound)
    var replacements = Self.otherNames[name].map { [FilterReplacement(range, $0)] } ?? []
    if let text = rewritten(name, operands.map(source)) { replacements.append(FilterReplacement(node.range, text)) }
    let names = TypedFunction.all.map(\.name) + FilterGrain.allCases.map(\.rawValue)
    replacements += NearestNames.to(name, among: names).map { FilterReplacement(range, $0) }
    let isAggregate = ["count", "sum", "avg", "total", "group_concat"].contains(name)
    let hint = isAggregate ? "A filter looks at one row at a time." : nil
    errors.append(FilterError(.unknownFunction, range, "There is no function \(name).", hint: hint, replacements: replacements))
  }

  /// Functions of other databases with their equivalents.
  private static let otherNames = [
    "len": "length", "char_length": "length", "ucase": "upper", "lcase": "lower", "substring": "substr", "mid": "substr", "ceiling": "ceil",
    "nvl": "ifnull", "isnull": "ifnull",
  ]

  /// Returns the equivalent of a function call of another database.
  private func rewritten(_ name: String, _ operands: [String]) -> String? {
    let parts = ["hour": "%H", "minute": "%M", "second": "%S"]
    switch (name, operands.count) {
    case (_, 1) where parts[name] != nil: return "cast(strftime('\(parts[name] ?? "")', \(operands[0])) as integer)"
    case ("now", 0), ("getdate", 0), ("sysdate", 0): return "datetime('now')"
    case ("today", 0), ("curdate", 0): return "date('now')"
    case ("concat", 2...): return "(\(operands.joined(separator: " || ")))"
    case ("left", 2): return "substr(\(operands[0]), 1, \(operands[1]))"
    case ("right", 2): return "substr(\(operands[0]), -\(operands[1]))"
    case ("contains", 2): return "\(operands[0]) ~ \(operands[1])"
    case ("startswith", 2): return "\(operands[0]) ^= \(operands[1])"
    case ("endswith", 2): return "\(operands[0]) $= \(operands[1])"
    default: return nil
    }
  }

  /// Inserts a correction before all other corrections of an error.
  mutating func offer(_ text: String, at range: Range<Int>, forFaultAt offset: Int, _ kind: FilterError.Kind) {
    guard let index = errors.lastIndex(where: { $0.kind == kind && $0.range.lowerBound == offset }) else { return }
    errors[index].replacements.insert(FilterReplacement(range, text), at: 0)
  }

  mutating func unknownCollation(_ name: String, _ operand: FilterSyntax, _ node: FilterSyntax) {
    var (start, end) = (operand.range.upperBound, min(node.range.upperBound, bytes.count))
    while end > start, bytes[end - 1] == UInt8(ascii: ")") || bytes[end - 1].isSQLBlank { end -= 1 }
    while start < end, bytes[start].isSQLBlank { start += 1 }
    start = min(start + "collate".utf8.count, end)
    while start < end, bytes[start].isSQLBlank { start += 1 }
    let near = NearestNames.to(name, among: ["binary", "nocase", "rtrim"])
    add(
      .unknownCollation, start..<max(start, end), "There is no collation \(name).", hint: "The collations are binary, nocase and rtrim.",
      near)
  }

  // MARK: Conditions

  mutating func noTruth(_ node: FilterSyntax, _ type: ExpressionType, negation: FilterSyntax?, isWhole: Bool) {
    let text = source(node)
    let isNumber = type == .integer || type == .real || type == .numeric
    var replacements: [FilterReplacement] = []
    if case .literal(.integer(let value)) = node.kind, value == 0 || value == 1 {
      replacements = [FilterReplacement(node.range, value == 1 ? "true" : "false")]
    } else if let negation {
      replacements = [replacing(negation, by: isNumber ? "\(text) = 0" : "\(text) is null")]
    } else if !node.isLiteral {
      replacements = (isNumber ? ["\(text) <> 0"] : []).map { FilterReplacement(node.range, $0) }
      replacements.append(FilterReplacement(node.range, "\(text) is not null"))
    }
    if negation == nil, let name = node.columnName ?? node.text {
      replacements.append(FilterReplacement(node.range, "~ \(FilterFormatter.quoted(name))"))
    }
    let wanted = negation == nil ? "A condition is expected here" : "not expects a condition"
    let isOrder = isWhole && node.negatedName != nil
    let hint = isOrder ? "Write a sort order in the sort bar, or after --sort." : nil
    let whole = isWhole ? "A filter must be true or false for each row" : wanted
    errors.append(
      FilterError(.notTruth, node.range, "\(whole), but \(phrase(node, type)).", hint: hint, replacements: isOrder ? [] : replacements))
  }

  mutating func noOrder(_ node: FilterSyntax) {
    add(.notOrdered, node.range, "Booleans have no order. Compare them with = or !=.", ordered(node))
  }

  /// Returns the condition intended by an ordering comparison with 0 or 1: `IsLive > 0` means `IsLive`.
  private func ordered(_ node: FilterSyntax) -> [String] {
    guard case .comparison(let comparison, let left, let right) = node.kind else { return [] }
    let (operand, bound, symbol) = left.isLiteral ? (left, right, comparison.reversed) : (right, left, comparison)
    guard let value = operand.truthNumber else { return [] }
    let text = source(bound)
    switch (symbol, value) {
    case (.greater, 0), (.atLeast, 1): return [text]
    case (.less, 1), (.atMost, 0): return ["not \(text)"]
    default: return ["\(text) = true", "\(text) = false"]
    }
  }

  /// Suggests the preceding comparison for a value that follows `or`: `GenreId = 1 or 2`.
  mutating func offerComparison(for node: FilterSyntax, among terms: [FilterSyntax], at index: Int, by joiner: Logic.Joiner) {
    guard node.isLiteral || errors.last?.kind == .unknownColumn, let value = node.bareValue,
      let first = terms[..<index].lastIndex(where: { $0.bareValue == nil })
    else { return }
    let start: String
    switch terms[first].kind {
    case .comparison(let comparison, let left, let right):
      start = "\(source(left)) \(comparison.rawValue) "
      let others = terms[first...].dropFirst().prefix { $0.bareValue != nil }
      if joiner == .or, comparison == .equal, others.count > 1 {
        let isName = right.columnName.map { columns.named($0) == nil } ?? false
        let members = ([isName ? right.bareValue ?? "" : source(right)] + others.compactMap(\.bareValue)).joined(separator: ", ")
        let range = terms[first].range.lowerBound..<(others.last?.range.upperBound ?? node.range.upperBound)
        errors[errors.count - 1].replacements.insert(FilterReplacement(range, "\(source(left)) in (\(members))"), at: 0)
        return
      }
    case .match(let match, let left, _): start = "\(source(left)) \(match.rawValue) "
    default: return
    }
    errors[errors.count - 1].replacements.insert(FilterReplacement(node.range, start + value), at: 0)
  }

  // MARK: Comparisons

  /// Reports a comparison of two literals with at least one text, such as a misspelled column in double quotes, or with a number that is
  /// also the name of a column, such as `2022` in a pivot.
  mutating func literals(_ left: FilterSyntax, _ right: FilterSyntax, matching word: String? = nil) -> Bool {
    guard left.isLiteral, right.isLiteral else { return false }
    if left != right, let number = [left, right].first(where: { $0.isNumber && columns.named(source($0)) != nil }) {
      let text = source(number)
      add(.comparedLiterals, number.range, "\(text) is a number here, not the column of this name.", [FilterFormatter.name(text)])
      return true
    }
    guard left.text != nil || right.text != nil else { return false }
    for node in [left, right] {
      guard let text = node.text else { continue }
      let near = columns.nearest(to: text).map(columns.written)
      if near.isEmpty { continue }
      add(.comparedLiterals, node.range, "There is no column \(source(node)), so this compares text with a value.", near)
      return true
    }
    let range = left.range.lowerBound..<max(left.range.upperBound, right.range.upperBound)
    let what = word.map { "\($0) matches a value here, not a column" } ?? "This compares two values, not a column"
    let example = word.flatMap { word in columns.searched.first.map { "\(columns.written($0.name)) \(word) \(source(right))" } }
    add(
      .comparedLiterals, range, "\(what): the result is the same for every row.",
      hint: example.map { "\($0) matches each row's \(columns.searched.first?.name ?? "")." })
    return true
  }

  mutating func mismatch(
    _ left: FilterSyntax, _ first: ExpressionType, _ right: FilterSyntax, _ second: ExpressionType, _ node: FilterSyntax
  ) {
    let culprit = right.isLiteral || !left.isLiteral ? right : left
    let (type, other, beside) = culprit.range == right.range ? (second, first, left) : (first, second, right)
    let fitting = fitting(culprit, type, to: other, columns.compared(with: beside)).map { FilterReplacement(culprit.range, $0) }
    errors.append(
      FilterError(
        .notComparable, culprit.range, "\(phrase(left, first)), and \(phrase(right, second)): they cannot be compared.",
        replacements: fitting.isEmpty ? stored(culprit, beside, node) : fitting))
  }

  /// Returns a condition that finds a text in a column of another type, as a replacement for a comparison with the text.
  ///
  ///     lon = 'abc'     (typeof(lon) = 'text' and cast(lon as text) = 'abc')
  private func stored(_ culprit: FilterSyntax, _ column: FilterSyntax, _ node: FilterSyntax) -> [FilterReplacement] {
    guard case .comparison(let comparison, _, _) = node.kind, [.equal, .unlike].contains(comparison), column.columnName != nil,
      let text = culprit.text, Self.number(text) == nil
    else { return [] }
    let term = Filter.term(column, .text(text), isExcluded: comparison == .unlike, in: columns)
    return [FilterReplacement(node.range, Filter.termText(term, isAlone: false))]
  }

  /// Returns replacements for a value of one type that make it comparable with another type, the type of `column`.
  private func fitting(_ node: FilterSyntax, _ type: ExpressionType, to other: ExpressionType, _ column: FilterColumn?) -> [String] {
    if other.isNumber, node.givesDate { return number(ofDate: node, in: column).map { [$0] } ?? [] }
    let text = source(node)
    switch (node.kind, other) {
    case (.literal(.integer), .text), (.literal(.real), .text), (.literal(.truth), .text): return [FilterFormatter.quoted(text)]
    case (.literal(.truth(let truth)), .integer), (.literal(.truth(let truth)), .numeric): return [truth ? "1" : "0"]
    case (.literal(.text(let string)), .integer), (.literal(.text(let string)), .real), (.literal(.text(let string)), .numeric):
      return Self.number(string).map { [$0] } ?? []
    case (.literal(.text(let string)), .boolean): return Self.truths(string)
    case (.literal, .boolean): return ["true", "false"]
    case (_, .text): return ["cast(\(text) as text)"]
    case (_, .integer), (_, .real), (_, .numeric): return type == .text ? ["cast(\(text) as numeric)"] : []
    case (_, .blob): return ["cast(\(text) as blob)"]
    default: return []
    }
  }

  /// Returns the number that a text spells.
  private static func number(_ text: String) -> String? {
    FilterLiteral(number: String(decoding: text.utf8.filter { !$0.isSQLBlank }, as: UTF8.self))?.text
  }

  private static func truths(_ text: String) -> [String] {
    switch text.lowercased() {
    case "true", "t", "yes", "y", "on", "1": ["true"]
    case "false", "f", "no", "n", "off", "0": ["false"]
    default: ["true", "false"]
    }
  }

  // MARK: Operands

  mutating func noNumber(_ node: FilterSyntax, _ type: ExpressionType) {
    let text = source(node)
    let texts: [String] =
      switch (node.kind, type) {
      case (.literal(.text(let string)), _): Self.number(string).map { [$0] } ?? []
      case (_, .text): ["cast(\(text) as numeric)"]
      case (_, .date): ["julianday(\(text))"]
      default: []
      }
    add(.notNumber, node.range, "A number is expected here, but \(phrase(node, type)).", texts)
  }

  mutating func addedTexts(_ left: FilterSyntax, _ right: FilterSyntax, _ node: FilterSyntax) {
    let start = operatorRange(between: left, and: right).lowerBound
    add(.notNumber, start..<start + 1, "+ adds numbers. Join text with ||.", ["||"])
  }

  mutating func noText(_ node: FilterSyntax, _ type: ExpressionType, _ reason: String) {
    let text = source(node)
    let isNumber = type == .integer || type == .real || type == .numeric
    let texts = node.isLiteral && isNumber ? [FilterFormatter.quoted(text)] : type == .boolean ? [] : ["cast(\(text) as text)"]
    add(.notText, node.range, "\(reason.capitalizedFirst), but \(phrase(node, type)).", texts)
  }

  mutating func longPattern(_ node: FilterSyntax) -> Bool {
    guard let text = node.text, text.utf8.count > 20_000 else { return false }
    add(.tooLong, node.range, "This text is too long for SQLite to search for.")
    return true
  }

  mutating func escape(_ node: FilterSyntax, _ kind: PatternMatch.Kind) -> Bool {
    if kind == .glob {
      add(.badEscape, node.range, "glob has no escape. Put a character in brackets to match it literally: [*].")
      return true
    }
    guard let text = node.text, text.unicodeScalars.count != 1 else { return false }
    add(.badEscape, node.range, "escape expects one character, but \(shown(node)) has \(text.unicodeScalars.count).", ["'\\'"])
    return true
  }

  // MARK: Functions

  mutating func wrongCount(_ function: TypedFunction, _ count: Int, _ node: FilterSyntax) {
    let most = function.isVariadic ? nil : function.parameters.count
    let reason = Incompatibility.wrongCount(function: function.name, least: function.least, most: most, found: count)
    let isTooMany = function.isVariadic && count > function.least
    add(.wrongCount, node.range, isTooMany ? "\(function.name) expects at most 100 arguments, but there are \(count)." : "\(reason).")
  }

  mutating func wrongOperand(
    _ node: FilterSyntax, _ type: ExpressionType, _ parameter: TypedFunction.Parameter, of function: TypedFunction
  ) {
    let text = source(node)
    let texts: [String] =
      switch (parameter, node.kind) {
      case (.number, .literal(.text(let string))): Self.number(string).map { [$0] } ?? []
      case (.number, _): type == .text ? ["cast(\(text) as numeric)"] : []
      case (.text, .literal), (.textOrBlob, .literal): type == .boolean ? [] : [FilterFormatter.quoted(text)]
      case (.text, _), (.textOrBlob, _): ["cast(\(text) as text)"]
      default: []
      }
    add(.wrongOperand, node.range, "\(function.name) expects \(parameter.phrase), but \(phrase(node, type)).", texts)
  }

  /// Reports an operand that is not comparable with the first, in a function that returns one of its operands.
  mutating func mixedOperands(_ operands: [FilterSyntax], _ values: [TypedExpression], _ node: FilterSyntax) {
    guard let first = values.firstIndex(where: { $0.type != .null }) else { return }
    let other = values.indices.first { index in
      index > first && (try? values[first].unified(with: [values[index]])) == nil
    }
    guard let other else { return add(.notComparable, node.range, "These values have different types.") }
    mismatch(operands[first], values[first].type, operands[other], values[other].type, node)
  }

  // MARK: Dates

  /// Returns the expression that converts a moment to the date format of a column.
  private func conversion(of moment: String, for column: FilterColumn?) -> String {
    guard let column else { return moment }
    let unit = column.type.isNumber && column.type != .any ? column.sample.unit : column.dates
    return unit?.conversion(of: moment) ?? moment
  }

  /// Returns the number that represents a date in a numeric column; nil if its values are not times.
  private func number(ofDate node: FilterSyntax, in column: FilterColumn?) -> String? {
    let sample = column?.sample ?? DateSample()
    if sample.unit == .years, case .literal = node.kind { return node.dateText.map { String($0.prefix(4)) } }
    return sample.unit?.conversion(of: source(node))
  }

  // MARK: Ranges

  func operatorRange(between left: FilterSyntax, and right: FilterSyntax) -> Range<Int> {
    var start = left.range.upperBound
    while start < right.range.lowerBound, start < bytes.count, bytes[start].isSQLBlank { start += 1 }
    return start..<max(start, min(start + 2, bytes.count))
  }
}

extension FilterSyntax {
  fileprivate var isNumber: Bool {
    switch kind {
    case .literal(.integer), .literal(.real): true
    default: false
    }
  }

  /// The number, if it represents a truth value.
  fileprivate var truthNumber: Int? {
    switch kind {
    case .literal(.integer(let value)) where value == 0 || value == 1: Int(value)
    case .literal(.truth(let truth)): truth ? 1 : 0
    default: nil
    }
  }

  /// A value used as a condition, as written next to an operator: a word becomes a text.
  fileprivate var bareValue: String? {
    switch kind {
    case .literal(.truth), .literal(.null): nil
    case .literal(let literal): literal.text
    case .column(let name): FilterFormatter.quoted(name)
    default: nil
    }
  }
}

extension ExpressionType {
  /// The values of a column of this type: `text`, `integers`.
  fileprivate var contents: String {
    switch self {
    case .integer: "integers"
    case .real: "real numbers"
    case .numeric: "numbers"
    case .text: "text"
    case .blob: "blobs"
    case .boolean: "Booleans"
    case .date: "dates"
    case .any: "values of any type"
    case .null: "NULL"
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
