extension UInt8 {
  /// The lower-case letter of an ASCII capital; any other byte unchanged.
  @inline(__always)
  package var asciiLowercased: UInt8 {
    self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
  }

  package var isASCIIDigit: Bool { self &- 0x30 < 10 }

  package var isASCIIHexadecimalDigit: Bool { hexadecimalValue != nil }

  /// The value of an ASCII hexadecimal digit; nil for any other byte.
  package var hexadecimalValue: UInt8? {
    if isASCIIDigit { return self & 0xF }
    return (self | 0x20) &- 0x61 < 6 ? (self & 0xF) + 9 : nil
  }

  /// Whether SQLite treats this byte as a blank.
  package var isSQLBlank: Bool { self == 0x20 || self &- 0x09 < 5 }

  /// Whether a name may begin with it: a letter, `_`, or a byte of a non-ASCII character.
  package var isNameStart: Bool { (self | 0x20) &- 0x61 < 26 || self == UInt8(ascii: "_") || self >= 0x80 }

  package var isNamePart: Bool { isNameStart || isASCIIDigit || self == UInt8(ascii: "$") }
}

extension Sequence<UInt8> {
  /// Returns two hexadecimal digits for each byte: `00ff`.
  package func hexadecimal(uppercase: Bool = false) -> String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: uppercase) }.joined()
  }
}

extension [UInt8] {
  /// Creates the bytes represented by pairs of hexadecimal digits; nil for anything else.
  package init?(hexadecimal digits: some Sequence<UInt8>) {
    let values = digits.map(\.hexadecimalValue)
    let digits = values.compactMap(\.self)
    guard digits.count == values.count, digits.count.isMultiple(of: 2) else { return nil }
    self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

extension BinaryInteger {
  /// Returns the number with leading zeros, up to a number of digits: `0042`.
  package func zeroPadded(to width: Int, radix: Int = 10, uppercase: Bool = false) -> String {
    let digits = String(self, radix: radix, uppercase: uppercase)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
