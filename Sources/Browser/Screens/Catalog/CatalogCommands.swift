import QuarryEngine
import QuarryRows
import Terminal

extension CatalogPane: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { isTyping ? .bar : .catalog }
  func helpTitle(in workspace: Workspace) -> String { isTyping ? "Keys in a line of text" : "Keys \(KeyContext.catalog.place)" }
  func purpose(in workspace: Workspace) -> String {
    isTyping
      ? "The list shows only names that contain these letters. Enter opens the first one, Esc shows all tables again."
      : "The tables and views of the database; the open one is marked. Moving previews a table beside the list, Enter opens it. A letter "
        + "without a command here finds a table by name; ^P jumps to one from anywhere."
  }
  func backOutHint(in workspace: Workspace) -> String? { isTyping ? "back" : nil }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    height = max(1, area.rows - (filter == nil ? 0 : 1))
    context.workspace.catalogTable = currentTable
  }

  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint] {
    if isTyping { return [] }
    return [
      GeneralHint(command: .nextPane, word: environment.isEditorShown ? "editor" : "grid", before: .narrow),
      GeneralHint(command: .jumpToTable, word: "jump"),
      GeneralHint(command: .close, word: environment.isEditorShown ? "close editor" : "quit"),
    ]
  }

  static let commands: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .catalog, count: \.lines.count) { pane, context, count in pane.move(by: count, &context) }
    .grouped("Moving")
    + CommandBinding.pageMotions(height: \.height) { pane, context, count in pane.move(by: count, &context) }.grouped("Moving")
    + looking.grouped("Looking") + [jump].grouped("Looking") + typing

  private static let looking: [CommandBinding<Self>] =
    [
      CommandBinding(.open, "Open the table, or unfold the group", keys: [.catalog: ["enter", "l", "right"]], hint: "open") {
        pane, context, _ in
        pane.openCurrent(&context)
      },
      CommandBinding(.fold, "Fold the group", keys: [.catalog: ["h", "left"]]) { pane, _, _ in pane.setFolded(true) },
      CommandBinding(.narrow, "Narrow the list by name", keys: [.catalog: ["/", "f3"]], hint: "narrow") { pane, _, _ in
        pane.beginFilter(isPassing: false)
      },
      CommandBinding(
        .details, "Show columns, keys, indexes, triggers and DDL", keys: [.catalog: ["i", "f2"]], hint: "columns, DDL"
      ) { pane, context, _ in
        if let table = pane.currentTable { context.send(DetailsIntent.table(table)) }
      },
      exporting,
      CommandBinding(.filter, "Write a filter, or leave the filter bar", keys: [.catalog: ["&", "f6"]], unless: { $1.needsFilters }) {
        _, context, _ in
        context.send(RowsIntent.beginFilter)
      },
    ]

  /// The commands that work from everywhere.
  private static let jump = CommandBinding<Self>(.jumpToTable, "Jump to a table by name", keys: [.everywhere: ["ctrl-p"]]) {
    pane, context, _ in
    pane.showTables(&context)
  }

  /// The commands while a name is being typed.
  private static let typing: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Accept the selected item or the text", keys: [.bar: ["enter"]], hint: "go") { pane, context, _ in
      if pane.currentTable != nil { pane.openCurrent(&context) } else { pane.isTyping = false }
    },
    CommandBinding(.historyOlder, "Go to an older text, or up in a list", keys: [.bar: ["up"]]) { pane, context, _ in
      pane.move(by: -1, &context)
    },
    CommandBinding(.historyNewer, "Go to a newer text, or down in a list", keys: [.bar: ["down"]]) { pane, context, _ in
      pane.move(by: 1, &context)
    },
  ]

  /// Opens the table under the cursor, or folds the group.
  private mutating func openCurrent(_ context: inout ScreenContext<Self>) {
    if let table = currentTable {
      endFilter()
      return context.send(RowsIntent.open(table))
    }
    if let group = current?.group { setFolded(!isFolded(group)) }
  }

  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    guard filter != nil else { return false }
    (filter, isTyping) = (nil, false)
    rebuild()
    return true
  }

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    edit(&context) { $0.handle(key) }
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    if !isTyping { beginFilter(isPassing: true) }
    var left = 0
    _ = edit(&context) { field in
      left = field.insert(text)
      return true
    }
    context.notifyLeftOut(left)
  }

  private mutating func edit(_ context: inout ScreenContext<Self>, _ change: (inout TextField) -> Bool) -> Bool {
    guard isTyping, var field = filter else { return false }
    let isHandled = change(&field)
    let isNarrowed = field.text != filter?.text
    filter = field
    rebuild()
    if isNarrowed {
      selectBestMatch()
      preview(&context)
    }
    return isHandled
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { scroll(by: rows) }

  /// Shows the table at a point; a second click moves the focus to it.
  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let index = top + point.row - area.row - (filter == nil ? 0 : 1)
    guard lines.indices.contains(index) else { return }
    let wasCurrent = cursor == index
    context.focus(.catalog)
    select(index)
    openCurrent(&context)
    // Opening has moved the focus to the rows.
    if currentTable != nil, !wasCurrent { context.focus(.catalog) }
  }
}

extension CatalogPane {
  /// Shows a list of all tables and views, SQLite's own last.
  private func showTables(_ context: inout ScreenContext<Self>) {
    let items = (tables.filter { !$0.kind.isInternal } + tables.filter(\.kind.isInternal)).map { entry in
      let database = entry.reference.database == "main" ? "" : entry.reference.database
      let count = context.workspace.count(of: entry.reference).map { Plural.grouped($0.value) } ?? ""
      return PickerItem(
        label: entry.reference.name, detail: [entry.kind.word, database].filter { !$0.isEmpty }.joined(separator: " in "), trailing: count,
        perform: context.handler { pane, context in
          context.closeAll()
          pane.select(entry.reference)
          pane.isTyping = false
          context.send(RowsIntent.open(entry.reference))
        })
    }
    context.present(Picker(title: "Tables and views", placeholder: "type part of a name", items: items, emptyText: "no such table"))
  }
}

extension CatalogEntry.Kind {
  /// Whether the table belongs to SQLite or to a virtual table.
  fileprivate var isInternal: Bool {
    switch self {
    case .table, .view, .virtual: false
    case .shadow, .system: true
    }
  }

  /// The kind in a word or two.
  var word: String {
    switch self {
    case .table: "table"
    case .view: "view"
    case .virtual(let module): "\(module) table"
    case .shadow(let table): "shadow of \(table)"
    case .system: "SQLite's own"
    }
  }
}
