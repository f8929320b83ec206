/// The tokens of a statement, with what is asked of them by place; a place outside of them is no fault.
struct StatementTokens {
  let bytes: [UInt8]
  private let tokens: [SQLToken]
  /// For each parenthesis the place of the other one, for one without another the end or the beginning, for all else its own place.
  private let partners: [Int]

  init(_ bytes: [UInt8], tokens: [SQLToken]) {
    self.bytes = bytes
    self.tokens = tokens
    var partners = Array(tokens.indices)
    var open: [Int] = []
    for (place, token) in tokens.enumerated() {
      if token.isSymbol("(") {
        partners[place] = tokens.count
        open.append(place)
      } else if token.isSymbol(")") {
        let opening = open.popLast()
        partners[place] = opening ?? 0
        if let opening { partners[opening] = place }
      }
    }
    self.partners = partners
  }

  var count: Int { tokens.count }

  subscript(place: Int) -> SQLToken? {
    tokens.indices.contains(place) ? tokens[place] : nil
  }

  /// The place of the parenthesis that closes or opens the one at a place.
  func partner(of place: Int) -> Int {
    partners[place]
  }

  /// The keyword at a place in small letters; nil where something else stands there.
  func keyword(_ place: Int) -> String? {
    guard let token = self[place], token.kind == .word, token.keyword(in: bytes) != nil else { return nil }
    return String(decoding: bytes[token.range], as: UTF8.self).lowercased()
  }

  /// Whether a keyword, which is given in small letters, stands at a place: quicker than to ask which one does.
  func isWord(_ place: Int, _ keyword: StaticString) -> Bool {
    self[place]?.isWord(keyword, in: bytes) == true
  }

  func isSymbol(_ place: Int, _ symbol: SQLToken.Symbol) -> Bool {
    self[place]?.isSymbol(symbol) == true
  }

  /// The text of the token at a place, as it is written.
  func text(_ place: Int) -> String {
    self[place].map { String(decoding: bytes[$0.range], as: UTF8.self) } ?? ""
  }

  /// The name at a place, without quotes; nil where a keyword or something else stands there.
  func name(_ place: Int) -> String? {
    keyword(place) == nil ? anyName(place) : nil
  }

  /// The name at a place, even one that is a keyword.
  func anyName(_ place: Int) -> String? {
    guard let token = self[place] else { return nil }
    switch token.kind {
    case .word, .quotedName, .text: return SQLToken.name(bytes[token.range])
    default: return nil
    }
  }

  /// The place after this one, and after the whole parenthesis where one opens here.
  func place(after place: Int) -> Int {
    (isSymbol(place, "(") ? partner(of: place) : place) + 1
  }

  /// The place of the innermost parenthesis around what stands before a place; nil where there is none.
  func parenthesis(around index: Int) -> Int? {
    var place = index - 1
    while place >= 0, !isSymbol(place, "(") {
      if isSymbol(place, ")") { place = partner(of: place) }
      place -= 1
    }
    return place >= 0 ? place : nil
  }

  /// Whether a query begins at a place.
  func isQuery(_ place: Int) -> Bool {
    ["select", "with", "values"].contains(keyword(place))
  }

  /// Whether a statement begins at a place: a second one does in a trigger and after WITH.
  func isStatementStart(_ place: Int) -> Bool {
    place == 0 || isSymbol(place - 1, ";") || isSymbol(place - 1, ")") || ["begin", "explain", "plan"].contains(keyword(place - 1))
  }

  /// What a CREATE creates: `table`, `index`, `trigger` or `view`; nil for other statements.
  var createdKind: String? {
    guard let start = (0..<3).first(where: { keyword($0) == "create" }) else { return nil }
    let kinds: Set<String> = ["table", "index", "trigger", "view"]
    return (start + 1..<start + 4).lazy.compactMap { keyword($0) }.first(where: kinds.contains)
  }

  /// Whether the FROM at a place is that of a clause: IS DISTINCT FROM is an operator.
  func isClauseFrom(_ place: Int) -> Bool {
    let isOperator = keyword(place - 1) == "distinct" && ["is", "not"].contains(keyword(place - 2))
    return keyword(place) == "from" && !isOperator
  }

  /// Whether the ON at a place comes before the table of a new index or trigger.
  func isHeaderOn(_ place: Int) -> Bool {
    guard keyword(place) == "on", ["index", "trigger"].contains(createdKind) else { return false }
    return !(0..<place).contains { ["begin", "on"].contains(keyword($0)) }
  }
}
