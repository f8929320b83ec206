extension String {
  /// The text as it may be sent to a terminal, whoever wrote it: control characters and marks of writing direction are pictures, so that it
  /// can order nothing and hide nothing.
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
