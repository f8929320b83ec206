/// Validation of UTF-8.
package enum UTF8Validation {
  /// Returns the offset of the first byte that does not belong to a well-formed character (Unicode, table 3-7); nil if all do.
  package static func firstFault(in bytes: UnsafeRawBufferPointer) -> Int? {
    var index = 0
    while index < bytes.count {
      if bytes[index] < 0x80 {
        index = endOfASCII(bytes, from: index &+ 1)
      } else {
        let length = characterLength(bytes, at: index)
        if length == 0 { return index }
        index &+= length
      }
    }
    return nil
  }

  /// Returns the number of bytes of an incomplete character at the end; 0 if the last character is complete or invalid.
  package static func unfinishedLength(_ bytes: UnsafeRawBufferPointer) -> Int {
    for length in 1..<max(1, min(4, bytes.count + 1)) {
      switch bytes[bytes.count - length] {
      case 0x80..<0xC0: continue
      case 0xC0..<0xE0: return length < 2 ? length : 0
      case 0xE0..<0xF0: return length < 3 ? length : 0
      case 0xF0...: return length < 4 ? length : 0
      default: return 0
      }
    }
    return 0
  }

  /// Returns the offset of the first byte from `start` on that may not be ASCII.
  @inline(__always)
  private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= bytes.count, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
      index &+= 8
    }
    return index
  }

  /// Returns the number of bytes of the multibyte character at `index`; 0 if no valid one begins there.
  private static func characterLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let lead = bytes[index]
    let length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
    guard length > 0, index + length <= bytes.count, secondBytes(after: lead).contains(bytes[index + 1]) else { return 0 }
    for offset in index + 2..<max(index + 2, index + length) where bytes[offset] & 0xc0 != 0x80 { return 0 }
    return length
  }

  /// Returns the bytes allowed after a lead byte, which exclude overlong encodings and surrogates.
  private static func secondBytes(after lead: UInt8) -> ClosedRange<UInt8> {
    switch lead {
    case 0xe0: 0xa0...0xbf
    case 0xed: 0x80...0x9f
    case 0xf0: 0x90...0xbf
    case 0xf4: 0x80...0x8f
    default: 0x80...0xbf
    }
  }
}
