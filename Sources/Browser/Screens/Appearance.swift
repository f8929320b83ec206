import Terminal

/// All that drawing needs besides what is drawn.
struct Appearance: Sendable {
  var theme: Theme
  var glyphs: Glyphs

  /// Returns a sentence of ours with nothing outside of ASCII in it, where that is asked for, but what it quotes.
  func sentence(_ text: String) -> String {
    guard glyphs == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { $0 += Appearance.asciiMarks[$1] ?? String($1) }
  }

  private static let asciiMarks: [Character: String] = [
    "“": "\"", "”": "\"", "‘": "'", "’": "'", "…": "...", "·": "-", "×": "x", "→": "->", "–": "-", "—": "-", "≥": ">=", "≤": "<=",
    "⏎": "Enter",
  ]

  /// Stands before a number that is not yet exact.
  var atLeast: String { glyphs == .ascii ? ">= " : "≥ " }
}
