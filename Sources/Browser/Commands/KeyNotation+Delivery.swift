internal import Terminal

extension KeyNotation {
  /// Returns `key` where a terminal can tell it from every other.
  ///
  /// - Throws: `KeyNotationError.undeliverable` with the key that arrives instead.
  static func deliverable(_ key: Key, writtenAs stroke: String) throws(KeyNotationError) -> Key {
    if let reason = obstacle(to: key) { throw .undeliverable(stroke, reason: reason) }
    return key
  }

  private static func obstacle(to key: Key) -> String? {
    switch key.code {
    case .character(let character):
      guard key.modifiers.contains(.control) else { return key.modifiers.contains(.shift) ? "Shift does not show in it" : nil }
      return obstacle(toControl: character)
    case .enter, .escape, .backspace:
      return key.modifiers.isSubset(of: .alt) ? nil : "terminals send the key without Ctrl and Shift"
    case .tab:
      return key.modifiers.isSubset(of: .shift) ? nil : "terminals send Tab with no modifier but Shift"
    default:
      return nil
    }
  }

  private static func obstacle(toControl character: Character) -> String? {
    if let twin = controlTwins[character] { return "a terminal sends the same for \(twin); write \"\(twin)\" if you mean that key" }
    if "@ ".contains(character) { return "Ctrl-Space and ^@ arrive as a NUL, which input methods take for themselves" }
    guard character.isASCII, character.isLetter || "\\]^_".contains(character) else { return "terminals send no Ctrl with this character" }
    return nil
  }

  private static let controlTwins: [Character: String] = [
    "m": "enter", "i": "tab", "h": "backspace", "?": "backspace", "[": "escape",
  ]
}
