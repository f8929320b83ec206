/// A table in GitHub's Markdown.
///
/// Markup characters in values are escaped with a backslash.
struct MarkdownFormat: RowFormat {
  let columns: [String]

  func start(_ out: inout ByteBuffer) {
    writeNames(columns, &out)
    for _ in columns { out.append("| --- ") }
    out.append("|\n")
  }

  func startCell(_ index: Int, _ out: inout ByteBuffer) {
    out.append(index > 0 ? " | " : "| ")
  }

  func endRow(_ out: inout ByteBuffer) {
    out.append(" |\n")
  }

  func null(_ out: inout ByteBuffer) {
    out.append("NULL")
  }

  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "\n"):
        out.append("<br>")
      case UInt8(ascii: "\r"):
        break
      case UInt8(ascii: "_") where Self.isInsideWord(index, of: bytes):
        out.append(byte)
      default:
        if Self.isMarkup(byte) { out.append(UInt8(ascii: "\\")) }
        out.append(byte)
      }
    }
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    "\\`*_[]<>&~|".utf8.contains(byte)
  }

  /// Returns whether there are word characters on both sides, so that an underscore is not emphasis.
  private static func isInsideWord(_ index: Int, of bytes: UnsafeRawBufferPointer) -> Bool {
    index > 0 && index + 1 < bytes.count && isWord(bytes[index - 1]) && isWord(bytes[index + 1])
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }
}
