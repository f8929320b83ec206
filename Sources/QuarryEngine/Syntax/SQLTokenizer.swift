/// A tokenizer that splits SQL into tokens as SQLite does, without whitespace and optionally with comments.
package struct SQLTokenizer {
  private let bytes: [UInt8]
  private let yieldsComments: Bool
  private var position: Int
  private var isClosed = true

  /// Creates a tokenizer of a text.
  ///
  /// - Parameter position: The position at which to begin, in bytes; not within a token.
  package init(_ bytes: [UInt8], from position: Int = 0, yieldsComments: Bool = false) {
    self.bytes = bytes
    self.position = position
    self.yieldsComments = yieldsComments
  }

  /// Returns all tokens; an unclosed quote extends to the end.
  package static func tokens(of bytes: [UInt8]) -> [SQLToken] {
    var tokenizer = SQLTokenizer(bytes)
    var tokens: [SQLToken] = []
    while let token = tokenizer.next() { tokens.append(token) }
    return tokens
  }

  /// Returns the next token; nil at the end.
  package mutating func next() -> SQLToken? {
    skipBlanks()
    while position < bytes.count {
      let token = token { $0.take($0.bytes[$0.position]) }
      if yieldsComments || token.kind != .comment { return token }
      skipBlanks()
    }
    return nil
  }

  /// Returns the rest of a token that a quote before this position opened.
  mutating func rest(ofQuoted kind: SQLToken.Kind, by quote: UInt8) -> SQLToken {
    token {
      quote == UInt8(ascii: "]") ? $0.scanThrough(quote) : $0.scanQuoted(by: quote)
      return kind
    }
  }

  /// Returns the rest of a comment that `/*` before this position opened.
  mutating func restOfComment() -> SQLToken {
    token { $0.scanComment() }
  }

  private mutating func token(_ take: (inout Self) -> SQLToken.Kind) -> SQLToken {
    let start = position
    isClosed = true
    let kind = take(&self)
    return SQLToken(kind: kind, range: start..<position, isClosed: isClosed)
  }

  private mutating func take(_ byte: UInt8) -> SQLToken.Kind {
    let start = position
    position += 1
    switch byte {
    case UInt8(ascii: "'"):
      scanQuoted(by: byte)
      return .text
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      scanQuoted(by: byte)
      return .quotedName
    case UInt8(ascii: "["):
      scanThrough(UInt8(ascii: "]"))
      return .quotedName
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      return peek(0) == UInt8(ascii: "'") ? scanBlob() : scanWord()
    case UInt8(ascii: "?"):
      scanWhile(\.isASCIIDigit)
      return .parameter
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"):
      return scanNamedParameter()
    case UInt8(ascii: "-") where peek(0) == byte:
      scanWhile { $0 != 0x0A }
      return .comment
    case UInt8(ascii: "/") where peek(0) == UInt8(ascii: "*"):
      position += 1
      return scanComment()
    default:
      position = start
      return scanPlain(byte)
    }
  }

  private mutating func scanPlain(_ byte: UInt8) -> SQLToken.Kind {
    if byte.isASCIIDigit || byte == UInt8(ascii: ".") && peek(1)?.isASCIIDigit == true { return scanNumber() }
    if byte.isNamePart { return scanWord() }
    position += 1
    guard let next = peek(0), (UInt8(ascii: "<")...UInt8(ascii: ">")).contains(next) || next == UInt8(ascii: "|") else {
      return .symbol(SQLToken.Symbol(byte))
    }
    return scanOperator(byte, next)
  }

  /// Scans the rest of an operator that begins with one byte, including the next byte if both form an operator.
  private mutating func scanOperator(_ byte: UInt8, _ next: UInt8) -> SQLToken.Kind {
    let pair = SQLToken.Symbol([byte, next])
    switch pair {
    case "->" where peek(1) == UInt8(ascii: ">"):
      position += 2
      return .symbol("->>")
    case "->", "||", "<=", "<>", "<<", ">=", ">>", "==", "!=":
      position += 1
      return .symbol(pair)
    default: return .symbol(SQLToken.Symbol(byte))
    }
  }

  private mutating func scanWord() -> SQLToken.Kind {
    scanWhile(\.isNamePart)
    return .word
  }

  private mutating func scanNumber() -> SQLToken.Kind {
    let start = position
    scanWhile { $0.isNamePart || $0 == UInt8(ascii: ".") }
    let isHexadecimal = position - start > 1 && bytes[start] == UInt8(ascii: "0") && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
    let isExponent = bytes[position - 1] | 0x20 == UInt8(ascii: "e") && !isHexadecimal
    if isExponent, let sign = peek(0), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), peek(1)?.isASCIIDigit == true {
      position += 1
      scanWhile(\.isNamePart)
    }
    return .number
  }

  /// Scans the name after `:`, `@` or `$`, which may contain `::` and end with a text in parentheses, as in Tcl.
  private mutating func scanNamedParameter() -> SQLToken.Kind {
    let start = position
    scanWhile(\.isNamePart)
    while peek(0) == UInt8(ascii: ":"), peek(1) == UInt8(ascii: ":") {
      position += 2
      scanWhile(\.isNamePart)
    }
    guard position > start, peek(0) == UInt8(ascii: "(") else { return .parameter }
    let end = bytes[position...].firstIndex { $0 == UInt8(ascii: ")") || $0.isSQLBlank }
    if let end, bytes[end] == UInt8(ascii: ")") { position = end + 1 }
    return .parameter
  }

  private mutating func scanBlob() -> SQLToken.Kind {
    position += 1
    scanThrough(UInt8(ascii: "'"))
    return .blob
  }

  /// Scans the rest up to the closing quote; a doubled quote represents one.
  private mutating func scanQuoted(by quote: UInt8) {
    repeat {
      scanThrough(quote)
      guard isClosed, peek(0) == quote else { return }
      position += 1
    } while true
  }

  private mutating func scanThrough(_ closing: UInt8) {
    scanWhile { $0 != closing }
    isClosed = position < bytes.count
    if isClosed { position += 1 }
  }

  private mutating func scanComment() -> SQLToken.Kind {
    while position < bytes.count, !(bytes[position] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { position += 1 }
    isClosed = position < bytes.count
    position = min(position + 2, bytes.count)
    return .comment
  }

  /// Skips whitespace and byte order marks, which SQLite treats as whitespace.
  private mutating func skipBlanks() {
    scanWhile(\.isSQLBlank)
    while peek(0) == 0xEF, bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]) {
      position += 3
      scanWhile(\.isSQLBlank)
    }
  }

  private mutating func scanWhile(_ test: (UInt8) -> Bool) {
    while position < bytes.count, test(bytes[position]) { position += 1 }
  }

  private func peek(_ distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }
}
