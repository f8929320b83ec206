/// A token of SQL, by its range in the UTF-8 of its text.
package struct SQLToken: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A keyword or a name without quotes.
    case word
    /// A name between double quotes, brackets or backquotes.
    case quotedName
    /// A text between single quotes.
    case text
    case number
    case blob
    /// An operator, a parenthesis, a comma.
    case symbol(Symbol)
    /// A `?`, `:name` and the like.
    case parameter
    /// From `--` to the end of its line, or between `/*` and `*/`; only where comments are asked for.
    case comment
  }

  /// An operator, a parenthesis, a comma, by its characters: one to three of ASCII.
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
  /// Whether its closing quote or `*/` is there; true for all that needs none.
  package var isClosed = true
}

extension SQLToken {
  /// Returns the keyword that the token is; nil where it is something else.
  func keyword(in bytes: [UInt8]) -> Keyword? {
    kind == .word ? Keyword(bytes[range]) : nil
  }

  /// Returns whether it is this operator, parenthesis and the like.
  package func isSymbol(_ symbol: Symbol) -> Bool {
    if case .symbol(symbol) = kind { true } else { false }
  }

  /// Returns the name that is written so: without its quotes, and each doubled one once.
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

  /// Returns the quote that ends what begins with this byte; nil where it is no quote.
  private static func closingQuote(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "'"): byte
    case UInt8(ascii: "["): UInt8(ascii: "]")
    default: nil
    }
  }
}
