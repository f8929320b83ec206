import QuarryEngine
import Terminal

/// The pane of rows: the grid on the screen with its filter bar, what is on its way there, and the way that led to it.
struct RowsScreen: Screen {
  var grid: GridPane?
  /// A table that could not be opened, shown in the grid's place.
  var failure: OpeningFailure?
  var opening: Opening?
  var history = NavigationHistory()
  var search: Search?
  var copying: Copying?

  /// Whether the filter bar has the keys, as far as the pane knows.
  var isTyping: Bool { grid?.bar.isTyping ?? false }

  /// The view that the grid is to have once what was asked for is here.
  var awaitedView: RowView? {
    guard let grid else { return nil }
    guard let opening, opening.replaced == grid.id else { return grid.view }
    return opening.view
  }

  var keyContext: KeyContext { isTyping ? .bar : .grid }
  var backOutHint: String? { isTyping ? "leave" : nil }

  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint] {
    if isTyping { return [] }
    return [GeneralHint(command: .nextPane, word: "catalog", before: .copy), GeneralHint(command: .jumpToTable, word: "table")]
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    grid?.draw(into: &surface, area: area, hasFocus: false, look: environment.look)
  }

  static let commands: [CommandBinding<Self>] = moveCommands + rowCommands + viewCommands + relationCommands + columnCommands + barCommands

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    guard isTyping else { return false }
    context.send(change { $0.editBar { $0.handle(key) } })
    return true
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    var left = 0
    context.send(
      change { grid in
        grid.editBar { field in
          left = field.insert(text)
          return true
        }
      })
    context.notifyLeftOut(left)
  }

  /// Closes the list of completions, else leaves the bar; ends a selection.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    if grid?.bar.completions != nil {
      grid?.bar.completions = nil
    } else if isTyping {
      context.browser { $0.abandonBar() }
    } else if grid?.selection != nil {
      grid?.selection = nil
    } else {
      return false
    }
    return true
  }

  /// Changes the grid and returns what it wants done.
  mutating func change(_ body: (inout GridPane) -> [Effect]) -> [Effect] {
    guard var grid else { return [] }
    defer { self.grid = grid }
    return body(&grid)
  }
}

// MARK: What stands in the way of commands

extension RowsScreen {
  typealias Obstacle = CommandBinding<RowsScreen>.Obstacle

  static let needsGrid: Obstacle = { rows, _ in rows.grid == nil ? "no table is open" : nil }

  static let needsRows: Obstacle = { rows, environment in
    needsGrid(rows, environment) ?? (rows.grid?.currentRow == nil ? "there are no rows here" : nil)
  }

  static let needsNeedle: Obstacle = { rows, environment in
    needsRows(rows, environment) ?? environment.needsNeedle(rows.grid?.needle.map { _ in "" })
  }

  static let needsBar: Obstacle = { rows, environment in
    rows.isTyping ? nil : "the filter bar does not have the keys: \(environment.keyHint(.filter)) goes there"
  }

  /// Returns why there is no SELECT for the rows; nil where there is one.
  static let needsQuery: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) { return obstacle }
    guard case .returned? = rows.grid?.rowSet.source else { return nil }
    return "a statement that wrote has returned these rows: no SELECT gives them again"
  }

  /// Returns an obstacle that holds where a grid is shown and a condition does not hold.
  static func needs(_ first: @escaping Obstacle, _ sentence: String, _ condition: @escaping @Sendable (RowsScreen) -> Bool) -> Obstacle {
    { rows, environment in first(rows, environment) ?? (condition(rows) ? nil : sentence) }
  }
}
