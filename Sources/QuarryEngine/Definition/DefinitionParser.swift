/// Reads definitions from the SQL that made a table or an index, by SQLite's grammar; expressions stay text.
struct DefinitionParser {
  private let sql: String
  private let tokens: StatementTokens
  private var position = 0

  init(_ sql: String) {
    self.sql = sql
    tokens = StatementTokens(sql)
  }

  var isAtEnd: Bool { position >= tokens.count }

  private var current: SQLToken? { tokens[position] }

  /// Where the token before this place ends.
  var endOfPrevious: Int { tokens[position - 1]?.range.upperBound ?? 0 }

  /// Returns the text of a range of bytes.
  func text(_ range: Range<Int>) -> String {
    String(decoding: tokens.bytes[range], as: UTF8.self)
  }

  func fault(_ reason: String) -> DefinitionError {
    .unreadable(reason, sql: sql, offset: current?.range.lowerBound ?? tokens.bytes.count)
  }

  /// The keyword that comes next; nil where something else does.
  var keyword: Keyword? { tokens.keyword(position) }

  /// Returns whether these keywords come next.
  func sees(_ keywords: Keyword...) -> Bool {
    sees(keywords)
  }

  private func sees(_ keywords: [Keyword]) -> Bool {
    keywords.indices.allSatisfy { tokens.keyword(position + $0) == keywords[$0] }
  }

  /// Takes keywords where they come next.
  mutating func take(_ keywords: Keyword...) -> Bool {
    take(keywords)
  }

  mutating func take(_ keywords: [Keyword]) -> Bool {
    guard sees(keywords) else { return false }
    position += keywords.count
    return true
  }

  /// Takes a word that SQLite knows here, though it is no keyword, where it comes next.
  mutating func take(word: String) -> Bool {
    guard tokens.isWord(position, word) else { return false }
    position += 1
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
    position += 1
    return true
  }

  mutating func expect(symbol: StaticString) throws(DefinitionError) {
    if !take(symbol: SQLToken.Symbol(stringLiteral: symbol)) { throw fault("\(symbol) is missing") }
  }

  /// Takes a token of any kind.
  mutating func parseToken() -> SQLToken? {
    guard let token = current else { return nil }
    position += 1
    return token
  }

  /// Whether a name comes next: SQLite takes a text for one too.
  var seesName: Bool { tokens.name(position) != nil }

  mutating func parseName() throws(DefinitionError) -> String {
    guard let name = tokens.name(position) else { throw fault("a name is missing") }
    position += 1
    return name
  }

  /// Takes what stands between parentheses, those inside included, as it is written.
  mutating func parseParenthesized() throws(DefinitionError) -> String {
    try expect(symbol: "(")
    let tokens = try parseUntil { $0 == .symbol(")") }
    try expect(symbol: ")")
    return tokens
  }

  /// Takes tokens, whole parentheses at once, until one outside of them for which `test` holds, and returns them as they are written.
  mutating func parseUntil(_ test: (SQLToken.Kind) -> Bool) throws(DefinitionError) -> String {
    let start = position
    var depth = 0
    while let token = current, depth > 0 || !test(token.kind) {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if depth < 0 { throw fault("( is missing") }
      position += 1
    }
    if start == position { throw fault("an expression is missing") }
    return tokens.text(start..<position)
  }

  /// Takes a list between parentheses.
  mutating func parseList<Element>(
    _ element: (inout DefinitionParser) throws(DefinitionError) -> Element
  ) throws(DefinitionError) -> [Element] {
    try expect(symbol: "(")
    var elements: [Element] = []
    repeat { elements.append(try element(&self)) } while take(symbol: ",")
    try expect(symbol: ")")
    return elements
  }
}
