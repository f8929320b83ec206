import QuarryEngine
import Terminal

/// The editor and its results on the screen.
extension Browser {
  func drawEditor(into surface: inout Surface, layout: ScreenLayout) {
    guard !layout.editor.isEmpty else { return }
    surface.clipped(to: layout.editor) { surface in
      sql.editor.draw(into: &surface, area: layout.editor, hasFocus: hasFocus(.editor), statement: markedStatement, look: look)
    }
    drawResultLine(into: &surface, area: layout.results)
    guard isInEditor, let completions = sql.completions, let caret = surface.cursor else { return }
    surface.clipped(to: layout.editorWithGrid) { completions.draw(into: &$0, at: caret, area: layout.editorWithGrid, look: look) }
  }

  /// A text of more bytes is not taken apart into statements each time it is drawn.
  private static let markLimit = 200_000

  private var markedStatement: Range<Int>? {
    guard sql.editor.byteCount <= Browser.markLimit else { return nil }
    return sql.currentStatement?.range
  }

  /// The line between editor and grid: a tab for each result.
  private func drawResultLine(into surface: inout Surface, area: Rect) {
    guard !area.isEmpty else { return }
    surface.fill(area, style: look.theme.style(.header))
    var line = StyledLine(" ")
    if let badge = sql.run?.badge {
      line = line.adding(badge, .accent).adding("  \(keyHint(.stop)) stops it", .muted)
    } else if sql.results.tabs.isEmpty {
      line = line.adding("\(keyHint(.runStatement, in: .editor)) runs the statement under the caret", .muted)
    }
    for tab in shownResults(columns: area.columns - line.width) { line.runs += tab.runs }
    line.draw(into: &surface, at: Point(column: area.column, row: area.row), columns: area.columns, base: .header, look: look)
  }

  /// The tabs from the first that leaves room for the one that is shown: only those in sight are put into words.
  private func shownResults(columns: Int) -> [StyledLine] {
    let tabs = sql.results.tabs
    let place = sql.results.place.map { min($0, tabs.count - 1) } ?? 0
    var lines: [StyledLine] = []
    var room = columns
    for index in tabs.indices.prefix(place + 1).reversed() {
      let line = line(of: tabs[index], at: index)
      room -= line.width
      guard room >= 0 || lines.isEmpty else { return lines }
      lines.insert(line, at: 0)
    }
    for index in tabs.indices.dropFirst(place + 1) where room > 0 {
      lines.append(line(of: tabs[index], at: index))
      room -= lines.last?.width ?? 0
    }
    return lines
  }

  private func line(of tab: ResultTabs.Tab, at index: Int) -> StyledLine {
    let isCurrent = sql.results.place == index
    let title = TextWidth.truncated(tab.title, to: 24, ellipsis: look.glyphs.ellipsis)
    return StyledLine(index > 0 ? " \(look.glyphs.vertical) " : "", .border)
      .adding("\(sql.results.earlierCount + index + 1) ", isCurrent ? .key : .muted).adding(title, isCurrent ? .text : .muted)
      .adding(" \(mark(of: tab))", tab.role)
  }

  private func mark(of tab: ResultTabs.Tab) -> String {
    switch tab.content {
    case .rows, .read: tab.elapsed.words
    case .done(let changes, _): "\(look.glyphs.right) \(Plural.grouped(changes))"
    case .failed: look.glyphs.wrong
    }
  }

  /// What the title says while the editor has the keys.
  var editorTitle: StyledLine {
    let separator = " \(look.glyphs.dot) "
    var line = StyledLine("SQL", .header)
    line = line.adding(separator + (sql.buffer.origin?.title ?? "not saved"), .muted)
    if sql.buffer.origin != nil, sql.buffer.isChanged { line = line.adding("\(separator)changed", .warning) }
    if sql.buffers.count > 1 { line = line.adding("\(separator)text \(sql.place + 1) of \(sql.buffers.count)", .muted) }
    return line
  }
}

extension SQLActivity {
  /// What is under way, for the title; nil where the person is asked.
  var badge: String? {
    switch phase {
    case .preparing: "compiling"
    case .asking: nil
    case .running(_, let elapsed): elapsed < .milliseconds(400) ? "running" : "running for \(elapsed.words)"
    }
  }
}

extension ResultTabs.Tab {
  /// What is shown where there are no rows.
  var report: String {
    switch content {
    case .rows: ""
    case .read, .done, .failed: "\(sentence)\n\n\(sql)"
    }
  }
}
