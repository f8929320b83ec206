package import QuarryRows
import Terminal

/// The filter or the order that the person is editing for the rows of a grid.
///
///               begin                      receive(report)
///     closed ───────────────▶ unchecked ──────────────────▶ checked ──▶ the rows follow, if that is cheap
///       ▲                      ▲  │  ▲                        │  │
///       │                      │  │  └── edit, replaceText ───┘  │ Enter
///       │          begin again │  │ Enter: waits for the report  ▼
///       │                      │  └────────────────────────▶ refused: it stays open
///       │ close                │                             asks for parameters: their form applies it
///       └──────────────────────┴──────────────────────────── applied
///
/// One bar is open at a time, below the grid whose rows it filters or sorts. ``FilterBar/origin`` stores the view at the time when the bar
/// was opened. Leaving the bar restores that view.
package struct FilterSession: Hashable, Sendable {
  package private(set) var bar = FilterBar()
  /// The grid below which the bar was last opened; nil if it never was.
  private(set) var grid: GridID?

  package init() {}

  /// The result of Enter.
  package enum Application: Hashable, Sendable {
    /// The text has not been checked yet: its report will apply it.
    case awaited
    case refused(TextRemark, ViewReport)
    /// Parameters have no values yet, or the person may change them.
    case asks([FormParameter])
    case applied(RowView)
  }

  /// Returns whether the bar is open below a grid.
  package func isOpen(under grid: GridID?) -> Bool { bar.isTyping && grid != nil && self.grid == grid }

  /// Whether Enter waits for the report on the text.
  package var isApplying: Bool { bar.isTyping && bar.isApplyAwaited }

  /// Returns the bar below a grid.
  package func bar(under grid: GridID) -> FilterBar { self.grid == grid ? bar : FilterBar() }

  /// Returns the view that results from applying the text.
  package func draft(of grid: GridPane) -> RowView {
    guard isOpen(under: grid.id) else { return grid.view }
    var draft = bar.origin.view
    draft[bar.text] = bar.field.text
    return draft
  }

  // MARK: Opening and closing

  /// Opens the bar with the text of the current view; returns false if the bar is already open for that text.
  package mutating func begin(_ text: RowView.Text, of view: RowView, under grid: GridPane) -> Bool {
    if isOpen(under: grid.id), bar.text == text { return false }
    bar.begin(text, at: FilterBar.Origin(view: view, row: grid.currentRow?.key, column: grid.currentColumn?.name))
    self.grid = grid.id
    return true
  }

  /// Closes the bar.
  package mutating func close() {
    bar.isTyping = false
    bar.closeList()
  }

  /// Moves the bar to the grid that replaces the former grid, as another view of its rows.
  package mutating func move(from replaced: GridID, to grid: GridID) {
    if self.grid == replaced { self.grid = grid }
  }

  // MARK: Writing

  /// Changes the bar's text, its completions or its place in the history.
  @discardableResult
  package mutating func change<Result>(_ body: (inout FilterBar) -> Result) -> Result { body(&bar) }

  /// Stores the report on a draft; returns false if the text has changed since.
  package mutating func receive(_ report: ViewReport, on draft: RowView, of id: GridID, in workspace: Workspace) -> Bool {
    guard let grid = workspace.grid, grid.id == id, isOpen(under: id), self.draft(of: grid) == draft else { return false }
    bar.receive(report)
    return true
  }

  /// Stores the completions of a draft at a caret, in bytes of UTF-8; returns the completion to insert immediately, if it was requested
  /// and is the only one.
  package mutating func receive(
    _ items: [Completion], completing draft: RowView, at caret: Int, in workspace: Workspace
  ) -> Completion? {
    guard let grid = workspace.grid, isOpen(under: grid.id), self.draft(of: grid) == draft, bar.field.caretUTF8Offset == caret
    else { return nil }
    if items.count == 1, bar.completions == nil, !bar.isListOffered { return items[0] }
    bar.list(items)
    return nil
  }

  // MARK: Applying

  /// Returns the effect of Enter; if the text has not been checked yet, its report will apply it.
  package mutating func apply(over grid: GridPane) -> Application {
    guard isOpen(under: grid.id), bar.isReportCurrent, let report = bar.report else {
      bar.isApplyAwaited = true
      return .awaited
    }
    bar.isApplyAwaited = false
    if let fault = report.faults.first { return .refused(fault, report) }
    let draft = draft(of: grid)
    let missing = report.parameters.contains { grid.view.arguments[$0.identity] == nil }
    return (missing || draft == grid.view) && !report.parameters.isEmpty ? .asks(report.parameters) : .applied(draft)
  }

  /// Returns whether the rows can follow a text while the person types.
  static func isCheap(_ report: ViewReport, for grid: GridPane, _ workspace: Workspace) -> Bool {
    guard let plan = report.plan, plan.lamp != .search else { return true }
    return workspace.hasFewRows(grid)
  }

  /// Returns whether the rows that match the text are only read after it has been applied.
  func waitsForEnter(in workspace: Workspace) -> Bool {
    guard let grid = workspace.grid, isOpen(under: grid.id), draft(of: grid) != grid.view, bar.isReportCurrent, let report = bar.report
    else { return false }
    return report.faults.isEmpty && !(report.isReady && Self.isCheap(report, for: grid, workspace))
  }
}
