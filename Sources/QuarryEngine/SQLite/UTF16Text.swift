internal import Libc

/// Texts that SQLite changes when it converts them from UTF-8 to a UTF-16 database.
///
/// SQLite treats U+FFFE and U+FFFF as invalid, and stores U+FFFD instead.
package enum UTF16Text {
  /// Returns the UTF-16 of a text that contains U+FFFE or U+FFFF; nil for any other text, and for bytes that are not UTF-8.
  ///
  /// A byte order mark comes first. SQLite removes it, and would otherwise read a U+FFFE at the beginning as one.
  static func units(of bytes: UnsafeRawBufferPointer) -> [UInt16]? {
    guard hasNoncharacter(bytes), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return [0xFEFF] + text.utf16
  }

  /// Returns whether bytes contain U+FFFE or U+FFFF: `EF BF BE` or `EF BF BF`.
  package static func hasNoncharacter(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
