import Terminal

/// What the last line says: a sentence, or the keys that were pressed of a longer one.
struct LastLine: Hashable, Sendable {
  var notice: Notice?
  /// The first keys of a command of several.
  var keys: [Key] = []
  /// The number that was typed before a command.
  var count: Int?
}

/// A sentence for the person at the screen; the next key takes it away.
struct Notice: Hashable, Sendable {
  var text: String
  /// `success`, `warning`, `error` or `muted`.
  var role: Role

  init(_ text: String, _ role: Role = .muted) {
    self.text = text
    self.role = role
  }
}
