/// The clusters of a text as a terminal is to show them, each with its columns, from left to right.
///
/// ASCII, which is nearly all that is shown, is stepped over byte by byte.
struct Glyphs: IteratorProtocol {
  struct Glyph {
    let text: String
    let columns: Int
  }

  /// Where the next cluster begins.
  private(set) var index: String.Index
  private let text: String

  init(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    self.text = text
    index = text.startIndex
  }

  mutating func next() -> Glyph? {
    let bytes = text.utf8
    guard index < bytes.endIndex else { return nil }
    let byte = bytes[index]
    let after = bytes.index(after: index)
    if byte < 0x80, after == bytes.endIndex || bytes[after] < 0x80, byte != 0x0D {
      index = after
      return Self.ascii[Int(byte)]
    }
    return nextCluster()
  }

  private mutating func nextCluster() -> Glyph {
    let glyph = TextWidth.glyph(for: text[index])
    text.formIndex(after: &index)
    return Glyph(text: String(glyph), columns: TextWidth.columns(of: glyph))
  }

  private static let ascii: [Glyph] = (0..<0x80).map { byte in
    Glyph(text: String(TextWidth.glyph(for: Character(Unicode.Scalar(UInt8(byte))))), columns: 1)
  }
}
