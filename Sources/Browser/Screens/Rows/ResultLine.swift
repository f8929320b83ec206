import QuarryEngine
import QuarryRows
import Terminal

/// The line above the rows, with a tab for each result.
struct ResultLine {
  let results: ResultTabs
  /// The title of the rows; nil for the rows of a result.
  let title: StyledLine?
  /// The facts about the rows of a result.
  let facts: StyledLine

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    surface.fill(area, style: appearance.theme.style(.header))
    var line = StyledLine(" ")
    if let running = environment.running {
      line = line.adding(running, .accent).adding("  \(environment.stopHint)   ", .muted)
    }
    if let title { line.runs += title.adding("   ").runs }
    if environment.running == nil, results.tabs.isEmpty {
      let run = environment.keyHint(.runStatement, in: .editor)
      // Above the rows of a table, the key that runs a statement rereads these rows.
      let hint =
        environment.focus == .editor
        ? "\(run) runs the statement under the caret" : "\(environment.keyHint(.editSQL)) edits the statement, \(run) there runs it"
      if line.width + TextWidth.columns(of: hint) <= area.columns { line = line.adding(hint, .muted) }
    }
    for tab in shownResults(columns: area.columns - line.width - min(facts.width, area.columns / 2), appearance) { line.runs += tab.runs }
    line.runs += facts.runs
    line.draw(into: &surface, at: Point(column: area.column, row: area.row), columns: area.columns, base: .header, appearance: appearance)
  }

  /// Returns the tabs from the first one that leaves room for the current one; only visible tabs are formatted.
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
