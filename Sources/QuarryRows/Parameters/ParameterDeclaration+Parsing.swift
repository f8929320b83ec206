internal import QuarryEngine

extension ParameterDeclaration {
  /// Returns the parameter at the beginning of a comment; nil if the comment does not begin with a named or numbered parameter.
  static func token(in comment: String) -> String? {
    guard let prefix = comment.utf8.first, ":@$?".utf8.contains(prefix) else { return nil }
    let isNumber = prefix == UInt8(ascii: "?")
    let name = comment.dropFirst().prefix { character in
      isNumber ? character.isASCII && character.isNumber : character.isLetter || character.isNumber || "_$".contains(character)
    }
    let next = comment.dropFirst(name.count + 1).first
    guard !name.isEmpty, next.map({ $0.isWhitespace || $0 == "=" }) ?? true else { return nil }
    return String(comment.prefix(name.count + 1))
  }

  /// Parses a comment that begins with a parameter.
  init(_ comment: String, token: String, line: Int) throws(ParameterDeclarationError) {
    self.init(token: token, line: line)
    var rest = comment.dropFirst(token.count).drop(while: \.isWhitespace)
    let word = rest.prefix { !$0.isWhitespace && $0 != "=" }
    if !word.isEmpty, Self.query(in: rest) == nil {
      type = ParameterType(rawValue: word.lowercased())
      guard type != nil else { throw error("expected a type after \(token) (\(Self.typeList)), not “\(word)”") }
      rest = rest.dropFirst(word.count).drop(while: \.isWhitespace)
    }
    if rest.hasPrefix("=") { rest = readDefault(rest.dropFirst()) }
    if let query = Self.query(in: rest) { choices = .query(query) }
    guard rest.isEmpty || choices != nil else {
      throw error("expected a type, = and a default, or from and a SELECT after \(token), not “\(rest.prefix(40))”")
    }
    try checkDefault()
  }

  private func error(_ problem: String) -> ParameterDeclarationError {
    ParameterDeclarationError(token: token, line: line, problem: problem)
  }

  private static let typeList = ParameterType.allCases.map(\.rawValue).joined(separator: ", ")

  /// Parses a default, which extends to `from` and a SELECT, and returns the rest from there.
  private mutating func readDefault(_ text: Substring) -> Substring {
    let wordStarts = text.indices.filter { index in
      index == text.startIndex || text[text.index(before: index)].isWhitespace
    }
    let end = wordStarts.first { Self.query(in: text[$0...]) != nil } ?? text.endIndex
    defaultText = Self.unquoted(text[..<end].trimmingBlanks)
    return text[end...]
  }

  private static func unquoted(_ text: String) -> String {
    guard text.utf8.count > 1, text.hasPrefix("'"), text.hasSuffix("'") else { return text }
    return String(text.dropFirst().dropLast()).replacing("''", with: "'")
  }

  /// Returns the query after `from`; nil if there is no query.
  private static func query(in text: Substring) -> String? {
    let words = text.split(maxSplits: 2, omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
    guard words.count == 3, words[0].lowercased() == "from", text.first?.isWhitespace == false else { return nil }
    guard Keyword(words[1].utf8)?.beginsQuery == true else { return nil }
    let query = text.dropFirst(words[0].count).trimmingBlanks
    return query.hasSuffix(";") ? query.dropLast().trimmingBlanks : query
  }

  private func checkDefault() throws(ParameterDeclarationError) {
    guard let type, let defaultText, !(type == .blob && defaultText.hasPrefix("@")) else { return }
    do throws(ParameterError) {
      _ = try type.value(of: defaultText)
    } catch {
      throw self.error("the default of \(token): \(error)")
    }
  }
}
