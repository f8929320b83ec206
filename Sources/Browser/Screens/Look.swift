import Terminal

/// All that drawing needs besides what is drawn.
struct Look: Sendable {
  var theme: Theme
  var glyphs: Glyphs

  /// Stands before a number that is not yet exact.
  var atLeast: String { glyphs == .ascii ? ">= " : "≥ " }
}
