/// Converts bytes from another encoding to UTF-8.
struct CharacterDecoder {
  private let encoding: TextEncoding
  private let bytes: UnsafeRawBufferPointer
  private let isLast: Bool
  /// The number of decoded bytes.
  private(set) var position = 0
  /// Whether the byte at the position is not part of a character.
  private(set) var isStuck = false

  /// Creates a decoder.
  ///
  /// - Parameter isLast: Whether the text ends with these bytes, so that an incomplete character at their end is an error.
  init(encoding: TextEncoding, bytes: UnsafeRawBufferPointer, isLast: Bool) {
    (self.encoding, self.bytes, self.isLast) = (encoding, bytes, isLast)
  }

  /// Decodes all complete characters up to the first invalid one, and returns the number of bytes written.
  ///
  /// - Parameter room: The memory for three bytes per byte, or per pair of bytes in UTF-16.
  mutating func decode(into room: UnsafeMutableRawBufferPointer) -> Int {
    var written = 0
    while let (scalar, length) = next() {
      position += length
      if scalar.isASCII {
        room[written] = UInt8(truncatingIfNeeded: scalar.value)
        written += 1
        continue
      }
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        room[written] = byte
        written += 1
      }
    }
    return written
  }

  private mutating func next() -> (Unicode.Scalar, length: Int)? {
    guard position < bytes.count else { return nil }
    switch encoding {
    case .utf8, .latin1: return (Unicode.Scalar(bytes[position]), 1)
    case .windows1252:
      guard let scalar = Windows1252.character(bytes[position]) else { return stop() }
      return (scalar, 1)
    case .utf16LittleEndian, .utf16BigEndian: return nextOfUTF16()
    }
  }

  private mutating func nextOfUTF16() -> (Unicode.Scalar, length: Int)? {
    guard let first = unit(at: position) else { return isLast ? stop() : nil }
    if let scalar = Unicode.Scalar(first) { return (scalar, 2) }
    guard let second = unit(at: position + 2) else { return isLast || !UTF16.isLeadSurrogate(first) ? stop() : nil }
    guard UTF16.isLeadSurrogate(first), UTF16.isTrailSurrogate(second) else { return stop() }
    return (UTF16.decode(UTF16.EncodedScalar([first, second])), 4)
  }

  private func unit(at index: Int) -> UInt16? {
    guard index + 2 <= bytes.count else { return nil }
    let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
    return encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second
  }

  private mutating func stop() -> (Unicode.Scalar, length: Int)? {
    isStuck = true
    return nil
  }
}

extension TextEncoding {
  /// The minimum number of bytes of a character.
  var unitLength: Int {
    switch self {
    case .utf16LittleEndian, .utf16BigEndian: 2
    case .utf8, .latin1, .windows1252: 1
    }
  }
}

enum Windows1252 {
  /// The characters from 0x80 to 0x9F, or 0 for an undefined byte.
  private static let upper: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  static func character(_ byte: UInt8) -> Unicode.Scalar? {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    let code = upper[Int(byte) - 0x80]
    return code == 0 ? nil : Unicode.Scalar(code)
  }
}
