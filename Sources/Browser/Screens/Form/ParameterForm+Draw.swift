import Terminal

extension ParameterForm.Field {
  /// The values that may be chosen, in a line.
  fileprivate func offered(_ glyphs: Glyphs) -> String {
    fitting.map(\.plainText).joined(separator: " \(glyphs.dot) ")
  }
}

extension ParameterForm {
  /// Lines that a field takes: its own, and one for what is wrong.
  private static let fieldRows = 2

  private func box(in area: Rect) -> Rect {
    Box.centered(in: area, columns: 72, rows: ParameterForm.fieldRows * fields.count + 2)
  }

  func draw(into surface: inout Surface, area: Rect, look: Look) {
    let box = box(in: area)
    Box.draw(into: &surface, rect: box, title: title, look: look)
    let inside = box.inset(columns: 2, rows: 1)
    let tokens = min(inside.columns / 3, fields.map { TextWidth.columns(of: $0.parameter.token) }.max() ?? 0)
    let first = max(0, cursor - max(1, inside.rows / ParameterForm.fieldRows) + 1)
    for (offset, index) in fields.indices.dropFirst(first).enumerated() where index != cursor {
      draw(index, line: inside.row + ParameterForm.fieldRows * offset, tokens: tokens, into: &surface, area: inside, look: look)
    }
    guard fields.indices.contains(cursor) else { return }
    draw(cursor, line: inside.row + ParameterForm.fieldRows * (cursor - first), tokens: tokens, into: &surface, area: inside, look: look)
  }

  private func draw(_ index: Int, line: Int, tokens: Int, into surface: inout Surface, area: Rect, look: Look) {
    guard line < area.endRow else { return }
    let field = fields[index]
    let isCurrent = index == cursor
    let start = Point(column: area.column, row: line)
    if isCurrent { surface.write(look.glyphs.cursor, at: start, style: look.theme.style(.accent)) }
    surface.write(field.parameter.token, at: Point(column: start.column + 2, row: line), limit: tokens, style: look.theme.style(.parameter))
    let type = field.typeName
    let typeColumn = area.endColumn - TextWidth.columns(of: type)
    surface.write(type, at: Point(column: typeColumn, row: line), style: look.theme.style(.muted))
    let inputColumn = start.column + tokens + 4
    let room = max(1, typeColumn - inputColumn - 2)
    let style = look.theme.style(isCurrent ? .selection : .text)
    if isCurrent {
      field.input.draw(into: &surface, at: Point(column: inputColumn, row: line), columns: room, style: style)
    } else {
      surface.write(field.input.text, at: Point(column: inputColumn, row: line), limit: room, style: style)
    }
    guard line + 1 < area.endRow else { return }
    let below = Point(column: inputColumn, row: line + 1)
    let limit = area.endColumn - inputColumn
    if let error = field.error {
      surface.write(error, at: below, limit: limit, style: look.theme.style(.error))
    } else if isCurrent {
      surface.write(TextWidth.truncated(field.offered(look.glyphs), to: limit, ellipsis: look.glyphs.ellipsis), at: below, limit: limit, style: look.theme.style(.muted))
    }
  }

  /// The field at a point of the screen; nil outside of them.
  func field(at point: Point, area: Rect) -> Int? {
    let inside = box(in: area).inset(columns: 2, rows: 1)
    guard inside.contains(point) else { return nil }
    let first = max(0, cursor - max(1, inside.rows / ParameterForm.fieldRows) + 1)
    let index = first + (point.row - inside.row) / ParameterForm.fieldRows
    return fields.indices.contains(index) ? index : nil
  }
}
