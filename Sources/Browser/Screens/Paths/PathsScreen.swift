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
  let shown: [FilterSyntax]
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

  mutating func toggle(_ value: FilterSyntax) {
    warned = nil
    if chosen.contains(value) { chosen.removeAll { $0 == value } } else { chosen.append(value) }
  }

  /// Lists the columns to which the foreign key under the cursor leads.
  mutating func unfold() {
    guard let line = current, line.isKey else { return }
    unfolded.insert(line.value)
    listLines()
  }

  /// Folds the foreign key under the cursor, or moves to the key above the cursor.
  mutating func fold() {
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
  func purpose(in workspace: Workspace) -> String { list.purpose }

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
  mutating func mayLeave(by command: Command, _ context: inout ScreenContext<Self>) -> Bool {
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
