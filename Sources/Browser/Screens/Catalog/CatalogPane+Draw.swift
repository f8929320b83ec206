import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

extension CatalogPane {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard !area.isEmpty else { return }
    let appearance = environment.appearance
    surface.fill(area, style: appearance.theme.style(.text))
    var area = area
    if let filter {
      drawFilter(filter, into: &surface, area: area.removeTop(1), appearance: appearance)
    }
    if let problem { return drawProblem(problem, into: &surface, area: area, appearance: appearance) }
    if lines.isEmpty { return drawEmpty(into: &surface, area: area, appearance: appearance) }
    for (offset, line) in lines.dropFirst(top).prefix(area.rows).enumerated() {
      let row = Rect(column: area.column, row: area.row + offset, columns: area.columns, rows: 1)
      drawLine(line, isCurrent: top + offset == cursor, environment, into: &surface, row: row)
    }
  }

  /// Returns the number of columns needed for the names and their row counts, including tables that the filter currently hides.
  func columns(in workspace: Workspace) -> Int {
    max(CatalogPane.leastColumns, otherColumns, countedColumns + 3 + max(CatalogPane.countColumns, workspace.countColumns))
  }

  private static let leastColumns = 14
  /// The number of columns reserved for row counts that arrive later.
  private static let countColumns = 5

  private func drawFilter(_ filter: TextField, into surface: inout Surface, area: Rect, appearance: Appearance) {
    surface.write(" /", at: Point(column: area.column, row: area.row), limit: area.columns, style: appearance.theme.style(.accent))
    let start = Point(column: area.column + 3, row: area.row)
    let style = appearance.theme.style(.text)
    guard isTyping else { return _ = surface.write(filter.text, at: start, limit: area.columns - 4, style: style) }
    filter.draw(
      into: &surface, at: start, columns: max(1, area.columns - 4), style: style, placeholder: "name",
      placeholderStyle: appearance.theme.style(.muted))
  }

  private func drawProblem(_ problem: Problem, into surface: inout Surface, area: Rect, appearance: Appearance) {
    let lines = WrappedText.lines(problem.text, columns: max(1, area.columns - 2), rows: area.rows, appearance: appearance)
    for (offset, line) in lines.enumerated() {
      surface.write(
        line, at: Point(column: area.column + 1, row: area.row + offset), limit: area.columns - 1, style: appearance.theme.style(.error))
    }
  }

  private func drawEmpty(into surface: inout Surface, area: Rect, appearance: Appearance) {
    guard catalog != nil, !area.isEmpty else { return }
    let text = filter == nil ? "no tables yet" : "no match"
    surface.write(text, at: Point(column: area.column + 2, row: area.row), limit: area.columns - 2, style: appearance.theme.style(.muted))
  }

  private func drawLine(_ line: CatalogLine, isCurrent: Bool, _ environment: ScreenEnvironment, into surface: inout Surface, row: Rect) {
    let (appearance, hasFocus) = (environment.appearance, environment.hasFocus)
    let base: Role = isCurrent && hasFocus ? .selection : .text
    if base == .selection { surface.fill(row, style: appearance.theme.style(.selection)) }
    let indent = 1 + 2 * line.depth
    if isCurrent {
      let style = hasFocus ? appearance.theme.markStyle(on: .selection) : appearance.theme.style(.muted)
      surface.write(appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), style: style)
    }
    var start = Point(column: row.column + indent, row: row.row)
    let room = row.columns - indent
    switch line.content {
    case .database(let database):
      StyledLine(database.name, .accent).draw(into: &surface, at: start, columns: room, base: base, appearance: appearance)
    case .group(let group, let count):
      let mark = isFolded(group) ? appearance.glyphs.folded : appearance.glyphs.unfolded
      let title = "\(mark) \(group.title)" + (isFolded(group) ? " \(Plural.grouped(count))" : "")
      StyledLine(title, .muted).draw(into: &surface, at: start, columns: room, base: base, appearance: appearance)
    case .entry(let entry):
      let isOpen = environment.grid?.rowSet.sourceTable == entry.reference
      if isOpen {
        let place = Point(column: start.column - 1, row: start.row)
        surface.write(appearance.glyphs.open, at: place, style: appearance.theme.markStyle(on: base))
      }
      start.column += 1
      drawEntry(
        entry, role: isOpen ? .accent : .text, matched: line.matched, into: &surface, at: start, room: room - 1, base: base, environment)
    }
  }

  private func drawEntry(
    _ entry: CatalogEntry, role: Role, matched: [Int], into surface: inout Surface, at start: Point, room: Int, base: Role,
    _ environment: ScreenEnvironment
  ) {
    let appearance = environment.appearance
    var count =
      environment.workspace.count(of: entry.reference).map { ($0.isExact ? "" : appearance.atLeast) + Plural.grouped($0.value) } ?? ""
    // A view is counted once it is shown: its number does not cut its name.
    if !entry.isCounted, TextWidth.columns(of: entry.reference.name + count) + 2 > room { count = "" }
    let nameRoom = max(0, room - (count.isEmpty ? 1 : TextWidth.columns(of: count) + 2))
    let name = TextWidth.truncated(entry.reference.name, to: nameRoom, ellipsis: appearance.glyphs.ellipsis)
    var column = start.column
    for (index, character) in name.enumerated() {
      let style = matched.contains(index) ? appearance.theme.style(.match, on: base) : appearance.theme.style(role, on: base)
      column += surface.write(String(character), at: Point(column: column, row: start.row), limit: room, style: style)
    }
    if environment.workspace.staged.counts(of: entry.reference).changes > 0 {
      let style = appearance.theme.style(.changed, on: base)
      surface.write(StagedRow.Kind.updated.sign, at: Point(column: start.column - 1, row: start.row), style: style)
    }
    let countStart = start.column + room - TextWidth.columns(of: count) - 1
    surface.write(count, at: Point(column: countStart, row: start.row), style: appearance.theme.style(.muted, on: base))
  }
}
