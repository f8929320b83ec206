/// A parser of the SQL that created a table or an index, by SQLite's grammar; expressions remain text.
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

  /// The end of the preceding token.
  var endOfPrevious: Int { tokens[position - 1]?.range.upperBound ?? 0 }

  /// Returns the text of a range of bytes.
  func text(_ range: Range<Int>) -> String {
    String(decoding: tokens.bytes[range], as: UTF8.self)
  }

  func fault(_ reason: String) -> DefinitionError {
    .unreadable(reason, sql: sql, offset: current?.range.lowerBound ?? tokens.bytes.count)
  }

  /// The keyword at the current position; nil if there is no keyword.
  var keyword: Keyword? { tokens.keyword(position) }

  /// Returns whether these keywords come next.
  func sees(_ keywords: Keyword...) -> Bool {
    sees(keywords)
  }

  private func sees(_ keywords: [Keyword]) -> Bool {
    keywords.indices.allSatisfy { tokens.keyword(position + $0) == keywords[$0] }
  }

  /// Consumes these keywords if they come next, and returns whether it did.
  mutating func take(_ keywords: Keyword...) -> Bool {
    take(keywords)
  }

  mutating func take(_ keywords: [Keyword]) -> Bool {
    guard sees(keywords) else { return false }
    position += keywords.count
    return true
  }

  /// Consumes a contextual word that is not a keyword if it comes next, and returns whether it did.
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

  /// Consumes a token of any kind.
  mutating func parseToken() -> SQLToken? {
    guard let token = current else { return nil }
    position += 1
    return token
  }

  /// Whether a name comes next; SQLite also accepts a text as a name.
  var seesName: Bool { tokens.name(position) != nil }

  mutating func parseName() throws(DefinitionError) -> String {
    guard let name = tokens.name(position) else { throw fault("a name is missing") }
    position += 1
    return name
  }

  /// Consumes text in parentheses, including nested parentheses, and returns it as written.
  mutating func parseParenthesized() throws(DefinitionError) -> String {
    try expect(symbol: "(")
    let tokens = try parseUntil { $0 == .symbol(")") }
    try expect(symbol: ")")
    return tokens
  }

  /// Consumes tokens up to one outside parentheses that satisfies `test`, and returns them as written.
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

  /// Consumes a list in parentheses.
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
