internal import QuarryEngine

/// The error of a text that is not an FTS5 query.
struct FullTextQueryFault: Error {
  /// The place of the error, in bytes of the query.
  var range: Range<Int>
  var sentence: String
}

/// A checker of MATCH queries for FTS5 tables.
///
/// SQLite itself reports errors only while it reads rows, and only with the text near an error.
///
///     green day          -- both words
///     "green day" OR gr* -- the phrase, or a word with this prefix
///     title : ^love      -- a column, and the word at its beginning
///     NEAR(love song, 3) NOT hate
struct FullTextQuery {
  private enum Kind: Equatable {
    case word, quoted, and, or, not, end
    case symbol(UInt8)
  }

  private struct Token {
    var kind: Kind
    var range: Range<Int>

    var isText: Bool { kind == .word || kind == .quoted }
  }

  private let bytes: [UInt8]
  private let columns: [String]
  private var tokens: [Token] = []
  private var position = 0
  private var depth = 0

  private static let deepestNesting = 100

  /// Checks a query, including the names of the table's columns.
  static func check(_ query: String, columns: [String]) throws(FullTextQueryFault) {
    var reader = FullTextQuery(bytes: Array(query.utf8), columns: columns)
    // `*` begins a special query of FTS5, for its tests.
    if reader.bytes.first(where: { !$0.isSQLBlank }) == UInt8(ascii: "*") { throw reader.fault("A word is missing before *.", 0..<1) }
    try reader.tokenize()
    guard reader.token.kind != .end else { throw reader.fault("There is no word to search for.", 0..<0) }
    try reader.expression()
    guard reader.token.kind == .end else { throw reader.unexpected() }
  }

  private init(bytes: [UInt8], columns: [String]) {
    self.bytes = bytes
    self.columns = columns
  }

  // MARK: Tokens

  private mutating func tokenize() throws(FullTextQueryFault) {
    var start = 0
    while start < bytes.count {
      let byte = bytes[start]
      var end = start + 1
      let kind: Kind
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D:
        start = end
        continue
      case UInt8(ascii: "\""):
        end = try endOfString(from: start)
        kind = .quoted
      case _ where byte.isBareword:
        while end < bytes.count, bytes[end].isBareword { end += 1 }
        kind = Self.keyword(bytes[start..<end])
      case _ where "(){}:,+*-^".utf8.contains(byte): kind = .symbol(byte)
      default:
        let shown = String(decoding: bytes[start..<end], as: UTF8.self)
        throw fault("\(shown) has no meaning in a search. Put a word with it in double quotes.", start..<end)
      }
      tokens.append(Token(kind: kind, range: start..<end))
      start = end
    }
    tokens.append(Token(kind: .end, range: bytes.count..<bytes.count))
  }

  private func endOfString(from start: Int) throws(FullTextQueryFault) -> Int {
    var end = start + 1
    while end < bytes.count {
      guard bytes[end] == UInt8(ascii: "\"") else {
        end += 1
        continue
      }
      end += 1
      guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return end }
      end += 1
    }
    throw fault("This phrase has no end: a closing \" is missing.", start..<bytes.count)
  }

  private static func keyword(_ word: ArraySlice<UInt8>) -> Kind {
    switch String(decoding: word, as: UTF8.self) {
    case "AND": .and
    case "OR": .or
    case "NOT": .not
    default: .word
    }
  }

  private var token: Token { tokens[min(position, tokens.count - 1)] }

  private var next: Token { tokens[min(position + 1, tokens.count - 1)] }

  private func isSymbol(_ token: Token, _ symbol: Unicode.Scalar) -> Bool { token.kind == .symbol(UInt8(ascii: symbol)) }

  private mutating func take(_ symbol: Unicode.Scalar) -> Bool {
    guard isSymbol(token, symbol) else { return false }
    position += 1
    return true
  }

  // MARK: Grammar

  /// Parses terms with AND, OR and NOT between them; their precedence does not matter for validity.
  private mutating func expression() throws(FullTextQueryFault) {
    try operand()
    while token.kind == .and || token.kind == .or || token.kind == .not {
      position += 1
      try operand()
    }
  }

  private mutating func operand() throws(FullTextQueryFault) {
    if isSymbol(token, "(") { return try group() }
    if try columnFilter(), isSymbol(token, "(") { return try group() }
    try nearSet()
    while startsNearSet {
      // AND is optional between words, but not next to a parenthesis.
      if try columnFilter(), isSymbol(token, "(") { throw unexpected() }
      try nearSet()
    }
  }

  private mutating func group() throws(FullTextQueryFault) {
    let opening = token
    position += 1
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepestNesting { throw fault("This is nested too deeply.", opening.range) }
    try expression()
    if token.kind == .end { throw fault("This parenthesis is not closed.", opening.range) }
    guard take(")") else { throw unexpected() }
  }

  private var startsNearSet: Bool {
    token.isText || isSymbol(token, "^") || isSymbol(token, "{") || isSymbol(token, "-")
  }

  /// Parses `title :`, `{title body} :` and similar filters; returns whether there was one.
  private mutating func columnFilter() throws(FullTextQueryFault) -> Bool {
    let start = token
    let isNegated = take("-")
    if take("{") {
      guard token.isText else { throw unexpected() }
      while token.isText { try column() }
      guard take("}") else { throw unexpected() }
    } else if token.isText, isNegated || isSymbol(next, ":") {
      try column()
    } else {
      if isNegated { throw fault("Put a word with - in double quotes. Write NOT to exclude a word.", start.range) }
      return false
    }
    guard take(":") else {
      if isNegated { throw fault("Put a word with - in double quotes. Write NOT to exclude a word.", start.range) }
      throw unexpected()
    }
    return true
  }

  private mutating func column() throws(FullTextQueryFault) {
    let name = text(token)
    guard columns.contains(where: { $0.isSameIdentifier(as: name) }) else {
      throw fault("There is no column \(name) to search. Put text with a colon or a minus sign in double quotes.", token.range)
    }
    position += 1
  }

  private mutating func nearSet() throws(FullTextQueryFault) {
    if take("^") { return try phrase() }
    guard token.isText, isSymbol(next, "(") else { return try phrase() }
    let name = token
    guard text(name) == "NEAR" else {
      throw fault("Write AND, OR or NOT before a parenthesis.", next.range)
    }
    position += 2
    try phrase()
    while token.isText { try phrase() }
    if take(",") {
      let isNumber = token.isText && text(token).utf8.allSatisfy(\.isASCIIDigit)
      guard isNumber else { throw fault("NEAR expects a number of words here.", token.range) }
      position += 1
    }
    if token.kind == .end { throw fault("This parenthesis is not closed.", name.range.upperBound..<name.range.upperBound + 1) }
    guard take(")") else { throw unexpected() }
  }

  /// Parses `green + day*`.
  private mutating func phrase() throws(FullTextQueryFault) {
    repeat {
      guard token.isText else { throw unexpected() }
      position += 1
      _ = take("*")
    } while take("+")
  }

  // MARK: Errors

  private func text(_ token: Token) -> String {
    let text = String(decoding: bytes[token.range], as: UTF8.self)
    return token.kind == .quoted ? String(text.dropFirst().dropLast().replacing("\"\"", with: "\"")) : text
  }

  private func unexpected() -> FullTextQueryFault {
    if token.kind == .end {
      let last = tokens.dropLast().last?.range ?? 0..<0
      return fault("A word is missing after \(String(decoding: bytes[last], as: UTF8.self)).", last)
    }
    let shown = String(decoding: bytes[token.range], as: UTF8.self)
    return fault("\(shown) is not allowed here. Put it in double quotes to search for it.", token.range)
  }

  private func fault(_ sentence: String, _ range: Range<Int>) -> FullTextQueryFault {
    FullTextQueryFault(range: range.clamped(to: 0..<bytes.count), sentence: sentence)
  }
}

extension UInt8 {
  /// Whether it may occur in a word without quotes.
  fileprivate var isBareword: Bool {
    self >= 0x80 || isASCIIDigit || (self | 0x20) &- 0x61 < 26 || self == UInt8(ascii: "_") || self == 0x1A
  }
}
