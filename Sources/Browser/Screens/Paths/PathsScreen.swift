import QuarryEngine
import QuarryRows
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
  static let unfoldPath: Command = "unfold-path"
  static let foldPath: Command = "fold-path"
}

/// The values behind a column that can be shown as computed columns: the paths in its JSON, the columns of the table to which it refers, or
/// counts and sums of the rows that refer to each row.
package struct PathsScreen: Sendable {
  let grid: GridID
  let column: String
  private(set) var list: PathList
  private(set) var problem: Problem?
  /// The listed values.
  package private(set) var lines: [PathLine] = []
  /// The values that Enter shows, in the order of selection.
  private(set) var chosen: [FilterSyntax]
  /// The values that are already shown as columns.
  private let shown: [FilterSyntax]
  /// The foreign keys whose columns are listed below them.
  private var unfolded: Set<FilterSyntax> = []
  /// The columns of the rows, with the tables that foreign keys connect.
  private let columns: FilterColumns
  /// The command that last warned about losing the selection; nil for none.
  private var warned: Command?
  private(set) var cursor = ListCursor()

  /// Creates the screen for a column of a grid that may already show some of the values.
  init(grid: GridPane, column: String) {
    self.grid = grid.id
    self.column = column
    columns = grid.filterColumns
    let list = PathList(of: column, in: columns)
    self.list = list
    shown = grid.columns.compactMap(\.computed?.syntax).filter { list.contains($0, of: column) }
    chosen = shown
    listLines()
  }

  var current: PathLine? { lines.indices.contains(cursor.index) ? lines[cursor.index] : nil }

  /// Whether the values are known: before some rows of JSON have been read, an empty list means that its paths are unknown.
  var isKnown: Bool { list != .json(nil) }

  mutating func move(by count: Int) { cursor.move(by: count, of: lines.count) }

  /// Updates the paths of JSON.
  mutating func receive(_ found: JSONPaths) {
    list = .json(found)
    problem = nil
    listLines()
  }

  /// Updates the lines; the cursor stays on its value even if other lines move before it.
  private mutating func listLines() {
    let value = current?.value
    lines = list.lines(of: column, in: columns, unfolded: unfolded)
    cursor.move(to: value.flatMap { value in lines.firstIndex { $0.value == value } } ?? cursor.index, of: lines.count)
  }

  fileprivate mutating func toggle(_ value: FilterSyntax) {
    warned = nil
    if chosen.contains(value) { chosen.removeAll { $0 == value } } else { chosen.append(value) }
  }

  /// Lists the columns to which the foreign key under the cursor leads.
  fileprivate mutating func unfold() {
    guard let line = current, line.isKey else { return }
    unfolded.insert(line.value)
    listLines()
  }

  /// Folds the foreign key under the cursor, or moves to the key above the cursor.
  fileprivate mutating func fold() {
    guard let line = current else { return }
    if line.isUnfolded {
      unfolded.remove(line.value)
      listLines()
    } else if let key = lines[..<cursor.index].lastIndex(where: { $0.depth < line.depth }) {
      cursor.move(to: key, of: lines.count)
    }
  }
}

extension PathsScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .jsonLens, "Choose columns from JSON, a foreign key or the referencing rows",
      brief: "Columns from this one",
      aliases: ["json", "paths", "extract", "unnest", "flatten", "join", "lookup", "related columns", "count rows"], [.grid: ["g j"]]
    ) { browser in
      if let obstacle = obstacle(browser.environment) { return browser.notice = Notice(obstacle, .warning) }
      guard let grid = browser.environment.grid else { return }
      browser.present(PathsScreen(grid: grid, column: grid.sourceColumn))
    }
  ]

  private static func obstacle(_ environment: ScreenEnvironment) -> String? {
    if let obstacle = environment.needsGrid { return obstacle }
    guard let grid = environment.grid, PathList(of: grid.sourceColumn, in: grid.filterColumns) == .json(nil) else { return nil }
    if let obstacle = environment.needs(\.insight, "this data source does not read JSON") { return obstacle }
    guard let column = grid.filterColumns.named(grid.sourceColumn), column.type != .text, column.type != .any else { return nil }
    return "\(column.name) contains no text that could be JSON, and no foreign key connects these rows"
  }

  func keyContext(in workspace: Workspace) -> KeyContext { .paths }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: lines.count) }
  var showsCopies: Bool { true }
  func purpose(in workspace: Workspace) -> String {
    switch list {
    case .json:
      "The paths in the JSON of a column, with the number of rows and the types of each. Space chooses paths; Enter shows them as columns "
        + "that you can filter and sort."
    case .referenced:
      "The columns of the table to which a foreign key refers. Space chooses columns; Enter shows them beside the key, where you can "
        + "filter and sort them."
    case .referring:
      "Counts and sums of the rows that refer to each row. Space chooses values; Enter shows them as columns that you can filter and sort."
    }
  }

  static let commands: [CommandBinding<Self>] =
    [
      CommandBinding(.open, "Show the chosen values as columns", keys: [.paths: ["enter"]], hint: "columns", unless: needsPath) {
        screen, context, _ in
        screen.showColumns(&context)
      },
      CommandBinding(.choosePath, "Choose the value, or drop it", keys: [.paths: ["space"]], hint: "choose", unless: needsPath) {
        screen, _, _ in
        screen.chooseCurrent()
      },
      CommandBinding(
        .unfoldPath, "List the columns to which this foreign key refers", keys: [.paths: ["l", "right"]], hint: "unfold",
        hintedWhen: { screen, _ in screen.lines.contains(where: \.isKey) },
        unless: { needsPath($0, $1) ?? ($0.current?.isKey == true ? nil : "this is not a foreign key") }
      ) { screen, _, _ in
        screen.unfold()
      },
      CommandBinding(.foldPath, "Fold the columns of this foreign key", keys: [.paths: ["h", "left"]], unless: needsPath) { screen, _, _ in
        screen.fold()
      },
      CommandBinding(.filterPath, "Filter on the value", keys: [.paths: ["f"]], hint: "filter", unless: needsPath) { screen, context, _ in
        guard screen.mayLeave(by: .filterPath, &context) else { return }
        screen.leave(&context) { .beginCondition(on: $0) }
      },
      CommandBinding(.sortByPath, "Sort by the value", keys: [.paths: ["s"]], hint: "sort", unless: needsPath) { screen, context, _ in
        guard screen.mayLeave(by: .sortByPath, &context) else { return }
        screen.leave(&context) { .sort(by: $0) }
      },
      CommandBinding(
        .keepPath, "Write SQL for a column and an index of the path in JSON", aliases: ["keep", "generated column"],
        keys: [.paths: ["K"]], unless: { needsPath($0, $1) ?? $0.keepingObstacle($1) }
      ) { screen, context, _ in
        screen.keepPath(&context)
      },
      CommandBinding(.copy, "Copy the value in filter syntax", keys: [.paths: ["y"]], hint: "copy", unless: needsPath) {
        screen, context, _ in
        guard let line = screen.current else { return }
        let text = line.json?.path.filterText(in: screen.column) ?? line.value.description
        context.send(.copyToClipboard(CopyText(text: text, title: line.json == nil ? "the value" : "the path")))
      },
    ] + CommandBinding.lineMotions(in: .paths, count: { $0.lines.count }) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: { $0.cursor.height }) { screen, _, count in screen.move(by: count) }

  private static let needsPath: CommandBinding<Self>.Obstacle = { screen, _ in
    screen.current == nil ? screen.isKnown ? "no JSON was found in this column" : "nothing has been read yet" : nil
  }

  mutating func start(_ context: inout ScreenContext<Self>) {
    guard case .json = list else { return }
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
    cursor.layOut(height: area.inset(columns: 2, rows: 1).rows - 1, of: lines.count)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = area.inset(columns: 2, rows: 1)
    if inside.contains(point) { cursor.move(to: cursor.top + point.row - inside.row - 1, of: lines.count) }
  }

  // MARK: Keeping a path

  private func keepingObstacle(_ environment: ScreenEnvironment) -> String? {
    if current?.json == nil { return "only a path in JSON can be stored in a column" }
    if let obstacle = environment.needsStatements { return obstacle }
    return environment.grid?.schema?.entry.kind == .table ? nil : "only a table can store a column for a path"
  }

  /// Opens the editor with the statements that would store the values at the path in a column of the table; runs nothing.
  private mutating func keepPath(_ context: inout ScreenContext<Self>) {
    guard let path = current?.json?.path.withFirstElements, let table = context.grid?.schema else { return }
    guard path.isReachable else { return context.notifyUnreachable(path) }
    guard mayLeave(by: .keepPath, &context) else { return }
    let sql = path.statements(keepingValuesOf: column, in: table)
    context.close()
    context.send(SQLIntent.edit(sql))
  }

  // MARK: Columns

  /// Selects or deselects the value under the cursor, and moves to the next one; the first element represents all elements of an array.
  private mutating func chooseCurrent() {
    guard let value = current?.value else { return }
    toggle(value)
    move(by: 1)
  }

  /// Shows the selected values as columns, or the value under the cursor if none is selected and none was shown before.
  private func showColumns(_ context: inout ScreenContext<Self>) {
    let values = chosen.isEmpty && shown.isEmpty ? [current?.value].compactMap(\.self) : chosen
    leave(&context) { _ in .showColumns(values, insteadOf: shown) }
  }

  /// Closes the screen and sends an intent about the value under the cursor to the rows.
  private func leave(_ context: inout ScreenContext<Self>, _ intent: (_ value: FilterSyntax) -> RowsIntent) {
    guard let value = current?.value, context.grid?.id == grid else { return }
    context.close()
    context.focus(.rows)
    context.send(intent(value))
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
  fileprivate var sourceColumn: String {
    currentColumn?.computed.flatMap { filterColumns.source(of: $0.syntax) } ?? currentColumn?.name ?? ""
  }
}
