internal import Terminal

/// Keys as a person reads them: `gd`, `^P`, `F5`, `Alt-Down`, `⏎`.
enum KeyDisplay {
  /// - Parameter isASCII: Writes `Enter` for `⏎`.
  static func text(of keys: [Key], isASCII: Bool = false) -> String {
    let areLetters = keys.allSatisfy { key in
      if case .character(let character) = key.code { key.modifiers.isEmpty && character != " " } else { false }
    }
    return keys.map { text(of: $0, isASCII: isASCII) }.joined(separator: areLetters ? "" : " ")
  }

  private static func text(of key: Key, isASCII: Bool) -> String {
    var text = key.modifiers.contains(.control) ? "^" : ""
    if key.modifiers.contains(.alt) { text += "Alt-" }
    if key.modifiers.contains(.shift) { text += "Shift-" }
    if case .character(let character) = key.code, key.modifiers.contains(.control) { return text + character.uppercased() }
    return text + name(of: key.code, isASCII: isASCII)
  }

  private static func name(of code: Key.Code, isASCII: Bool) -> String {
    switch code {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .function(let number): "F\(number)"
    case .enter: isASCII ? "Enter" : "⏎"
    case .tab: "Tab"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    }
  }
}
