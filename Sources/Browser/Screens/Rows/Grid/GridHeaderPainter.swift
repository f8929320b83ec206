import QuarryEngine
import QuarryRows
import Terminal

/// Draws the head of a grid: the names of its columns, their types, and how many columns are out of sight.
struct GridHeaderPainter {
  let pane: GridPane
  let slots: [ColumnLayout.Slot]
  /// The columns whose times are hidden.
  let dates: Set<Int>
  let appearance: Appearance

  func draw(into surface: inout Surface, area: Rect) {
    guard !area.isEmpty else { return }
    surface.fill(area, style: appearance.theme.style(.header))
    let heads = slots.map { head(of: $0, rows: area.rows) }
    let mark = scrollMark(in: area, beside: heads.last)
    for (slot, head) in zip(slots, heads) {
      var head = head
      // A name on two lines gives the second to the mark.
      if slot == slots.last, let mark, mark.isCrowded { head = self.head(of: slot, rows: 1) }
      for (row, line) in head.enumerated() {
        let end = mark.map { $0.start.row == area.row + row ? $0.start.column - 1 : area.endColumn } ?? area.endColumn
        draw(line, of: slot, into: &surface, area: area, row: row, end: end)
      }
    }
    let style = appearance.theme.style(.accent, on: .header)
    if pane.layout.isScrolled { surface.write(appearance.glyphs.scrollLeft, at: Point(column: area.column, row: area.row), style: style) }
    if let mark { surface.write(mark.text, at: mark.start, style: style) }
  }

  /// Returns the lines of a column's head: its name with its marks, and its type where the name does not take both.
  private func head(of slot: ColumnLayout.Slot, rows: Int) -> [StyledLine] {
    let glyphs = appearance.glyphs
    let header = pane.headerName(of: slot.column, dates: dates, rows: rows, glyphs: glyphs)
    let role: Role = slot.column == pane.column ? .accent : .header
    var lines = header.lines(columns: slot.width, ellipsis: glyphs.ellipsis).map { StyledLine($0, role) }
    lines[lines.count - 1] = lines[lines.count - 1].adding(header.marks, .key)
    if lines.count == 1 {
      let type = pane.columns[slot.column].declaredType.lowercased()
      lines.append(StyledLine(HeaderType.text(type, columns: slot.width, ellipsis: glyphs.ellipsis), .muted))
    }
    return lines
  }

  /// Draws a line of a column's head.
  ///
  /// - Parameter end: The cell before which it has to end.
  private func draw(
    _ line: StyledLine, of slot: ColumnLayout.Slot, into surface: inout Surface, area: Rect, row: Int, end: Int
  ) {
    guard row < area.rows else { return }
    let start = area.column + GridPane.gutter + slot.offset
    let width = max(0, min(slot.width, end - start))
    let column = start + (pane.isNumeric(slot.column) ? max(0, width - line.width) : 0)
    let place = Point(column: column, row: area.row + row)
    line.draw(into: &surface, at: place, columns: start + width - column, base: .header, appearance: appearance)
  }

  /// The mark of columns out of sight on the right, with their number.
  private struct ScrollMark {
    var text: String
    var start: Point
    /// Whether it takes the place of a name's second line.
    var isCrowded = false
  }

  /// Returns the mark, `+3 ›`, in the first line that leaves room for it, else in the last one; nil where no column is out of sight.
  private func scrollMark(in header: Rect, beside head: [StyledLine]?) -> ScrollMark? {
    let (glyphs, width) = (appearance.glyphs, pane.extent.columns)
    guard let head, let last = slots.last, pane.layout.continues(width: width) else { return nil }
    let count = pane.layout.hiddenCount(width: width)
    let text = count > 0 ? "+\(count) \(glyphs.scrollRight)" : glyphs.scrollRight
    let start = header.endColumn - TextWidth.columns(of: text)
    let first = header.column + GridPane.gutter + last.offset
    let free = (0..<header.rows).first { row in
      guard head.indices.contains(row), head[row].width > 0 else { return true }
      return first + (pane.isNumeric(last.column) ? last.width : head[row].width) < start
    }
    let place = Point(column: start, row: header.row + (free ?? header.rows - 1))
    return ScrollMark(text: text, start: place, isCrowded: free == nil && header.rows > 1)
  }
}
