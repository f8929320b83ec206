internal import QuarryEngine

/// A recursive descent parser of filter texts, with one method for each grammar rule; after an error it continues with the next term.
struct FilterParser {
  /// An internal error, thrown after an error has been reported, to leave the enclosing term.
  struct Fault: Error {}

  static let longestText = 65_536
  static let deepestNesting = 25
  static let longestRun = 1_000

  let bytes: [UInt8]
  /// The columns available at the current token.
  var columns: FilterColumns
  let tokens: [FilterToken]
  private(set) var errors: [FilterError]
  /// The tokens that could continue the text at its end, each with the columns available there; the last is the innermost.
  private(set) var expectations: [(expectation: FilterExpectation, columns: FilterColumns)] = []
  var position = 0
  /// Whether aggregates are about the rows of a group, unless they name a table that refers here: `sum(Milliseconds)`.
  var isOfGroups = false
  private var depth = 0
  /// The number of `between` operators whose `and` has not been parsed.
  var openBetweens = 0
  /// The number of open parentheses.
  private var openParentheses = 0
  /// Whether an error was found that would cause all following errors.
  private var isSilent = false

  init(_ bytes: [UInt8], columns: FilterColumns) {
    let lexer = FilterLexer(bytes)
    self.init(bytes, tokens: columns.qualified(lexer.tokens, in: bytes), columns: columns, errors: lexer.errors)
  }

  init(_ bytes: [UInt8], tokens: [FilterToken], columns: FilterColumns, errors: [FilterError]) {
    self.bytes = bytes
    self.columns = columns
    self.tokens = tokens
    self.errors = errors
  }

  /// Parses a whole filter; nil if the text is empty.
  mutating func filter() -> FilterSyntax? {
    if isAtEnd {
      expect(.value(beside: nil))
      return nil
    }
    if let words = words() { return words }
    leaveOutStatement()
    var result = (try? disjunction()) ?? FilterSyntax(.invalid, range: 0..<bytes.count)
    while !isAtEnd, !isSilent {
      reportRest()
      position += 1
      if token.kind == .keyword(.and) || token.kind == .keyword(.or) { position += 1 }
      if !isAtEnd { result = (try? disjunction()) ?? result }
    }
    // A month alone is searched for, like a day alone.
    if case .literal(.date(let month)) = result.kind { result.kind = .anywhere(FilterSyntax(.literal(.text(month)), range: result.range)) }
    return result
  }

  /// Parses a whole value, such as `UnitPrice * 1.1`; nil if the text is empty.
  mutating func wholeValue() -> FilterSyntax? {
    guard !isAtEnd else {
      expect(.value(beside: nil))
      return nil
    }
    guard let value = try? sum() else { return FilterSyntax(.invalid, range: 0..<bytes.count) }
    if !isAtEnd, !isSilent { reportRest() }
    return value
  }

  /// Parses a filter of words and numbers, the first of which is not a column name.
  private mutating func words() -> FilterSyntax? {
    let words = tokens.dropLast()
    guard let first = words.first, let last = words.last, words.allSatisfy({ $0.isPlainWord }) else { return nil }
    if first.kind == .word, columns.index(of: bytes[first.range]) != nil || isStatement { return nil }
    position = tokens.count - 1
    let range = first.start..<last.end
    return FilterSyntax(.anywhere(FilterSyntax(.literal(.text(string(range))), range: range)), range: range)
  }

  /// Whether the text is a single word that is not reserved.
  var isOneWord: Bool { tokens.count == 2 && tokens[0].kind == .word }

  private mutating func reportRest() {
    if token.kind == .symbol(.rightParenthesis) {
      let replacement = FilterReplacement(token.range, "")
      report(.extraParenthesis, token.range, "This closing parenthesis has no match.", replacements: [replacement])
    } else {
      reportUnexpected()
    }
  }

  // MARK: and, or, not

  mutating func disjunction() throws(Fault) -> FilterSyntax {
    try run(of: .or, by: { (parser) throws(Fault) in try parser.conjunction() }, isJoiner: { $0 == .keyword(.or) }) { .any($0) }
  }

  private mutating func conjunction() throws(Fault) -> FilterSyntax {
    try run(of: .and, by: { (parser) throws(Fault) in try parser.term() }, isJoiner: { $0 == .keyword(.and) || $0 == .symbol(.both) }) {
      .all($0)
    }
  }

  private mutating func run(
    of joiner: FilterKeyword, by next: (inout FilterParser) throws(Fault) -> FilterSyntax, isJoiner: (FilterToken.Kind) -> Bool,
    as make: ([FilterSyntax]) -> FilterSyntax.Kind
  ) throws(Fault) -> FilterSyntax {
    let start = token.start
    let first = try next(&self)
    guard isJoiner(token.kind) else { return first }
    var operands = [first]
    while isJoiner(token.kind) {
      position += 1
      operands.append(try next(&self))
    }
    if operands.count > Self.longestRun {
      let sentence = "There are \(operands.count) terms joined by \(joiner.rawValue); the maximum is \(Self.longestRun)."
      throw reportLast(.tooMany, start..<lastEnd, sentence)
    }
    return FilterSyntax(make(operands), range: start..<lastEnd)
  }

  /// Parses a term of `and`; after an error, everything up to the next `and` or `or` is skipped.
  private mutating func term() throws(Fault) -> FilterSyntax {
    let start = token.start
    do throws(Fault) {
      let result = try negation()
      guard endsTerm(token.kind) else { throw reportUnexpected() }
      return result
    } catch {
      if isSilent { throw error }
      skipTerm()
      return FilterSyntax(.invalid, range: start..<max(lastEnd, start))
    }
  }

  private mutating func negation() throws(Fault) -> FilterSyntax {
    let start = token.start
    guard token.kind == .keyword(.not) || token.kind == .symbol(.not) else { return try predicate() }
    position += 1
    let operand = try nested(from: start) { (parser) throws(Fault) in try parser.negation() }
    return FilterSyntax(.not(operand), range: start..<lastEnd)
  }

  func endsTerm(_ kind: FilterToken.Kind) -> Bool {
    switch kind {
    case .keyword(.and), .keyword(.or), .symbol(.both), .symbol(.rightParenthesis), .end: true
    default: false
    }
  }

  private mutating func skipTerm() {
    var depth = 0
    while !isAtEnd {
      switch token.kind {
      case .symbol(.leftParenthesis): depth += 1
      case .symbol(.rightParenthesis):
        if depth == 0 { return openBetweens = 0 }
        depth -= 1
      case .keyword(.and) where depth == 0 && openBetweens > 0: openBetweens -= 1
      case let kind where depth == 0 && endsTerm(kind): return openBetweens = 0
      default: break
      }
      position += 1
    }
    openBetweens = 0
  }

  // MARK: Nesting

  /// Parses one level deeper; `start` is the beginning of the level.
  mutating func nested<Result>(
    from start: Int, _ body: (inout FilterParser) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepestNesting {
      let sentence = "This is nested more than \(Self.deepestNesting) levels deep."
      throw reportLast(.tooDeep, start..<bytes.count, sentence, hint: "Remove unnecessary parentheses.")
    }
    return try body(&self)
  }

  /// Parses the content of parentheses; the current token is the opening one.
  mutating func parenthesized<Result>(_ body: (inout FilterParser) throws(Fault) -> Result) throws(Fault) -> Result {
    let opening = token
    position += 1
    openParentheses += 1
    defer { openParentheses -= 1 }
    do throws(Fault) {
      let result = try nested(from: opening.start, body)
      if isAtEnd { throw reportOpenParenthesis(opening) }
      guard token.kind == .symbol(.rightParenthesis) else { throw reportUnexpected() }
      position += 1
      return result
    } catch {
      if !isSilent { skipParenthesis() }
      throw error
    }
  }

  /// Skips to the token after the parenthesis that closes the current one.
  private mutating func skipParenthesis() {
    var depth = 0
    while !isAtEnd {
      if token.kind == .symbol(.leftParenthesis) { depth += 1 }
      if token.kind == .symbol(.rightParenthesis) { depth -= 1 }
      position += 1
      if depth < 0 { return }
    }
  }

  private mutating func reportOpenParenthesis(_ opening: FilterToken) -> Fault {
    let missing = String(repeating: ")", count: openParentheses)
    let replacement = FilterReplacement(bytes.count..<bytes.count, missing)
    return reportLast(.missingParenthesis, opening.range, "This parenthesis is not closed.", replacements: [replacement])
  }

  /// Reports an error that would cause all following errors.
  @discardableResult
  mutating func reportLast(
    _ kind: FilterError.Kind, _ range: Range<Int>, _ sentence: String, hint: String? = nil, replacements: [FilterReplacement] = []
  ) -> Fault {
    let fault = report(kind, range, sentence, hint: hint, replacements: replacements)
    isSilent = true
    return fault
  }
}

// MARK: - Tokens and errors

extension FilterParser {
  var token: FilterToken { tokens[min(position, tokens.count - 1)] }

  var next: FilterToken { tokens[min(position + 1, tokens.count - 1)] }

  var isAtEnd: Bool { token.kind == .end }

  /// The end of the preceding token.
  var lastEnd: Int { position > 0 ? tokens[min(position, tokens.count) - 1].end : 0 }

  mutating func take(_ symbol: FilterSymbol) -> Bool { take(.symbol(symbol)) }

  mutating func take(_ keyword: FilterKeyword) -> Bool { take(.keyword(keyword)) }

  private mutating func take(_ kind: FilterToken.Kind) -> Bool {
    guard token.kind == kind else { return false }
    position += 1
    return true
  }

  func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Records an expected token if the text ends here.
  mutating func expect(_ expectation: FilterExpectation) { expect(expectation, in: columns) }

  /// Records a token expected among the columns of another table.
  mutating func expect(_ expectation: FilterExpectation, in columns: FilterColumns) {
    if isAtEnd { expectations.append((expectation, columns)) }
  }

  @discardableResult
  mutating func report(
    _ kind: FilterError.Kind, _ range: Range<Int>, _ sentence: String, hint: String? = nil, replacements: [FilterReplacement] = []
  ) -> Fault {
    if !isSilent, errors.count < FilterErrors.most {
      errors.append(FilterError(kind, range, sentence, hint: hint, replacements: replacements))
    }
    return Fault()
  }

  /// Adds a correction to an error reported by the lexer.
  mutating func offer(_ replacement: FilterReplacement, forFaultAt position: Int) {
    guard let index = errors.firstIndex(where: { $0.range.lowerBound == position }) else { return }
    errors[index].replacements.insert(replacement, at: 0)
  }

  /// Adds a correction to an error reported by the lexer within a range; returns nil if there is no such error.
  mutating func offered(_ replacement: FilterReplacement, in range: Range<Int>) -> Fault? {
    guard let index = errors.firstIndex(where: { range.contains($0.range.lowerBound) }) else { return nil }
    errors[index].replacements.insert(replacement, at: 0)
    return Fault()
  }

  /// Reports a missing value at the current token.
  mutating func reportMissingValue() -> Fault {
    if token.kind == .fault { return Fault() }
    if case .keyword = token.kind, let index = columns.index(of: string(token.range).utf8) {
      let name = FilterFormatter.name(columns.all[index].name)
      return report(
        .missingValue, token.range, "\(string(token.range)) is a keyword here. Write the column as \(name).",
        replacements: [FilterReplacement(token.range, name)])
    }
    let before = position > 0 ? tokens[min(position, tokens.count) - 1] : token
    if isAtEnd || endsValue(token.kind) {
      let range = isAtEnd || before.end == token.start ? before.range : before.start..<token.end
      if position == 0 { return report(.missingValue, token.range, "A value is missing before \(string(token.range)).") }
      return report(.missingValue, range, "A value is missing after \(string(before.range)).")
    }
    if case .symbol(let symbol) = token.kind, case .symbol(let last) = before.kind { return reportOperator(symbol, after: last, before) }
    return reportUnexpected()
  }

  private func endsValue(_ kind: FilterToken.Kind) -> Bool {
    switch kind {
    case .keyword(.and), .keyword(.or), .symbol(.both), .symbol(.rightParenthesis), .symbol(.comma), .end: true
    case .symbol, .keyword(.is), .keyword(.in), .keyword(.between), .keyword(.like), .keyword(.glob), .keyword(.match): position == 0
    default: false
    }
  }

  private mutating func reportOperator(_ symbol: FilterSymbol, after last: FilterSymbol, _ before: FilterToken) -> Fault {
    let range = before.start..<token.end
    let known: [String: String] = ["=<": "<=", "=>": ">=", "===": "=", "!==": "!=", "><": "<>", "~=": "=~"]
    let replacement = known[last.rawValue + symbol.rawValue].map { [FilterReplacement(range, $0)] } ?? []
    return report(
      .missingValue, range, "A value is missing between \(last.rawValue) and \(symbol.rawValue).", replacements: replacement)
  }

  /// Reports an unexpected token.
  @discardableResult
  mutating func reportUnexpected() -> Fault {
    if token.kind == .fault { return Fault() }
    if isAtEnd { return reportMissingValue() }
    let shown = string(token.range)
    switch token.kind {
    case .keyword(let keyword):
      let hint = "Quote a column with this name: \"\(keyword.rawValue)\"."
      return report(.unexpected, token.range, "\(shown) is not allowed here.", hint: hint)
    case .symbol(.comma):
      if let range = groupedDigits() { return reportGroupedDigits(range) }
      return report(
        .unexpected, token.range, "A comma cannot join conditions.", hint: "Write and, or or.",
        replacements: [.word("and", at: token.range, in: bytes)])
    case .symbol:
      return report(.unexpected, token.range, "\(shown) is not allowed here.")
    default:
      if let fault = reportDottedDate() ?? reportClause() ?? reportInnerQuote() ?? reportUnit() { return fault }
      return report(
        .missingOperator, token.range, "An operator is missing before \(shown).", replacements: missingOperators())
    }
  }

  private func missingOperators() -> [FilterReplacement] {
    guard position > 0 else { return [] }
    let here = token.start..<token.start
    let and = FilterReplacement.word("and", at: here, in: bytes)
    if token.kind == .word, let replacement = spelledOperator() { return [replacement] }
    if let name = columns.unquotedName(at: token.range, in: bytes) { return [name] }
    return misspeltKeywords() + joiningOffers(and)
  }

  /// Keywords similar to an unknown word, such as `nd`.
  private func misspeltKeywords() -> [FilterReplacement] {
    let word = string(token.range)
    guard token.kind == .word, word.utf8.count > 1, columns.index(of: word.utf8) == nil else { return [] }
    return NearestNames.to(word, among: ["and", "or", "in", "is", "like", "between"]).map { FilterReplacement(token.range, $0) }
  }

  private func joiningOffers(_ and: FilterReplacement) -> [FilterReplacement] {
    let here = token.start..<token.start
    return switch (tokens[position - 1].kind, token.kind) {
    case (.word, .word), (.quotedName, .word), (.bracketedName, .word):
      [FilterReplacement(token.range, "~ " + FilterFormatter.quoted(string(token.range))), and]
    case (.word, _), (.quotedName, _), (.bracketedName, _): [FilterReplacement(here, "= "), and]
    default: [isText ? nil : and, soughtPhrase()].compactMap(\.self)
    }
  }

  /// Whether the current token is a word that is neither a column nor a function.
  private var isText: Bool {
    token.kind == .word && columns.index(of: bytes[token.range]) == nil && next.kind != .symbol(.leftParenthesis)
  }
}

extension FilterToken {
  /// Whether it is a word or number that is not reserved.
  fileprivate var isPlainWord: Bool {
    if case .keyword = kind { false } else { isWordLike }
  }
}
