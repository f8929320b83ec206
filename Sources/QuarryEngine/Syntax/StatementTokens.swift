/// The tokens of a statement, with what is asked of them by place, which is the index of a token; a place outside of them is no fault.
struct StatementTokens: Sendable {
  let bytes: [UInt8]
  private let tokens: [SQLToken]
  private let keywords: [Keyword?]
  /// For each parenthesis the place of the other one, for one without another the end or the beginning, for all else its own place.
  private let partners: [Int]
  /// For each token the place of the parenthesis that it stands in.
  private let openers: [Int?]

  init(_ bytes: [UInt8], tokens: [SQLToken]) {
    self.bytes = bytes
    self.tokens = tokens
    keywords = tokens.map { $0.keyword(in: bytes) }
    var partners = Array(tokens.indices)
    var openers: [Int?] = []
    openers.reserveCapacity(tokens.count)
    var open: [Int] = []
    for (place, token) in tokens.enumerated() {
      if token.isSymbol(")") {
        let opening = open.popLast()
        partners[place] = opening ?? 0
        if let opening { partners[opening] = place }
      }
      openers.append(open.last)
      if token.isSymbol("(") {
        partners[place] = tokens.count
        open.append(place)
      }
    }
    (self.partners, self.openers) = (partners, openers)
  }

  /// Reads the tokens of a text, its comments apart.
  init(_ sql: String) {
    let bytes = Array(sql.utf8)
    self.init(bytes, tokens: SQLTokenizer.tokens(of: bytes))
  }

  var count: Int { tokens.count }

  subscript(place: Int) -> SQLToken? {
    tokens.indices.contains(place) ? tokens[place] : nil
  }

  /// Returns the keyword at a place; nil where something else stands there.
  func keyword(_ place: Int) -> Keyword? {
    tokens.indices.contains(place) ? keywords[place] : nil
  }

  /// Returns the operator, parenthesis or comma at a place; nil where something else stands there.
  func symbol(_ place: Int) -> SQLToken.Symbol? {
    guard case .symbol(let symbol)? = self[place]?.kind else { return nil }
    return symbol
  }

  /// Whether this operator, parenthesis or comma stands at a place.
  func isSymbol(_ place: Int, _ symbol: SQLToken.Symbol) -> Bool {
    self[place]?.isSymbol(symbol) == true
  }

  /// Whether a word that is no keyword of SQLite's stands at a place, without quotes and in any case.
  func isWord(_ place: Int, _ word: String) -> Bool {
    self[place]?.kind == .word && text(place).isSameIdentifier(as: word)
  }

  /// Returns the text of the token at a place, as it is written.
  func text(_ place: Int) -> String {
    self[place].map { String(decoding: bytes[$0.range], as: UTF8.self) } ?? ""
  }

  /// Returns the text of the tokens at some places, with all that stands between them.
  func text(_ places: Range<Int>) -> String {
    guard let first = places.first, let last = places.last, let start = self[first], let end = self[last] else { return "" }
    return String(decoding: bytes[start.range.lowerBound..<end.range.upperBound], as: UTF8.self)
  }

  /// Returns the place of the parenthesis that closes or opens the one at a place.
  func partner(of place: Int) -> Int {
    partners[place]
  }

  /// Returns the place of the innermost parenthesis that the token at a place stands in; nil outside of all.
  func opener(of place: Int) -> Int? {
    tokens.indices.contains(place) ? openers[place] : nil
  }

  /// Returns the place of the innermost parenthesis around what would stand before the token at a place; nil outside of all.
  func opener(before place: Int) -> Int? {
    isSymbol(place - 1, "(") ? place - 1 : opener(of: place - 1)
  }

  /// Returns the place after this one, and after the whole parenthesis where one opens here.
  func place(after place: Int) -> Int {
    (isSymbol(place, "(") ? partner(of: place) : place) + 1
  }

  /// Returns what stands between the commas of a range of places, those inside of parentheses apart.
  func items(in range: Range<Int>) -> [Range<Int>] {
    var items: [Range<Int>] = []
    var (start, place) = (range.lowerBound, range.lowerBound)
    while place < range.upperBound {
      if isSymbol(place, ",") {
        items.append(start..<place)
        start = place + 1
      }
      place = self.place(after: place)
    }
    return start < range.upperBound ? items + [start..<range.upperBound] : items
  }
}

extension StatementTokens {
  /// Returns the name at a place, even one that is a keyword, without quotes; SQLite takes a text for one too.
  func name(_ place: Int) -> String? {
    guard let token = self[place] else { return nil }
    switch token.kind {
    case .word, .quotedName, .text: return SQLToken.name(bytes[token.range])
    default: return nil
    }
  }

  /// Returns the name at a place; nil where a keyword or something else stands there.
  func plainName(_ place: Int) -> String? {
    keyword(place) == nil ? name(place) : nil
  }

  /// Returns the table or the like that is named at a place, with its database where that is written.
  func qualifiedName(_ place: Int) -> QualifiedName? {
    guard let first = objectName(place) else { return nil }
    guard isSymbol(place + 1, "."), let second = objectName(place + 2) else {
      return QualifiedName(name: first, places: place..<place + 1)
    }
    return QualifiedName(database: first, name: second, places: place..<place + 3)
  }

  private func objectName(_ place: Int) -> String? {
    keyword(place)?.isReserved == true ? nil : name(place)
  }

  /// Returns the names between the parentheses that open at a place; none where no parenthesis does.
  func names(_ place: Int) -> [String] {
    isSymbol(place, "(") ? items(in: place + 1..<max(place + 1, partner(of: place))).compactMap { name($0.lowerBound) } : []
  }

  /// Whether a query begins at a place.
  func isQuery(_ place: Int) -> Bool {
    keyword(place)?.beginsQuery == true
  }

  /// Whether the token at a place ends a value or a name, after which only an operator or a keyword makes sense.
  func endsOperand(_ place: Int) -> Bool {
    switch self[place]?.kind {
    case .word: keyword(place)?.endsOperand ?? true
    case .quotedName, .text, .number, .blob, .parameter, .symbol(")"): true
    default: false
    }
  }
}

/// The name of a table or the like, with that of its database where that is written.
struct QualifiedName: Hashable, Sendable {
  var database: String?
  var name: String
  /// The places of its tokens.
  var places: Range<Int>

  /// The name as SQL spells it: `main."Order Details"`.
  var sql: String {
    [database, name].compactMap(\.self).map(SQLIdentifier.quoted).joined(separator: ".")
  }
}
