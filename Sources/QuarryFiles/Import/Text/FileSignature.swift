internal import QuarryEngine

/// The kind of a file according to its first bytes.
enum FileSignature: Equatable {
  case empty
  case database
  /// Not a text, with the name of the format for display.
  case binary(String)
  /// Possibly a text.
  case text

  /// The length of the longest signature in bytes.
  static let longest = 16

  init(_ head: [UInt8]) {
    if head.isEmpty {
      self = .empty
    } else if head.starts(with: DatabaseFile.beginning) {
      self = .database
    } else if let known = Self.known.first(where: { head.starts(with: $0.bytes) }) {
      self = .binary(known.name)
    } else {
      self = .text
    }
  }

  private static let known: [(bytes: [UInt8], name: String)] = [
    ([0x1F, 0x8B], "compressed with gzip"),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed with zstd"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "compressed with xz"),
    (Array("BZh".utf8), "compressed with bzip2"),
    (Array("PK\u{3}\u{4}".utf8), "a ZIP archive or an Office document"),
    ([0xD0, 0xCF, 0x11, 0xE0], "an old Office document"),
    (Array("PAR1".utf8), "a Parquet file"),
    (Array("%PDF-".utf8), "a PDF document"),
    ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
    ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
  ]

  static func isMostlyControlCharacters(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.count(where: isControl) * 4 > text.count
  }

  /// Returns whether a byte seldom occurs in text: below 0x20, except whitespace and escape.
  static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && !(0x09...0x0D).contains(byte) && byte != 0x1B
  }
}

/// The beginning of a JSON text, which does not occur in other texts.
enum JSONBeginning {
  /// Returns whether a text begins with an object, or an array of anything: `{"`, `{}`, `[{`, `[1`, but not `[id]`.
  static func isAt(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = text.drop(while: isBlank)
    guard let first = rest.popFirst() else { return false }
    rest = rest.drop(while: isBlank)
    switch first {
    case UInt8(ascii: "{"): return rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "}")
    case UInt8(ascii: "["):
      return rest.first.map { "{[]\"-0123456789".utf8.contains($0) } == true
        || ["true", "false", "null"].contains { rest.starts(with: $0.utf8) }
    default: return false
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
