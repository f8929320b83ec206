internal import Terminal

extension Keymap {
  /// The default keymap in the format of `keys.toml`.
  public static var defaultText: String {
    let keymap = Keymap()
    let tables = keymap.commands.contexts.map { context in
      "\n[\(context.name)]\n" + keymap.rows(in: context).map { $0.fileLines }.joined()
    }
    return """
      # The keys of quarry: $XDG_CONFIG_HOME/quarry/keys.toml, or ~/.config/quarry/keys.toml. Only what differs need stand there.
      # Separate the keys of a sequence by blanks: "g d". Modifiers: ctrl-, alt-, shift-. "" instead of a command unbinds a key.
      # \(KeyContext.everywhere.name) holds in every table; a table's own keys go before it. Commands without a key:
      # \(unbound(keymap).joined(separator: ", ")).

      """ + tables.joined()
  }

  /// The current bindings, context by context: the output of `quarry keys`.
  public var listing: String {
    let tables = commands.contexts.map { ($0, rows(in: $0)) }.filter { !$0.1.isEmpty }
    let all = tables.flatMap(\.1)
    let widths = (keys: all.map(\.display.count).max() ?? 0, name: all.map(\.command.rawValue.count).max() ?? 0)
    return tables.map { context, rows in
      "\(context.name)\n"
        + rows.map { "  \(pad($0.display, widths.keys))  \(pad($0.command.rawValue, widths.name))  \($0.help)\n" }.joined()
    }.joined(separator: "\n")
  }

  /// The current bindings as Markdown tables, for README.
  public var markdown: String {
    commands.contexts.map { ($0, rows(in: $0)) }.filter { !$0.1.isEmpty }.map { context, rows in
      "### \(context.title)\n\n| keys | command | what it does |\n| --- | --- | --- |\n" + rows.map(\.markdown).joined()
    }.joined(separator: "\n")
  }

  private struct Row {
    var keys: [Binding]
    var command: Command
    var help: String

    var display: String { keys.map { KeyDisplay.text(of: $0.keys) }.joined(separator: " ") }

    var fileLines: String {
      keys.map { "\(TOMLText.quoted(KeyNotation.text(of: $0.keys))) = \(TOMLText.quoted(command.rawValue))\n" }.joined()
    }

    var markdown: String {
      let codes = keys.map { MarkdownText.code(KeyDisplay.text(of: $0.keys)) }.joined(separator: " ")
      return "| \(codes) | `\(command.rawValue)` | \(help) |\n"
    }
  }

  /// Returns the commands with keys in `context` itself, in the order of the help.
  private func rows(in context: KeyContext) -> [Row] {
    commands.declarations.compactMap { declaration in
      let keys = ownBindings(in: context).filter { $0.command == declaration.command }
      return keys.isEmpty
        ? nil : Row(keys: keys, command: declaration.command, help: commands.help(of: declaration.command, in: context))
    }
  }

  private static func unbound(_ keymap: Keymap) -> [String] {
    let bound = Set(keymap.commands.contexts.flatMap { keymap.ownBindings(in: $0).map(\.command) })
    return keymap.commands.declarations.map(\.command).filter { !bound.contains($0) }.map(\.rawValue)
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension KeyContext {
  /// The context as a heading.
  fileprivate var title: String { name.prefix(1).uppercased() + name.dropFirst() }
}

/// Writes texts as Markdown.
private enum MarkdownText {
  /// Returns `text` as code for a table cell, in which a bar would end the cell.
  static func code(_ text: String) -> String {
    let text = text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    return text.contains("`") ? "`` \(text) ``" : "`\(text)`"
  }
}

/// Keys as they are displayed: `gd`, `^P`, `F5`, `Alt-Down`, `⏎`.
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
