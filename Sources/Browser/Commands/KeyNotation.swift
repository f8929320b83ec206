internal import QuarryEngine
package import Terminal

/// The notation of keys in the keymap file: keystrokes separated by spaces, as in `g d`, `ctrl-w h`, `shift-f5`, `space`, `alt-down`, `?`.
package enum KeyNotation {
  /// Returns the keystrokes in `notation`; there is at least one.
  ///
  /// - Throws: `KeyNotationError` if a keystroke is not a key, or if terminals send the same code for another key.
  package static func keys(of notation: String) throws(KeyNotationError) -> [Key] {
    let strokes = notation.split(separator: " ", omittingEmptySubsequences: true)
    guard !strokes.isEmpty else { throw .empty }
    var keys: [Key] = []
    for stroke in strokes { keys.append(try key(of: String(stroke))) }
    return keys
  }

  /// Returns the notation of `keys`, which `keys(of:)` parses.
  static func text(of keys: [Key]) -> String {
    keys.map { stroke(of: $0) }.joined(separator: " ")
  }

  private static func key(of stroke: String) throws(KeyNotationError) -> Key {
    if stroke.utf8.count == 1, let character = stroke.first { return Key(character) }
    let (modifiers, base) = split(stroke)
    if let code = codes[base.lowercased()] {
      return try deliverable(Key(code, modifiers), writtenAs: stroke)
    }
    guard base.count == 1, let character = base.first else { throw .unknown(stroke, nearest: nearest(to: base)) }
    return try deliverable(typed(character, modifiers, stroke: stroke), writtenAs: stroke)
  }

  /// Separates the modifiers from a keystroke; the hyphen is a key itself, so the base is never empty.
  private static func split(_ stroke: String) -> (Key.Modifiers, base: String) {
    var modifiers: Key.Modifiers = []
    var rest = stroke[...]
    if rest.count == 2, rest.first == "^" { return (.control, String(rest.dropFirst())) }
    while let hyphen = rest.dropFirst().firstIndex(of: "-"), rest.index(after: hyphen) < rest.endIndex,
      let modifier = self.modifiers[rest[..<hyphen].lowercased()]
    {
      modifiers.insert(modifier)
      rest = rest[rest.index(after: hyphen)...]
    }
    return (modifiers, String(rest))
  }

  /// Returns the key as terminals report it: Shift is a part of the character, and a control chord has a lowercase letter.
  private static func typed(_ character: Character, _ modifiers: Key.Modifiers, stroke: String) throws(KeyNotationError) -> Key {
    if modifiers.contains(.control) {
      if modifiers.contains(.shift) { throw .undeliverable(stroke, reason: "terminals do not report Shift with Ctrl and a letter") }
      return Key(Character(character.lowercased()), modifiers)
    }
    guard modifiers.contains(.shift) else { return Key(character, modifiers) }
    guard character.isLetter, character.uppercased().count == 1 else {
      throw .undeliverable(stroke, reason: "write the shifted character itself")
    }
    return Key(Character(character.uppercased()), modifiers.subtracting(.shift))
  }

  private static func stroke(of key: Key) -> String {
    var text = ""
    if key.modifiers.contains(.control) { text += "ctrl-" }
    if key.modifiers.contains(.alt) { text += "alt-" }
    if key.modifiers.contains(.shift) { text += "shift-" }
    return text + base(of: key.code)
  }

  private static func base(of code: Key.Code) -> String {
    switch code {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .function(let number): "f\(number)"
    default: names.first { $0.code == code }?.name ?? ""
    }
  }

  private static func nearest(to base: String) -> String? {
    NearestNames.to(base.lowercased(), among: codes.keys.sorted()).first
  }
}

extension KeyNotation {
  /// The names in the notation; the first name of each code is preferred.
  static let names: [(name: String, code: Key.Code)] = [
    ("enter", .enter), ("tab", .tab), ("escape", .escape), ("space", .character(" ")),
    ("backspace", .backspace), ("delete", .delete), ("insert", .insert),
    ("up", .up), ("down", .down), ("left", .left), ("right", .right),
    ("home", .home), ("end", .end), ("pageup", .pageUp), ("pagedown", .pageDown),
  ]

  private static let aliases: [(name: String, code: Key.Code)] = [
    ("return", .enter), ("cr", .enter), ("ret", .enter), ("esc", .escape), ("spc", .character(" ")),
    ("bs", .backspace), ("del", .delete), ("ins", .insert),
    ("page-up", .pageUp), ("pgup", .pageUp), ("page-down", .pageDown), ("pgdn", .pageDown), ("pgdown", .pageDown),
  ]

  private static let codes: [String: Key.Code] = {
    let functions = (1...24).map { (name: "f\($0)", code: Key.Code.function($0)) }
    return Dictionary((names + aliases + functions).map { ($0.name, $0.code) }, uniquingKeysWith: { first, _ in first })
  }()

  private static let modifiers: [String: Key.Modifiers] = [
    "ctrl": .control, "control": .control, "c": .control,
    "alt": .alt, "meta": .alt, "a": .alt, "m": .alt,
    "shift": .shift, "s": .shift,
  ]
}

/// The reason why a text is not a key.
package enum KeyNotationError: Error, Hashable {
  case empty
  case unknown(String, nearest: String?)
  case undeliverable(String, reason: String)
}

extension KeyNotationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "a key is missing"
    case .unknown(let stroke, let nearest?): "there is no key \"\(stroke)\"; did you mean \"\(nearest)\"?"
    case .unknown(let stroke, nil): "there is no key \"\(stroke)\"; separate the keys of a sequence with spaces, as in \"g d\""
    case .undeliverable(let stroke, let reason): "\"\(stroke)\" cannot be bound: \(reason)"
    }
  }
}

extension KeyNotation {
  /// Returns `key` if terminals report it as distinct from every other key.
  ///
  /// - Throws: `KeyNotationError.undeliverable` with the key that terminals report instead.
  static func deliverable(_ key: Key, writtenAs stroke: String) throws(KeyNotationError) -> Key {
    if let reason = obstacle(to: key) { throw .undeliverable(stroke, reason: reason) }
    return key
  }

  private static func obstacle(to key: Key) -> String? {
    switch key.code {
    case .character(let character):
      guard key.modifiers.contains(.control) else { return key.modifiers.contains(.shift) ? "terminals do not report Shift with it" : nil }
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
    if "@ ".contains(character) { return "Ctrl-Space and ^@ arrive as a NUL, which input methods intercept" }
    guard character.isASCII, character.isLetter || "\\]^_".contains(character) else { return "terminals do not report Ctrl with it" }
    return nil
  }

  private static let controlTwins: [Character: String] = [
    "m": "enter", "i": "tab", "h": "backspace", "?": "backspace", "[": "escape",
  ]
}
