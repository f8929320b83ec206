/// The sentences of what the checker refuses, and the texts that would do.
extension FilterChecker {
  func source(_ node: FilterSyntax) -> String {
    String(decoding: bytes[node.range.clamped(to: bytes.indices)], as: UTF8.self)
  }

  /// A text in the place of a node, in parentheses where the node stands in some.
  private func replacing(_ node: FilterSyntax, by text: String) -> FilterReplacement {
    let isEnclosed = source(node).hasPrefix("(")
    return FilterReplacement(node.range, isEnclosed ? "(\(text))" : text)
  }

  /// The source as it is shown in a sentence.
  private func shown(_ node: FilterSyntax) -> String { node.range.count <= 40 ? source(node) : "this" }

  /// `Name holds text`, `3 is an integer`, `length(Name) gives an integer`.
  private func phrase(_ node: FilterSyntax, _ type: ExpressionType) -> String {
    switch node.kind {
    case .column: "\(shown(node)) holds \(type.contents)"
    case .literal: "\(shown(node)) is \(type.phrase)"
    default: "\(shown(node)) gives \(type.phrase)"
    }
  }

  private mutating func report(
    _ kind: FilterError.Kind, _ range: Range<Int>, _ sentence: String, hint: String? = nil, _ texts: [String] = []
  ) {
    errors.append(
      FilterError(kind, range, sentence, hint: hint, replacements: texts.map { FilterReplacement(range, $0) }))
  }

  // MARK: Names

  mutating func reportUnknownColumn(_ name: String, _ node: FilterSyntax, beside: FilterSyntax?) {
    if errors.count >= FilterErrors.most { return }
    var texts = columns.nearest(to: name).map(FilterFormatter.name)
    if beside != nil, beside?.isLiteral == false { texts.append(FilterFormatter.quoted(name)) }
    let hint = texts.isEmpty ? columns.offered.prefix(8).map { FilterFormatter.name($0.name) }.joined(separator: ", ") : ""
    report(.unknownColumn, node.range, "There is no column \(name).", hint: hint.isEmpty ? nil : "There are: \(hint).", texts)
  }

  mutating func reportUnknownFunction(_ name: String, _ node: FilterSyntax) {
    let range = node.range.lowerBound..<min(node.range.lowerBound + name.utf8.count, node.range.upperBound)
    report(.unknownFunction, range, "There is no function \(name).", NearestNames.to(name, among: TypedFunction.all.lazy.map(\.name)))
  }

  mutating func reportUnknownCollation(_ name: String, _ operand: FilterSyntax, _ node: FilterSyntax) {
    var (start, end) = (operand.range.upperBound, min(node.range.upperBound, bytes.count))
    while end > start, bytes[end - 1] == UInt8(ascii: ")") || bytes[end - 1].isFilterBlank { end -= 1 }
    while start < end, bytes[start].isFilterBlank { start += 1 }
    start = min(start + "collate".utf8.count, end)
    while start < end, bytes[start].isFilterBlank { start += 1 }
    let near = NearestNames.to(name, among: ["binary", "nocase", "rtrim"])
    report(.unknownCollation, start..<max(start, end), "There is no collation \(name).", hint: "binary, nocase and rtrim are there.", near)
  }

  // MARK: Truths

  mutating func reportNoTruth(_ node: FilterSyntax, _ type: ExpressionType, negation: FilterSyntax?, isWhole: Bool) {
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
    let wanted = negation == nil ? "What is true or false is wanted here" : "not takes what is true or false"
    let whole = isWhole ? "A filter is true or false for each row" : wanted
    errors.append(
      FilterError(.notTruth, node.range, "\(whole), and \(phrase(node, type)).", replacements: replacements))
  }

  mutating func reportNoOrder(_ node: FilterSyntax) {
    report(.notOrdered, node.range, "Truths have no order: they are equal, or not.")
  }

  // MARK: Comparisons

  /// Reports two literals of which one is a text, as a misspelt column between double quotes is.
  mutating func reportLiterals(_ left: FilterSyntax, _ right: FilterSyntax) -> Bool {
    guard left.isLiteral, right.isLiteral, left.text != nil || right.text != nil else { return false }
    for node in [left, right] {
      guard let text = node.text else { continue }
      let near = columns.nearest(to: text).map(FilterFormatter.name)
      if near.isEmpty { continue }
      report(.comparedLiterals, node.range, "There is no column named by \(source(node)), and a text is compared with a value.", near)
      return true
    }
    let range = left.range.lowerBound..<max(left.range.upperBound, right.range.upperBound)
    report(.comparedLiterals, range, "Two values are compared here, and no column: the answer is the same for every row.")
    return true
  }

  mutating func reportMismatch(
    _ left: FilterSyntax, _ first: ExpressionType, _ right: FilterSyntax, _ second: ExpressionType, _ node: FilterSyntax
  ) {
    let culprit = right.isLiteral || !left.isLiteral ? right : left
    let (type, other) = culprit.range == right.range ? (second, first) : (first, second)
    errors.append(
      FilterError(
        .notComparable, culprit.range, "\(phrase(left, first)), and \(phrase(right, second)): they cannot be compared.",
        replacements: fitting(culprit, type, to: other).map { FilterReplacement(culprit.range, $0) }))
  }

  /// What could stand in the place of a value of one type to be compared with another.
  private func fitting(_ node: FilterSyntax, _ type: ExpressionType, to other: ExpressionType) -> [String] {
    let text = source(node)
    switch (node.kind, other) {
    case (.literal(.date), .integer), (.literal(.date), .real), (.literal(.date), .numeric): return ["unixepoch(\(text))"]
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

  /// A text as the number that it spells.
  private static func number(_ text: String) -> String? {
    let trimmed = String(decoding: text.utf8.filter { !$0.isFilterBlank }, as: UTF8.self)
    if let value = Int64(trimmed) { return String(value) }
    guard let value = Double(trimmed), value.isFinite, trimmed.utf8.allSatisfy({ $0.isFilterDigit || "+-.eE".utf8.contains($0) }) else {
      return nil
    }
    return FilterLiteral.real(value).text
  }

  private static func truths(_ text: String) -> [String] {
    switch text.lowercased() {
    case "true", "t", "yes", "y", "on", "1": ["true"]
    case "false", "f", "no", "n", "off", "0": ["false"]
    default: ["true", "false"]
    }
  }

  // MARK: Operands

  mutating func reportNoNumber(_ node: FilterSyntax, _ type: ExpressionType) {
    let text = source(node)
    let texts: [String] =
      switch (node.kind, type) {
      case (.literal(.text(let string)), _): Self.number(string).map { [$0] } ?? []
      case (_, .text): ["cast(\(text) as numeric)"]
      case (_, .date): ["julianday(\(text))"]
      default: []
      }
    report(.notNumber, node.range, "A number is wanted here, and \(phrase(node, type)).", texts)
  }

  mutating func reportAddedTexts(_ left: FilterSyntax, _ right: FilterSyntax, _ node: FilterSyntax) {
    let start = operatorRange(between: left, and: right).lowerBound
    report(.notNumber, start..<start + 1, "+ adds numbers; texts are joined by ||.", ["||"])
  }

  mutating func reportNoText(_ node: FilterSyntax, _ type: ExpressionType, _ reason: String) {
    let text = source(node)
    let isNumber = type == .integer || type == .real || type == .numeric
    let texts = node.isLiteral && isNumber ? [FilterFormatter.quoted(text)] : type == .boolean ? [] : ["cast(\(text) as text)"]
    report(.notText, node.range, "\(reason.capitalizedFirst), and \(phrase(node, type)).", texts)
  }

  mutating func reportLongPattern(_ node: FilterSyntax) -> Bool {
    guard let text = node.text, text.utf8.count > 20_000 else { return false }
    report(.tooLong, node.range, "SQLite looks for no text as long as this.")
    return true
  }

  mutating func reportEscape(_ node: FilterSyntax, _ kind: PatternMatch.Kind) -> Bool {
    if kind == .glob {
      report(.badEscape, node.range, "glob has no escape: a character stands for itself in brackets, as in [*].")
      return true
    }
    guard let text = node.text, text.unicodeScalars.count != 1 else { return false }
    report(.badEscape, node.range, "escape takes one character, and \(shown(node)) has \(text.unicodeScalars.count).", ["'\\'"])
    return true
  }

  // MARK: Functions

  mutating func reportWrongCount(_ function: TypedFunction, _ count: Int, _ node: FilterSyntax) {
    let most = function.isVariadic ? nil : function.parameters.count
    let reason = Incompatibility.wrongCount(function: function.name, least: function.least, most: most, found: count)
    let isTooMany = function.isVariadic && count > function.least
    report(.wrongCount, node.range, isTooMany ? "\(function.name) takes no more than 100 operands, and here are \(count)." : "\(reason).")
  }

  mutating func reportWrongOperand(
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
    report(.wrongOperand, node.range, "\(function.name) takes \(parameter.phrase), and \(phrase(node, type)).", texts)
  }

  /// Reports the operand that is not comparable with the first, of a function that yields one of them.
  mutating func reportMixedOperands(_ operands: [FilterSyntax], _ values: [TypedExpression], _ node: FilterSyntax) {
    guard let first = values.firstIndex(where: { $0.type != .null }) else { return }
    let other = values.indices.first { index in
      index > first && (try? values[first].unified(with: [values[index]])) == nil
    }
    guard let other else { return report(.notComparable, node.range, "These values are not of one type.") }
    reportMismatch(operands[first], values[first].type, operands[other], values[other].type, node)
  }
}

extension ExpressionType {
  /// What a column of the type holds: `text`, `integers`.
  fileprivate var contents: String {
    switch self {
    case .integer: "integers"
    case .real: "reals"
    case .numeric: "numbers"
    case .text: "text"
    case .blob: "blobs"
    case .boolean: "truths"
    case .date: "dates"
    case .any: "values of any type"
    case .null: "NULL"
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
