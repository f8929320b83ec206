/// Splits SQL into tokens as SQLite does, without blanks and, where they are not asked for, comments.
struct SQLTokenizer {
  private let bytes: [UInt8]
  private let yieldsComments: Bool
  private var place: Int
  private var isClosed = true

  /// - Parameter place: where to begin, in bytes; not within a token.
  init(_ bytes: [UInt8], from place: Int = 0, yieldsComments: Bool = false) {
    self.bytes = bytes
    self.place = place
    self.yieldsComments = yieldsComments
  }

  /// Returns all tokens; a quote that is never closed reaches to the end.
  static func tokens(of bytes: [UInt8]) -> [SQLToken] {
    var tokenizer = SQLTokenizer(bytes)
    var tokens: [SQLToken] = []
    while let token = tokenizer.next() { tokens.append(token) }
    return tokens
  }

  /// Returns the next token; nil at the end.
  mutating func next() -> SQLToken? {
    skipBlanks()
    while place < bytes.count {
      let token = token { $0.take($0.bytes[$0.place]) }
      if yieldsComments || token.kind != .comment { return token }
      skipBlanks()
    }
    return nil
  }

  /// Returns the rest of what was opened before this place by a quote.
  mutating func rest(ofQuoted kind: SQLToken.Kind, by quote: UInt8) -> SQLToken {
    token {
      quote == UInt8(ascii: "]") ? $0.takeThrough(quote) : $0.takeQuoted(by: quote)
      return kind
    }
  }

  /// Returns the rest of a comment that was opened before this place by `/*`.
  mutating func restOfComment() -> SQLToken {
    token { $0.takeComment() }
  }

  private mutating func token(_ take: (inout Self) -> SQLToken.Kind) -> SQLToken {
    let start = place
    isClosed = true
    let kind = take(&self)
    return SQLToken(kind: kind, range: start..<place, isClosed: isClosed)
  }

  private mutating func take(_ byte: UInt8) -> SQLToken.Kind {
    let start = place
    place += 1
    switch byte {
    case UInt8(ascii: "'"):
      takeQuoted(by: byte)
      return .text
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      takeQuoted(by: byte)
      return .quotedName
    case UInt8(ascii: "["):
      takeThrough(UInt8(ascii: "]"))
      return .quotedName
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      return peek(0) == UInt8(ascii: "'") ? takeBlob() : takeWord()
    case UInt8(ascii: "?"):
      takeWhile(Self.isDigit)
      return .parameter
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"):
      return takeNamedParameter()
    case UInt8(ascii: "-") where peek(0) == byte:
      takeWhile { $0 != 0x0A }
      return .comment
    case UInt8(ascii: "/") where peek(0) == UInt8(ascii: "*"):
      place += 1
      return takeComment()
    default:
      place = start
      return takePlain(byte)
    }
  }

  private mutating func takePlain(_ byte: UInt8) -> SQLToken.Kind {
    if Self.isDigit(byte) || byte == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true { return takeNumber() }
    if Self.isNamePart(byte) { return takeWord() }
    let start = place
    place += operatorLength(byte)
    return .symbol(SQLToken.Symbol(bytes[start..<place]))
  }

  /// Returns the number of bytes of the operator that begins here with a byte.
  private func operatorLength(_ byte: UInt8) -> Int {
    guard let next = peek(1), (UInt8(ascii: "<")...UInt8(ascii: ">")).contains(next) || next == UInt8(ascii: "|") else { return 1 }
    switch SQLToken.Symbol([byte, next]) {
    case "->": return peek(2) == UInt8(ascii: ">") ? 3 : 2
    case "||", "<=", "<>", "<<", ">=", ">>", "==", "!=": return 2
    default: return 1
    }
  }

  private mutating func takeWord() -> SQLToken.Kind {
    takeWhile(Self.isNamePart)
    return .word
  }

  private mutating func takeNumber() -> SQLToken.Kind {
    let start = place
    takeWhile { Self.isNamePart($0) || $0 == UInt8(ascii: ".") }
    let isHexadecimal = place - start > 1 && bytes[start] == UInt8(ascii: "0") && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
    let isExponent = bytes[place - 1] | 0x20 == UInt8(ascii: "e") && !isHexadecimal
    if isExponent, let sign = peek(0), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), peek(1).map(Self.isDigit) == true {
      place += 1
      takeWhile(Self.isNamePart)
    }
    return .number
  }

  /// Takes the name after `:`, `@` or `$`, which for Tcl's sake may hold `::` and end in something between parentheses.
  private mutating func takeNamedParameter() -> SQLToken.Kind {
    let start = place
    takeWhile(Self.isNamePart)
    while peek(0) == UInt8(ascii: ":"), peek(1) == UInt8(ascii: ":") {
      place += 2
      takeWhile(Self.isNamePart)
    }
    guard place > start, peek(0) == UInt8(ascii: "(") else { return .parameter }
    let end = bytes[place...].firstIndex { $0 == UInt8(ascii: ")") || Self.isBlank($0) }
    if let end, bytes[end] == UInt8(ascii: ")") { place = end + 1 }
    return .parameter
  }

  private mutating func takeBlob() -> SQLToken.Kind {
    place += 1
    takeThrough(UInt8(ascii: "'"))
    return .blob
  }

  /// Takes what remains to the closing quote, where two stand for one.
  private mutating func takeQuoted(by quote: UInt8) {
    repeat {
      takeThrough(quote)
      guard isClosed, peek(0) == quote else { return }
      place += 1
    } while true
  }

  private mutating func takeThrough(_ closing: UInt8) {
    takeWhile { $0 != closing }
    isClosed = place < bytes.count
    if isClosed { place += 1 }
  }

  private mutating func takeComment() -> SQLToken.Kind {
    while place < bytes.count, !(bytes[place] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { place += 1 }
    isClosed = place < bytes.count
    place = min(place + 2, bytes.count)
    return .comment
  }

  /// Skips blanks, and the byte order marks that SQLite takes for some.
  private mutating func skipBlanks() {
    takeWhile(Self.isBlank)
    while peek(0) == 0xEF, bytes[place...].starts(with: [0xEF, 0xBB, 0xBF]) {
      place += 3
      takeWhile(Self.isBlank)
    }
  }

  private mutating func takeWhile(_ test: (UInt8) -> Bool) {
    while place < bytes.count, test(bytes[place]) { place += 1 }
  }

  private func peek(_ distance: Int) -> UInt8? {
    place + distance < bytes.count ? bytes[place + distance] : nil
  }
}

extension SQLTokenizer {
  /// Whether SQLite takes this byte for a blank.
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: isDigit(byte)
    }
  }
}
