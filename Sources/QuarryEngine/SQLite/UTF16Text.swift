internal import Libc

/// Texts that SQLite changes when it converts them from UTF-8 to a UTF-16 database.
///
/// SQLite treats U+FFFE and U+FFFF as invalid, and stores U+FFFD instead.
package enum UTF16Text {
  /// Returns the UTF-16 of a text that contains U+FFFE or U+FFFF; nil for bytes that are not UTF-8.
  ///
  /// A byte order mark comes first. SQLite removes it, and would otherwise read a U+FFFE at the beginning as one.
  static func units(of bytes: UnsafeRawBufferPointer) -> [UInt16]? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return [0xFEFF] + text.utf16
  }

  /// Returns whether bytes contain U+FFFE or U+FFFF: `EF BF BE` or `EF BF BF`.
  @inline(__always)
  package static func hasNoncharacter(_ bytes: UnsafeRawBufferPointer) -> Bool { !isShortASCII(bytes) && findsNoncharacter(bytes) }

  /// Returns whether bytes are an ASCII text so short that it takes less time to see this than to call a function.
  @inline(__always)
  private static func isShortASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard 4...64 ~= bytes.count, let start = bytes.baseAddress else { return false }
    if bytes.count < 8 {
      // The two words overlap, and so do the last two below.
      let ends = start.loadUnaligned(as: UInt32.self) | start.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)
      return ends & 0x8080_8080 == 0
    }
    var bits = start.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
    var offset = 0
    while offset < bytes.count - 8 {
      bits |= start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }

  @inline(never)
  private static func findsNoncharacter(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while let start = rest.indexOfFirst(0xEF) {
      guard start + 2 < bytes.count else { return false }
      if bytes[start + 1] == 0xBF, bytes[start + 2] >= 0xBE { return true }
      rest = bytes[(start + 1)...]
    }
    return false
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Returns the index of the first byte with a value; nil if no byte has it.
  fileprivate func indexOfFirst(_ byte: Int32) -> Int? {
    guard let start = base.baseAddress, !isEmpty, let found = memchr(start + startIndex, byte, count) else { return nil }
    return UnsafeRawPointer(found) - start
  }
}
