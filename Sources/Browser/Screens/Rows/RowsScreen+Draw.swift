import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows
package import Terminal

/// The areas of the pane of rows.
package struct RowsLayout: Hashable, Sendable {
  /// The line of results above the rows; empty while the editor is closed.
  var results: Rect
  package var grid: Rect
  /// The strip of the lens for foreign keys below the grid; empty if the lens is off.
  var strip: Rect
  /// The filter bar below the grid; empty without a grid, or without room for it.
  var bar: Rect

  package init(_ area: Rect, _ filter: FilterSession, _ environment: ScreenEnvironment) {
    var rest = area
    results = rest.removeTop(environment.isEditorVisible && rest.rows > 0 ? 1 : 0)
    bar = rest.removeBottom(Self.barRows(in: rest, filter, environment))
    strip = rest.removeBottom(LensStrip.rows(in: rest, environment.grid))
    grid = rest
  }

  private static func barRows(in area: Rect, _ filter: FilterSession, _ environment: ScreenEnvironment) -> Int {
    guard let grid = environment.workspace.shownGrid else { return 0 }
    return filter.bar(under: grid).height(in: area, keys: FilterBar.KeyHints(environment), appearance: environment.appearance)
  }

  var gridWithBar: Rect {
    Rect(column: grid.column, row: grid.row, columns: grid.columns, rows: grid.rows + strip.rows + bar.rows)
  }
}

extension RowsScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let layout = RowsLayout(area, filter, environment)
    drawResults(into: &surface, area: layout.results, environment)
    if !layout.grid.isEmpty { surface.clipped(to: layout.grid) { drawRows(into: &$0, area: layout.grid, environment) } }
    if let grid = environment.grid { LensStrip(grid: grid).draw(into: &surface, area: layout.strip, environment.appearance) }
    guard let grid = environment.grid, !layout.bar.isEmpty else { return }
    surface.clipped(to: layout.gridWithBar) {
      filter.bar(under: grid.id).draw(
        into: &$0, area: layout.bar, view: pendingView(in: environment.workspace) ?? grid.view, condition: grid.rowSet.condition,
        keys: FilterBar.KeyHints(environment), waitsForEnter: filter.waitsForEnter(in: environment.workspace),
        example: BarExample(grid), appearance: environment.appearance)
    }
  }

  private func drawRows(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    if let grid = environment.grid {
      let isOutdated = areRowsOutdated(in: environment.workspace)
      return grid.draw(
        into: &surface, area: area, hasFocus: environment.hasFocus, isOutdated: isOutdated, staged: environment.workspace.staged,
        appearance: appearance)
    }
    var rest = area
    _ = rest.removeTop(1)
    for (text, role) in report(environment) {
      for line in WrappedText.lines(text, columns: max(1, area.columns - 4), rows: rest.rows, appearance: appearance) {
        let row = rest.removeTop(1).row
        surface.write(line, at: Point(column: area.column + 2, row: row), limit: area.columns - 3, style: appearance.theme.style(role))
      }
    }
  }

  /// Returns the message shown if there are no rows.
  private func report(_ environment: ScreenEnvironment) -> [(text: String, role: Role)] {
    if let tab = results.current { return tab.report(mendKey: environment.keyHint(.applyReplacement, in: .editor)) }
    if let failure = opening.failure { return [(failure.problem.text, .error)] }
    if opening.pending != nil { return [("opening\(environment.appearance.glyphs.ellipsis)", .muted)] }
    return environment.workspace.source.hasCatalog ? [("This database has no tables yet.", .muted)] : []
  }

  func title(_ environment: ScreenEnvironment) -> StyledLine? {
    let name: Role = environment.hasFocus ? .accent : .header
    guard let grid = environment.grid else { return StyledLine(results.current?.title ?? opening.failure?.title ?? "", name) }
    return RowsTitle(grid: grid, followed: following.end).line(name, environment)
  }

  /// Draws the line of results above the rows; it begins with the title of the table, if one is open.
  private func drawResults(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard !area.isEmpty else { return }
    let isTable = results.index == nil
    let hasTitle = isTable && (environment.grid != nil || opening.failure != nil)
    let facts = isTable ? nil : environment.grid.map { RowsTitle(grid: $0, followed: following.end).facts(environment) }
    ResultLine(results: results, title: hasTitle ? title(environment) : nil, facts: facts ?? StyledLine())
      .draw(into: &surface, area: area, environment)
  }
}

extension RowNumber {
  /// Returns the number in words: `3,503`, `≥ 100`, `~1,200`.
  func text(_ appearance: Appearance) -> String {
    switch self {
    case .exact(let count): Plural.grouped(count)
    case .atLeast(let count): appearance.atLeast + Plural.grouped(count)
    case .estimated(let count): "~" + Plural.grouped(count)
    }
  }
}
