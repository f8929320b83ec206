import QuarryEngine
import Terminal

/// A text as one word of a POSIX shell's command line, so that it can be pasted into a terminal.
///
///     ShellWord.quoted("Track")          // Track
///     ShellWord.quoted("Name ~ 'x'")     // 'Name ~ '\''x'\'''
///     ShellWord.quoted("a\u{1B}b")       // 'a'"$(printf '\033')"'b'
package enum ShellWord {
  /// Returns a text, in quotes if it needs them.
  ///
  /// `printf` writes control characters except line breaks: a terminal would execute them, and removes them from pasted text.
  package static func quoted(_ text: String) -> String { quoted(bytes: Array(text.utf8)) }

  /// Returns a path with its bytes on disk.
  package static func quoted(path: String) -> String { quoted(bytes: PathText.bytes(path)) }

  private static func quoted(bytes: [UInt8]) -> String {
    // Some shells replace a word that begins with = by the path of a program.
    if bytes.allSatisfy(isPlain), let first = bytes.first, first != UInt8(ascii: "=") { return String(decoding: bytes, as: UTF8.self) }
    var word = ""
    var text = ""
    func endText() {
      if !text.isEmpty { word += "'" + text + "'" }
      text = ""
    }
    for piece in pieces(of: bytes) {
      switch piece {
      case .text("'"): text += "'\\''"
      case .text(let character): text.unicodeScalars.append(character)
      case .bytes(let bytes):
        endText()
        word += "\"$(printf '" + bytes.map(octal).joined() + "')\""
      }
    }
    endText()
    return word.isEmpty ? "''" : word
  }

  private enum Piece {
    case text(Unicode.Scalar)
    /// Bytes that cannot be written literally on the command line.
    case bytes([UInt8])
  }

  private static func pieces(of bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var rest = bytes[...]
    while let first = rest.first {
      var decoder = UTF8()
      var iterator = rest.makeIterator()
      if case .scalarValue(let character) = decoder.decode(&iterator) {
        let count = UTF8.width(character)
        pieces.append(isShown(character) ? .text(character) : .bytes(Array(rest.prefix(count))))
        rest = rest.dropFirst(count)
      } else {
        pieces.append(.bytes([first]))
        rest = rest.dropFirst()
      }
    }
    return pieces
  }

  /// Returns whether a character is visible in a terminal, or a line break.
  private static func isShown(_ character: Unicode.Scalar) -> Bool {
    character == "\n" || ![.control, .format, .lineSeparator, .paragraphSeparator].contains(character.properties.generalCategory)
      || character == "\u{200D}"
  }

  private static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// Returns whether a byte has no special meaning in a shell.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ","),
      UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: "+"), UInt8(ascii: "%"):
      true
    default: false
    }
  }
}
