import QuarryEngine
import Terminal

extension RecordScreen {
  /// Draws the form in a frame, which says which row it is.
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let (appearance, place) = (environment.appearance, environment.workspace.position(environment.appearance) ?? "")
    Box.draw(
      into: &surface, rect: area, title: place.isEmpty ? title : "\(title) \(appearance.glyphs.dot) \(place)", appearance: appearance)
    let inside = area.inset(columns: 2, rows: 1)
    if let problem { return write(problem.text, .error, into: &surface, inside: inside, appearance: appearance) }
    if isGone { return write("This row is gone: somebody deleted it.", .warning, into: &surface, inside: inside, appearance: appearance) }
    for (offset, line) in lines.dropFirst(top).prefix(inside.rows).enumerated() {
      draw(
        line, into: &surface, row: Rect(column: inside.column, row: inside.row + offset, columns: inside.columns, rows: 1),
        appearance: appearance)
    }
    drawScrollMarks(into: &surface, area: area, appearance: appearance)
  }

  private func write(_ text: String, _ role: Role, into surface: inout Surface, inside: Rect, appearance: Appearance) {
    for (offset, line) in WrappedText.lines(text, columns: max(1, inside.columns), rows: inside.rows, appearance: appearance).enumerated() {
      surface.write(
        line, at: Point(column: inside.column, row: inside.row + offset), limit: inside.columns, style: appearance.theme.style(role))
    }
  }

  private func draw(_ line: Line, into surface: inout Surface, row: Rect, appearance: Appearance) {
    let base: Role = line.field == field ? .selection : .text
    if base == .selection { surface.fill(row, style: appearance.theme.style(.selection)) }
    if line.isFirst {
      let column = columns[line.field]
      if base == .selection {
        surface.write(
          appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), limit: 1, style: appearance.theme.style(.accent, on: base))
      }
      let name = TextWidth.truncated(column.name, to: nameColumns - 2, ellipsis: appearance.glyphs.ellipsis)
      let role: Role = column.schema?.primaryKeyPlace == nil ? .muted : .key
      surface.write(
        name, at: Point(column: row.column + 2, row: row.row), limit: nameColumns - 2, style: appearance.theme.style(role, on: base))
    }
    let start = Point(column: row.column + nameColumns + 2, row: row.row)
    let value = needle.map(line.value.marking) ?? line.value
    value.draw(into: &surface, at: start, columns: row.endColumn - start.column, base: base, appearance: appearance)
  }

  private func drawScrollMarks(into surface: inout Surface, area: Rect, appearance: Appearance) {
    let style = appearance.theme.style(.accent)
    let isAscii = appearance.glyphs == .ascii
    if top > 0 { surface.write(isAscii ? "^" : "▲", at: Point(column: area.endColumn - 1, row: area.row + 1), style: style) }
    if top + room.rows < lines.count {
      surface.write(isAscii ? "v" : "▼", at: Point(column: area.endColumn - 1, row: area.endRow - 2), style: style)
    }
  }

  /// The field at a point of the screen; nil outside of the form.
  func field(at point: Point, area: Rect) -> Int? {
    let inside = area.inset(columns: 2, rows: 1)
    guard inside.contains(point) else { return nil }
    let index = top + point.row - inside.row
    return lines.indices.contains(index) ? lines[index].field : nil
  }
}
