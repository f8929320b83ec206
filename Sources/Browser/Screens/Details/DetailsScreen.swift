import QuarryEngine
import Terminal

/// What the schema says of a table: columns, keys, indexes, triggers, references, DDL.
struct DetailsScreen: Hashable, Sendable {
  /// The table whose schema is shown; nil for other lines.
  let table: TableReference?
  let title: String
  private(set) var lines: [StyledLine]
  private(set) var problem: Problem?
  private(set) var top = 0
  var height = 1

  init(table: TableReference) {
    self.table = table
    title = table.name
    lines = []
  }

  init(title: String, lines: [StyledLine]) {
    table = nil
    self.title = title
    self.lines = lines
  }

  mutating func take(_ result: Result<TableDetails, Problem>, glyphs: Glyphs) {
    switch result {
    case .success(let details): (lines, problem) = (DetailsText(details: details, glyphs: glyphs).lines, nil)
    case .failure(let problem): self.problem = problem
    }
  }

  mutating func scroll(by count: Int) {
    top = min(max(0, top + count), max(0, lines.count - height))
  }

  func draw(into surface: inout Surface, area: Rect, look: Look) {
    let place = lines.count > height ? "\(min(lines.count, top + height)) of \(lines.count) lines" : ""
    Box.draw(into: &surface, rect: area, title: title, footer: place, look: look)
    let inside = area.inset(columns: 2, rows: 1)
    let shown = problem.map { WrappedText.lines($0.text, columns: max(1, inside.columns)).map { StyledLine($0, .error) } } ?? lines
    for (offset, line) in shown.dropFirst(top).prefix(inside.rows).enumerated() {
      line.draw(into: &surface, at: Point(column: inside.column, row: inside.row + offset), columns: inside.columns, look: look)
    }
  }
}
