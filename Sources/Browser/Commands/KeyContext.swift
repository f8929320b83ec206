internal import Terminal

/// Where a key is pressed: a table of the keymap file.
///
/// A key of the context itself goes before one of `everywhere`.
public struct KeyContext: Hashable, Sendable {
  /// The name of the table in the keymap file.
  public let name: String
  /// Where that is, for a sentence: `in the grid`.
  public let place: String
  /// Whether plain characters are text here, so that only other keys can be commands.
  public let takesText: Bool

  public init(_ name: String, place: String, takesText: Bool = false) {
    self.name = name
    self.place = place
    self.takesText = takesText
  }

  /// What holds in every other table too.
  public static let everywhere = KeyContext("everywhere", place: "everywhere")
  static let catalog = KeyContext("catalog", place: "in the catalog")
  static let grid = KeyContext("grid", place: "in the grid")
  static let record = KeyContext("record", place: "in a record")
  static let editor = KeyContext("editor", place: "in the editor", takesText: true)
  static let bar = KeyContext("bar", place: "in the filter bar", takesText: true)
  static let form = KeyContext("form", place: "in a list", takesText: true)

  /// The tables of the keymap file that several screens share, in its order; a screen's own follow these.
  static let shared: [KeyContext] = [.everywhere, .catalog, .grid, .record, .editor, .bar, .form]
}

extension KeyContext {
  public static func == (left: KeyContext, right: KeyContext) -> Bool { left.name == right.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

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
