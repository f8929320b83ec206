internal import QuarryEngine

/// A lexer that splits a filter text into the longest possible tokens, and reports invalid characters.
///
///     Name ~ 'a' and Bytes >= 1e6     -- word ~ text and word >= real
struct FilterLexer {
  let bytes: [UInt8]
  private var position = 0
  private(set) var tokens: [FilterToken] = []
  private(set) var errors: [FilterError] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens.reserveCapacity(bytes.count / 4 + 2)
    while let byte = nextByte() {
      let start = position
      let kind = take(byte)
      tokens.append(FilterToken(kind: kind, start: start, end: position))
    }
    tokens.append(FilterToken(kind: .end, start: bytes.count, end: bytes.count))
  }

  private mutating func nextByte() -> UInt8? {
    while position < bytes.count, bytes[position].isSQLBlank { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ byte: UInt8) -> FilterToken.Kind {
    if byte.isASCIIDigit { return scanNumber() }
    if byte.isNameStart {
      return byte | 0x20 == UInt8(ascii: "x") && peek(1) == UInt8(ascii: "'") ? scanBlob() : scanWord()
    }
    switch byte {
    case UInt8(ascii: "'"): return scanQuoted(.text, closing: byte)
    case UInt8(ascii: "\""): return scanQuoted(.quotedName, closing: byte)
    case UInt8(ascii: "`"): return scanQuoted(.bracketedName, closing: byte)
    case UInt8(ascii: "["): return scanQuoted(.bracketedName, closing: UInt8(ascii: "]"))
    case UInt8(ascii: "."): return peek(1).isDigit ? scanNumber() : followsName ? scanPoint() : scanFault()
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "?"): return scanParameterOrEnds(byte)
    default: return scanSymbol(byte)
    }
  }

  // MARK: Names and quoted texts

  private mutating func scanWord() -> FilterToken.Kind {
    let start = position
    skipName()
    return FilterKeyword(bytes[start..<position]).map { .keyword($0) } ?? .word
  }

  /// Skips a name, but not a `$` before `=`, which is the first half of an operator.
  private mutating func skipName() {
    while let byte = peek(0), byte.isNamePart {
      if byte == UInt8(ascii: "$"), peek(1) == UInt8(ascii: "=") { return }
      position += 1
    }
  }

  private mutating func scanQuoted(_ kind: FilterToken.Kind, closing: UInt8) -> FilterToken.Kind {
    let start = position
    position += 1
    while position < bytes.count {
      guard bytes[position] == closing else {
        position += 1
        continue
      }
      position += 1
      // A bracket cannot be doubled in a name.
      guard closing != UInt8(ascii: "]"), peek(0) == closing else { return kind }
      position += 1
    }
    report(.unfinished(from: start, in: bytes, closing: closing))
    return kind
  }

  private mutating func scanBlob() -> FilterToken.Kind {
    let start = position
    position += 2
    let digits = position
    while peek(0).isHexadecimalDigit { position += 1 }
    if peek(0) == UInt8(ascii: "'"), (position - digits) % 2 == 0 {
      position += 1
      return .blob
    }
    let isUnfinished = position == bytes.count
    while let byte = peek(0), byte != UInt8(ascii: "'") { position += 1 }
    position = min(position + 1, bytes.count)
    report(.badBlob(start..<position, isUnfinished: isUnfinished, hasOddDigits: (bytes.count - digits) % 2 == 1))
    return .fault
  }

  private mutating func scanParameterOrEnds(_ byte: UInt8) -> FilterToken.Kind {
    if byte == UInt8(ascii: "$"), peek(1) == UInt8(ascii: "=") {
      position += 2
      return .symbol(.ends)
    }
    let start = position
    position += 1
    if byte == UInt8(ascii: "?") {
      while peek(0).isDigit { position += 1 }
      return .parameter
    }
    skipName()
    if position - start > 1 { return .parameter }
    report(.unknownCharacter(start..<position, in: bytes))
    return .fault
  }

  // MARK: Operators

  /// Whether a name ends right here.
  private var followsName: Bool {
    guard let last = tokens.last, last.end == position else { return false }
    switch last.kind {
    case .word, .keyword, .quotedName, .bracketedName: return true
    default: return false
    }
  }

  private mutating func scanPoint() -> FilterToken.Kind {
    position += 1
    return .symbol(.point)
  }

  private mutating func scanSymbol(_ byte: UInt8) -> FilterToken.Kind {
    if let next = peek(1), let symbol = Self.double(byte, next) {
      let isLonger = symbol == .json && peek(2) == UInt8(ascii: ">")
      position += isLonger ? 3 : 2
      return .symbol(isLonger ? .value : symbol)
    }
    guard let symbol = Self.single(byte) else { return scanFault() }
    if symbol == .minus, peek(1) == byte { report(.comment(position..<position + 2, in: bytes)) }
    position += 1
    return .symbol(symbol)
  }

  private static func double(_ first: UInt8, _ second: UInt8) -> FilterSymbol? {
    switch (UnicodeScalar(first), UnicodeScalar(second)) {
    case ("<", "="): .atMost
    case ("<", ">"): .different
    case (">", "="): .atLeast
    case ("=", "="): .doubleEqual
    case ("=", "~"): .matches
    case ("-", ">"): .json
    case ("!", "="): .unlike
    case ("!", "~"): .lacks
    case ("^", "="): .starts
    case ("|", "|"): .concatenate
    case ("&", "&"): .both
    default: nil
    }
  }

  private static func single(_ byte: UInt8) -> FilterSymbol? {
    switch UnicodeScalar(byte) {
    case "(": .leftParenthesis
    case ")": .rightParenthesis
    case ",": .comma
    case "+": .plus
    case "-": .minus
    case "*": .times
    case "/": .divide
    case "%": .remainder
    case "!": .not
    case "=": .equal
    case "<": .less
    case ">": .greater
    case "~": .contains
    default: nil
    }
  }

  private mutating func scanFault() -> FilterToken.Kind {
    report(.unknownCharacter(position..<position + 1, in: bytes))
    position += 1
    return .fault
  }

  private mutating func report(_ error: FilterError) {
    if errors.count < FilterErrors.most { errors.append(error) }
  }

  func peek(_ distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }
}

// MARK: - Numbers and dates

extension FilterLexer {
  private mutating func scanNumber() -> FilterToken.Kind {
    if let end = dateEnd() {
      position = end
      return followedByName() ?? .date
    }
    if peek(0) == UInt8(ascii: "0"), let x = peek(1), x | 0x20 == UInt8(ascii: "x"), peek(2).isHexadecimalDigit {
      position += 2
      while peek(0).isHexadecimalDigit { position += 1 }
      return followedByName() ?? .hexadecimal
    }
    let isReal = skipDecimal()
    return followedByName() ?? (isReal ? .real : .integer)
  }

  /// Skips a decimal number; returns whether it has a decimal point or an exponent.
  private mutating func skipDecimal() -> Bool {
    var isReal = false
    while peek(0).isDigit { position += 1 }
    if peek(0) == UInt8(ascii: ".") {
      isReal = true
      position += 1
      while peek(0).isDigit { position += 1 }
    }
    if let e = peek(0), e | 0x20 == UInt8(ascii: "e") {
      let isSigned = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
      if peek(isSigned ? 2 : 1).isDigit {
        isReal = true
        position += isSigned ? 3 : 2
        while peek(0).isDigit { position += 1 }
      }
    }
    return isReal
  }

  private mutating func followedByName() -> FilterToken.Kind? {
    guard let byte = peek(0), byte.isNamePart, !(byte == UInt8(ascii: "$") && peek(1) == UInt8(ascii: "=")) else { return nil }
    skipName()
    return .mixed
  }

  /// Returns the end of a date that begins here: `2024-01-31`, optionally with a time after T or one space.
  private func dateEnd() -> Int? {
    guard fits("dddd-dd-dd", at: 0), !peek(10).isDigit else { return nil }
    let hasTime = (peek(10) == 0x20 || peek(10).map { $0 | 0x20 } == UInt8(ascii: "t")) && fits("dd:dd", at: 11) && !peek(16).isDigit
    guard hasTime else { return position + 10 }
    guard fits(":dd", at: 16), !peek(19).isDigit else { return position + 16 }
    guard peek(19) == UInt8(ascii: "."), peek(20).isDigit else { return position + 19 }
    var length = 20
    while peek(length).isDigit { length += 1 }
    return position + length
  }

  private func fits(_ shape: StaticString, at distance: Int) -> Bool {
    shape.withUTF8Buffer { shape in
      shape.indices.allSatisfy { index in
        let byte = peek(distance + index)
        return shape[index] == UInt8(ascii: "d") ? byte.isDigit : byte == shape[index]
      }
    }
  }
}

extension UInt8? {
  fileprivate var isDigit: Bool { self?.isASCIIDigit ?? false }
  fileprivate var isHexadecimalDigit: Bool { self?.isASCIIHexadecimalDigit ?? false }
}
