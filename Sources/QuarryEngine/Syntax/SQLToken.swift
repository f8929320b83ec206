/// A token of SQL, with its range in the UTF-8 of the text.
package struct SQLToken: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A keyword or an unquoted name.
    case word
    /// A name in double quotes, brackets or backquotes.
    case quotedName
    /// A text in single quotes.
    case text
    case number
    case blob
    /// An operator, a parenthesis or a comma.
    case symbol(Symbol)
    /// A parameter: `?`, `:name` and similar forms.
    case parameter
    /// A comment from `--` to the end of its line, or from `/*` to `*/`; only if comments are requested.
    case comment
  }

  /// An operator, a parenthesis or a comma, identified by its one to three ASCII characters.
  ///
  ///     token.kind == .symbol("->>")
  package struct Symbol: Hashable, Sendable, ExpressibleByStringLiteral {
    private let code: UInt32

    package init(stringLiteral characters: StaticString) {
      code = characters.withUTF8Buffer { $0.count == 1 ? UInt32($0[0]) : Symbol($0).code }
    }

    package init(_ bytes: some Sequence<UInt8>) {
      code = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    init(_ byte: UInt8) {
      code = UInt32(byte)
    }
  }

  package var kind: Kind
  package var range: Range<Int>
  /// Whether its closing quote or `*/` is present; true for tokens that need none.
  package var isClosed = true
}

extension SQLToken {
  /// Returns the keyword of the token; nil if it is not a keyword.
  func keyword(in bytes: [UInt8]) -> Keyword? {
    kind == .word ? Keyword(bytes[range]) : nil
  }

  /// Returns whether it is this operator, parenthesis or comma.
  package func isSymbol(_ symbol: Symbol) -> Bool {
    if case .symbol(symbol) = kind { true } else { false }
  }

  /// Returns the name without its quotes; doubled quotes become single.
  ///
  ///     SQLToken.name(#""6"" nail""#.utf8)   // 6" nail
  ///
  /// The closing quote may be missing.
  package static func name(_ written: some Collection<UInt8>) -> String {
    guard let closing = written.first.flatMap(closingQuote) else { return String(decoding: written, as: UTF8.self) }
    var result: [UInt8] = []
    var isSecondQuote = false
    for byte in written.dropFirst() {
      isSecondQuote = byte == closing && !isSecondQuote
      if !isSecondQuote { result.append(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the closing quote for an opening byte; nil if the byte is not a quote.
  private static func closingQuote(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "'"): byte
    case UInt8(ascii: "["): UInt8(ascii: "]")
    default: nil
    }
  }
}
