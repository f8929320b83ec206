package import Terminal

/// The context in which a key is looked up: a table of the keymap file.
///
/// The context's own keys override those of the contexts around it, the last of which is `everywhere`.
package struct KeyContext: Hashable, Sendable {
  /// The name of the table in the keymap file.
  package let name: String
  /// The context as a part of a sentence: `in the grid`.
  package let place: String
  /// Whether plain characters are text in this context, so that only other keys can be bound.
  package let takesText: Bool
  /// Whether letters that are not bound to a command begin a search for a name.
  package let findsNames: Bool
  /// Whether digits are input rather than a count for the next command.
  package let takesDigits: Bool
  /// The contexts whose keys work here too, the nearest first.
  let outer: [KeyContext]

  /// - Parameter base: The context whose keys also work in this one; nil for `everywhere` alone.
  package init(
    _ name: String, place: String, takesText: Bool = false, findsNames: Bool = false, takesDigits: Bool = false, in base: KeyContext? = nil
  ) {
    outer = base.map { [$0] + $0.outer } ?? (name == Self.generalName ? [] : [.everywhere])
    self.name = name
    self.place = place
    self.takesText = takesText
    self.findsNames = findsNames
    self.takesDigits = takesDigits
  }

  /// The context of keys that work in every other context too.
  package static let everywhere = KeyContext(generalName, place: "everywhere")
  package static let catalog = KeyContext("catalog", place: "in the catalog", findsNames: true)
  package static let grid = KeyContext("grid", place: "in the grid")
  package static let record = KeyContext("record", place: "in a record")
  package static let editor = KeyContext("editor", place: "in the editor", takesText: true)
  package static let bar = KeyContext("bar", place: "in the filter bar", takesText: true)
  package static let form = KeyContext("form", place: "in a list", takesText: true)

  private static let generalName = "everywhere"

  /// The contexts that several screens share, in the order of the file; contexts of single screens follow.
  static let shared: [KeyContext] = [.everywhere, .catalog, .grid, .record, .editor, .bar, .form]
}

extension KeyContext {
  package static func == (left: KeyContext, right: KeyContext) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension KeyContext {
  /// Returns whether the keys of a context work in this one too.
  func includes(_ context: KeyContext) -> Bool { self == context || outer.contains(context) }

  /// The contexts in which keys that begin with `key` are looked up, in order; a text field has no other for keys that edit text.
  func lookups(of key: Key) -> [KeyContext] {
    takesText && key.editsText ? [self] : [self] + outer
  }

  /// Returns the reason why no sequence that begins with `key` can be bound in this context; nil if it can.
  package func obstacle(to key: Key) -> String? {
    guard case .character(let character) = key.code, key.isPlainCharacter else { return nil }
    if takesText { return "characters insert text in [\(name)]" }
    if takesDigits, ("0"..."9").contains(character) { return "digits change a number in [\(name)]" }
    return ("1"..."9").contains(character) ? "digits are a count for the next command" : nil
  }
}

extension Key {
  /// Whether the key types a character.
  var isPlainCharacter: Bool {
    if case .character = code { modifiers.isDisjoint(with: [.control, .alt]) } else { false }
  }

  /// Whether the key types a digit.
  var isDigit: Bool {
    if case .character(let character) = code { modifiers.isEmpty && ("0"..."9").contains(character) } else { false }
  }

  /// The letter that names begin with; nil for any other key.
  var letter: Character? {
    guard isPlainCharacter, case .character(let character) = code, character.isLetter || character == "_" else { return nil }
    return character
  }

  /// Whether a text field uses the key: it types, moves the caret, deletes, or is a key binding of readline.
  var editsText: Bool {
    switch code {
    case .character(let character):
      modifiers.contains(.alt) ? "bdf".contains(character) : !modifiers.contains(.control) || "abdefhkntuwy".contains(character)
    case .function, .escape, .tab: false
    case .enter, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown: true
    }
  }
}
