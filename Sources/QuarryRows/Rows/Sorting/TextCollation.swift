/// One of SQLite's built-in collations.
package enum TextCollation: String, Hashable, Sendable {
  /// Compares bytes.
  case binary = "BINARY"
  /// Compares bytes, treating ASCII capitals as lower-case letters.
  case nocase = "NOCASE"
  /// Compares bytes, ignoring trailing spaces.
  case rtrim = "RTRIM"

  /// Returns nil for any other collation.
  init?(named name: String) {
    self.init(rawValue: name.uppercased())
  }

  /// Returns the bytes of a text without trailing spaces.
  static func withoutBlanksAtEnd(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let end = bytes.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
    return UnsafeRawBufferPointer(rebasing: bytes[..<end])
  }
}
