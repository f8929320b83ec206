/// A token of SQL, by its place in the UTF-8 of its text.
struct SQLToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A keyword or a name without quotes.
    case word
    /// A name between double quotes, brackets or backquotes.
    case quotedName
    /// A text between single quotes.
    case text
    case number
    case blob
    /// An operator, a parenthesis, a comma: one byte.
    case symbol(UInt8)
    /// A `?`, `:name` and the like.
    case parameter
  }

  var kind: Kind
  var range: Range<Int>
}

/// Splits SQL into tokens as SQLite does, without blanks and comments.
struct SQLTokenizer {
  private let bytes: [UInt8]
  private var place = 0

  init(_ sql: String) {
    bytes = Array(sql.utf8)
  }

  /// Returns all tokens; a quote that is never closed reaches to the end.
  static func tokens(of sql: String) -> [SQLToken] {
    var tokenizer = SQLTokenizer(sql)
    var tokens: [SQLToken] = []
    while let token = tokenizer.next() { tokens.append(token) }
    return tokens
  }

  private mutating func next() -> SQLToken? {
    skipBlanks()
    guard place < bytes.count else { return nil }
    let start = place
    let kind = take(bytes[place])
    return SQLToken(kind: kind, range: start..<place)
  }

  private mutating func take(_ byte: UInt8) -> SQLToken.Kind {
    switch byte {
    case UInt8(ascii: "'"):
      takeQuoted(by: byte)
      return .text
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      takeQuoted(by: byte)
      return .quotedName
    case UInt8(ascii: "["):
      takeBracketed()
      return .quotedName
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      guard peek(1) == UInt8(ascii: "'") else { return takeWord() }
      place += 1
      takeQuoted(by: UInt8(ascii: "'"))
      return .blob
    case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"):
      place += 1
      takeWhile(Self.isNamePart)
      return .parameter
    default:
      return takePlain(byte)
    }
  }

  private mutating func takePlain(_ byte: UInt8) -> SQLToken.Kind {
    if Self.isDigit(byte) || byte == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true { return takeNumber() }
    if Self.isNamePart(byte) { return takeWord() }
    place += 1
    return .symbol(byte)
  }

  private mutating func takeWord() -> SQLToken.Kind {
    takeWhile(Self.isNamePart)
    return .word
  }

  private mutating func takeNumber() -> SQLToken.Kind {
    takeWhile { Self.isNamePart($0) || $0 == UInt8(ascii: ".") }
    let isExponent = bytes[place - 1] | 0x20 == UInt8(ascii: "e") && !isHexadecimal
    if isExponent, let sign = peek(0), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), peek(1).map(Self.isDigit) == true {
      place += 1
      takeWhile(Self.isNamePart)
    }
    return .number
  }

  /// Whether the number that ends here began with `0x`, in which an `e` is a digit.
  private var isHexadecimal: Bool {
    let start = bytes[..<place].lastIndex { !(Self.isNamePart($0) || $0 == UInt8(ascii: ".")) }.map { $0 + 1 } ?? 0
    return bytes[start] == UInt8(ascii: "0") && start + 1 < place && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
  }

  private mutating func takeQuoted(by quote: UInt8) {
    place += 1
    while place < bytes.count {
      guard bytes[place] == quote else {
        place += 1
        continue
      }
      place += 1
      guard peek(0) == quote else { return }
      place += 1
    }
  }

  private mutating func takeBracketed() {
    takeWhile { $0 != UInt8(ascii: "]") }
    place = min(place + 1, bytes.count)
  }

  private mutating func skipBlanks() {
    while let byte = peek(0) {
      switch (byte, peek(1)) {
      case (0x20, _), (0x09...0x0D, _): place += 1
      case (UInt8(ascii: "-"), UInt8(ascii: "-")): takeWhile { $0 != 0x0A }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() {
    place += 2
    while place < bytes.count, !(bytes[place] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) { place += 1 }
    place = min(place + 2, bytes.count)
  }

  private mutating func takeWhile(_ test: (UInt8) -> Bool) {
    while place < bytes.count, test(bytes[place]) { place += 1 }
  }

  private func peek(_ distance: Int) -> UInt8? {
    place + distance < bytes.count ? bytes[place + distance] : nil
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
