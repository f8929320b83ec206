internal import QuarryEngine

/// The word at a caret, and the other tokens of its statement.
struct CaretWord {
  /// The kind of the typed word.
  enum Kind: Hashable { case none, plain, quoted, parameter }

  /// The kind of the typed word: none yet, a name or keyword, a quoted name, or a parameter.
  let kind: Kind
  /// The part of the word before the caret: a name without its quote, a parameter with its first character.
  let prefix: String
  /// The range that a completion replaces, in bytes of the statement.
  let range: Range<Int>
  /// The other tokens of the statement.
  let tokens: StatementTokens
  /// The number of these tokens before the caret.
  let index: Int
  /// Whether a parenthesis immediately follows the caret.
  let isCalled: Bool

  /// Finds the word at a caret; nil if nothing can be completed: in a text, a comment, a number or a complete quoted name.
  init?(_ bytes: [UInt8], caret: Int) {
    var tokens: [SQLToken] = []
    var index: Int?
    var typed: Typed?
    var tokenizer = SQLTokenizer(bytes, yieldsComments: true)
    while let token = tokenizer.next() {
      if index == nil, token.range.upperBound >= caret {
        guard let touch = Typed(token, in: bytes, caret: caret) else { return nil }
        typed = touch
        index = touch.kind == .none && token.range.upperBound == caret && token.kind != .comment ? tokens.count + 1 : tokens.count
        if touch.isCut { tokenizer = SQLTokenizer(bytes, from: caret, yieldsComments: true) }
        if touch.kind != .none { continue }
      }
      if typed?.isCut == true, token.isSymbol(";") { break }
      if token.kind != .comment { tokens.append(token) }
    }
    kind = typed?.kind ?? .none
    range = typed?.range ?? caret..<caret
    prefix = kind == .quoted ? SQLToken.name(bytes[range]) : String(decoding: bytes[range], as: UTF8.self)
    self.tokens = StatementTokens(bytes, tokens: tokens)
    self.index = index ?? tokens.count
    isCalled = caret < bytes.count && bytes[caret] == UInt8(ascii: "(")
  }

  /// The maximum number of preceding words of a name; longer names are found only by their last words.
  static let mostWords = 3

  private init(kind: Kind, prefix: String, range: Range<Int>, tokens: StatementTokens, index: Int, isCalled: Bool) {
    (self.kind, self.prefix, self.range, self.tokens, self.index, self.isCalled) = (kind, prefix, range, tokens, index, isCalled)
  }

  /// Returns the word with `count` preceding words, as the beginning of one name.
  ///
  /// Returns nil if other tokens than plain words precede it, or if no name begins with them.
  func extended(by count: Int, where isKnown: (String) -> Bool) -> CaretWord? {
    let first = index - count
    guard kind == .plain || kind == .none, first > 0, let start = tokens[first]?.range.lowerBound else { return nil }
    guard (first..<index).allSatisfy({ tokens[$0]?.kind == .word }) else { return nil }
    let parts = tokens.bytes[start..<range.upperBound].split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: " ") }
    // No name contains a line break or two spaces between its words.
    let words = (kind == .none ? parts.dropLast() : parts[...]).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == (kind == .none ? count : count + 1) else { return nil }
    guard words.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isWhitespace) }) else { return nil }
    let prefix = words.joined(separator: " ") + (kind == .none ? " " : "")
    guard isKnown(prefix) else { return nil }
    let others = (0..<tokens.count).filter { !(first..<index).contains($0) }.compactMap { tokens[$0] }
    return CaretWord(
      kind: .quoted, prefix: prefix, range: start..<range.upperBound, tokens: StatementTokens(tokens.bytes, tokens: others), index: first,
      isCalled: isCalled)
  }

  /// The part of the token at a caret that belongs to the typed word; the token ends at the caret or later.
  private struct Typed {
    var kind = Kind.none
    var range: Range<Int>
    /// Whether the token is a name without its closing quote, so that the text after the caret does not belong to it.
    var isCut = false

    init?(_ token: SQLToken, in bytes: [UInt8], caret: Int) {
      range = caret..<caret
      if token.range.lowerBound >= caret { return }
      let isAtEnd = token.range.upperBound == caret
      switch token.kind {
      case .symbol: return
      case .text, .blob: if !isAtEnd || !token.isClosed { return nil }
      case .comment: if !isAtEnd || !token.isClosed || bytes[token.range.lowerBound] == UInt8(ascii: "-") { return nil }
      case .number: return nil
      case .word: (kind, range) = (.plain, token.range.lowerBound..<caret)
      case .parameter: (kind, range) = (.parameter, token.range.lowerBound..<caret)
      case .quotedName:
        isCut = !token.isClosed
        guard isCut || token.range.upperBound == caret + 1 else { return nil }
        (kind, range) = (.quoted, isCut ? token.range.lowerBound..<caret : token.range)
      }
    }
  }
}
