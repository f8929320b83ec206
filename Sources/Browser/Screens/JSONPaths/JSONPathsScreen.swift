import QuarryEngine
package import QuarryRows
import QuarrySources
import Terminal

extension KeyContext {
  static let paths = KeyContext("paths", place: "in the paths")
}

extension Command {
  static let jsonLens: Command = "json-lens"
  static let choosePath: Command = "choose-path"
  static let filterPath: Command = "filter-path"
  static let sortByPath: Command = "sort-by-path"
  static let keepPath: Command = "keep-path"
}

/// The paths to values in a column of JSON, most frequent paths first, and the paths that are shown as columns.
package struct JSONPathsScreen: Sendable {
  let grid: GridID
  let column: String
  private(set) var found: JSONPaths?
  private(set) var problem: Problem?
  /// The paths that Enter shows, in the order of selection.
  private(set) var chosen: [JSONPath]
  /// The paths that are already shown as columns.
  private let shown: [JSONPath]
  /// The command that last warned about losing the selection; nil for none.
  private var warned: Command?
  private(set) var cursor = ListCursor()

  /// Creates the screen for a column of a grid that may already show some of its paths.
  init(grid: GridPane, column: String) {
    self.grid = grid.id
    self.column = column
    shown = grid.columns.compactMap { $0.path(in: column) }
    chosen = shown
  }

  /// The listed paths: all except the whole text.
  package var paths: ArraySlice<JSONPathCounts> { found?.paths.filter { !$0.path.steps.isEmpty }[...] ?? [] }

  var current: JSONPathCounts? {
    let paths = paths
    return paths.indices.contains(cursor.index) ? paths[cursor.index] : nil
  }

  /// Whether some rows have been read: before that, an empty list means that the paths are unknown.
  var isKnown: Bool { found != nil }

  mutating func move(by count: Int) { cursor.move(by: count, of: paths.count) }

  /// Updates the paths; the cursor stays on its path even if other paths move before it.
  mutating func receive(_ found: JSONPaths) {
    let path = current?.path
    self.found = found
    problem = nil
    cursor.move(to: path.flatMap { path in paths.firstIndex { $0.path == path } } ?? cursor.index, of: paths.count)
  }

  fileprivate mutating func toggle(_ path: JSONPath) {
    warned = nil
    if chosen.contains(path) { chosen.removeAll { $0 == path } } else { chosen.append(path) }
  }
}

extension JSONPathsScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .jsonLens, "List the paths in the JSON of this column, and show them as columns", brief: "JSON of this column",
      aliases: ["json", "paths", "extract", "unnest", "flatten"], [.grid: ["g j"]]
    ) { browser in
      if let obstacle = obstacle(browser.environment) { return browser.notice = Notice(obstacle, .warning) }
      guard let grid = browser.environment.grid else { return }
      browser.present(JSONPathsScreen(grid: grid, column: grid.sourceColumn))
    }
  ]

  private static func obstacle(_ environment: ScreenEnvironment) -> String? {
    if let obstacle = environment.needsGrid ?? environment.needs(\.insight, "this data source does not read JSON") { return obstacle }
    guard let grid = environment.grid, let column = grid.filterColumns.named(grid.sourceColumn) else { return nil }
    return column.type == .text || column.type == .any ? nil : "\(column.name) contains no text that could be JSON"
  }

  func keyContext(in workspace: Workspace) -> KeyContext { .paths }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: paths.count) }
  var showsCopies: Bool { true }
  func purpose(in workspace: Workspace) -> String {
    "The paths in the JSON of a column, with the number of rows and the types of each. Space chooses paths; Enter shows them as columns "
      + "that you can filter and sort."
  }

  static let commands: [CommandBinding<Self>] =
    [
      CommandBinding(.open, "Show the chosen paths as columns", keys: [.paths: ["enter"]], hint: "columns", unless: needsPath) {
        screen, context, _ in
        screen.showColumns(&context)
      },
      CommandBinding(.choosePath, "Choose the path, or drop it", keys: [.paths: ["space"]], hint: "choose", unless: needsPath) {
        screen, _, _ in
        screen.chooseCurrent()
      },
      CommandBinding(.filterPath, "Filter on the path", keys: [.paths: ["f"]], hint: "filter", unless: needsPath) { screen, context, _ in
        guard screen.mayLeave(by: .filterPath, &context) else { return }
        screen.leave(&context) { .beginCondition(on: $0) }
      },
      CommandBinding(.sortByPath, "Sort by the path", keys: [.paths: ["s"]], hint: "sort", unless: needsPath) { screen, context, _ in
        guard screen.mayLeave(by: .sortByPath, &context) else { return }
        screen.leave(&context) { .sort(by: $0) }
      },
      CommandBinding(
        .keepPath, "Write SQL for a column and an index of the path", aliases: ["keep", "generated column"], keys: [.paths: ["K"]],
        unless: { needsPath($0, $1) ?? $0.keepingObstacle($1) }
      ) { screen, context, _ in
        screen.keepPath(&context)
      },
      CommandBinding(.copy, "Copy the path in filter syntax", keys: [.paths: ["y"]], hint: "copy", unless: needsPath) {
        screen, context, _ in
        guard let path = screen.current?.path else { return }
        context.send(.copyToClipboard(CopyText(text: path.filterText(in: screen.column), title: "the path")))
      },
    ] + CommandBinding.lineMotions(in: .paths, count: { $0.paths.count }) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: { $0.cursor.height }) { screen, _, count in screen.move(by: count) }

  private static let needsPath: CommandBinding<Self>.Obstacle = { screen, _ in
    screen.current == nil ? screen.isKnown ? "no JSON was found in this column" : "nothing has been read yet" : nil
  }

  mutating func start(_ context: inout ScreenContext<Self>) {
    context.ask(LoadJSONPaths(grid: grid, column: column)) { screen, _, found in
      screen.receive(found)
    } then: { screen, _, result in
      switch result {
      case .success(let found): screen.receive(found)
      case .failure(let problem): screen.problem = problem
      }
    }
  }

  mutating func prepareToClose(by command: Command, _ context: inout ScreenContext<Self>) -> Bool { mayLeave(by: command, &context) }

  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool { mayLeave(by: .quit, &context) }

  /// Returns whether the screen may be left; warns the first time that a command would lose the selection.
  private mutating func mayLeave(by command: Command, _ context: inout ScreenContext<Self>) -> Bool {
    guard chosen != shown, warned != command else { return true }
    warned = command
    let keys = context.environment
    context.notify(
      "the columns are not shown yet: \(keys.keyHint(.open)) shows them, \(keys.keyHint(command)) again drops them", .warning)
    return false
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) { context.supersede(LoadJSONPaths.slot) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    cursor.layOut(height: area.inset(columns: 2, rows: 1).rows - 1, of: paths.count)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = area.inset(columns: 2, rows: 1)
    if inside.contains(point) { cursor.move(to: cursor.top + point.row - inside.row - 1, of: paths.count) }
  }

  // MARK: Keeping a path

  private func keepingObstacle(_ environment: ScreenEnvironment) -> String? {
    if let obstacle = environment.needsStatements { return obstacle }
    return environment.grid?.schema?.entry.kind == .table ? nil : "only a table can store a column for a path"
  }

  /// Opens the editor with the statements that would store the values at the path in a column of the table; runs nothing.
  private mutating func keepPath(_ context: inout ScreenContext<Self>) {
    guard let path = current?.path.withFirstElements, let table = context.grid?.schema else { return }
    guard path.isReachable else { return context.notifyUnreachable(path) }
    guard mayLeave(by: .keepPath, &context) else { return }
    let sql = path.statements(keepingValuesOf: column, in: table)
    context.close()
    context.send(SQLIntent.edit(sql))
  }

  // MARK: Columns

  /// Selects or deselects the path under the cursor, and moves to the next one; the first element represents all elements.
  private mutating func chooseCurrent() {
    guard let path = current?.path else { return }
    toggle(path.withFirstElements)
    move(by: 1)
  }

  /// Shows the selected paths as columns, or the path under the cursor if none is selected and none was shown before.
  private func showColumns(_ context: inout ScreenContext<Self>) {
    let shows = context.grid?.columns.contains { $0.path(in: column) != nil } ?? false
    let paths = chosen.isEmpty && !shows ? [current?.path.withFirstElements].compactMap(\.self) : chosen
    leave(&context) { _ in .showPaths(paths, of: column) }
  }

  /// Closes the screen and sends an intent about the path under the cursor to the rows.
  private func leave(_ context: inout ScreenContext<Self>, _ intent: (_ path: FilterSyntax) -> RowsIntent) {
    guard let path = current?.path.withFirstElements, context.grid?.id == grid else { return }
    context.close()
    context.focus(.rows)
    context.send(intent(FilterSyntax(.path(column, path))))
  }
}

extension RowSetColumn {
  /// Returns the path that the column shows of a column of JSON; nil for other columns.
  func path(in column: String) -> JSONPath? {
    guard case .path(let source, let path)? = computed?.syntax.kind, source.isSameIdentifier(as: column) else { return nil }
    return path
  }
}

extension ScreenContext {
  /// Reports a path that cannot be written in SQLite's path syntax.
  mutating func notifyUnreachable(_ path: JSONPath) {
    notify("SQLite cannot address \(path): a key has a quote and a period or bracket", .warning)
  }
}

extension GridPane {
  /// The source column of the column under the cursor, which may be computed.
  fileprivate var sourceColumn: String { currentColumn?.computed?.syntax.firstColumn ?? currentColumn?.name ?? "" }
}
