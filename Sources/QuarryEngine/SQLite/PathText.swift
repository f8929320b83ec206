internal import Libc

/// Conversion of paths to strings, even if their bytes are not UTF-8.
///
/// Each invalid byte is represented by a private-use character from U+F780 to U+F7FF, which is converted back when the path is opened.
///
///     caf\xE9.db   caf\u{F7E9}.db
package enum PathText {
  private static let base: UInt32 = 0xF700
  private static let escapes = (base + 0x80)...(base + 0xFF)

  /// Returns the path with some bytes as a string.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    var rest = ArraySlice(bytes)
    while let first = rest.first {
      if let character = firstCharacter(of: rest) {
        text.unicodeScalars.append(character)
        rest = rest.dropFirst(UTF8.width(character))
      } else {
        if let escape = Unicode.Scalar(base + UInt32(first)) { text.unicodeScalars.append(escape) }
        rest = rest.dropFirst()
      }
    }
    return text
  }

  private static func firstCharacter(of bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let character) = decoder.decode(&iterator) else { return nil }
    return character
  }

  /// Returns the bytes of a path for the system.
  package static func bytes(_ path: String) -> [UInt8] {
    let plain = Array(path.utf8)
    guard path.unicodeScalars.contains(where: { escapes.contains($0.value) }), !exists(plain) else { return plain }
    let original = path.unicodeScalars.flatMap { character in
      escapes.contains(character.value) ? [UInt8(truncatingIfNeeded: character.value)] : Array(String(character).utf8)
    }
    return exists(original) ? original : plain
  }

  /// Returns a path for display, with U+FFFD for invalid bytes.
  package static func shown(_ path: String) -> String {
    String(decoding: bytes(path), as: UTF8.self)
  }

  /// Returns whether a path exists.
  package static func exists(_ bytes: [UInt8]) -> Bool {
    withPath(bytes) { path in
      var status = stat()
      return stat(path, &status) == 0
    }
  }

  /// Calls `body` with a path as a C string for the system.
  package static func withPath<Value>(_ path: String, _ body: (UnsafePointer<CChar>) throws -> Value) rethrows -> Value {
    try withPath(bytes(path), body)
  }

  static func withPath<Value>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) throws -> Value) rethrows -> Value {
    try (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // A NUL-terminated array has a first element.
      guard let start = buffer.baseAddress else { return try "".withCString(body) }
      return try body(start)
    }
  }
}
