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
    let mark = slots.last.flatMap { scrollMark(in: area, beside: $0) }
    for slot in slots {
      for row in 0..<area.rows {
        // The last column has the cells before the mark.
        let end = mark.flatMap { $0.start.row == area.row + row ? $0.start.column - 1 : nil } ?? area.endColumn
        let start = area.column + GridPane.gutter + slot.offset
        let columns = max(0, min(slot.width, end - start))
        // A name on two lines gives the second to the mark.
        let isCrowded = slot == slots.last && mark?.isCrowded == true
        let lines = head(of: slot, rows: isCrowded ? 1 : area.rows, typeColumns: columns)
        guard lines.indices.contains(row) else { continue }
        draw(lines[row], of: slot, into: &surface, at: Point(column: start, row: area.row + row), columns: columns)
      }
    }
    let style = appearance.theme.style(.accent, on: .header)
    if pane.layout.isScrolled { surface.write(appearance.glyphs.scrollLeft, at: Point(column: area.column, row: area.row), style: style) }
    if let mark { surface.write(mark.text, at: mark.start, style: style) }
  }

  /// Returns the lines of a column's head: its name with its marks, and the name of the row to which it refers, or its type if there is
  /// room.
  ///
  /// - Parameter typeColumns: The cells that the type may take; nil for the column's.
  private func head(of slot: ColumnLayout.Slot, rows: Int, typeColumns: Int? = nil) -> [StyledLine] {
    let glyphs = appearance.glyphs
    let header = pane.headerName(of: slot.column, dates: dates, rows: rows, glyphs: glyphs)
    let role: Role = slot.column == pane.column ? .accent : .header
    var lines = header.lines(columns: slot.width, ellipsis: glyphs.ellipsis).map { StyledLine($0, role) }
    lines[lines.count - 1] = lines[lines.count - 1].adding(header.marks, .key)
    if let label = pane.columnLabel(of: slot.column) {
      lines.append(StyledLine(TextWidth.truncated(label, to: typeColumns ?? slot.width, ellipsis: glyphs.ellipsis), .textValue))
    } else if lines.count == 1 {
      let type = pane.columns[slot.column].declaredType.lowercased()
      lines.append(StyledLine(HeaderType.text(type, columns: typeColumns ?? slot.width, ellipsis: glyphs.ellipsis), .muted))
    }
    return lines
  }

  /// Draws a line of a column's head into so many cells.
  private func draw(_ line: StyledLine, of slot: ColumnLayout.Slot, into surface: inout Surface, at start: Point, columns: Int) {
    let skipped = pane.isNumeric(slot.column) ? max(0, columns - line.width) : 0
    let place = Point(column: start.column + skipped, row: start.row)
    line.draw(into: &surface, at: place, columns: columns - skipped, base: .header, appearance: appearance)
  }

  /// The mark of columns out of sight on the right, with their number.
  private struct ScrollMark {
    var text: String
    var start: Point
    /// Whether it takes the place of a name's second line.
    var isCrowded = false
  }

  /// Returns the mark of columns off the screen on the right, such as `+3 ›`; nil if there are no such columns.
  ///
  /// The mark is on the first line that has enough room for it, otherwise on the last line.
  private func scrollMark(in header: Rect, beside last: ColumnLayout.Slot) -> ScrollMark? {
    let (glyphs, width) = (appearance.glyphs, pane.extent.columns)
    guard pane.layout.continues(width: width) else { return nil }
    let head = head(of: last, rows: header.rows)
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
