import QuarryEngine
import QuarryFiles
import QuarrySources
import Terminal

extension KeyContext {
  static let importing = KeyContext("import", place: "in the import")
}

extension Command {
  static let importFile: Command = "import"
  static let runImport: Command = "run-import"
  static let leaveOutColumn: Command = "leave-out-column"
  static let renameColumn: Command = "rename-column"
}

extension ImportScreen: PathWriting {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .importFile, "Import a CSV, TSV, JSON or NDJSON file", brief: "Import a file", [.grid: ["I"], .catalog: ["I"]]
    ) { $0.showImport() }
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { isTyping ? .bar : .importing }
  func helpTitle(in workspace: Workspace) -> String { isTyping ? "Keys in a line of text" : "Keys \(KeyContext.importing.place)" }
  func purpose(in workspace: Workspace) -> String {
    "Imports the rows of a CSV, TSV, JSON or NDJSON file into a table, in one transaction. Next to each column are its first values, as "
      + "they would be stored. Nothing is written before you start the import."
  }
  func word(for hint: String, of command: Command) -> String? {
    guard command == .accept else { return hint }
    return isWritten(line) ? isTyping ? line == .path ? "read the file" : "done" : "write" : hint
  }
  func position(_ environment: ScreenEnvironment) -> String? {
    guard case .column(let index) = line, let count = preview?.columns.count else { return nil }
    return "column \(index + 1) of \(count)"
  }

  static let commands: [CommandBinding<Self>] =
    (deciding + [run]).grouped("Importing") + moves.grouped("Moving")

  private static let deciding: [CommandBinding<Self>] = [
    CommandBinding(
      .accept, "Read the file, or choose for this line", keys: [.bar: ["enter"], .importing: ["enter"]], hint: "choose"
    ) { screen, context, _ in
      screen.accept(&context)
    },
    CommandBinding(
      .complete, "Complete the path", keys: [.bar: ["tab"]], hint: "complete",
      hintedWhen: { screen, _ in screen.isTyping && screen.line == .path }
    ) {
      screen, context, _ in
      if screen.line == .path { screen.completePath(&context) } else { screen.move(by: 1, &context) }
    },
    CommandBinding(
      .nextChoice, "Choose the next option", keys: [.importing: ["right", "l", "space"]], hint: "next option",
      hintedWhen: { screen, _ in !screen.isWritten(screen.line) }
    ) { screen, context, _ in
      if screen.choose(by: 1) { screen.look(&context) }
    },
    CommandBinding(.previousChoice, "Choose the previous option", keys: [.importing: ["left", "h"]]) { screen, context, _ in
      if screen.choose(by: -1) { screen.look(&context) }
    },
    CommandBinding(
      .changeType, "Change the type of a column of a new table", keys: [.importing: ["t"]], hint: "type",
      unless: { screen, _ in
        screen.isNew && screen.currentColumn != nil ? nil : "types can be changed only in a new table"
      }
    ) { screen, context, _ in
      screen.changeType(&context)
    },
    CommandBinding(
      .renameColumn, "Rename a column of a new table", brief: "Rename the column", keys: [.importing: ["r", "f2"]],
      hint: "rename",
      unless: { screen, _ in
        screen.isNew && screen.currentColumn != nil ? nil : "columns can be renamed only in a new table"
      }
    ) { screen, context, _ in
      if let column = screen.currentColumn { screen.askForName(of: column, &context) }
    },
    CommandBinding(
      .leaveOutColumn, "Skip the column, or import it", keys: [.importing: ["-", "delete"]], hint: "skip",
      unless: { screen, _ in screen.currentColumn == nil ? "only columns can be skipped" : nil }
    ) { screen, context, _ in
      if screen.toggleColumn() { screen.look(&context) }
    },
    CommandBinding(.refresh, "Read the file again", keys: [.importing: ["R"]]) { screen, context, _ in screen.look(&context) },
  ]

  private static let run = CommandBinding<Self>(
    .runImport, "Import the rows", keys: [.bar: ["f5"], .importing: ["f5", "ctrl-s"]], hint: "import",
    hintedWhen: { screen, _ in screen.preview?.problems.isEmpty == true }, unless: { $0.obstacleToRun($1) }
  ) { screen, context, _ in
    screen.submit(&context)
  }

  private static let moves: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .importing, count: \.lines.count) { screen, context, count in screen.move(by: count, &context) }
    + CommandBinding.pageMotions(height: \.height) { screen, context, count in screen.move(by: count, &context) } + [
      CommandBinding(.historyNewer, "Go to the next line", keys: [.bar: ["down"]]) { screen, context, _ in screen.move(by: 1, &context) },
      CommandBinding(.historyOlder, "Go to the previous line", keys: [.bar: ["up"]]) { screen, context, _ in
        screen.move(by: -1, &context)
      },
      CommandBinding(.nextPane, "Go to the next line") { screen, context, _ in screen.move(by: 1, &context) },
      CommandBinding(.previousPane, "Go to the previous line") { screen, context, _ in screen.move(by: -1, &context) },
    ]

  private func obstacleToRun(_ environment: ScreenEnvironment) -> String? {
    if let obstacle = environment.obstacleToImport { return obstacle }
    return preview == nil ? "name a file first: \(environment.keyHint(.accept)) reads it" : nil
  }

  // MARK: Keys

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    guard isTyping else { return false }
    return line == .path ? path.handle(key) : edit { $0.handle(key) } ?? false
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    guard isWritten(line) else { return }
    beginWriting()
    context.notifyLeftOut(line == .path ? path.insert(text) : edit { $0.insert(text) } ?? 0)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows.signum(), &context) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    layOut(height: ImportLayout(self, in: area, context.environment).list.rows)
  }

  /// Moves to another line, and applies the text of the former one.
  private mutating func move(by step: Int, _ context: inout ScreenContext<Self>) {
    takeWhatIsWritten(&context)
    move(by: step)
  }

  /// Moves to another line, and applies the text of the former one.
  mutating func leave(for line: Line, _ context: inout ScreenContext<Self>) {
    takeWhatIsWritten(&context)
    select(line)
  }

  private mutating func takeWhatIsWritten(_ context: inout ScreenContext<Self>) {
    path.forgetCandidates()
    if isTyping, takeTexts() { look(&context) }
  }

  private mutating func accept(_ context: inout ScreenContext<Self>) {
    if isWritten(line), !isTyping { return beginWriting() }
    switch line {
    case .path:
      guard !path.text.isBlank else { return context.notify("write the path of a file", .warning) }
      path.forgetCandidates()
      _ = takeTexts()
      look(&context)
    case .name: move(by: 1, &context)
    case .tableInFile: showTablesInFile(&context)
    case .target: showTargets(&context)
    case .column: if let column = currentColumn { showChoices(of: column, &context) }
    default: if choose(by: 1) { look(&context) }
    }
  }

  /// Reads the preview of the file with the current choices.
  mutating func look(_ context: inout ScreenContext<Self>) {
    guard !plan.path.isEmpty else { return }
    beginReading()
    context.ask(LoadImportPreview(plan: plan)) { screen, context, result in
      let isFirst = screen.preview == nil
      screen.receive(result)
      if screen.settleTarget() { screen.look(&context) }
      if screen.nameAfterTableInFile() { screen.look(&context) }
      if isFirst, screen.line == .path, screen.preview != nil { screen.select(.target) }
    }
  }

  private mutating func changeType(_ context: inout ScreenContext<Self>) {
    guard let column = currentColumn, let index = ImportType.allCases.firstIndex(of: column.type) else { return }
    let types = ImportType.allCases
    if setType(types[(index + 1) % types.count], of: column.source.name) { look(&context) }
  }

  /// Sends the import to the pane of rows, because that stays open until everything is written.
  private mutating func submit(_ context: inout ScreenContext<Self>) {
    let file = plan.path
    if takeTexts() { look(&context) }
    guard plan.path == file else { return context.notify("the path has changed: check the preview first") }
    if let problem = preview?.problems.first { return show(problem, &context) }
    context.send(RowsIntent.importFile(ImportFile(plan: plan, toldNotes: preview?.notes ?? [])))
  }
}

extension ImportScreen {
  /// Reports a problem, with the cursor on the column that causes it and the keys that help there.
  private mutating func show(_ problem: String, _ context: inout ScreenContext<Self>) {
    guard selectUnplacedColumn(), let column = currentColumn else { return context.notify(problem, .warning) }
    let keys = [Command.accept, .leaveOutColumn].map { context.environment.keyHint($0, in: .importing) }
    context.notify("\(column.source.name) has no target column yet: \(keys[0]) chooses one, \(keys[1]) skips it", .warning)
  }
}

extension ScreenEnvironment {
  /// The reason why nothing can be imported; nil if an import is possible.
  var obstacleToImport: String? {
    let wayOut = "files cannot be imported here: paste CSV or TSV into a table, or run statements in the editor"
    if let obstacle = needs(\.imports, wayOut) ?? workspace.source.editRefusal { return obstacle }
    if workspace.isImporting { return "a file is being imported: \(keyHint(.stop)) stops it" }
    return workspace.source.transaction == nil ? nil : "a transaction is open in the editor: end it first with :commit or :rollback"
  }
}

extension Browser {
  /// Shows the import, into the visible table or the one under the cursor of the catalog.
  mutating func showImport() {
    if let obstacle = environment.obstacleToImport { return notice = Notice(obstacle, .warning) }
    let shown = focus == .catalog ? workspace.catalogTable : workspace.grid?.rowSet.sourceTable
    let entry = shown.flatMap { table in catalog.tables.first { $0.reference == table } }
    let privateDatabase = workspace.files.isPrivate("main") ? "main" : nil
    present(ImportScreen(into: entry?.kind == .table ? shown : nil, privateDatabase: privateDatabase))
  }
}
