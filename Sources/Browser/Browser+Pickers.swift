import QuarryEngine

extension Browser {
  mutating func showPalette() {
    let here = context
    let items = CommandDeclaration.all.filter { $0.command != .accept && $0.command != .palette }.map { declaration in
      PickerItem(
        label: declaration.command.rawValue, detail: declaration.help, trailing: keys(of: declaration.command, in: here),
        aliases: declaration.aliases, reason: unavailability(of: declaration.command)
      ) { $0.perform(declaration.command) }
    }
    present(Picker(title: "Commands", placeholder: "type a part of its name", items: items, emptyText: "no such command"))
  }

  /// Shows the commands that have keys in this place.
  mutating func showHelp() {
    let (here, title) = (context, helpTitle)
    let items = CommandDeclaration.all.compactMap { declaration -> PickerItem? in
      let keys = keys(of: declaration.command, in: here)
      guard !keys.isEmpty, isMeant(declaration.command) else { return nil }
      return PickerItem(
        label: keys, detail: CommandDeclaration.help(of: declaration.command, in: here), aliases: [declaration.command.rawValue] + declaration.aliases,
        reason: unavailability(of: declaration.command)
      ) { $0.perform(declaration.command) }
    }
    present(Picker(title: title, placeholder: "type to search", items: items, emptyText: "no such key"))
  }

  private var helpTitle: String { focusedScreen.screen.helpTitle(in: workspace) }

  /// Whether the screen that has the keys knows a command of its context: records and details have one context.
  private func isMeant(_ command: Command) -> Bool {
    guard keymap.ownBindings(in: context).contains(where: { $0.command == command }) else { return true }
    return topScreen.map { type(of: $0.screen).has(command) } ?? true
  }

  private func keys(of command: Command, in context: KeyContext) -> String {
    keymap.keys(for: command, in: context).joined(separator: " ")
  }

  mutating func showTables() {
    let items = catalog.tables.map { entry in
      let database = entry.reference.database == "main" ? "" : entry.reference.database
      let count = workspace.count(of: entry.reference).map { Plural.grouped($0.value) } ?? ""
      return PickerItem(
        label: entry.reference.name, detail: [entry.kind.word, database].filter { !$0.isEmpty }.joined(separator: " in "), trailing: count
      ) { browser in
        browser.closeAll()
        browser.catalog.select(entry.reference)
        browser.change(RowsScreen.self) { $0.open(entry.reference, &$1) }
      }
    }
    let order = items.enumerated().sorted { ($0.element.isSystem ? 1 : 0, $0.offset) < ($1.element.isSystem ? 1 : 0, $1.offset) }
    present(
      (Picker(title: "Tables and views", placeholder: "type a part of the name", items: order.map(\.element), emptyText: "no such table")))
  }

  mutating func showThemes() {
    let names = themes.names
    let items = names.map { name in PickerItem(label: name) { $0.setTheme(name) } }
    let before = look.theme.name
    var picker = Picker(title: "Themes", placeholder: "theme", items: items, cursor: names.firstIndex(of: before) ?? 0)
    picker.preview = { $0.setTheme(names[$1]) }
    picker.cancel = { $0.setTheme(before) }
    present(picker)
  }

  mutating func setTheme(_ name: String) {
    guard let (theme, warnings) = themes.theme(named: name) else { return }
    look.theme = theme
    if let warning = warnings.first { notice = Notice(warning.description, .warning) }
  }
}

extension PickerItem {
  fileprivate var isSystem: Bool { detail.hasPrefix(CatalogEntry.Kind.system.word) || detail.hasPrefix("behind") }
}

extension CatalogEntry.Kind {
  /// The kind in a word or two.
  var word: String {
    switch self {
    case .table: "table"
    case .view: "view"
    case .virtual(let module): "\(module) table"
    case .shadow(let table): "behind \(table)"
    case .system: "SQLite's own"
    }
  }
}
