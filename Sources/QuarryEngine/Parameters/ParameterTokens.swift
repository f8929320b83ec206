/// The tokens of a statement, with what belongs together found: operators of several characters, and pairs of parentheses.
struct ParameterTokens {
  struct Token {
    var kind: SQLToken.Kind
    /// Where it stands in the UTF-8 of the text.
    var range: Range<Int>
    /// A word in capitals, or an operator; empty for all else.
    var text: String
  }

  private let bytes: [UInt8]
  private let tokens: [Token]
  /// For each parenthesis, the index of the other one.
  private let partners: [Int?]
  /// For each token, the index of the parenthesis that it stands in.
  private let openers: [Int?]

  init(_ sql: String) {
    bytes = Array(sql.utf8)
    var tokens: [Token] = []
    for token in SQLTokenizer.tokens(of: sql) {
      Self.append(token, to: &tokens, bytes)
    }
    self.tokens = tokens
    (partners, openers) = Self.pairs(tokens)
  }

  private static func append(_ token: SQLToken, to tokens: inout [Token], _ bytes: [UInt8]) {
    switch token.kind {
    case .word:
      let word = String(decoding: bytes[token.range], as: UTF8.self)
      tokens.append(Token(kind: .word, range: token.range, text: word.uppercased()))
    case .symbol:
      tokens.append(Token(kind: token.kind, range: token.range, text: String(decoding: bytes[token.range], as: UTF8.self)))
    default: tokens.append(Token(kind: token.kind, range: token.range, text: ""))
    }
  }

  private static func pairs(_ tokens: [Token]) -> (partners: [Int?], openers: [Int?]) {
    var partners = [Int?](repeating: nil, count: tokens.count)
    var openers = partners
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      if token.text == ")", let partner = open.popLast() {
        partners[index] = partner
        partners[partner] = index
      }
      openers[index] = open.last
      if token.text == "(" { open.append(index) }
    }
    return (partners, openers)
  }

  var indices: Range<Int> { tokens.indices }

  subscript(index: Int) -> Token { tokens[index] }

  /// The word in capitals, or the operator, at an index; empty for anything else, and where there is no token.
  func text(_ index: Int) -> String {
    tokens.indices.contains(index) ? tokens[index].text : ""
  }

  /// A token as it is written.
  func written(_ index: Int) -> String {
    String(decoding: bytes[tokens[index].range], as: UTF8.self)
  }

  /// Tokens as they are written.
  func written(_ range: Range<Int>) -> String {
    guard let first = range.first, let last = range.last else { return "" }
    return String(decoding: bytes[tokens[first].range.lowerBound..<tokens[last].range.upperBound], as: UTF8.self)
  }

  /// The index of the other parenthesis.
  func partner(_ index: Int) -> Int? { tokens.indices.contains(index) ? partners[index] : nil }

  /// The index of the parenthesis that a token stands in; nil outside of all.
  func opener(_ index: Int) -> Int? { tokens.indices.contains(index) ? openers[index] : nil }

  /// The name that a token is, without its quotes; nil for one that can be none.
  func name(_ index: Int) -> String? {
    guard tokens.indices.contains(index) else { return nil }
    switch tokens[index].kind {
    case .word, .quotedName: return SQLToken.name(bytes[tokens[index].range])
    default: return nil
    }
  }

  /// Whether a token is a word that is no keyword, or a quoted name.
  func isPlainName(_ index: Int) -> Bool {
    guard tokens.indices.contains(index) else { return false }
    return tokens[index].kind == .quotedName || tokens[index].kind == .word && !SQLIdentifier.isKeyword(tokens[index].text)
  }

  /// The nearest of these words before a token, in the same parentheses.
  func wordBefore(_ index: Int, among words: Set<String>) -> Int? {
    var place = index - 1
    while place >= 0, tokens[place].text != "(" {
      if tokens[place].kind == .word, words.contains(tokens[place].text) { return place }
      place = tokens[place].text == ")" ? (partners[place] ?? 0) - 1 : place - 1
    }
    return nil
  }

  /// The parts of a range that commas between them separate, those inside of parentheses apart.
  func items(in range: Range<Int>) -> [Range<Int>] {
    var items: [Range<Int>] = []
    var start = range.lowerBound
    for index in range where tokens[index].text == "," && openers[index] == openers[range.lowerBound] {
      items.append(start..<index)
      start = index + 1
    }
    return start < range.upperBound ? items + [start..<range.upperBound] : items
  }
}
