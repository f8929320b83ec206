/// How many columns a terminal gives to a text.
///
/// A text is measured by grapheme clusters; East Asian ambiguous scalars are narrow.
public enum TextWidth {
  /// Returns the columns of a grapheme cluster: 1 or 2, or 0 for one that shows nothing by itself and that ``glyph(for:)`` gives a
  /// picture to.
  public static func columns(of character: Character) -> Int {
    if character.utf8.count == 1 { return 1 }
    let scalars = character.unicodeScalars
    let first = scalars[scalars.startIndex]
    let second = scalars.index(after: scalars.startIndex)
    if second == scalars.endIndex { return columns(of: first) }
    return columns(ofCluster: scalars, from: first)
  }

  /// Returns the columns of a text, control characters counted as the pictures they are shown as.
  public static func columns(of text: String) -> Int {
    var columns = 0
    var glyphs = Glyphs(text)
    while let glyph = glyphs.next() { columns += glyph.columns }
    return columns
  }

  /// Returns what is shown for a cluster: a picture for a control character and for one that nothing shows, else the cluster itself.
  public static func glyph(for character: Character) -> Character {
    if let ascii = character.utf8.first, ascii < 0x80, character.utf8.count == 1 {
      return ascii >= 0x20 && ascii < 0x7F ? character : Pictures.control(ascii)
    }
    return Pictures.glyph(for: character)
  }

  /// Returns `text` if it fits in `columns`, else as much of its beginning as fits with `ellipsis`, one column wide, after it.
  ///
  /// No more of the text is looked at than what is returned.
  public static func truncated(_ text: String, to columns: Int, ellipsis: String = "…") -> String {
    guard columns > 0 else { return "" }
    var used = 0
    var cut = text.startIndex
    var glyphs = Glyphs(text)
    while true {
      guard let glyph = glyphs.next() else { return text }
      if used + glyph.columns < columns { cut = glyphs.index }
      used += glyph.columns
      if used > columns { return text[..<cut] + ellipsis }
    }
  }

  /// Returns the columns that a terminal gives which adds up the widths of a cluster's scalars, as many do.
  package static func sumOfScalars(_ cluster: String) -> Int {
    cluster.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// Tells whether terminals give a cluster the same number of columns, whatever Unicode they know.
  package static func isAgreed(_ cluster: String) -> Bool {
    let scalars = cluster.unicodeScalars
    guard let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex else { return false }
    switch first.value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x52F: return true
    case 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20BF, 0x2100...0x2319, 0x2400...0x2426: return true
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

  /// Marks that stand on what is before them, jamo that end a syllable, and formatting that shows nothing.
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
