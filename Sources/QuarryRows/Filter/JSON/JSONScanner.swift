internal import QuarryEngine

/// What a value of JSON is.
public enum JSONType: Int, Hashable, Sendable, CaseIterable {
  /// `{…}`, `[…]`, `"…"`.
  case object, array, text
  /// A number without a point or an exponent, and one with them.
  case integer, real
  case `true`, `false`, null
}

/// What a ``JSONScanner`` meets, from the beginning of a text to its end.
///
/// Ranges are in bytes of the text.
package protocol JSONVisitor {
  /// A value begins; objects and arrays, of which the range has the opening bracket alone, are ended by ``end(at:)``.
  mutating func value(_ type: JSONType, at range: Range<Int>)
  /// The key of the value that comes next, in its quotes.
  mutating func key(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, hasEscapes: Bool)
  /// The object or array that began last ends with a bracket here.
  mutating func end(at offset: Int)
}

/// Reads JSON as RFC 8259 has it and `json_valid` takes it, without making values of it.
package struct JSONScanner {
  private let bytes: UnsafeRawBufferPointer
  /// Where it is; at a fault, the offset of the byte that is wrong, or the text's length where it ends too early.
  package private(set) var position = 0
  /// Whether each container around this place is an object, the innermost last.
  private var isObject: [Bool] = []
  private let deepestNesting: Int

  /// SQLite's own limit before 3.45; later ones are lower.
  package static let deepestNesting = 2000

  package init(_ bytes: UnsafeRawBufferPointer, deepestNesting: Int = Self.deepestNesting) {
    self.bytes = bytes
    self.deepestNesting = deepestNesting
  }

  /// Tells a visitor what is in the text; returns whether it is JSON from its beginning to its end.
  package mutating func scan(_ visitor: inout some JSONVisitor) -> Bool {
    guard value(&visitor) else { return false }
    while let isObject = isObject.last {
      skipBlanks()
      if isNext(",") {
        position += 1
        guard isObject ? key(&visitor) && value(&visitor) : value(&visitor) else { return false }
      } else {
        guard isNext(isObject ? "}" : "]") else { return false }
        end(&visitor)
        self.isObject.removeLast()
      }
    }
    skipBlanks()
    return position == bytes.count
  }

  @inline(__always)
  private func isNext(_ character: Unicode.Scalar) -> Bool {
    position < bytes.count && bytes[position] == UInt8(ascii: character)
  }

  @inline(__always)
  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x0A || bytes[position] == 0x0D || bytes[position] == 0x09 {
      position += 1
    }
  }

  /// Reads a value, and of an object or array its first element and those that this begins with.
  private mutating func value(_ visitor: inout some JSONVisitor) -> Bool {
    while true {
      skipBlanks()
      switch isNext("{") ? JSONType.object : isNext("[") ? .array : nil {
      case .object?:
        guard isObject.count < deepestNesting else { return false }
        guard begin(.object, closing: "}", &visitor) else { return true }
        guard key(&visitor) else { return false }
      case .array?:
        guard isObject.count < deepestNesting else { return false }
        guard begin(.array, closing: "]", &visitor) else { return true }
      default: return scalar(&visitor)
      }
    }
  }

  /// Begins an object or array; returns whether there is anything in it.
  private mutating func begin(_ type: JSONType, closing: Unicode.Scalar, _ visitor: inout some JSONVisitor) -> Bool {
    visitor.value(type, at: position..<position + 1)
    position += 1
    skipBlanks()
    if isNext(closing) {
      end(&visitor)
      return false
    }
    isObject.append(type == .object)
    return true
  }

  private mutating func end(_ visitor: inout some JSONVisitor) {
    visitor.end(at: position)
    position += 1
  }

  private mutating func scalar(_ visitor: inout some JSONVisitor) -> Bool {
    guard position < bytes.count else { return false }
    let start = position
    let type: JSONType? =
      switch bytes[position] {
      case UInt8(ascii: "\""): string() == nil ? nil : .text
      case UInt8(ascii: "t"): word("true") ? .true : nil
      case UInt8(ascii: "f"): word("false") ? .false : nil
      case UInt8(ascii: "n"): word("null") ? .null : nil
      default: number()
      }
    guard let type else { return false }
    visitor.value(type, at: start..<position)
    return true
  }

  private mutating func word(_ word: StaticString) -> Bool {
    guard bytes[position...].starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) else { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  /// Reads a key and the colon after it.
  private mutating func key(_ visitor: inout some JSONVisitor) -> Bool {
    skipBlanks()
    let start = position
    guard isNext("\""), let hasEscapes = string() else { return false }
    visitor.key(UnsafeRawBufferPointer(rebasing: bytes[start + 1..<position - 1]), at: start..<position, hasEscapes: hasEscapes)
    skipBlanks()
    guard isNext(":") else { return false }
    position += 1
    return true
  }

  /// Reads a string from its opening quote; returns whether there are escapes, nil where the text does not end well.
  private mutating func string() -> Bool? {
    var hasEscapes = false
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return hasEscapes
      case UInt8(ascii: "\\"):
        hasEscapes = true
        guard escape() else { return nil }
      case ..<0x20: return nil
      default: position += 1
      }
    }
    return nil
  }

  private mutating func escape() -> Bool {
    position += 1
    guard position < bytes.count, "\"\\/bfnrtu".utf8.contains(bytes[position]) else { return false }
    let isCode = bytes[position] == UInt8(ascii: "u")
    position += 1
    guard isCode else { return true }
    for _ in 0..<4 {
      guard position < bytes.count, bytes[position].isASCIIHexadecimalDigit else { return false }
      position += 1
    }
    return true
  }

  private mutating func number() -> JSONType? {
    var type = JSONType.integer
    if isNext("-") { position += 1 }
    if isNext("0") { position += 1 } else if !digits() { return nil }
    if isNext(".") {
      position += 1
      type = .real
      guard digits() else { return nil }
    }
    if isNext("e") || isNext("E") {
      position += 1
      type = .real
      if isNext("+") || isNext("-") { position += 1 }
      guard digits() else { return nil }
    }
    return type
  }

  private mutating func digits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position].isASCIIDigit { position += 1 }
    return position > start
  }
}

extension JSONScanner {
  /// Returns the offset in UTF-8 at which a text is no JSON; the text's length where it ends too early, nil where nothing is wrong.
  static func fault(in text: String) -> Int? {
    var text = text
    return text.withUTF8 { bytes in
      // Containers are not kept on the stack, so that no text is too deep to be read.
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes), deepestNesting: .max)
      var visitor = Passer()
      return scanner.scan(&visitor) ? nil : scanner.position
    }
  }

  private struct Passer: JSONVisitor {
    mutating func value(_ type: JSONType, at range: Range<Int>) {}
    mutating func key(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, hasEscapes: Bool) {}
    mutating func end(at offset: Int) {}
  }
}
