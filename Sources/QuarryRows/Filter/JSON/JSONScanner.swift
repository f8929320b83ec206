internal import QuarryEngine

/// The types of JSON values.
public enum JSONType: Int, Hashable, Sendable, CaseIterable {
  /// `{…}`, `[…]`, `"…"`.
  case object, array, text
  /// A number without or with a decimal point or an exponent.
  case integer, real
  case `true`, `false`, null
}

/// A visitor of the values found by a ``JSONScanner``, from the beginning of a text to its end.
///
/// Ranges are in bytes of the text.
package protocol JSONVisitor {
  /// Visits the beginning of a value.
  ///
  /// For objects and arrays, the range contains only the opening bracket, and ``end(at:)`` follows.
  mutating func value(_ type: JSONType, at range: Range<Int>)
  /// Visits the key of the next value, including its quotes.
  mutating func key(_ bytes: UnsafeRawBufferPointer, at range: Range<Int>, hasEscapes: Bool)
  /// Visits the closing bracket of the innermost object or array.
  mutating func end(at offset: Int)
}

/// A scanner of JSON according to RFC 8259, as accepted by `json_valid`, which creates no values.
package struct JSONScanner {
  private let bytes: UnsafeRawBufferPointer
  /// The current position; after an error, the offset of the invalid byte, or the text's length if it ends too early.
  package private(set) var position = 0
  /// Whether each enclosing container is an object, the innermost last.
  private var isObject: [Bool] = []
  private let deepestNesting: Int

  /// SQLite's own limit before 3.45; the limit of later versions is lower.
  package static let deepestNesting = 2000

  package init(_ bytes: UnsafeRawBufferPointer, deepestNesting: Int = Self.deepestNesting) {
    self.bytes = bytes
    self.deepestNesting = deepestNesting
  }

  /// Passes the content of the text to a visitor; returns whether the whole text is JSON.
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

  /// Scans a value; for an object or array, scans its first element and the elements nested at its beginning.
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

  /// Begins an object or array; returns whether it is not empty.
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

  /// Scans a key and the colon after it.
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

  /// Scans a string from its opening quote; returns whether it contains escapes, or nil if it is invalid.
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
  /// Returns the UTF-8 offset at which a text is not JSON; the text's length if it ends too early, nil if it is valid.
  static func fault(in text: String) -> Int? {
    var text = text
    return text.withUTF8 { bytes in
      // Containers are not on the call stack, so no text is too deep.
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
