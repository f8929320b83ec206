import QuarryEngine

extension Browser {
  mutating func showPalette() {
    let here = context
    let items = keymap.commands.declarations.filter { $0.command != .accept && $0.command != .palette }.map { declaration in
      PickerItem(
        label: declaration.command.rawValue, detail: declaration.help, trailing: keys(of: declaration.command, in: here),
        aliases: declaration.aliases, reason: unavailability(of: declaration.command)
      ) { $0.perform(declaration.command) }
    }
    present(Picker(title: "Commands", placeholder: "type part of a name", items: items, emptyText: "no such command"))
  }

  /// Shows the commands that have keys in this context.
  mutating func showHelp() {
    let (here, title) = (context, helpTitle)
    let items = keymap.commands.declarations.compactMap { declaration -> PickerItem? in
      let keys = keys(of: declaration.command, in: here)
      guard !keys.isEmpty, isMeant(declaration.command) else { return nil }
      return PickerItem(
        label: keys, detail: keymap.commands.help(of: declaration.command, in: here),
        aliases: [declaration.command.rawValue] + declaration.aliases,
        reason: unavailability(of: declaration.command)
      ) { $0.perform(declaration.command) }
    }
    present(Picker(title: title, placeholder: "type to search", items: items, emptyText: "no such key"))
  }

  private var helpTitle: String { focusedScreen.screen.helpTitle(in: workspace) }

  /// Returns whether the focused screen has a command of its context: records and details share one context.
  private func isMeant(_ command: Command) -> Bool {
    guard keymap.ownBindings(in: context).contains(where: { $0.command == command }) else { return true }
    return topScreen.map { type(of: $0.screen).has(command) } ?? true
  }

  private func keys(of command: Command, in context: KeyContext) -> String {
    keymap.keys(for: command, in: context).joined(separator: " ")
  }

  mutating func showThemes() {
    let names = themes.names
    let items = names.map { name in PickerItem(label: name) { $0.setTheme(name) } }
    let before = appearance.theme.name
    var picker = Picker(title: "Themes", placeholder: "theme", items: items, cursor: names.firstIndex(of: before) ?? 0)
    picker.isBeside = true
    picker.preview = { $0.setTheme(names[$1]) }
    picker.cancel = { $0.setTheme(before) }
    present(picker)
  }

  mutating func setTheme(_ name: String) {
    guard let (theme, warnings) = themes.theme(named: name) else { return }
    appearance.theme = theme
    if let warning = warnings.first { notice = Notice(warning.description, .warning) }
  }
}
