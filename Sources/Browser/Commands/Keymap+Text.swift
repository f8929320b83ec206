internal import Terminal

extension Keymap {
  /// The default keymap in the format of `keys.toml`.
  package static var defaultText: String {
    let keymap = Keymap()
    let tables = keymap.commands.contexts.map { context in
      "\n[\(context.name)]\n" + keymap.rows(in: context).map { $0.fileLines }.joined()
    }
    return """
      # The keys of quarry: $XDG_CONFIG_HOME/quarry/keys.toml, or ~/.config/quarry/keys.toml. List only the keys you change.
      # Separate the keys of a sequence with spaces: "g d". Modifiers: ctrl-, alt-, shift-. "" instead of a command unbinds a key.
      # [\(KeyContext.everywhere.name)] applies to every table; a table's own keys take precedence. Commands without a key:
      # \(keymap.commandsWithoutKeys.map(\.command.rawValue).joined(separator: ", ")).

      """ + tables.joined()
  }

  /// The current bindings, context by context: the output of `quarry keys`.
  package var listing: String {
    let all = tables.flatMap(\.rows)
    let widths = (keys: all.map(\.keys.count).max() ?? 0, name: all.map(\.command.rawValue.count).max() ?? 0)
    return tables.map { table in
      "\(table.context.name)\n"
        + table.rows.map { "  \(pad($0.keys, widths.keys))  \(pad($0.command.rawValue, widths.name))  \($0.help)\n" }.joined()
    }.joined(separator: "\n")
  }

  /// The current bindings of each context that has any.
  package var tables: [KeyTable] {
    commands.contexts.map { KeyTable(context: $0, rows: rows(in: $0)) }.filter { !$0.rows.isEmpty }
  }

  /// The commands without keys: they are in the palette.
  package var commandsWithoutKeys: [CommandDeclaration] {
    let bound = Set(commands.contexts.flatMap { ownBindings(in: $0).map(\.command) })
    return commands.declarations.filter { !bound.contains($0.command) }
  }

  /// Returns the commands with keys in `context` itself, in the order of the help.
  private func rows(in context: KeyContext) -> [KeyTable.Row] {
    commands.declarations.compactMap { declaration in
      let keys = ownBindings(in: context).filter { $0.command == declaration.command }
      return keys.isEmpty
        ? nil
        : KeyTable.Row(bindings: keys, command: declaration.command, help: commands.help(of: declaration.command, in: context))
    }
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// The keys of a context, in display form.
package struct KeyTable: Sendable {
  package struct Row: Sendable {
    let bindings: [Keymap.Binding]
    package let command: Command
    package let help: String

    /// The keys in display form: `gd F12`.
    package var keys: String { bindings.map { KeyDisplay.text(of: $0.keys) }.joined(separator: " ") }

    /// The bindings as lines of the keymap file.
    var fileLines: String {
      bindings.map { "\(TOMLText.quoted(KeyNotation.text(of: $0.keys))) = \(TOMLText.quoted(command.rawValue))\n" }.joined()
    }
  }

  package let context: KeyContext
  package let rows: [Row]
}

/// The display form of keys: `gd`, `^P`, `F5`, `Alt-Down`, `⏎`.
enum KeyDisplay {
  /// Returns the display form of a sequence of keys.
  ///
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
