/// Reads a statement token by token, no farther than it is asked to.
struct StatementReader {
  private let bytes: [UInt8]
  private var tokenizer: SQLTokenizer
  /// The token that comes next; nil at the end.
  private(set) var token: SQLToken?

  init(_ sql: String) {
    bytes = Array(sql.utf8)
    tokenizer = SQLTokenizer(bytes)
    token = tokenizer.next()
  }

  mutating func advance() {
    token = tokenizer.next()
  }

  /// Whether a keyword comes next, which is given in small letters.
  func sees(_ keyword: StaticString) -> Bool {
    token?.isWord(keyword, in: bytes) == true
  }

  func sees(symbol: SQLToken.Symbol) -> Bool {
    token?.isSymbol(symbol) == true
  }

  /// Takes a keyword where it comes next.
  mutating func take(_ keyword: StaticString) -> Bool {
    guard sees(keyword) else { return false }
    advance()
    return true
  }

  mutating func take(symbol: SQLToken.Symbol) -> Bool {
    guard sees(symbol: symbol) else { return false }
    advance()
    return true
  }

  /// Takes a name, as written in SQL; SQLite takes a text for one too.
  mutating func takeName() -> String? {
    guard let token, token.kind == .word || token.kind == .quotedName || token.kind == .text else { return nil }
    advance()
    return SQLIdentifier.quoted(SQLToken.name(bytes[token.range]))
  }

  /// Takes a name with the name of its database where that is written.
  mutating func takeQualifiedName() -> String? {
    guard let first = takeName() else { return nil }
    guard take(symbol: ".") else { return first }
    return takeName().map { "\(first).\($0)" }
  }

  /// Takes a parenthesis with all that is in it, where one comes next.
  mutating func takeParentheses() {
    guard sees(symbol: "(") else { return }
    var depth = 0
    repeat {
      if sees(symbol: "(") { depth += 1 }
      if sees(symbol: ")") { depth -= 1 }
      advance()
    } while depth > 0 && token != nil
  }

  /// Takes a WITH clause, where one comes next.
  mutating func takeCommonTables() {
    guard take("with") else { return }
    _ = take("recursive")
    repeat {
      _ = takeName()
      takeParentheses()
      _ = take("as")
      _ = take("not")
      _ = take("materialized")
      takeParentheses()
    } while take(symbol: ",")
  }

  /// Takes all up to one of these keywords outside of parentheses, or the end of the statement, and tells whether one has come.
  mutating func find(_ keywords: StaticString...) -> Bool {
    while token != nil, !sees(symbol: ";") {
      if keywords.contains(where: sees) { return true }
      sees(symbol: "(") ? takeParentheses() : advance()
    }
    return false
  }
}
