/// A way to compare texts that is SQLite's own.
package enum TextCollation: String, Hashable, Sendable {
  /// By their bytes.
  case binary = "BINARY"
  /// By their bytes, ASCII capitals counting as small letters.
  case nocase = "NOCASE"
  /// By their bytes, without trailing spaces.
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
