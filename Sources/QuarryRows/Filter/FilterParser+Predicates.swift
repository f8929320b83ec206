internal import QuarryEngine

extension FilterParser {
  /// Parses a predicate, or a value alone.
  mutating func predicate() throws(Fault) -> FilterSyntax {
    let start = token.start
    if take(.contains) {
      let text = try matchOperand(beside: nil)
      return FilterSyntax(.anywhere(text), range: start..<lastEnd)
    }
    let left = try sum()
    expect(.operatorAfter(left))
    guard let kind = try suffix(of: left) else { return left }
    let result = FilterSyntax(kind, range: start..<lastEnd)
    expect(.joiner)
    if startsSuffix { throw try reportChain(result) }
    return result
  }

  /// Parses an operator and its right operand; nil if there is no predicate operator here.
  private mutating func suffix(of left: FilterSyntax) throws(Fault) -> FilterSyntax.Kind? {
    switch token.kind {
    case .symbol(let symbol):
      if let comparison = symbol.comparison {
        position += 1
        return .comparison(comparison, left, try operand(beside: left))
      }
      if symbol == .matches { return try pattern(.regexp, left, isNegated: false) }
      guard let match = FilterMatch(rawValue: symbol.rawValue) else { return nil }
      position += 1
      return .match(match, left, try matchOperand(beside: left))
    case .keyword(.is): return try identity(of: left)
    case .keyword(.isnull): return nullTest(of: left, isNegated: false)
    case .keyword(.notnull): return nullTest(of: left, isNegated: true)
    case .keyword(.not): return try negatedSuffix(of: left)
    case .keyword(let keyword): return try suffix(keyword, of: left, isNegated: false)
    default: return nil
    }
  }

  private mutating func negatedSuffix(of left: FilterSyntax) throws(Fault) -> FilterSyntax.Kind? {
    let not = token
    position += 1
    expect(.words([.between, .in, .like, .glob, .null]))
    if token.kind == .keyword(.null) { return nullTest(of: left, isNegated: true) }
    if case .keyword(let keyword) = token.kind, let kind = try suffix(keyword, of: left, isNegated: true) { return kind }
    let range = not.start..<max(not.end, isAtEnd ? not.end : token.end)
    let replacements: [FilterReplacement] =
      switch token.kind {
      case .symbol(.contains): [FilterReplacement(range, "!~")]
      case .symbol(.matches): [FilterReplacement(left.range.lowerBound..<token.end, "not \(string(left.range)) =~")]
      case .symbol(.equal), .symbol(.doubleEqual): [FilterReplacement(range, "!=")]
      default: []
      }
    throw report(
      .unexpected, range, "After a value, not must be followed by between, in, like, glob or null.", replacements: replacements)
  }

  private mutating func suffix(
    _ keyword: FilterKeyword, of left: FilterSyntax, isNegated: Bool
  ) throws(Fault) -> FilterSyntax.Kind? {
    switch keyword {
    case .between: return try between(left, isNegated: isNegated)
    case .in: return try membership(of: left, isNegated: isNegated)
    case .like: return try pattern(.like, left, isNegated: isNegated)
    case .glob: return try pattern(.glob, left, isNegated: isNegated)
    case .match: return try fullText(left, isNegated: isNegated)
    default: return nil
    }
  }

  private mutating func nullTest(of left: FilterSyntax, isNegated: Bool) -> FilterSyntax.Kind {
    let null = FilterSyntax(.literal(.null), range: token.range)
    position += 1
    return .identity(left, null, isNegated: isNegated)
  }

  private mutating func identity(of left: FilterSyntax) throws(Fault) -> FilterSyntax.Kind {
    position += 1
    expect(.words([.not, .null, .true, .false]))
    let isNegated = take(FilterKeyword.not)
    if let fault = reportPredicateAfterIs(from: tokens[position - (isNegated ? 2 : 1)].start, isNegated: isNegated) { throw fault }
    return .identity(left, try operand(beside: left), isNegated: isNegated)
  }

  /// Reports `is between`, `is in`, `is not like`.
  private mutating func reportPredicateAfterIs(from start: Int, isNegated: Bool) -> Fault? {
    guard case .keyword(let keyword) = token.kind, [.between, .in, .like, .glob, .match].contains(keyword) else { return nil }
    if keyword == .between { openBetweens += 1 }
    let words = (isNegated ? "not " : "") + keyword.rawValue
    return report(
      .unexpected, start..<token.end, "Write \(words) without is.", replacements: [FilterReplacement(start..<token.end, words)])
  }

  private mutating func between(_ left: FilterSyntax, isNegated: Bool) throws(Fault) -> FilterSyntax.Kind {
    position += 1
    openBetweens += 1
    let lower = try operand(beside: left)
    expect(.words([.and]))
    guard take(.and) else {
      throw report(.unexpected, isAtEnd ? tokens[position - 1].range : token.range, "between requires and, followed by a second value.")
    }
    openBetweens -= 1
    return .between(left, lower, try operand(beside: left), isNegated: isNegated)
  }

  private mutating func membership(of left: FilterSyntax, isNegated: Bool) throws(Fault) -> FilterSyntax.Kind {
    position += 1
    guard token.kind == .symbol(.leftParenthesis) else { throw reportListWithoutParentheses() }
    if next.kind == .symbol(.rightParenthesis) {
      throw report(
        .emptyList, token.start..<next.end, "This list is empty, so nothing matches it.", hint: "Write the values between the parentheses.")
    }
    let members = try parenthesized { (parser) throws(Fault) in
      var members = [try parser.operand(beside: left)]
      while parser.take(.comma) { members.append(try parser.operand(beside: left)) }
      if parser.token.startsValue { throw parser.reportMissingCommas() }
      return members
    }
    return .membership(left, members, isNegated: isNegated)
  }

  private mutating func reportListWithoutParentheses() -> Fault {
    if endsTerm(token.kind) { return report(.missingValue, tokens[position - 1].range, "A list in parentheses is missing after in.") }
    if token.kind == .fault { return Fault() }
    let start = token.start
    while !endsTerm(token.kind) { position += 1 }
    let range = start..<lastEnd
    if position == index(of: start) + 1, tokens[position - 1].kind == .bracketedName { return reportBracketedList(tokens[position - 1]) }
    let members = tokens.filter { range.contains($0.start) }.split { $0.kind == .symbol(.comma) }.map { member(Array($0)) }
    return report(
      .missingParenthesis, range, "The list after in needs parentheses.",
      replacements: [string(range), members.joined(separator: ", ")].map { FilterReplacement(range, "(\($0))") })
  }

  private func index(of start: Int) -> Int { tokens.firstIndex { $0.start == start } ?? 0 }

  /// Reports a list in brackets, which the lexer reads as a name: `in [USA, UK]`.
  private mutating func reportBracketedList(_ list: FilterToken) -> Fault {
    let members = list.name(in: bytes).split(separator: ",").map { member in
      let text = member.trimmingBlanks
      let isValue = text.hasPrefix("'") || FilterLiteral(number: text) != nil
      return isValue ? text : FilterFormatter.quoted(text)
    }
    return report(
      .missingParenthesis, list.range, "The list after in needs parentheses.",
      replacements: [FilterReplacement(list.range, "(\(members.joined(separator: ", ")))")])
  }

  /// Returns the text of a list member; words that are not a column become a text.
  private func member(_ tokens: [FilterToken]) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    let text = string(first.start..<last.end)
    let isText = first.kind == .word && tokens.allSatisfy(\.isWordLike) && columns.index(of: bytes[first.range]) == nil
    return isText ? FilterFormatter.quoted(text) : text
  }

  /// Reports a pattern without quotes, in which `%` and `*` would be arithmetic: `like A%`.
  private mutating func reportBarePattern(after keyword: String) -> Fault? {
    let pattern = tokens[position...].prefix { !endsTerm($0.kind) && $0.kind != .keyword(.escape) }
    guard let last = pattern.last, pattern.count > 1 else { return nil }
    guard pattern.allSatisfy({ $0.isWildcard || $0.isWordLike }) else { return nil }
    if isArithmetic(pattern) || pattern.contains(where: \.isKeyword) { return nil }
    let range = token.start..<last.end
    position += pattern.count
    return report(
      .unexpected, range, "The pattern after \(keyword) needs single quotes.",
      replacements: [FilterReplacement(range, FilterFormatter.quoted(string(range)))])
  }

  /// Returns whether columns and numbers are combined by signs that are both wildcards and operators: `Price % 3`.
  private func isArithmetic(_ pattern: ArraySlice<FilterToken>) -> Bool {
    guard pattern.count % 2 == 1 else { return false }
    return zip(0..., pattern).allSatisfy { index, token in
      if index % 2 == 1 { return token.isWildcard }
      return !token.isWildcard && (token.kind != .word || columns.index(of: bytes[token.range]) != nil)
    }
  }

  private mutating func pattern(
    _ kind: PatternMatch.Kind, _ left: FilterSyntax, isNegated: Bool
  ) throws(Fault) -> FilterSyntax.Kind {
    position += 1
    if let fault = kind == .regexp ? reportBareExpression() : reportBarePattern(after: kind.filterText) { throw fault }
    let pattern = try operand(beside: left)
    if kind == .regexp { return .pattern(kind, left, pattern, escape: nil, isNegated: isNegated) }
    expect(.words([.escape]))
    let escape = take(.escape) ? try sum() : nil
    return .pattern(kind, left, pattern, escape: escape, isNegated: isNegated)
  }

  /// Reports a regular expression without quotes: `=~ ^A.*n$`.
  private mutating func reportBareExpression() -> Fault? {
    let pattern = tokens[position...].prefix { !endsTerm($0.kind) }
    let isOdd = token.kind != .text && pattern.contains { $0.kind == .fault || $0.kind == .mixed }
    let isWord = token.kind == .word && next.kind != .symbol(.leftParenthesis) && columns.index(of: bytes[token.range]) == nil
    guard !pattern.isEmpty, isOdd || isWord || token.beginsOnlyPattern else { return nil }
    return reportQuotable("The pattern after =~ needs single quotes.")
  }

  /// Reports the rest of the term, which needs quotes.
  private mutating func reportQuotable(_ sentence: String) -> Fault {
    let start = token.start
    while !endsTerm(token.kind) { position += 1 }
    let range = start..<lastEnd
    let replacement = FilterReplacement(range, FilterFormatter.quoted(string(range)))
    if let fault = offered(replacement, in: range) { return fault }
    return report(.unexpected, range, sentence, replacements: [replacement])
  }

  private mutating func fullText(_ left: FilterSyntax, isNegated: Bool) throws(Fault) -> FilterSyntax.Kind {
    let match = token
    position += 1
    if isNegated { throw report(.misplacedMatch, match.range, FilterError.matchSentence) }
    if isAtEnd { throw report(.missingValue, match.range, "The words to search for are missing after match.") }
    if token.isWordLike { throw reportQuotable("The words after match need single quotes.") }
    return .fullText(left, try sum())
  }

  private mutating func operand(beside left: FilterSyntax) throws(Fault) -> FilterSyntax {
    expect(.value(beside: left))
    return try sum()
  }

  // MARK: Texts without quotes

  /// Parses the operand of `~`: a value, or words up to the next `and`, `or`, `)` or the end as one text.
  private mutating func matchOperand(beside left: FilterSyntax?) throws(Fault) -> FilterSyntax {
    expect(.text(beside: left, from: bytes.count))
    guard token.isWordLike, next.kind != .symbol(.leftParenthesis) else {
      if token.kind == .fault { offerQuotes() }
      return try sum()
    }
    let start = token.start
    while token.isWordLike { position += 1 }
    expect(.text(beside: left, from: start))
    guard endsTerm(token.kind) else { throw reportText(from: start) }
    let range = start..<lastEnd
    return FilterSyntax(.literal(.text(string(range))), range: range)
  }

  /// Suggests quotes for characters that the lexer rejected at the beginning of a text: `~ .br`.
  private mutating func offerQuotes() {
    guard let last = tokens[position...].prefix(while: { !endsTerm($0.kind) }).last else { return }
    let range = token.start..<last.end
    offer(FilterReplacement(range, FilterFormatter.quoted(string(range))), forFaultAt: token.start)
  }

  private mutating func reportText(from start: Int) -> Fault {
    let odd = token
    var depth = 0
    while depth > 0 || !endsTerm(token.kind) {
      if isAtEnd { break }
      if token.kind == .symbol(.leftParenthesis) { depth += 1 }
      if token.kind == .symbol(.rightParenthesis) { depth -= 1 }
      position += 1
    }
    let range = start..<lastEnd
    if odd.kind == .fault {
      offer(FilterReplacement(range, FilterFormatter.quoted(string(range))), forFaultAt: odd.start)
      return Fault()
    }
    return report(
      .unexpected, range, "\(string(odd.range)) is not part of a word. Quote text that contains it.",
      replacements: [FilterReplacement(range, FilterFormatter.quoted(string(range)))])
  }

  // MARK: Chains

  private var startsSuffix: Bool {
    switch token.kind {
    case .symbol(let symbol): symbol == .matches || symbol.comparison != nil || FilterMatch(rawValue: symbol.rawValue) != nil
    case .keyword(.is), .keyword(.isnull), .keyword(.notnull), .keyword(.between), .keyword(.in), .keyword(.like), .keyword(.glob),
      .keyword(.match), .keyword(.not):
      true
    default: false
    }
  }

  /// Reports a second comparison in a chain: `a < b < c`.
  private mutating func reportChain(_ first: FilterSyntax) throws(Fault) -> Fault {
    guard case .comparison(_, _, let middle) = first.kind else { return reportSecondPredicate(first) }
    if case .concatenation(let parts) = middle.kind, parts.count >= 2 { return reportJoined(parts) }
    var text = string(first.range)
    var last = middle
    while case .symbol(let symbol) = token.kind, symbol.comparison != nil {
      position += 1
      let right = try sum()
      text += " and \(string(last.range)) \(symbol.rawValue) \(string(right.range))"
      last = right
    }
    if startsSuffix { return reportSecondPredicate(first) }
    let range = first.range.lowerBound..<lastEnd
    return report(
      .chainedComparison, range, "Comparisons cannot be chained.", hint: "Join two comparisons with and.",
      replacements: [FilterReplacement(range, text)])
  }

  private mutating func reportSecondPredicate(_ first: FilterSyntax) -> Fault {
    let range = first.range.lowerBound..<token.end
    return report(
      .chainedComparison, range, "\(string(token.range)) cannot follow a condition.", hint: "Join two conditions with and.",
      replacements: [])
  }

  /// Reports `a = 1 || b = 2`, in which `||` joins `1` and `b`.
  private mutating func reportJoined(_ parts: [FilterSyntax]) -> Fault {
    let error = FilterError.joinedTruths(operatorRange(between: parts[parts.count - 2], and: parts[parts.count - 1]), in: bytes)
    return report(error.kind, error.range, error.sentence, replacements: error.replacements)
  }

  func operatorRange(between left: FilterSyntax, and right: FilterSyntax) -> Range<Int> {
    var start = left.range.upperBound
    while start < right.range.lowerBound, bytes[start].isSQLBlank { start += 1 }
    return start..<min(start + 2, bytes.count)
  }
}

extension FilterError {
  /// Returns the error of `||`, which joins texts, between two conditions.
  static func joinedTruths(_ range: Range<Int>, in bytes: [UInt8]) -> FilterError {
    FilterError(.joinedTruths, range, "|| joins text. Join conditions with or.", replacements: [.word("or", at: range, in: bytes)])
  }
}

extension FilterSymbol {
  var comparison: FilterComparison? {
    self == .doubleEqual ? .equal : FilterComparison(rawValue: rawValue)
  }
}

extension FilterToken {
  fileprivate var isKeyword: Bool { if case .keyword = kind { true } else { false } }

  /// Whether it cannot begin a value, but may begin a pattern without quotes.
  fileprivate var beginsOnlyPattern: Bool {
    switch kind {
    case .symbol(.leftParenthesis), .symbol(.rightParenthesis), .symbol(.minus), .symbol(.plus): false
    case .symbol: true
    default: false
    }
  }

  fileprivate var isWildcard: Bool { kind == .symbol(.remainder) || kind == .symbol(.times) }
}
