/// Reads definitions from the SQL that made a table or an index, by SQLite's grammar; expressions stay text.
struct DefinitionParser {
  private let sql: String
  private let tokens: [SQLToken]
  private var place = 0

  init(_ sql: String) {
    self.sql = sql
    tokens = SQLTokenizer.tokens(of: sql)
  }

  var isAtEnd: Bool { place >= tokens.count }

  private var current: SQLToken? { place < tokens.count ? tokens[place] : nil }

  /// Where the token before this place ends.
  var endOfPrevious: Int { place > 0 ? tokens[place - 1].range.upperBound : 0 }

  /// The text of a range of bytes.
  func text(_ range: Range<Int>) -> String {
    String(decoding: Array(sql.utf8)[range], as: UTF8.self)
  }

  func fault(_ reason: String) -> DefinitionError {
    .unreadable(reason, sql: sql, offset: current?.range.lowerBound ?? sql.utf8.count)
  }

  /// Whether these keywords come next.
  func sees(_ words: String...) -> Bool {
    words.enumerated().allSatisfy { index, word in
      guard place + index < tokens.count, tokens[place + index].kind == .word else { return false }
      return text(tokens[place + index].range).uppercased() == word
    }
  }

  /// Takes keywords where they come next.
  mutating func take(_ words: String...) -> Bool {
    for (index, word) in words.enumerated() {
      guard place + index < tokens.count, tokens[place + index].kind == .word,
        text(tokens[place + index].range).uppercased() == word
      else { return false }
    }
    place += words.count
    return true
  }

  mutating func expect(_ word: String) throws(DefinitionError) {
    if !take(word) { throw fault("\(word) is missing") }
  }

  func sees(symbol: SQLToken.Symbol) -> Bool {
    current?.isSymbol(symbol) == true
  }

  mutating func take(symbol: SQLToken.Symbol) -> Bool {
    guard sees(symbol: symbol) else { return false }
    place += 1
    return true
  }

  mutating func expect(symbol: StaticString) throws(DefinitionError) {
    if !take(symbol: SQLToken.Symbol(stringLiteral: symbol)) { throw fault("\(symbol) is missing") }
  }

  /// Takes a token of any kind.
  mutating func takeToken() -> SQLToken? {
    guard let token = current else { return nil }
    place += 1
    return token
  }

  /// Whether a name comes next: SQLite takes a text for one too.
  var seesName: Bool {
    switch current?.kind {
    case .word, .quotedName, .text: true
    default: false
    }
  }

  mutating func takeName() throws(DefinitionError) -> String {
    guard seesName, let token = takeToken() else { throw fault("a name is missing") }
    return name(of: token)
  }

  /// The name that a token spells, without its quotes.
  func name(of token: SQLToken) -> String {
    SQLToken.name(text(token.range).utf8)
  }

  /// Takes what stands between parentheses, those inside included, as it is written.
  mutating func takeParenthesized() throws(DefinitionError) -> String {
    try expect(symbol: "(")
    let tokens = try takeUntil { $0 == .symbol(")") }
    try expect(symbol: ")")
    return tokens
  }

  /// Takes tokens, whole parentheses at once, until one outside of them for which `test` holds, and returns them as they are written.
  mutating func takeUntil(_ test: (SQLToken.Kind) -> Bool) throws(DefinitionError) -> String {
    let start = place
    var depth = 0
    while let token = current, depth > 0 || !test(token.kind) {
      if token.kind == .symbol("(") { depth += 1 }
      if token.kind == .symbol(")") { depth -= 1 }
      if depth < 0 { throw fault("( is missing") }
      place += 1
    }
    if start == place { throw fault("an expression is missing") }
    return text(tokens[start].range.lowerBound..<tokens[place - 1].range.upperBound)
  }

  /// Takes a list between parentheses.
  mutating func takeList<Element>(
    _ element: (inout DefinitionParser) throws(DefinitionError) -> Element
  ) throws(DefinitionError) -> [Element] {
    try expect(symbol: "(")
    var elements: [Element] = []
    repeat { elements.append(try element(&self)) } while take(symbol: ",")
    try expect(symbol: ")")
    return elements
  }
}
