/// Checks whether a text is JSON by RFC 8259 and SQLite's functions, and where it is not.
struct JSONSyntax {
  private let bytes: [UInt8]
  private var position = 0
  /// The closing characters that are still to come, the next one last.
  private var open: [UInt8] = []

  /// Returns the offset in UTF-8 at which a text is no JSON; the text's length where it ends too early, nil where nothing is wrong.
  static func fault(in text: String) -> Int? {
    var syntax = JSONSyntax(bytes: Array(text.utf8))
    return syntax.readDocument() ? nil : syntax.position
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Lists and objects are kept in ``open`` and not on the stack, so that no text is too deep to be read.
  private mutating func readDocument() -> Bool {
    repeat {
      guard readValue() else { return false }
      while let closer = open.last, take(closer) { open.removeLast() }
      guard let closer = open.last else { break }
      guard take(0x2C), closer == 0x5D || readKey() else { return false }
    } while true
    skipBlanks()
    return position == bytes.count
  }

  /// Reads a value, or as much of a list or an object as stands before its first value.
  private mutating func readValue() -> Bool {
    while true {
      if take(0x5B) {
        if take(0x5D) { return true }
        open.append(0x5D)
      } else if take(0x7B) {
        if take(0x7D) { return true }
        open.append(0x7D)
        guard readKey() else { return false }
      } else {
        return readScalar()
      }
    }
  }

  private mutating func readKey() -> Bool {
    skipBlanks()
    return readText() && take(0x3A)
  }

  private mutating func readScalar() -> Bool {
    skipBlanks()
    guard position < bytes.count else { return false }
    switch bytes[position] {
    case 0x22: return readText()
    case 0x74: return readWord("true")
    case 0x66: return readWord("false")
    case 0x6E: return readWord("null")
    default: return readNumber()
    }
  }

  private mutating func readWord(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      guard bytes[position...].starts(with: word) else { return false }
      position += word.count
      return true
    }
  }

  private mutating func readNumber() -> Bool {
    if isNext(0x2D) { position += 1 }
    if isNext(0x30) { position += 1 } else if !readDigits() { return false }
    if isNext(0x2E) {
      position += 1
      guard readDigits() else { return false }
    }
    guard isNext(0x65) || isNext(0x45) else { return true }
    position += 1
    if isNext(0x2B) || isNext(0x2D) { position += 1 }
    return readDigits()
  }

  private mutating func readDigits() -> Bool {
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    return position > start
  }

  private mutating func readText() -> Bool {
    guard isNext(0x22) else { return false }
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case 0x22:
        position += 1
        return true
      case 0x5C: if !readEscape() { return false }
      case ..<0x20: return false
      default: position += 1
      }
    }
    return false
  }

  private mutating func readEscape() -> Bool {
    position += 1
    guard position < bytes.count, #""\/bfnrtu"#.utf8.contains(bytes[position]) else { return false }
    let isCode = bytes[position] == 0x75
    position += 1
    guard isCode else { return true }
    for _ in 0..<4 {
      guard position < bytes.count, Character(UnicodeScalar(bytes[position])).isHexDigit else { return false }
      position += 1
    }
    return true
  }

  private func isNext(_ byte: UInt8) -> Bool {
    position < bytes.count && bytes[position] == byte
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard isNext(byte) else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }
}
