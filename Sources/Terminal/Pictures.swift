/// Replaces characters that are invisible, or that would control the terminal, by visible ones.
enum Pictures {
  /// The maximum number of scalars of a cluster.
  ///
  /// The longest emoji has 11, but a base may carry any number of marks.
  private static let longestCluster = 32

  /// Returns the picture of an ASCII control character: `␀` to `␟`, and `␡`.
  static func control(_ ascii: UInt8) -> Character {
    Character(Unicode.Scalar(ascii == 0x7F ? 0x2421 : 0x2400 + UInt32(ascii)) ?? unnamed)
  }

  /// Returns `␤` for a line end of two characters, `␦` for an unsafe or hidden character without its own picture, and `◌` with a mark that
  /// has no base.
  static func glyph(for character: Character) -> Character {
    let scalars = character.unicodeScalars
    let first = scalars[scalars.startIndex]
    if first.value == 0x0D { return "␤" }
    // A scalar may belong to the character of the one before it.
    if isUnsafe(first) || scalars.dropFirst().contains(where: \.properties.isNoncharacterCodePoint) { return Character(unnamed) }
    if HiddenScalars.areIn(scalars) { return Character(unnamed) }
    if scalars.prefix(longestCluster + 1).count > longestCluster { return shortened(scalars) }
    if TextWidth.columns(of: character) > 0 { return character }
    return onBase(scalars)
  }

  private static let unnamed: Unicode.Scalar = "␦"

  /// Returns whether a scalar must not reach the terminal: C1 controls, line separators, directional marks and noncharacters.
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

/// The invisible scalars that belong to the cluster before them.
///
/// Any number of them, and thus any text, can follow a letter unseen.
///
/// Each is allowed only if it changes the appearance: a joiner in a script or an emoji that joins, one variation selector after a character
/// with variants, or tags of a flag.
private enum HiddenScalars {
  /// Returns whether a scalar of a cluster, other than its first, is invisible and has no effect.
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

  /// Returns whether tags after a black flag name a region, as in the flag of Scotland, and end correctly.
  private static func isFlag(_ scalars: Character.UnicodeScalarView) -> Bool {
    let tags = scalars.dropFirst()
    guard scalars.first?.value == 0x1F3F4, tags.last?.value == 0xE007F, (4...7).contains(tags.count) else { return false }
    return tags.dropLast().allSatisfy { (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value) }
  }
}

extension String {
  /// The text made safe for a terminal.
  ///
  /// Control characters and directional marks are replaced by pictures, so that the text can neither control the terminal nor hide
  /// anything.
  ///
  /// Line feeds and tabs are unchanged.
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
