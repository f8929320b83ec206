package import QuarryRows
import Terminal

/// The filter or the order that is being written for the rows of a grid.
///
///                begin                      receive(report)
///     closed ───────────────▶ unchecked ──────────────────▶ checked ──▶ the rows follow, where that costs little
///       ▲                      ▲  │  ▲                        │  │
///       │                      │  │  └── edit, replaceText ───┘  │ Enter
///       │          begin again │  │ Enter: waits for the report  ▼
///       │                      │  └────────────────────────▶ refused: it stays open
///       │ close                │                             asks for parameters: their form applies it
///       └──────────────────────┴──────────────────────────── applied
///
/// One bar is open at a time, under the grid whose rows it is written for. The view that was in force when it was opened, which leaving it
/// restores, is the bar's ``FilterBar/origin``.
package struct FilterSession: Hashable, Sendable {
  package private(set) var bar = FilterBar()
  /// The grid under which the bar was opened last; nil before that.
  private(set) var grid: GridID?

  package init() {}

  /// What Enter comes to.
  package enum Application: Hashable, Sendable {
    /// The text has not been checked: the report on it applies it.
    case awaited
    case refused(TextRemark, ViewReport)
    /// Parameters have no values yet, or are to get others.
    case asks([FormParameter])
    case applied(RowView)
  }

  /// Returns whether the bar is open under a grid.
  package func isOpen(under grid: GridID?) -> Bool { bar.isTyping && grid != nil && self.grid == grid }

  /// Returns the bar as it is under a grid.
  package func bar(under grid: GridID) -> FilterBar { self.grid == grid ? bar : FilterBar() }

  /// Returns the view that applying the text would give.
  package func draft(of grid: GridPane) -> RowView {
    guard isOpen(under: grid.id) else { return grid.view }
    var draft = bar.origin.view
    draft[bar.text] = bar.field.text
    return draft
  }

  // MARK: Opening and closing

  /// Opens the bar with the text of the view in force; returns false where it is open with that one already.
  package mutating func begin(_ text: RowView.Text, of view: RowView, under grid: GridPane) -> Bool {
    if isOpen(under: grid.id), bar.text == text { return false }
    bar.begin(text, at: FilterBar.Origin(view: view, row: grid.currentRow?.key))
    self.grid = grid.id
    return true
  }

  /// Closes the bar.
  package mutating func close() {
    bar.isTyping = false
    bar.completions = nil
  }

  /// Goes with the rows of another view, which replace those that the bar was opened under.
  package mutating func move(from replaced: GridID, to grid: GridID) {
    if self.grid == replaced { self.grid = grid }
  }

  // MARK: Writing

  /// Changes the bar's text, its completions or its place in the history.
  @discardableResult
  package mutating func change<Result>(_ body: (inout FilterBar) -> Result) -> Result { body(&bar) }

  /// Takes the report on a draft; returns false where the text is another one by now.
  package mutating func receive(_ report: ViewReport, on draft: RowView, of id: GridID, in workspace: Workspace) -> Bool {
    guard let grid = workspace.grid, grid.id == id, isOpen(under: id), self.draft(of: grid) == draft else { return false }
    bar.receive(report)
    return true
  }

  /// Takes what completes a draft; returns the completion to be taken at once, where it is the only one and was asked for.
  package mutating func receive(_ items: [Completion], completing draft: RowView, in workspace: Workspace) -> Completion? {
    guard let grid = workspace.grid, isOpen(under: grid.id), self.draft(of: grid) == draft else { return nil }
    if items.count == 1, bar.completions == nil, !bar.isListOffered { return items[0] }
    bar.completions = CompletionList(items)
    return nil
  }

  // MARK: Applying

  /// Decides what Enter does; where the text has not been checked yet, it is done with the report.
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

  /// Returns whether the rows may follow a text while it is typed.
  static func isCheap(_ report: ViewReport, for grid: GridPane, _ workspace: Workspace) -> Bool {
    guard let plan = report.plan, plan.lamp != .search else { return true }
    return workspace.hasFewRows(grid)
  }

  /// Returns whether the rows that the text asks for come only when it is applied.
  func waitsForEnter(in workspace: Workspace) -> Bool {
    guard let grid = workspace.grid, isOpen(under: grid.id), draft(of: grid) != grid.view, bar.isReportCurrent, let report = bar.report
    else { return false }
    return report.faults.isEmpty && !(report.isReady && Self.isCheap(report, for: grid, workspace))
  }
}
