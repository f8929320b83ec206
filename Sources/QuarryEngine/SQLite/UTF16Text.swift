internal import Libc

/// The texts that SQLite changes on their way from UTF-8 into a database of UTF-16: it takes U+FFFE and U+FFFF for no characters, and stores
/// U+FFFD in their place.
package enum UTF16Text {
  /// Returns a text with U+FFFE or U+FFFF in UTF-16; nil for any other text, and for bytes that are not UTF-8.
  ///
  /// A byte order mark comes first: SQLite takes it away, and would else take a U+FFFE at the beginning for one.
  static func units(of bytes: UnsafeRawBufferPointer) -> [UInt16]? {
    guard hasNoncharacter(bytes), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return [0xFEFF] + text.utf16
  }

  /// Returns whether bytes have U+FFFE or U+FFFF: `EF BF BE` or `EF BF BF`.
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
  /// Returns the index of the first byte of a value; nil where none has it.
  fileprivate func indexOfFirst(_ byte: Int32) -> Int? {
    guard let start = base.baseAddress, !isEmpty, let found = memchr(start + startIndex, byte, count) else { return nil }
    return UnsafeRawPointer(found) - start
  }
}
