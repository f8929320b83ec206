/// Decodes the bytes of JSON values that have been validated before.
package enum JSONBytes {
  /// Replaces a string by its unescaped form, and returns the number of its bytes, which is not greater.
  static func unescape(_ start: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    let end = start + count
    var (source, destination) = (start, start)
    while source < end {
      guard source.pointee == UInt8(ascii: "\\") else {
        destination.pointee = source.pointee
        (source, destination) = (source + 1, destination + 1)
        continue
      }
      if source[1] == UInt8(ascii: "u") {
        destination = write(character(&source), to: destination)
      } else {
        destination.pointee = character(ofEscape: source[1])
        (source, destination) = (source + 2, destination + 1)
      }
    }
    return destination - start
  }

  private static func character(ofEscape letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// Decodes a character from one or two escapes such as `\u0041`, and skips them.
  private static func character(_ source: inout UnsafeMutablePointer<UInt8>) -> Unicode.Scalar {
    let first = unit(source)
    source += 6
    if let scalar = Unicode.Scalar(first) { return scalar }
    let second = unit(source)
    source += 6
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private static func unit(_ escape: UnsafeMutablePointer<UInt8>) -> UInt16 {
    (2..<6).reduce(0) { $0 << 4 | (hexadecimalDigit(escape[$1]) ?? 0) }
  }

  private static func write(_ scalar: Unicode.Scalar, to start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    var destination = start
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
      destination.pointee = byte
      destination += 1
    }
    return destination
  }

  package static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  // MARK: - Numbers

  /// Returns a number: a 64-bit integer, or the original text of any other number, which the column's type may convert to a real.
  static func number(_ start: UnsafeMutablePointer<UInt8>, count: Int, offset: Int) -> RecordField {
    LosslessNumber.integer(UnsafeRawBufferPointer(start: start, count: count)).map { RecordField(integer: $0) }
      ?? RecordField(.plain, offset: offset, length: count)
  }

  // MARK: - Base64

  /// Replaces base64 by its decoded bytes, and returns their number.
  ///
  /// Returns nil without changes if it is not base64.
  ///
  /// A slash may be preceded by a backslash, as in any JSON string.
  static func decodeBase64(_ start: UnsafeMutablePointer<UInt8>, count: Int) -> Int? {
    let text = UnsafeBufferPointer(start: start, count: count)
    guard isBase64(text) else { return nil }
    var (bits, bitCount, written): (UInt32, Int, Int) = (0, 0, 0)
    for byte in text {
      guard let digit = base64Value(byte) else { continue }
      bits = bits << 6 | digit
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        start[written] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
        written += 1
      }
    }
    return written
  }

  /// Returns whether a text is padded base64 without surplus bits.
  private static func isBase64(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var (digitCount, last): (Int, UInt32) = (0, 0)
    for (index, byte) in text.dropLast(padding).enumerated() {
      if let digit = base64Value(byte) {
        (digitCount, last) = (digitCount + 1, digit)
      } else if byte != UInt8(ascii: "\\") || index + 1 >= text.count || text[index + 1] != UInt8(ascii: "/") {
        return false
      }
    }
    let unused: UInt32 = padding == 2 ? 15 : padding == 1 ? 3 : 0
    return (digitCount + padding) % 4 == 0 && last & unused == 0 && (padding == 0 || digitCount > 1)
  }

  private static func base64Value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
