/// Replaces characters that show nothing, or that would control the terminal, by visible ones.
enum Pictures {
  /// More scalars than this are cut off a cluster: the longest emoji has 11, and a base may carry any number of marks.
  private static let longestCluster = 32

  /// Returns the picture of an ASCII control character: `␀` to `␟`, and `␡`.
  static func control(_ ascii: UInt8) -> Character {
    Character(Unicode.Scalar(ascii == 0x7F ? 0x2421 : 0x2400 + UInt32(ascii)) ?? unnamed)
  }

  /// Returns `␤` for a line end of two characters, `␦` for what has no picture of its own or hides something, and a mark without a base on
  /// `◌`.
  static func glyph(for character: Character) -> Character {
    let scalars = character.unicodeScalars
    let first = scalars[scalars.startIndex]
    if first.value == 0x0D { return "␤" }
    if isUnsafe(first) { return Character(unnamed) }
    if HiddenScalars.areIn(scalars) { return Character(unnamed) }
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
    case 0xE0000...0xE007F: return true
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

/// The scalars that show nothing by themselves and belong to the cluster before them: any number of them, and so any text, can follow a
/// letter unseen.
///
/// Each is let through only where it changes what is seen: a joiner in a script or an emoji that joins, one variation selector behind what
/// has variants, tags that name a flag.
private enum HiddenScalars {
  /// Returns whether one of the scalars of a cluster, but for its first, shows nothing and changes nothing.
  static func areIn(_ scalars: Character.UnicodeScalarView) -> Bool {
    guard let first = scalars.first, let end = scalars.dropFirst().first(where: { isHidden($0) }) else { return false }
    if isTag(end) { return !isFlag(scalars) }
    var before = first
    for (index, scalar) in zip(scalars.indices, scalars).dropFirst() {
      let isLast = scalars.index(after: index) == scalars.endIndex
      if isHidden(scalar), !isMeant(scalar, after: before, isLast: isLast) { return true }
      before = scalar
    }
    return false
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300 && (scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format)
  }

  private static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0000...0xE007F).contains(scalar.value) }

  private static func isMeant(_ scalar: Unicode.Scalar, after before: Unicode.Scalar, isLast: Bool) -> Bool {
    switch scalar.value {
    case 0x200C...0x200D where before.value == 0xFE0F: !isLast
    case _ where isHidden(before): false
    case 0x200C...0x200D: before.value >= 0x590
    case 0xFE00...0xFE0D: before.value >= 0x80
    case 0xFE0E...0xFE0F: before.value >= 0x80 || before.properties.isEmoji
    case 0xE0100...0xE01EF: before.properties.isUnifiedIdeograph
    case 0x180B...0x180D, 0x180F: (0x1820...0x18AA).contains(before.value)
    case 0x1160: (0x1100...0x115E).contains(before.value)
    default: false
    }
  }

  /// Returns whether tags behind a black flag name a region, as in the flag of Scotland, and end as they must.
  private static func isFlag(_ scalars: Character.UnicodeScalarView) -> Bool {
    let tags = scalars.dropFirst()
    guard scalars.first?.value == 0x1F3F4, tags.last?.value == 0xE007F, (4...7).contains(tags.count) else { return false }
    return tags.dropLast().allSatisfy { (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value) }
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
