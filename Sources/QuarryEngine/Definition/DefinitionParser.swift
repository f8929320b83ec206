/// Reads definitions from the SQL that made a table or an index, by SQLite's grammar; expressions stay text.
struct DefinitionParser {
  private let sql: String
  private let tokens: StatementTokens
  private var place = 0

  init(_ sql: String) {
    self.sql = sql
    tokens = StatementTokens(sql)
  }

  var isAtEnd: Bool { place >= tokens.count }

  private var current: SQLToken? { tokens[place] }

  /// Where the token before this place ends.
  var endOfPrevious: Int { tokens[place - 1]?.range.upperBound ?? 0 }

  /// Returns the text of a range of bytes.
  func text(_ range: Range<Int>) -> String {
    String(decoding: tokens.bytes[range], as: UTF8.self)
  }

  func fault(_ reason: String) -> DefinitionError {
    .unreadable(reason, sql: sql, offset: current?.range.lowerBound ?? tokens.bytes.count)
  }

  /// The keyword that comes next; nil where something else does.
  var keyword: Keyword? { tokens.keyword(place) }

  /// Whether these keywords come next.
  func sees(_ keywords: Keyword...) -> Bool {
    sees(keywords)
  }

  private func sees(_ keywords: [Keyword]) -> Bool {
    keywords.indices.allSatisfy { tokens.keyword(place + $0) == keywords[$0] }
  }

  /// Takes keywords where they come next.
  mutating func take(_ keywords: Keyword...) -> Bool {
    take(keywords)
  }

  mutating func take(_ keywords: [Keyword]) -> Bool {
    guard sees(keywords) else { return false }
    place += keywords.count
    return true
  }

  /// Takes a word that SQLite knows here, though it is no keyword, where it comes next.
  mutating func take(word: String) -> Bool {
    guard tokens.isWord(place, word) else { return false }
    place += 1
    return true
  }

  mutating func expect(_ keyword: Keyword) throws(DefinitionError) {
    if !take(keyword) { throw fault("\(keyword.rawValue.uppercased()) is missing") }
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
  var seesName: Bool { tokens.name(place) != nil }

  mutating func takeName() throws(DefinitionError) -> String {
    guard let name = tokens.name(place) else { throw fault("a name is missing") }
    place += 1
    return name
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
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if depth < 0 { throw fault("( is missing") }
      place += 1
    }
    if start == place { throw fault("an expression is missing") }
    return tokens.text(start..<place)
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
