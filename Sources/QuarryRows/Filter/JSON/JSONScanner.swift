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
protocol JSONVisitor {
  /// A value begins; objects and arrays are ended by ``end()``.
  mutating func value(_ type: JSONType)
  /// The key of the value that comes next.
  mutating func key(_ bytes: UnsafeRawBufferPointer, hasEscapes: Bool)
  /// The object or array that began last ends.
  mutating func end()
}

/// Reads JSON as RFC 8259 has it and `json_valid` takes it, without making values of it.
struct JSONScanner<Visitor: JSONVisitor> {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// Whether each container around this place is an object, the innermost last.
  private var isObject: [Bool] = []

  /// SQLite's own limit before 3.45; later ones are lower.
  private let deepestNesting = 2000

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Tells a visitor what is in the text; returns whether it is JSON from its beginning to its end.
  mutating func scan(_ visitor: inout Visitor) -> Bool {
    guard value(&visitor) else { return false }
    while let isObject = isObject.last {
      skipBlanks()
      guard position < bytes.count else { return false }
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: ","): guard isObject ? key(&visitor) && value(&visitor) : value(&visitor) else { return false }
      case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
        self.isObject.removeLast()
        visitor.end()
      default: return false
      }
    }
    skipBlanks()
    return position == bytes.count
  }

  @inline(__always)
  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x0A || bytes[position] == 0x0D || bytes[position] == 0x09 {
      position += 1
    }
  }

  /// Reads a value, and of an object or array its first element and those that this begins with.
  private mutating func value(_ visitor: inout Visitor) -> Bool {
    while true {
      skipBlanks()
      guard position < bytes.count else { return false }
      switch bytes[position] {
      case UInt8(ascii: "{"):
        guard isObject.count < deepestNesting else { return false }
        guard begin(.object, closing: UInt8(ascii: "}"), &visitor) else { return true }
        guard key(&visitor) else { return false }
      case UInt8(ascii: "["):
        guard isObject.count < deepestNesting else { return false }
        guard begin(.array, closing: UInt8(ascii: "]"), &visitor) else { return true }
      default: return scalar(&visitor)
      }
    }
  }

  /// Begins an object or array; returns whether there is anything in it.
  private mutating func begin(_ type: JSONType, closing: UInt8, _ visitor: inout Visitor) -> Bool {
    position += 1
    visitor.value(type)
    skipBlanks()
    if position < bytes.count, bytes[position] == closing {
      position += 1
      visitor.end()
      return false
    }
    isObject.append(type == .object)
    return true
  }

  private mutating func scalar(_ visitor: inout Visitor) -> Bool {
    switch bytes[position] {
    case UInt8(ascii: "\""):
      position += 1
      guard string() != nil else { return false }
      visitor.value(.text)
      return true
    case UInt8(ascii: "t"): return word("true", .true, &visitor)
    case UInt8(ascii: "f"): return word("false", .false, &visitor)
    case UInt8(ascii: "n"): return word("null", .null, &visitor)
    default:
      guard let type = number() else { return false }
      visitor.value(type)
      return true
    }
  }

  private mutating func word(_ word: StaticString, _ type: JSONType, _ visitor: inout Visitor) -> Bool {
    guard bytes[position...].starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) else { return false }
    position += word.utf8CodeUnitCount
    visitor.value(type)
    return true
  }

  /// Reads a key and the colon after it.
  private mutating func key(_ visitor: inout Visitor) -> Bool {
    skipBlanks()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return false }
    position += 1
    let start = position
    guard let hasEscapes = string() else { return false }
    visitor.key(UnsafeRawBufferPointer(rebasing: bytes[start..<position - 1]), hasEscapes: hasEscapes)
    skipBlanks()
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { return false }
    position += 1
    return true
  }

  /// Reads up to the closing quote; returns whether there are escapes, nil where the text does not end well.
  private mutating func string() -> Bool? {
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return hasEscapes }
      if byte < 0x20 { return nil }
      guard byte == UInt8(ascii: "\\") else { continue }
      hasEscapes = true
      guard position < bytes.count else { return nil }
      let escape = bytes[position]
      position += 1
      if escape == UInt8(ascii: "u") {
        guard position + 4 <= bytes.count, bytes[position..<position + 4].allSatisfy(\.isFilterHexadecimalDigit) else { return nil }
        position += 4
      } else if !"\"\\/bfnrt".utf8.contains(escape) {
        return nil
      }
    }
    return nil
  }

  private mutating func number() -> JSONType? {
    var type = JSONType.integer
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position += 1 }
    let start = position
    guard digits() > 0, bytes[start] != UInt8(ascii: "0") || position == start + 1 else { return nil }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      type = .real
      guard digits() > 0 else { return nil }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      type = .real
      if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
      guard digits() > 0 else { return nil }
    }
    return type
  }

  private mutating func digits() -> Int {
    let start = position
    while position < bytes.count, bytes[position].isFilterDigit { position += 1 }
    return position - start
  }
}
