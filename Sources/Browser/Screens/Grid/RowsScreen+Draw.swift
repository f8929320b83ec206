import QuarryEngine
import Terminal

/// The areas of the pane of rows.
struct RowsLayout: Hashable, Sendable {
  /// The line of results over the rows; empty while the editor is closed.
  var results: Rect
  var grid: Rect
  /// The filter bar under the grid; empty where there is no room or no grid.
  var bar: Rect

  init(_ area: Rect, _ environment: ScreenEnvironment) {
    var rest = area
    results = rest.removeTop(environment.isEditorVisible && rest.rows > 0 ? 1 : 0)
    bar = rest.removeBottom(Self.barRows(in: rest, environment))
    grid = rest
  }

  private static func barRows(in area: Rect, _ environment: ScreenEnvironment) -> Int {
    environment.grid?.bar.height(in: area, mendKey: environment.keyHint(.applyReplacement, in: .bar), appearance: environment.appearance)
      ?? 0
  }

  var gridWithBar: Rect { Rect(column: grid.column, row: grid.row, columns: grid.columns, rows: grid.rows + bar.rows) }
}

extension RowsScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let layout = RowsLayout(area, environment)
    drawResults(into: &surface, area: layout.results, environment)
    if !layout.grid.isEmpty { surface.clipped(to: layout.grid) { drawRows(into: &$0, area: layout.grid, environment) } }
    guard let grid = environment.grid, !layout.bar.isEmpty else { return }
    surface.clipped(to: layout.gridWithBar) {
      grid.bar.draw(
        into: &$0, area: layout.bar, view: awaitedView(in: environment.workspace) ?? grid.view, condition: grid.rowSet.condition,
        mendKey: environment.keyHint(.applyReplacement, in: .bar), appearance: environment.appearance)
    }
  }

  private func drawRows(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    if let grid = environment.grid {
      let isOutdated = areRowsOutdated(in: environment.workspace)
      return grid.draw(into: &surface, area: area, hasFocus: environment.hasFocus, isOutdated: isOutdated, appearance: appearance)
    }
    let (text, role) = report(environment)
    for (offset, line) in WrappedText.lines(text, columns: max(1, area.columns - 4), rows: area.rows - 1, appearance: appearance)
      .enumerated()
    {
      surface.write(
        line, at: Point(column: area.column + 2, row: area.row + 1 + offset), limit: area.columns - 3, style: appearance.theme.style(role))
    }
  }

  /// Returns the message where there are no rows.
  private func report(_ environment: ScreenEnvironment) -> (text: String, role: Role) {
    if let tab = results.current { return (tab.report, tab.role) }
    if let failure { return (failure.problem.text, .error) }
    if opening != nil { return ("opening\(environment.appearance.glyphs.ellipsis)", .muted) }
    return (environment.workspace.hasCatalog ? "This database has no tables yet." : "", .muted)
  }

  // MARK: Title

  func title(_ environment: ScreenEnvironment) -> StyledLine? {
    let (appearance, workspace) = (environment.appearance, environment.workspace)
    let name: Role = environment.hasFocus ? .accent : .header
    guard let grid = workspace.grid else { return StyledLine(results.current?.title ?? failure?.title ?? "", name) }
    let separator = " \(appearance.glyphs.dot) "
    var line = StyledLine(grid.title, name)
    if let total = grid.total { line = line.adding(separator + total.text(appearance) + (total.value == 1 ? " row" : " rows"), .muted) }
    if !grid.order.isEmpty {
      let keys = grid.order.map { "\($0.name)\($0.isDescending ? appearance.glyphs.descending : appearance.glyphs.ascending)" }
      line = line.adding(separator, .muted).adding("sort \(keys.joined(separator: " "))", .accent)
    }
    let hidden = grid.layout.hidden.count
    if hidden > 0 { line = line.adding(separator + "\(Plural.of(hidden, "column")) hidden", .muted) }
    if workspace.isOutdated(grid) {
      line = line.adding("\(separator)outdated: \(environment.keyHint(.refresh)) refreshes", .warning)
    }
    if grid.selection != nil { line = line.adding(separator + appearance.sentence(grid.selectionTitle) + " selected", .accent) }
    return line
  }

  // MARK: Results

  /// Draws the line over the rows, with a tab for each result.
  private func drawResults(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard !area.isEmpty else { return }
    let appearance = environment.appearance
    surface.fill(area, style: appearance.theme.style(.header))
    var line = StyledLine(" ")
    if let running = environment.running {
      line = line.adding(running, .accent).adding("  \(environment.keyHint(.stop)) stops it\(results.tabs.isEmpty ? "" : "   ")", .muted)
    } else if results.tabs.isEmpty {
      line = line.adding("\(environment.keyHint(.runStatement, in: .editor)) runs the statement under the caret", .muted)
    }
    for tab in shownResults(columns: area.columns - line.width, appearance) { line.runs += tab.runs }
    line.draw(into: &surface, at: Point(column: area.column, row: area.row), columns: area.columns, base: .header, appearance: appearance)
  }

  /// Returns the tabs from the first one that leaves room for the current one; only those in sight are formatted.
  private func shownResults(columns: Int, _ appearance: Appearance) -> [StyledLine] {
    let tabs = results.tabs
    let current = results.index.map { min($0, tabs.count - 1) } ?? 0
    var lines: [StyledLine] = []
    var room = columns
    for index in tabs.indices.prefix(current + 1).reversed() {
      let line = line(of: tabs[index], at: index, appearance)
      room -= line.width
      guard room >= 0 || lines.isEmpty else { return lines }
      lines.insert(line, at: 0)
    }
    for index in tabs.indices.dropFirst(current + 1) where room > 0 {
      lines.append(line(of: tabs[index], at: index, appearance))
      room -= lines.last?.width ?? 0
    }
    return lines
  }

  private func line(of tab: ResultTabs.Tab, at index: Int, _ appearance: Appearance) -> StyledLine {
    let isCurrent = results.index == index
    let title = TextWidth.truncated(tab.title, to: 24, ellipsis: appearance.glyphs.ellipsis)
    return StyledLine(index > 0 ? " \(appearance.glyphs.vertical) " : "", .border)
      .adding("\(results.earlierCount + index + 1) ", isCurrent ? .key : .muted).adding(title, isCurrent ? .text : .muted)
      .adding(" \(mark(of: tab, appearance))", tab.role)
  }

  private func mark(of tab: ResultTabs.Tab, _ appearance: Appearance) -> String {
    switch tab.content {
    case .rows, .read: tab.elapsed.words
    case .done(let changes, _): "\(appearance.glyphs.right) \(Plural.grouped(changes))"
    case .failed: appearance.glyphs.wrong
    }
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

extension Workspace {
  /// Returns whether another program has written since the rows of a snapshot were read.
  func isOutdated(_ grid: GridPane) -> Bool {
    grid.isSnapshot && grid.fileChanges != fileChanges && !grid.isResult
  }
}
