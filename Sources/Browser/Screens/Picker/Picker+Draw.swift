import Terminal

extension Picker {
  /// Draws a box in the middle of `area`: title, field, list.
  func draw(into surface: inout Surface, area: Rect, look: Look) {
    let box = box(in: area)
    Box.draw(into: &surface, rect: box, title: title, look: look)
    var inside = box.inset(columns: 2, rows: 1)
    let fieldRow = inside.removeTop(1)
    surface.write(look.glyphs.prompt, at: Point(column: fieldRow.column, row: fieldRow.row), limit: fieldRow.columns, style: look.theme.style(.accent))
    field.draw(
      into: &surface, at: Point(column: fieldRow.column + 2, row: fieldRow.row), columns: max(1, fieldRow.columns - 2),
      style: look.theme.style(.text), placeholder: placeholder, placeholderStyle: look.theme.style(.muted))
    _ = inside.removeTop(1)
    let reasonRow = inside.removeBottom(1)
    drawPreview(into: &surface, area: inside.removeBottom(previewRows), look: look)
    drawList(into: &surface, area: inside, look: look)
    if let reason = current?.reason {
      surface.write("not now: \(reason)", at: Point(column: reasonRow.column, row: reasonRow.row), limit: reasonRow.columns, style: look.theme.style(.warning))
    }
  }

  private func drawList(into surface: inout Surface, area: Rect, look: Look) {
    if matches.isEmpty {
      surface.write(emptyText, at: Point(column: area.column + 2, row: area.row), limit: area.columns - 2, style: look.theme.style(.muted))
    }
    let labelColumns = min(area.columns / 2, (matches.map { TextWidth.columns(of: $0.item.label) }.max() ?? 0) + 2)
    for (offset, match) in matches.dropFirst(top).prefix(area.rows).enumerated() {
      let row = Rect(column: area.column, row: area.row + offset, columns: area.columns, rows: 1)
      draw(match, isCurrent: top + offset == cursor, labelColumns: labelColumns, into: &surface, row: row, look: look)
    }
  }

  private func draw(_ match: Match, isCurrent: Bool, labelColumns: Int, into surface: inout Surface, row: Rect, look: Look) {
    let base: Role = isCurrent ? .selection : .text
    surface.fill(row, style: look.theme.style(base))
    if isCurrent { surface.write(look.glyphs.cursor, at: Point(column: row.column, row: row.row), style: look.theme.style(.accent, on: base)) }
    let trailingColumns = TextWidth.columns(of: match.item.trailing)
    var column = row.column + 2
    let labelEnd = row.endColumn - trailingColumns - 1
    for (index, character) in match.item.label.enumerated() where column < labelEnd {
      let role: Role = match.item.reason != nil ? .muted : match.positions.contains(index) ? .match : .text
      column += surface.write(String(character), at: Point(column: column, row: row.row), limit: labelEnd - column, style: look.theme.style(role, on: base))
    }
    let detailStart = max(column + 2, row.column + 2 + labelColumns)
    let room = row.endColumn - trailingColumns - 1 - detailStart
    surface.write(match.item.detail, at: Point(column: detailStart, row: row.row), limit: max(0, room), style: look.theme.style(.muted, on: base))
    surface.write(
      match.item.trailing, at: Point(column: row.endColumn - trailingColumns, row: row.row), style: look.theme.style(.key, on: base))
  }

  /// The index of the item at a point of the screen; nil outside of the list.
  func index(at point: Point, area: Rect) -> Int? {
    let box = box(in: area)
    var inside = box.inset(columns: 2, rows: 1)
    _ = inside.removeTop(2)
    _ = inside.removeBottom(1 + previewRows)
    guard inside.contains(point) else { return nil }
    let index = top + point.row - inside.row
    return matches.indices.contains(index) ? index : nil
  }

  /// The rows that the list has in `area`.
  func listHeight(in area: Rect) -> Int {
    max(1, box(in: area).rows - 5 - previewRows)
  }

  private func box(in area: Rect) -> Rect {
    Box.centered(in: area, columns: 76, rows: max(8, min(matches.count, 20) + 5) + previewRows)
  }

  /// The lines for the preview of the item under the cursor.
  private var previewRows: Int { hasPreviews ? 9 : 0 }

  private func drawPreview(into surface: inout Surface, area: Rect, look: Look) {
    guard !area.isEmpty, let current else { return }
    let line = String(repeating: look.glyphs.horizontal, count: area.columns)
    surface.write(line, at: Point(column: area.column, row: area.row), style: look.theme.style(.border))
    let lines = current.preview.split(separator: "\n", omittingEmptySubsequences: false)
    for (offset, line) in lines.prefix(area.rows - 1).enumerated() {
      surface.write(String(line), at: Point(column: area.column, row: area.row + 1 + offset), limit: area.columns, style: look.theme.style(.muted))
    }
  }
}
