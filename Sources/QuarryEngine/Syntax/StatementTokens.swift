/// The tokens of a statement, with queries by token index.
///
/// Indices out of range are allowed.
package struct StatementTokens: Sendable {
  package let bytes: [UInt8]
  private let tokens: [SQLToken]
  private let keywords: [Keyword?]
  /// For each parenthesis, the index of its partner, or the end or the beginning if it has none; for other tokens, their own index.
  private let partners: [Int]
  /// For each token, the index of the parenthesis that contains it.
  private let openers: [Int?]

  package init(_ bytes: [UInt8], tokens: [SQLToken]) {
    self.bytes = bytes
    self.tokens = tokens
    keywords = tokens.map { $0.keyword(in: bytes) }
    var partners = Array(tokens.indices)
    var openers: [Int?] = []
    openers.reserveCapacity(tokens.count)
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      if token.isSymbol(")") {
        let opening = open.popLast()
        partners[index] = opening ?? 0
        if let opening { partners[opening] = index }
      }
      openers.append(open.last)
      if token.isSymbol("(") {
        partners[index] = tokens.count
        open.append(index)
      }
    }
    (self.partners, self.openers) = (partners, openers)
  }

  /// Parses the tokens of a text, without its comments.
  package init(_ sql: String) {
    let bytes = Array(sql.utf8)
    self.init(bytes, tokens: SQLTokenizer.tokens(of: bytes))
  }

  package var count: Int { tokens.count }

  package subscript(index: Int) -> SQLToken? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  /// Returns the keyword at an index; nil if there is no keyword.
  package func keyword(_ index: Int) -> Keyword? {
    tokens.indices.contains(index) ? keywords[index] : nil
  }

  /// Returns the operator, parenthesis or comma at an index; nil if there is no such token.
  package func symbol(_ index: Int) -> SQLToken.Symbol? {
    guard case .symbol(let symbol)? = self[index]?.kind else { return nil }
    return symbol
  }

  /// Returns whether this operator, parenthesis or comma is at an index.
  package func isSymbol(_ index: Int, _ symbol: SQLToken.Symbol) -> Bool {
    self[index]?.isSymbol(symbol) == true
  }

  /// Returns whether an unquoted word that is not an SQLite keyword is at an index, ignoring case.
  package func isWord(_ index: Int, _ word: String) -> Bool {
    self[index]?.kind == .word && text(index).isSameIdentifier(as: word)
  }

  /// Returns the text of the token at an index, as written.
  package func text(_ index: Int) -> String {
    self[index].map { String(decoding: bytes[$0.range], as: UTF8.self) } ?? ""
  }

  /// Returns the text of the tokens at some indices, including the text between them.
  package func text(_ indices: Range<Int>) -> String {
    guard let first = indices.first, let last = indices.last, let start = self[first], let end = self[last] else { return "" }
    return String(decoding: bytes[start.range.lowerBound..<end.range.upperBound], as: UTF8.self)
  }

  /// Returns the index of the parenthesis that closes or opens the one at an index.
  package func partner(of index: Int) -> Int {
    partners[index]
  }

  /// Returns the index of the innermost parenthesis that contains the token at an index; nil if no parenthesis contains it.
  package func opener(of index: Int) -> Int? {
    tokens.indices.contains(index) ? openers[index] : nil
  }

  /// Returns the index of the innermost parenthesis around the position before the token at an index; nil outside parentheses.
  package func opener(before index: Int) -> Int? {
    isSymbol(index - 1, "(") ? index - 1 : opener(of: index - 1)
  }

  /// Returns the next index, after the whole parenthesis if one opens here.
  package func index(after index: Int) -> Int {
    (isSymbol(index, "(") ? partner(of: index) : index) + 1
  }

  /// Returns the ranges between the commas of a range, ignoring commas inside parentheses.
  package func items(in range: Range<Int>) -> [Range<Int>] {
    var items: [Range<Int>] = []
    var (start, index) = (range.lowerBound, range.lowerBound)
    while index < range.upperBound {
      if isSymbol(index, ",") {
        items.append(start..<index)
        start = index + 1
      }
      index = self.index(after: index)
    }
    return start < range.upperBound ? items + [start..<range.upperBound] : items
  }
}

extension StatementTokens {
  /// Returns the unquoted name at an index, which may be a keyword, or a text, which SQLite also accepts as a name.
  package func name(_ index: Int) -> String? {
    guard let token = self[index] else { return nil }
    switch token.kind {
    case .word, .quotedName, .text: return SQLToken.name(bytes[token.range])
    default: return nil
    }
  }

  /// Returns the name at an index; nil if a keyword or another token is there.
  package func plainName(_ index: Int) -> String? {
    keyword(index) == nil ? name(index) : nil
  }

  /// Returns the name of a table or another object at an index, with its database if it is written.
  package func qualifiedName(_ index: Int) -> QualifiedName? {
    guard let first = objectName(index) else { return nil }
    guard isSymbol(index + 1, "."), let second = objectName(index + 2) else {
      return QualifiedName(name: first, indices: index..<index + 1)
    }
    return QualifiedName(database: first, name: second, indices: index..<index + 3)
  }

  private func objectName(_ index: Int) -> String? {
    keyword(index)?.isReserved == true ? nil : name(index)
  }

  /// Returns the names in the parentheses that open at an index; none if no parenthesis opens there.
  func names(_ index: Int) -> [String] {
    isSymbol(index, "(") ? items(in: index + 1..<max(index + 1, partner(of: index))).compactMap { name($0.lowerBound) } : []
  }

  /// Returns whether a query begins at an index.
  package func isQuery(_ index: Int) -> Bool {
    keyword(index)?.beginsQuery == true
  }

  /// Returns whether the token at an index ends a value or a name, so that only an operator or a keyword can follow.
  package func endsOperand(_ index: Int) -> Bool {
    switch self[index]?.kind {
    case .word: keyword(index)?.endsOperand ?? true
    case .quotedName, .text, .number, .blob, .parameter, .symbol(")"): true
    default: false
    }
  }
}

/// The name of a table or another object, with the name of its database if it is written.
package struct QualifiedName: Hashable, Sendable {
  package var database: String?
  package var name: String
  /// The indices of its tokens.
  package var indices: Range<Int>

  /// The name quoted for SQL: `main."Order Details"`.
  package var sql: String {
    [database, name].compactMap(\.self).map(SQLIdentifier.quoted).joined(separator: ".")
  }
}

/// An occurrence of a parameter in the text of a statement.
package struct ParameterSyntax: Hashable, Sendable {
  /// The parameter as written: `:min`, `?2`, `?`.
  package let text: String
  /// The number assigned by SQLite, from 1.
  package let number: Int
  /// The index of its token.
  package let index: Int
  /// Its range in the UTF-8 of the text.
  package let range: Range<Int>

  /// Its name on a command line and in a form: `min`, `2`.
  package var key: String { text.hasPrefix("?") ? String(number) : String(text.dropFirst()) }
}

extension StatementTokens {
  /// All occurrences of parameters in text order, numbered by SQLite's rules.
  package var parameters: [ParameterSyntax] {
    var numbers: [String: Int] = [:]
    var greatest = 0
    var parameters: [ParameterSyntax] = []
    for index in 0..<count {
      guard let token = self[index], token.kind == .parameter else { continue }
      let text = text(index)
      let written = text.hasPrefix("?") ? Int(text.dropFirst()) : numbers[text]
      let number = written ?? greatest + 1
      if !text.hasPrefix("?") { numbers[text] = number }
      greatest = max(greatest, number)
      parameters.append(ParameterSyntax(text: text, number: number, index: index, range: token.range))
    }
    return parameters
  }
}
