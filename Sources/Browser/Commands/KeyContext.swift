package import Terminal

/// Where a key is looked up: a table of the keymap file.
///
/// The context's own keys take precedence over those of `everywhere`.
package struct KeyContext: Hashable, Sendable {
  /// The name of the table in the keymap file.
  package let name: String
  /// The context in a sentence: `in the grid`.
  package let place: String
  /// Whether plain characters are text here, so that only other keys can be bound.
  package let takesText: Bool
  /// Whether letters without a command are the beginning of a name that is looked for.
  package let findsNames: Bool

  package init(_ name: String, place: String, takesText: Bool = false, findsNames: Bool = false) {
    self.name = name
    self.place = place
    self.takesText = takesText
    self.findsNames = findsNames
  }

  /// The keys that work in every other context too.
  package static let everywhere = KeyContext("everywhere", place: "everywhere")
  package static let catalog = KeyContext("catalog", place: "in the catalog", findsNames: true)
  package static let grid = KeyContext("grid", place: "in the grid")
  package static let record = KeyContext("record", place: "in a record")
  package static let editor = KeyContext("editor", place: "in the editor", takesText: true)
  package static let bar = KeyContext("bar", place: "in the filter bar", takesText: true)
  package static let form = KeyContext("form", place: "in a list", takesText: true)

  /// The contexts that several screens share, in the file's order; a screen's own follow these.
  static let shared: [KeyContext] = [.everywhere, .catalog, .grid, .record, .editor, .bar, .form]
}

extension KeyContext {
  package static func == (left: KeyContext, right: KeyContext) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension KeyContext {
  /// Returns whether keys of `everywhere` that begin with `key` work here too: in a text field only those that do not edit text.
  func seesEverywhere(_ key: Key) -> Bool {
    guard self != .everywhere else { return false }
    return !takesText || !key.editsText
  }

  /// Returns why no sequence that begins with `key` can be bound here; nil where it can.
  package func obstacle(to key: Key) -> String? {
    guard case .character(let character) = key.code, key.isPlainCharacter else { return nil }
    if takesText { return "characters are text in [\(name)]" }
    return ("1"..."9").contains(character) ? "digits are the count of the next command" : nil
  }
}

extension Key {
  /// Whether the key types a character.
  var isPlainCharacter: Bool {
    if case .character = code { modifiers.isDisjoint(with: [.control, .alt]) } else { false }
  }

  /// The letter that names begin with; nil for any other key.
  var letter: Character? {
    guard isPlainCharacter, case .character(let character) = code, character.isLetter || character == "_" else { return nil }
    return character
  }

  /// Whether a text field needs the key: it types, moves the caret, deletes, or is one of readline's chords.
  var editsText: Bool {
    switch code {
    case .character(let character):
      modifiers.contains(.alt) ? "bdf".contains(character) : !modifiers.contains(.control) || "abdefhkntuwy".contains(character)
    case .function, .escape, .tab: false
    case .enter, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown: true
    }
  }
}
