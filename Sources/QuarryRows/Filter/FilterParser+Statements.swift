internal import QuarryEngine

/// Errors for SQL statements, and for spellings of other languages, in a filter.
extension FilterParser {
  private func isWord(_ word: String, at index: Int) -> Bool {
    guard tokens.indices.contains(index), tokens[index].kind == .word, tokens[index].end - tokens[index].start == word.utf8.count else {
      return false
    }
    return zip(bytes[tokens[index].range], word.utf8).allSatisfy { $0.asciiLowercased == $1 }
  }

  private func isColumn(_ token: FilterToken) -> Bool { columns.index(of: bytes[token.range]) != nil }

  /// Whether the words form a SELECT or a CASE, and are not searched for as words.
  var isStatement: Bool {
    if isWord("select", at: 0) { return tokens.indices.contains { isWord("from", at: $0) } }
    return isWord("case", at: 0) && tokens.indices.contains { isWord("when", at: $0) } && isWord("end", at: tokens.count - 2)
  }

  /// Reports the `where` at the beginning of a filter, or the statement before it, and continues after it.
  mutating func leaveOutStatement() {
    let isSelect = isWord("select", at: 0) && tokens.indices.contains { isWord("from", at: $0) }
    guard !isColumn(tokens[0]), isSelect || isWord("where", at: 0), tokens.count > 2 else { return }
    guard let index = tokens.indices.first(where: { isWord("where", at: $0) }), tokens[index + 1].kind != .end else {
      reportLast(
        .unexpected, 0..<bytes.count, "This is a statement, not a filter.", hint: "Run it in the SQL editor, or with quarry query.")
      return
    }
    // `where = 3` names a missing column.
    if !isSelect, case .symbol = tokens[1].kind, tokens[1].kind != .symbol(.leftParenthesis), tokens[1].kind != .symbol(.not) { return }
    report(
      .unexpected, tokens[0].start..<tokens[index].end, "Write only the condition that follows where.",
      replacements: [FilterReplacement(tokens[0].start..<tokens[index + 1].start, "")])
    position = index + 1
  }

  /// Reports ORDER BY and similar clauses, which follow a condition but are not part of it.
  mutating func reportClause() -> Fault? {
    let isByClause = isWord("by", at: position + 1) && (isWord("order", at: position) || isWord("group", at: position))
    let isLimit = (isWord("limit", at: position) || isWord("offset", at: position)) && next.kind == .integer
    let isDirection = (isWord("asc", at: position) || isWord("desc", at: position)) && (next.kind == .end || next.kind == .symbol(.comma))
    guard position > 0, isByClause || isLimit || isDirection else { return nil }
    let clause = string(token.start..<(isByClause ? next.end : token.end)).lowercased()
    let hint = clause == "order by" || isDirection ? "Write a sort order in the sort bar, or after --sort." : nil
    let range = token.start..<bytes.count
    let fault = report(
      .unexpected, range, "A filter cannot contain \(clause).", hint: hint, replacements: [FilterReplacement(lastEnd..<bytes.count, "")])
    position = tokens.count - 1
    return fault
  }

  /// Reports a subquery or CASE in place of a value.
  mutating func reportSubstatement() -> Fault? {
    guard isWord("case", at: position) || isWord("select", at: position) || isWord("exists", at: position), !isColumn(token) else {
      return nil
    }
    if isWord("case", at: position), let end = tokens.indices.last(where: { $0 > position && isWord("end", at: $0) }),
      tokens.indices.contains(where: { $0 > position && isWord("when", at: $0) })
    {
      return reportStatement("case", token.start..<tokens[end].end)
    }
    let isExists = isWord("exists", at: position) && next.kind == .symbol(.leftParenthesis) && isWord("select", at: position + 2)
    guard isExists || isWord("select", at: position) && position > 0 else { return nil }
    let end = closingParenthesis(after: isExists ? position + 2 : position)
    return reportStatement("a subquery", token.start..<(isExists ? tokens[min(end, tokens.count - 1)].end : tokens[end - 1].end))
  }

  private mutating func reportStatement(_ name: String, _ range: Range<Int>) -> Fault {
    let isAll = tokens.dropLast().allSatisfy(\.isWordLike)
    let whole = tokens[0].start..<lastTokenEnd
    return report(
      .unexpected, range, "A filter cannot contain \(name).", hint: "Write the whole statement in the SQL editor, or use quarry query.",
      replacements: isAll ? [FilterReplacement(whole, "~ " + FilterFormatter.quoted(string(whole)))] : [])
  }

  private var lastTokenEnd: Int { tokens.count > 1 ? tokens[tokens.count - 2].end : bytes.count }

  /// Returns the index of the parenthesis that closes the level of a token, or the end index.
  private func closingParenthesis(after index: Int) -> Int {
    var depth = 0
    for position in index..<tokens.count - 1 {
      if tokens[position].kind == .symbol(.leftParenthesis) { depth += 1 }
      if tokens[position].kind == .symbol(.rightParenthesis) {
        if depth == 0 { return position }
        depth -= 1
      }
    }
    return tokens.count - 1
  }

  // MARK: Operators and quotes

  /// Returns `and ~ 'New York'` for words that follow a condition.
  func soughtPhrase() -> FilterReplacement? {
    let words = tokens[position...].prefix { $0.isWordLike }
    guard let last = words.last, lastEnd < token.start || tokens[position - 1].kind == .symbol(.rightParenthesis) else { return nil }
    let range = token.start..<last.end
    return .word("and ~ " + FilterFormatter.quoted(string(range)), at: range, in: bytes)
  }

  /// Returns the replacement of an operator written as a word.
  func spelledOperator() -> FilterReplacement? {
    guard let text = ForeignSpelling.operators[string(token.range).lowercased()] else { return nil }
    let isTwoWords = next.kind == .word && string(next.range).lowercased() == "with"
    return FilterReplacement(token.start..<(isTwoWords ? next.end : token.end), text)
  }

  /// Reports a text that ends at an apostrophe, as in `'Trail's Head'`.
  mutating func reportInnerQuote() -> Fault? {
    let quote = UInt8(ascii: "'")
    guard position > 0, tokens[position - 1].kind == .text, lastEnd == token.start, bytes[token.start...].contains(quote) else {
      return nil
    }
    return report(
      .missingOperator, lastEnd - 1..<token.end, "Write a single quote inside text twice.",
      replacements: [FilterReplacement(lastEnd..<lastEnd, "'")])
  }

  // MARK: Other spellings of numbers and dates

  /// Reports `31.12.1997`, which the lexer reads as two numbers.
  mutating func reportDottedDate() -> Fault? {
    guard position > 0, token.kind == .real, tokens[position - 1].kind == .real, tokens[position - 1].end == token.start else { return nil }
    let range = tokens[position - 1].start..<token.end
    let suggestions = DateFault.suggestions(for: string(range))
    guard !suggestions.isEmpty else { return nil }
    return report(
      .impossibleDate, range, "\(string(range)) is not a date. Write a date as 1997-01-31.",
      replacements: suggestions.map { FilterReplacement(range, $0) })
  }

  /// Returns the range of a number with commas as thousands separators, if the current token is the first comma: `1,000,000`.
  func groupedDigits() -> Range<Int>? {
    guard position > 0, tokens[position - 1].kind == .integer, tokens[position - 1].end - tokens[position - 1].start <= 3 else {
      return nil
    }
    var (index, end) = (position, tokens[position - 1].end)
    while tokens[index].kind == .symbol(.comma), tokens[index].start == end, tokens[index + 1].start == tokens[index].end {
      let group = tokens[index + 1]
      guard group.kind == .integer || group.kind == .real, bytes[group.range].prefix(while: \.isASCIIDigit).count == 3 else { break }
      (index, end) = (index + 2, group.end)
    }
    return index > position ? tokens[position - 1].start..<end : nil
  }

  mutating func reportGroupedDigits(_ range: Range<Int>) -> Fault {
    let digits = String(decoding: bytes[range].filter { $0 != UInt8(ascii: ",") }, as: UTF8.self)
    return report(
      .badNumber, range, "\(string(range)) is not a number. Write numbers without separators.",
      replacements: [FilterReplacement(range, digits)])
  }

  /// Reports a number with a unit after it: `5 minutes`, `10 MB`.
  mutating func reportUnit() -> Fault? {
    guard position > 0, tokens[position - 1].isNumber, token.kind == .word, !isColumn(token) else { return nil }
    guard ForeignSpelling.units.contains(string(token.range).lowercased()) else { return nil }
    let range = tokens[position - 1].start..<token.end
    return report(
      .badNumber, range, "\(string(range)) is not a number: filters do not support units.",
      hint: "Write the number alone, in the unit of the column's values.")
  }

  // MARK: Lists

  /// Reports list members without a comma between them.
  mutating func reportMissingCommas() -> Fault {
    let shown = string(token.range)
    let start = lastEnd
    let first = position - 1
    var text = ""
    var index = position
    while tokens[index].kind != .end, tokens[index].kind != .symbol(.rightParenthesis), tokens[index].kind != .keyword(.and) {
      let joined = tokens[index].startsValue && tokens[index - 1].endsValue ? "," : ""
      text += joined + string(tokens[index - 1].end..<tokens[index].end)
      index += 1
    }
    let range = start..<tokens[index - 1].end
    var replacements = [FilterReplacement(range, text)]
    if tokens[first..<index].allSatisfy(\.isWordLike) {
      let phrase = tokens[first].start..<range.upperBound
      replacements.append(FilterReplacement(phrase, FilterFormatter.quoted(string(phrase))))
    }
    return report(.missingOperator, token.range, "A comma is missing before \(shown).", replacements: replacements)
  }
}

extension FilterToken {
  /// Whether a value may begin with it.
  var startsValue: Bool {
    switch kind {
    case .word, .quotedName, .bracketedName, .text, .blob, .integer, .hexadecimal, .real, .date, .parameter, .keyword(.null),
      .keyword(.true),
      .keyword(.false), .mixed:
      true
    default: false
    }
  }

  /// Whether a value may end with it.
  fileprivate var endsValue: Bool { startsValue || kind == .symbol(.rightParenthesis) }
}
