/// Replaces characters that show nothing, or that would control the terminal, by visible ones.
enum Pictures {
  /// More scalars than this are cut off a cluster: the longest emoji has 11, and a base may carry any number of marks.
  private static let longestCluster = 32

  /// Returns the picture of an ASCII control character: `␀` to `␟`, and `␡`.
  static func control(_ ascii: UInt8) -> Character {
    Character(Unicode.Scalar(ascii == 0x7F ? 0x2421 : 0x2400 + UInt32(ascii)) ?? unnamed)
  }

  /// Returns `␤` for a line end of two characters, `␦` for what has no picture of its own, and a mark without a base on `◌`.
  static func glyph(for character: Character) -> Character {
    let scalars = character.unicodeScalars
    let first = scalars[scalars.startIndex]
    if first.value == 0x0D { return "␤" }
    if isUnsafe(first) { return Character(unnamed) }
    if scalars.prefix(longestCluster + 1).count > longestCluster { return shortened(scalars) }
    if TextWidth.columns(of: character) > 0 { return character }
    return onBase(scalars)
  }

  private static let unnamed: Unicode.Scalar = "␦"

  /// Returns whether a scalar must not reach the terminal: C1 controls, line separators, the marks of writing direction, and code points
  /// that will never be characters.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x80...0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF0...0xFFFB: return true
    default: return scalar.properties.isNoncharacterCodePoint
    }
  }

  private static func shortened(_ scalars: Character.UnicodeScalarView) -> Character {
    var short = String.UnicodeScalarView()
    short.append(contentsOf: scalars.prefix(longestCluster))
    let text = String(short)
    return text.count == 1 ? glyph(for: text[text.startIndex]) : Character(unnamed)
  }

  private static func onBase(_ scalars: Character.UnicodeScalarView) -> Character {
    let category = scalars[scalars.startIndex].properties.generalCategory
    guard category == .nonspacingMark || category == .enclosingMark else { return Character(unnamed) }
    let text = "\u{25CC}" + String(scalars)
    return text.count == 1 ? text[text.startIndex] : Character(unnamed)
  }
}

extension String {
  /// The text as it may be sent to a terminal, whoever wrote it: control characters and marks of writing direction are pictures, so that it
  /// can neither control the terminal nor hide anything.
  ///
  /// Line feeds and tabs stay.
  public var pictured: String {
    guard utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) else { return self }
    return reduce(into: "") { text, character in
      switch character {
      case "\n", "\t": text.append(character)
      case "\r\n": text += "␍\n"
      default: text.append(TextWidth.glyph(for: character))
      }
    }
  }
}
