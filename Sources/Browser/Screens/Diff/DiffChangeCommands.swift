import QuarryChanges
import QuarryEngine
import QuarryFiles
import Terminal

extension Command {
  static let sideBySide: Command = "side-by-side"
}

/// The commands on the change under the cursor: the record, the SQL, the export.
extension DiffScreen {
  private static let needsChange: CommandBinding<Self>.Obstacle = { screen, _ in screen.count == 0 ? "there is no change here" : nil }

  static let looking: [CommandBinding<Self>] = [
    CommandBinding(
      .open, "Show the old record beside the new one", keys: [.diff: ["enter"]], hint: "open",
      unless: { screen, _ in screen.openObstacle }
    ) { screen, _, _ in
      screen.open()
    },
    CommandBinding(
      .sideBySide, "Show old and new side by side, or unified", brief: "Side by side", keys: [.diff: ["v"]], hint: "layout",
      unless: { screen, _ in screen.layoutObstacle }
    ) { screen, _, _ in
      screen.isSideBySide.toggle()
    },
    CommandBinding(.copy, "Copy the SQL that makes this change", keys: [.diff: ["y"]], hint: "copy SQL", unless: needsChange) {
      screen, context, _ in
      screen.copy(&context)
    },
    CommandBinding(
      .export, "Export all differences to a file", keys: [.diff: ["X"]], hint: "export",
      hintedWhen: { screen, _ in screen.phase != .running && !screen.isSame },
      unless: { screen, _ in screen.phase == .running ? "the comparison is still running" : nil }
    ) { screen, context, _ in
      screen.chooseFormat(&context)
    },
  ]

  private var openObstacle: String? {
    if isSame { return "there are no changes" }
    if pane == .list { return nil }
    if entry == .schema || count == 0 { return "there is no row here" }
    return rows.record == nil ? nil : "the record is already open"
  }

  private var layoutObstacle: String? {
    if entry == .schema { return "definitions are always unified: select a table to see its rows side by side" }
    if rows.record != nil { return "a record always has old and new side by side" }
    return count == 0 ? "there is no row here" : nil
  }

  private mutating func open() {
    if pane == .list { return pane = .changes }
    (rows.record, rows.reveals) = (0, .change)
  }

  // MARK: SQL

  private func copy(_ context: inout ScreenContext<Self>) {
    guard let index = tableIndex else {
      guard schemaChanges.indices.contains(schema.cursor) else { return }
      return copy(schemaChanges[schema.cursor], &context)
    }
    if let change = rows.current { return copy(change, of: index, &context) }
    guard let store = progress?.store, count > 0 else { return }
    // The row has not been read yet.
    let request = LoadDifferences(
      store: store, table: index, range: rows.cursor..<rows.cursor + 1, isFiltered: filters.isFiltered(index), count: 0, isForScreen: false)
    context.ask(request) { screen, context, result in
      switch result {
      case .success(let rows): if let change = rows.first { screen.copy(change, of: index, &context) }
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  private func copy(_ change: StoredDifference, of table: Int, _ context: inout ScreenContext<Self>) {
    guard let statements = progress?.store.statements(for: change, in: table) else {
      return context.notify("the rows of \(tables[table].name) cannot be written, so no SQL makes this change", .warning)
    }
    context.copy(statements)
  }

  private func copy(_ change: SchemaDifference, _ context: inout ScreenContext<Self>) {
    if let statements = change.statements { return context.copy(statements) }
    guard let table = change.table else { return }
    context.ask(LoadSchemaScript(subject: subject, table: table)) { _, context, result in
      switch result {
      case .success(let statements): context.copy(statements)
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  // MARK: Export

  private func chooseFormat(_ context: inout ScreenContext<Self>) {
    typealias Choice = (name: String, title: String, ending: String)
    let exported: [Choice] = ExportFormat.allCases.map { ($0.rawValue, $0 == .sql ? "SQL" : $0.title, $0.ending) }
    let formats: [Choice] = exported + [("table", "Table", "txt")]
    let items = formats.map { format in
      let detail = format.name == "sql" ? "the statements that turn the old database into the new one" : ".\(format.ending)"
      return PickerItem(
        label: format.title, detail: detail,
        perform: context.handler { screen, context in screen.askForPath(format.name, ending: format.ending, &context) })
    }
    context.present(Picker(title: "Export all differences as", placeholder: "a format", items: items))
  }

  private func askForPath(_ format: String, ending: String, _ context: inout ScreenContext<Self>) {
    context.prompt("export to", placeholder: "the path of a file", text: "diff.\(ending)", isPath: true) { screen, context, path in
      if path.isBlank { return context.notify("the path is empty: name a file", .warning) }
      screen.export(ExportDifferences(subject: screen.subject, format: format, path: path), &context)
    }
  }

  private func export(_ request: ExportDifferences, _ context: inout ScreenContext<Self>) {
    context.ask(request) { _, context, result in
      switch result {
      case .success(true): context.notify("written: \(request.path)", .success)
      case .success(false):
        var replacing = request
        replacing.isReplacing = true
        let again = context.handler { [replacing] screen, context in screen.export(replacing, &context) }
        let items = [PickerItem(label: "Keep it"), PickerItem(label: "Replace it", perform: again)]
        context.present(Picker(title: "“\(request.path)” already exists", placeholder: "replace?", items: items))
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }
}

extension ScreenContext<DiffScreen> {
  /// Copies statements as text.
  fileprivate mutating func copy(_ statements: [PatchStatement]) {
    let format = PatchFormat()
    let text = statements.map { String(decoding: format.bytes(of: $0), as: UTF8.self) }.joined()
    send(.copyToClipboard(CopyText(text: text, title: "the SQL of this change")))
  }
}

extension SchemaDifference {
  /// The statements that make the change, or nil if the table must be recreated.
  fileprivate var statements: [PatchStatement]? {
    switch kind {
    case "pragma": return to.map { [.sql("PRAGMA main.\(identifier: name) = \(raw: $0)")] }
    case "index", "trigger", "view": break
    case "table" where change != .changed: break
    default: return nil
    }
    let drop: [PatchStatement] = from == nil ? [] : [.sql("DROP \(raw: kind.uppercased()) main.\(identifier: name)")]
    return drop + (to.map { [.object($0)] } ?? [])
  }
}

/// A request for the statements that change the definition of a table, its indexes and its triggers.
struct LoadSchemaScript: Request {
  let subject: DiffSubject
  let table: String

  var activity: Activity? { Activity(name: "reading the definition", urgency: .asked) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> [PatchStatement] {
    guard let opener = services.storage.comparing else { throw CancellationError() }
    let sides = try opener.sides(of: subject)
    var diff = DatabaseDiff(sides.from, sides.to)
    diff.tables = [table]
    var statements: [PatchStatement] = []
    _ = try await diff.script(.schema) { statements += $0 }
    return statements
  }
}

/// An action that compares again, and writes the differences to a file; returns false if the file exists and may not be replaced.
struct ExportDifferences: Action {
  let subject: DiffSubject
  let format: String
  /// The path as entered.
  let path: String
  var isReplacing = false

  var queue: ActionQueue { ActionQueue("export") }
  var activity: Activity? { Activity(name: "writing \(path.split(separator: "/").last ?? "")", urgency: .asked, outlastsEscape: true) }

  func run(in services: Services, report: @escaping @Sendable (Never) -> Void) async throws -> Bool {
    guard let opener = services.storage.comparing else { throw CancellationError() }
    let file = Storage.path(of: path)
    if !isReplacing, Storage.exists(file) { return false }
    try await opener.export(subject, format, file)
    return true
  }
}
