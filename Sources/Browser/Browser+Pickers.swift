import QuarryEngine

extension Browser {
  mutating func showPalette() {
    let here = context
    let items = CommandDeclaration.all.filter { $0.command != .accept && $0.command != .palette }.map { declaration in
      PickerItem(
        label: declaration.command.rawValue, detail: declaration.help, trailing: keys(of: declaration.command, in: here),
        aliases: declaration.aliases, reason: unavailability(of: declaration.command), choice: .command(declaration.command))
    }
    overlays.append(.picker(Picker(title: "Commands", placeholder: "type a part of its name", items: items, emptyText: "no such command")))
  }

  /// Shows the commands that have keys in this place.
  mutating func showHelp() {
    let (here, title) = (context, helpTitle)
    let items = CommandDeclaration.all.compactMap { declaration -> PickerItem? in
      let keys = keys(of: declaration.command, in: here)
      guard !keys.isEmpty, isMeant(declaration.command) else { return nil }
      return PickerItem(
        label: keys, detail: declaration.help, aliases: [declaration.command.rawValue] + declaration.aliases,
        reason: unavailability(of: declaration.command), choice: .command(declaration.command))
    }
    overlays.append(.picker(Picker(title: title, placeholder: "type to search", items: items, emptyText: "no such key")))
  }

  private var helpTitle: String {
    if isInPrompt || catalog.isTyping { return "Keys in a line of text" }
    switch overlays.last {
    case .details(let screen): return "Keys in \(screen.name)"
    case .form: return "Keys in the form"
    case .record, .picker, .themes, nil: return "Keys \(context.place)"
    }
  }

  /// Whether the screen that has the keys knows a command of its context: records and details have one context.
  private func isMeant(_ command: Command) -> Bool {
    if overlays.last?.details != nil, !isInPrompt { !DetailsScreen.commandsOfRows.contains(command) } else { true }
  }

  private func keys(of command: Command, in context: CommandContext) -> String {
    keymap.keys(for: command, in: context).joined(separator: " ")
  }

  mutating func showTables() {
    let items = catalog.tables.map { entry in
      let database = entry.reference.database == "main" ? "" : entry.reference.database
      let count = catalog.count(of: entry.reference).map { Plural.grouped($0.value) } ?? ""
      return PickerItem(
        label: entry.reference.name, detail: [entry.kind.word, database].filter { !$0.isEmpty }.joined(separator: " in "), trailing: count,
        choice: .table(entry.reference))
    }
    let order = items.enumerated().sorted { ($0.element.isSystem ? 1 : 0, $0.offset) < ($1.element.isSystem ? 1 : 0, $1.offset) }
    overlays.append(
      .picker(Picker(title: "Tables and views", placeholder: "type a part of the name", items: order.map(\.element), emptyText: "no such table")))
  }

  mutating func showColumns() {
    guard let grid else { return }
    let items = grid.columns.indices.map { place in
      let column = grid.columns[place]
      return PickerItem(
        label: column.name, detail: column.schema?.declaredType.lowercased() ?? "", trailing: grid.layout.hidden.contains(place) ? "hidden" : "",
        choice: .column(place))
    }
    overlays.append(.picker(Picker(title: "Columns", placeholder: "type a part of the name", items: items, emptyText: "no such column", cursor: grid.column)))
  }

  mutating func showCopyFormats() {
    let title = grid.map { $0.selection == nil ? "Copy this row as" : "Copy \(look.sentence($0.selectionTitle)) as" } ?? ""
    let items = ExportFormat.allCases.map { PickerItem(label: $0.title, choice: .copyFormat($0)) }
    overlays.append(.picker(Picker(title: title, placeholder: "format", items: items)))
  }

  mutating func showThemes() {
    let names = themes.names
    let items = names.map { PickerItem(label: $0, choice: .theme($0)) }
    let current = names.firstIndex(of: look.theme.name) ?? 0
    let picker = Picker(title: "Themes", placeholder: "theme", items: items, cursor: current)
    overlays.append(.themes(picker, before: look.theme.name))
  }

  mutating func performInPicker(_ command: Command) -> [Effect] {
    guard let overlay = overlays.last, var picker = overlay.picker else { return [] }
    switch command {
    case .moveDown: picker.move(by: 1)
    case .moveUp: picker.move(by: -1)
    case .pageDown: picker.move(by: picker.height)
    case .pageUp: picker.move(by: -picker.height)
    case .accept: return acceptItem(of: picker)
    default: return []
    }
    overlays[overlays.count - 1] = overlay.replacing(picker)
    previewTheme()
    return []
  }

  mutating func acceptItem(of picker: Picker) -> [Effect] {
    guard let item = picker.current else { return [] }
    if let reason = item.reason {
      notice = Notice(reason, .warning)
      return []
    }
    overlays.removeLast()
    return take(item.choice)
  }

  mutating func take(_ choice: Choice) -> [Effect] {
    switch choice {
    case .command(let command): return perform(command, count: nil)
    case .table(let table):
      overlays = []
      catalog.select(table)
      return openTable(table)
    case .column(let column):
      return changeGrid { grid in
        grid.layout.show(column)
        grid.column = column
        grid.revealCursor()
        return []
      }
    case .theme(let name):
      setTheme(name)
      return []
    case .copyFormat(let format): return copySelection(as: format)
    case .copyText(let text): return [.copyToClipboard(text)]
    case .filter(let text): return choose(filter: text)
    case .answer(let answer): return take(answer)
    case .statement(let statement): return choose(statement)
    case .history(let entry): return choose(entry)
    case .rows(let set, let title, let place):
      overlays = []
      focus = .grid
      return open(set, title: title, at: place, isFailureShown: false)
    }
  }

  /// Shows the theme under the picker's cursor.
  mutating func previewTheme() {
    if case .themes(let picker, _)? = overlays.last, case .theme(let name)? = picker.current?.choice { setTheme(name) }
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

extension CommandContext {
  /// Where the context is, for the title of its help.
  var place: String {
    switch self {
    case .everywhere: "everywhere"
    case .catalog: "in the catalog"
    case .grid: "in the grid"
    case .record: "in a record"
    case .editor: "in the editor"
    case .bar: "in the filter bar"
    case .form: "in a list"
    }
  }
}
