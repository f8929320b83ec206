/// The number of terminal columns that a text occupies.
///
/// A text is measured by grapheme clusters. East Asian ambiguous scalars are narrow.
public enum TextWidth {
  /// Returns the columns of a grapheme cluster: 1 or 2, or 0 for an invisible cluster that ``glyph(for:)`` replaces by a picture.
  public static func columns(of character: Character) -> Int {
    if character.utf8.count == 1 { return 1 }
    let scalars = character.unicodeScalars
    let first = scalars[scalars.startIndex]
    let second = scalars.index(after: scalars.startIndex)
    if second == scalars.endIndex { return columns(of: first) }
    return columns(ofCluster: scalars, from: first)
  }

  /// Returns the columns of a text, including the pictures of control characters.
  public static func columns(of text: String) -> Int {
    var columns = 0
    var glyphs = GlyphIterator(text)
    while let glyph = glyphs.next() { columns += glyph.columns }
    return columns
  }

  /// Returns the displayed glyph of a cluster: a picture for a control character or an invisible cluster, otherwise the cluster itself.
  public static func glyph(for character: Character) -> Character {
    if let ascii = character.utf8.first, ascii < 0x80, character.utf8.count == 1 {
      return ascii >= 0x20 && ascii < 0x7F ? character : Pictures.control(ascii)
    }
    return Pictures.glyph(for: character)
  }

  /// Returns a text padded with spaces after or before it to a number of columns.
  ///
  /// A wider text is unchanged.
  ///
  /// ```swift
  /// TextWidth.padded("abc", to: 5)                  // "abc  "
  /// TextWidth.padded("無罪", to: 6, isRight: true)  // "  無罪"
  /// ```
  public static func padded(_ text: String, to columns: Int, isRight: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, columns - self.columns(of: text)))
    return isRight ? blanks + text : text + blanks
  }

  /// Returns `text` if it fits in `columns`.
  ///
  /// Otherwise returns as much of its beginning as fits, followed by `ellipsis`, which is one column wide.
  ///
  /// Only the returned part of the text is examined.
  public static func truncated(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
    guard columns > 0 else { return "" }
    var used = 0
    var cut = text.startIndex
    var glyphs = GlyphIterator(text)
    while true {
      guard let glyph = glyphs.next() else { return text }
      if used + glyph.columns < columns { cut = glyphs.index }
      used += glyph.columns
      if used > columns { return text[..<cut] + ellipsis }
    }
  }

  /// Returns the columns of a cluster on a terminal that adds up the widths of its scalars, as many do.
  package static func sumOfScalars(_ cluster: String) -> Int {
    cluster.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Returns whether all terminals give a cluster the same number of columns, regardless of their Unicode version.
  package static func isAgreed(_ cluster: String) -> Bool {
    let scalars = cluster.unicodeScalars
    guard let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else { return false }
    switch first.value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x52F: return true
    case 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20BF, 0x2100...0x2319, 0x2400...0x2426: return true
    case 0x2800...0x28FF: return true
    case 0x2500...0x25FC, 0x2600...0x26FF: return !first.properties.isEmoji
    case 0x3041...0x3096, 0x30A1...0x30FF, 0x4E00...0x9FA5, 0xAC00...0xD7A3, 0xFF01...0xFF5E, 0xFFFD: return true
    case 0x2190...0x21FF, 0x2200...0x22FF, 0x3000...0x3002, 0x300C...0x3011: return !first.properties.isEmoji
    default: return false
    }
  }

  static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
    if WideScalars.contains(scalar) { return 2 }
    return isZeroWidth(scalar) ? 0 : 1
  }

  private static func columns(ofCluster scalars: Character.UnicodeScalarView, from first: Unicode.Scalar) -> Int {
    if first.value < 0x20 { return 1 }
    if isRegionalIndicator(first) { return 2 }
    let base = columns(of: first)
    var sum = base
    for scalar in scalars.dropFirst() {
      switch scalar.value {
      case 0xFE0E where first.properties.isEmoji: return 1
      case 0xFE0F where first.properties.isEmoji: return 2
      case 0x200D where first.properties.isEmoji, 0x1F3FB...0x1F3FF: return base
      default: sum += columns(of: scalar)
      }
    }
    return min(2, sum)
  }

  private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  /// Returns whether a scalar is a combining mark, a jamo that ends a syllable, or invisible formatting.
  private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1160...0x11FF, 0xD7B0...0xD7FB: return true
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator, .control: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}

/// The displayed clusters of a text with their columns, from left to right.
///
/// ASCII, which is nearly all of the displayed text, is processed byte by byte.
struct GlyphIterator: IteratorProtocol {
  struct Glyph {
    let text: String
    let columns: Int
  }

  /// The start of the next cluster.
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
    return byte == 0xE2 ? nextBlock() ?? nextCluster() : nextCluster()
  }

  /// Returns the next cluster if it is a box drawing or block element and the following bytes cannot belong to it.
  ///
  /// This avoids Unicode table lookups, because a screen contains many of these elements.
  private mutating func nextBlock() -> Glyph? {
    let bytes = text.utf8
    guard let block = block(at: index) else { return nil }
    let end = bytes.index(index, offsetBy: 3)
    guard end == bytes.endIndex || bytes[end] < 0x80 || self.block(at: end) != nil else { return nil }
    index = end
    return Self.blocks[block]
  }

  /// Returns the offset from U+2500 of the scalar at an index if it is at most U+259F, otherwise nil.
  private func block(at index: String.Index) -> Int? {
    let bytes = text.utf8
    guard bytes[index] == 0xE2 else { return nil }
    let second = bytes.index(after: index)
    let scalar = Int(bytes[second] & 0x3F) << 6 | Int(bytes[bytes.index(after: second)] & 0x3F)
    return scalar >= 0x500 && scalar < 0x5A0 ? scalar - 0x500 : nil
  }

  private mutating func nextCluster() -> Glyph {
    let glyph = TextWidth.glyph(for: text[index])
    text.formIndex(after: &index)
    return Glyph(text: String(glyph), columns: TextWidth.columns(of: glyph))
  }

  private static let ascii: [Glyph] = (0..<0x80).map { byte in
    Glyph(text: String(TextWidth.glyph(for: Character(Unicode.Scalar(UInt8(byte))))), columns: 1)
  }

  /// The scalars from U+2500 to U+259F.
  private static let blocks: [Glyph] = (UInt16(0x2500)..<0x25A0).compactMap { value in
    Unicode.Scalar(value).map { Glyph(text: String($0), columns: 1) }
  }
}

/// The scalars that occupy two columns: East Asian Width W and F.
///
/// They include all scalars that emoji presentation makes wide, except scalars that need a variation selector. From Unicode 17.0's
/// EastAsianWidth.txt, without scalars that have no width of their own. Ambiguous scalars are narrow.
private enum WideScalars {
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    guard value >= 0x1100 else { return false }
    var low = 0
    var high = ranges.count / 2
    while low < high {
      let middle = (low + high) / 2
      if value > ranges[2 * middle + 1] { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count / 2 && value >= ranges[2 * low]
  }

  /// The first and last scalar of each range, ascending.
  private static let ranges: [UInt32] = [
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3, 0x25FD, 0x25FE,
    0x2614, 0x2615, 0x2630, 0x2637, 0x2648, 0x2653, 0x267F, 0x267F, 0x268A, 0x268F, 0x2693, 0x2693, 0x26A1, 0x26A1,
    0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA, 0x26F2, 0x26F3,
    0x26F5, 0x26F5, 0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B, 0x2728, 0x2728, 0x274C, 0x274C,
    0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797, 0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C,
    0x2B50, 0x2B50, 0x2B55, 0x2B55, 0x2E80, 0x2E99, 0x2E9B, 0x2EF3, 0x2F00, 0x2FD5, 0x2FF0, 0x3029, 0x3030, 0x303E,
    0x3041, 0x3096, 0x309B, 0x30FF, 0x3105, 0x312F, 0x3131, 0x3163, 0x3165, 0x318E, 0x3190, 0x31E5, 0x31EF, 0x321E,
    0x3220, 0x3247, 0x3250, 0xA48C, 0xA490, 0xA4C6, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE10, 0xFE19,
    0xFE30, 0xFE52, 0xFE54, 0xFE66, 0xFE68, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x16FE3, 0x16FF2, 0x16FF6,
    0x17000, 0x18CD5, 0x18CFF, 0x18D1E, 0x18D80, 0x18DF2, 0x1AFF0, 0x1AFF3, 0x1AFF5, 0x1AFFB, 0x1AFFD, 0x1AFFE, 0x1B000, 0x1B122,
    0x1B132, 0x1B132, 0x1B150, 0x1B152, 0x1B155, 0x1B155, 0x1B164, 0x1B167, 0x1B170, 0x1B2FB, 0x1D300, 0x1D356, 0x1D360, 0x1D376,
    0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A, 0x1F200, 0x1F202, 0x1F210, 0x1F23B, 0x1F240, 0x1F248,
    0x1F250, 0x1F251, 0x1F260, 0x1F265, 0x1F300, 0x1F320, 0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA,
    0x1F3CF, 0x1F3D3, 0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440, 0x1F442, 0x1F4FC, 0x1F4FF, 0x1F53D,
    0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595, 0x1F596, 0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5,
    0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2, 0x1F6D5, 0x1F6D8, 0x1F6DC, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7EB,
    0x1F7F0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FA7C, 0x1FA80, 0x1FA8A, 0x1FA8E, 0x1FAC6,
    0x1FAC8, 0x1FAC8, 0x1FACD, 0x1FADC, 0x1FADF, 0x1FAEA, 0x1FAEF, 0x1FAF8, 0x20000, 0x2FFFD, 0x30000, 0x3FFFD,
  ]
}
