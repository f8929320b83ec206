import QuarryChanges
import QuarryFiles
import Terminal

extension ExportScreen {
  /// The number of rows of the box: for the lines, for the completions of the path, and for the notes below them.
  static let leastRows = 10
  private static let columns = 84
  private static let labelColumns = 10

  private static func box(in area: Rect) -> Rect { Box.centered(in: area, columns: columns, rows: leastRows) }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let box = Self.box(in: area)
    let footer = "\(environment.keyHint(.accept)) writes the file"
    Box.draw(
      into: &surface, rect: box, title: "Export \(rows.title)", footer: footer, hasFocus: environment.hasFocus, appearance: appearance)
    var inside = box.inset(columns: 2, rows: 1)
    var below = inside
    below = below.removeBottom(max(0, inside.rows - lines.count - 2))
    draw(facts(environment), into: &surface, area: below, appearance)
    inside = Rect(column: inside.column, row: inside.row, columns: inside.columns, rows: min(inside.rows, lines.count + 1))
    // The path is drawn last, because it sets the terminal's cursor.
    for line in lines.reversed() { draw(line, into: &surface, area: inside, environment) }
  }

  /// Returns the row of a line of the form; the completions of the path are below its line.
  private func row(of line: Line, in area: Rect) -> Int? {
    guard let index = lines.firstIndex(of: line) else { return nil }
    let row = area.row + index + (index > 0 ? 1 : 0)
    return row < area.endRow ? row : nil
  }

  private func draw(_ line: Line, into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard let row = row(of: line, in: area) else { return }
    let appearance = environment.appearance
    let isCurrent = line == self.line
    if isCurrent {
      surface.write(appearance.glyphs.cursor, at: Point(column: area.column, row: row), style: appearance.theme.markStyle())
    }
    surface.write(
      line.label, at: Point(column: area.column + 2, row: row), limit: Self.labelColumns, style: appearance.theme.style(.muted))
    let start = Point(column: area.column + Self.labelColumns, row: row)
    let columns = max(1, area.endColumn - start.column)
    if line == .path { return drawPath(into: &surface, at: start, columns: columns, isCurrent: isCurrent, appearance) }
    choices(of: line).line(columns: columns, isCurrent: isCurrent, glyphs: appearance.glyphs)
      .draw(into: &surface, at: start, columns: columns, appearance: appearance)
  }

  private func drawPath(into surface: inout Surface, at start: Point, columns: Int, isCurrent: Bool, _ appearance: Appearance) {
    let style = appearance.theme.style(isCurrent ? .selection : .text)
    if isCurrent {
      path.field.draw(
        into: &surface, at: start, columns: columns, style: style, placeholder: "the path of a file",
        placeholderStyle: appearance.theme.style(.muted, on: .selection))
    } else {
      surface.write(path.text, at: start, limit: columns, style: style)
    }
    let names = TextWidth.truncated(path.candidates.joined(separator: "  "), to: columns, ellipsis: appearance.glyphs.ellipsis)
    surface.write(
      names, at: Point(column: start.column, row: start.row + 1), limit: columns, style: appearance.theme.style(.muted))
  }

  private func choices(of line: Line) -> ChoiceLine {
    switch line {
    case .path: ChoiceLine(labels: [], chosen: 0)
    case .format: ChoiceLine(labels: ExportFormat.allCases.map(\.title), chosen: ExportFormat.allCases.firstIndex(of: format) ?? 0)
    case .rows:
      ChoiceLine(labels: ["the selection: \(selected?.words ?? "")", "all: \(all.words)"], chosen: takesSelection ? 0 : 1)
    }
  }

  /// Returns the notes: the exported and the omitted data, or the reason why nothing can be written.
  private func facts(_ environment: ScreenEnvironment) -> [StyledLine] {
    if let problem { return [StyledLine(problem, .error)] }
    var facts = [StyledLine("\(rows.words): \(rows.columnWords(as: format))", .muted)]
    if let unwritten = environment.unwritten(of: all) {
      let isStaged = all.table.map { environment.workspace.staged.counts(of: $0).changes > 0 } ?? false
      let wayOut = isStaged ? "\(environment.keyHint(.changes, in: .grid)) in the grid commits first" : "wait until all rows have been read"
      facts.append(StyledLine("\(unwritten) will not be in the file: \(wayOut)", .warning))
    }
    return facts
  }

  private func draw(_ facts: [StyledLine], into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    let lines = facts.flatMap { fact in
      WrappedText.lines(appearance.sentence(fact.text), columns: max(1, area.columns)).map {
        StyledLine($0, fact.runs.first?.role ?? .text)
      }
    }
    lines.draw(into: &surface, area: area, appearance: appearance)
  }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = Self.box(in: area).inset(columns: 2, rows: 1)
    guard inside.contains(point), let line = lines.first(where: { row(of: $0, in: inside) == point.row }) else { return }
    select(line)
    let start = inside.column + Self.labelColumns
    let choice = choices(of: line).index(
      at: point.column - start, columns: inside.endColumn - start, glyphs: context.appearance.glyphs)
    guard let choice else { return }
    switch line {
    case .path: break
    case .format: choose(ExportFormat.allCases[choice])
    case .rows: choose(rowsOfSelection: choice == 0)
    }
  }
}

extension ExportScreen.Line {
  fileprivate var label: String {
    switch self {
    case .path: "path"
    case .format: "format"
    case .rows: "rows"
    }
  }
}
