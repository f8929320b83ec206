import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal

/// The areas of the pane of rows.
struct RowsLayout: Hashable, Sendable {
  /// The line of results over the rows; empty while the editor is closed.
  var results: Rect
  var grid: Rect
  /// What the lens of foreign keys shows under the grid; empty where it is off.
  var strip: Rect
  /// The filter bar under the grid; empty where there is no room or no grid.
  var bar: Rect

  init(_ area: Rect, _ filter: FilterSession, _ environment: ScreenEnvironment) {
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
        appearance: environment.appearance)
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

  /// What is said where there are no rows.
  private func report(_ environment: ScreenEnvironment) -> [(text: String, role: Role)] {
    if let tab = results.current { return tab.report(mendKey: environment.keyHint(.applyReplacement, in: .editor)) }
    if let failure { return [(failure.problem.text, .error)] }
    if opening != nil { return [("opening\(environment.appearance.glyphs.ellipsis)", .muted)] }
    return environment.workspace.source.hasCatalog ? [("This database has no tables yet.", .muted)] : []
  }

  // MARK: Title

  func title(_ environment: ScreenEnvironment) -> StyledLine? {
    let name: Role = environment.hasFocus ? .accent : .header
    guard let grid = environment.grid else { return StyledLine(results.current?.title ?? failure?.title ?? "", name) }
    var line = StyledLine(grid.title, name)
    line.runs += facts(of: grid, environment).runs
    return line
  }

  /// How many rows there are, and what makes them these.
  private func facts(of grid: GridPane, _ environment: ScreenEnvironment) -> StyledLine {
    let (appearance, workspace) = (environment.appearance, environment.workspace)
    let separator = " \(appearance.glyphs.dot) "
    var line = StyledLine()
    if let total = grid.total {
      let source = workspace.sourceTotal(of: grid)
      let of = source.map { " of \($0.text(appearance))" } ?? ""
      let isPart = grid.table.flatMap(workspace.files.file).map { !$0.isComplete } ?? false
      let part = isPart ? workspace.files.areReading ? " so far" : " of a part of the file" : ""
      let rows = ((source ?? total).value == 1 ? " row" : " rows") + part
      line = line.adding(separator + total.text(appearance) + of + rows, .muted)
    }
    if !grid.order.isEmpty {
      let keys = grid.order.map { "\($0.name)\($0.isDescending ? appearance.glyphs.descending : appearance.glyphs.ascending)" }
      line = line.adding(separator, .muted).adding("sort \(keys.joined(separator: " "))", .accent)
    }
    let hidden = grid.layout.hidden.count
    if hidden > 0 { line = line.adding(separator + "\(Plural.of(hidden, "column")) hidden", .muted) }
    if workspace.isOutdated(grid) {
      line = line.adding("\(separator)outdated: \(environment.keyHint(.refresh)) refreshes", .warning)
    }
    if let followed = following.end, followed.grid == grid.id {
      line = line.adding(separator, .muted).adding(followed.title(appearance), .accent)
    }
    let changes = grid.table.map { workspace.staged.counts(of: $0).changes } ?? 0
    if changes > 0 { line = line.adding(separator, .muted).adding(Plural.of(changes, "change"), .changed) }
    if grid.selection != nil {
      line = line.adding(separator, .muted).adding(appearance.sentence(grid.selectionTitle) + " selected", .accent)
    }
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
      line = line.adding(running, .accent).adding("  \(environment.stopHint)   ", .muted)
    }
    let isTable = results.index == nil
    if isTable, let title = title(environment), environment.grid != nil || failure != nil { line.runs += title.adding("   ").runs }
    if environment.running == nil, results.tabs.isEmpty {
      let run = environment.keyHint(.runStatement, in: .editor)
      // Over the rows of a table the key that runs a statement reads these again.
      let hint =
        environment.focus == .editor
        ? "\(run) runs the statement under the caret" : "\(environment.keyHint(.editSQL)) edits the statement, \(run) there runs it"
      if line.width + TextWidth.columns(of: hint) <= area.columns { line = line.adding(hint, .muted) }
    }
    let facts = isTable ? StyledLine() : environment.grid.map { self.facts(of: $0, environment) } ?? StyledLine()
    for tab in shownResults(columns: area.columns - line.width - min(facts.width, area.columns / 2), appearance) { line.runs += tab.runs }
    line.runs += facts.runs
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
  /// Returns how many rows there would be without the filter, as far as it is known; nil where there is none.
  func sourceTotal(of grid: GridPane) -> RowNumber? {
    grid.view.filter.isBlank ? nil : grid.rowSet.rememberedTable.flatMap(count) ?? grid.sourceTotal
  }

  /// Whether others have written since rows were read that stay what they are.
  func isOutdated(_ grid: GridPane) -> Bool {
    grid.isSnapshot && grid.fileChanges != source.fileChanges && !grid.isResult
  }
}
