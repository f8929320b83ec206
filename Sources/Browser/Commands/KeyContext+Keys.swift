internal import Terminal

extension KeyContext {
  /// Whether the keys of `everywhere` that begin with `key` hold here too: in a text field only those that edit no text.
  func seesEverywhere(_ key: Key) -> Bool {
    guard self != .everywhere else { return false }
    return !takesText || !key.editsText
  }

  /// Why no keys that begin with `key` can be a command here; nil where they can.
  func obstacle(to key: Key) -> String? {
    guard case .character(let character) = key.code, key.isPlainCharacter else { return nil }
    if takesText { return "letters are text in [\(name)]" }
    return ("1"..."9").contains(character) ? "digits are a count for the command that follows" : nil
  }
}

extension Key {
  /// Whether the key types a character.
  var isPlainCharacter: Bool {
    if case .character = code { modifiers.isDisjoint(with: [.control, .alt]) } else { false }
  }

  /// Whether a text field needs the key: what types, moves the cursor or deletes, and readline's chords.
  var editsText: Bool {
    switch code {
    case .character(let character):
      modifiers.contains(.alt) ? "bdf".contains(character) : !modifiers.contains(.control) || "abdefhkntuwy".contains(character)
    case .function, .escape, .tab: false
    case .enter, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown: true
    }
  }
}
