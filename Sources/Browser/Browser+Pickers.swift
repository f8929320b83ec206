import QuarryEngine

extension Browser {
  /// Shows all commands: those of the screen that has the keys first, then the program's; moves are the last.
  mutating func showPalette() {
    let here = context
    let own = type(of: focusedScreen.screen).declarations.map(\.command).filter { !keymap.keys(for: $0, in: here).isEmpty }
    let places = Dictionary(own.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
    let listed = keymap.commands.declarations.filter { $0.command != .accept && $0.command != .palette }.enumerated().sorted {
      let (left, right) = ($0.element.paletteRank(places), $1.element.paletteRank(places))
      return (left, places[$0.element.command] ?? $0.offset) < (right, places[$1.element.command] ?? $1.offset)
    }
    let items = listed.map { _, declaration in
      let synonyms = CommandSynonyms.of(declaration.command)
      return PickerItem(
        label: declaration.command.rawValue, detail: keymap.commands.help(of: declaration.command, in: here),
        trailing: keys(of: declaration.command, in: here),
        aliases: declaration.searchWords,
        notes: synonyms.reduce(into: [:]) { notes, synonym in for word in synonym.words { notes[word] = synonym.note } },
        reason: unavailability(of: declaration.command)
      ) { $0.perform(declaration.command) }
    }
    present(
      Picker(
        title: "Commands", placeholder: "part of a name, or a word for what you want to do", items: items,
        emptyText: "no such command"))
  }

  /// Shows what the screen is for, and the commands that have keys in this place: its own by what they do, then those of every place.
  mutating func showHelp() {
    let screen = focusedScreen.screen
    let own = type(of: screen).declarations
    let ownCommands = Set(own.map(\.command))
    let general = keymap.commands.declarations.filter { !ownCommands.contains($0.command) && isMeant($0.command) }
    let groups = own.reduce(into: [String]()) { groups, declaration in
      if !groups.contains(declaration.group) { groups.append(declaration.group) }
    }
    let items =
      groups.flatMap { group in
        own.filter { $0.group == group }.compactMap { helpItem($0, section: group.isEmpty ? "Here" : group) }
      } + general.compactMap { helpItem($0, section: "Everywhere") }
    var picker = Picker(
      title: screen.helpTitle(in: workspace), placeholder: "type to search, Enter performs", items: items, emptyText: "no such key")
    picker.introduction = screen.purpose(in: workspace)
    present(picker)
  }

  /// Returns the line of a command in the help; nil where it has no key here.
  private func helpItem(_ declaration: CommandDeclaration, section: String) -> PickerItem? {
    let command = declaration.command
    let bound = keys(of: command, in: context)
    // The tour has no key, and is for those who ask for help.
    let keys = bound.isEmpty && command == .tour ? ":\(command.rawValue)" : bound
    guard !keys.isEmpty else { return nil }
    return PickerItem(
      label: keys, detail: keymap.commands.help(of: command, in: context),
      aliases: [command.rawValue] + declaration.searchWords, section: section,
      reason: unavailability(of: command)
    ) { $0.perform(command) }
  }

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

extension CommandDeclaration {
  /// Where the palette has the command: lower for what is nearer to a person on a screen with commands of its own.
  fileprivate func paletteRank(_ own: [Command: Int]) -> Int {
    let name = command.rawValue
    if name.hasPrefix("pane-") || [.nextPane, .previousPane].contains(command) { return 4 }
    let isMotion = ["move-", "page-", "half-page-", "extend-", "back-to-"].contains { name.hasPrefix($0) }
    if own[command] != nil { return isMotion ? 2 : 0 }
    if isMotion { return 3 }
    return isForEveryPlace ? 1 : 3
  }

  /// What finds the command besides its name.
  fileprivate var searchWords: [String] {
    aliases + CommandSynonyms.of(command).filter { $0.note == nil }.flatMap(\.words)
  }
}
