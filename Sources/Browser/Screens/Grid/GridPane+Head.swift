import QuarryEngine
import QuarryRows
import Terminal

extension GridPane {
  /// The lines of a head with room for all of it: a second one for the types where a column has one.
  static func headRows(of columns: [RowSetColumn]) -> Int { columns.contains { !$0.declaredType.isEmpty } ? 2 : 1 }

  /// Returns the height of the head in a grid of so many rows.
  func headerRows(of rows: Int) -> Int { rows >= 5 ? GridPane.headRows(of: columns) : rows >= 3 ? 1 : 0 }

  /// - Parameter dates: The columns whose times are hidden.
  func drawHeader(into surface: inout Surface, area: Rect, slots: [ColumnLayout.Slot], dates: Set<Int>, appearance: Appearance) {
    guard !area.isEmpty else { return }
    surface.fill(area, style: appearance.theme.style(.header))
    let heads = slots.map { head(of: $0, rows: area.rows, dates: dates, glyphs: appearance.glyphs) }
    let mark = scrollMark(in: area, beside: heads.last, of: slots.last, glyphs: appearance.glyphs)
    for (slot, head) in zip(slots, heads) {
      var head = head
      // A name on two lines gives the second to the mark.
      if slot == slots.last, let mark, mark.isCrowded { head = self.head(of: slot, rows: 1, dates: dates, glyphs: appearance.glyphs) }
      for (row, line) in head.enumerated() {
        let end = mark.map { $0.start.row == area.row + row ? $0.start.column - 1 : area.endColumn } ?? area.endColumn
        draw(line, of: slot, into: &surface, area: area, row: row, end: end, appearance: appearance)
      }
    }
    let style = appearance.theme.style(.accent, on: .header)
    if layout.isScrolled { surface.write(appearance.glyphs.scrollLeft, at: Point(column: area.column, row: area.row), style: style) }
    if let mark { surface.write(mark.text, at: mark.start, style: style) }
  }

  /// Returns the lines of a column's head: its name with its marks, and its type where the name does not take both.
  private func head(of slot: ColumnLayout.Slot, rows: Int, dates: Set<Int>, glyphs: Glyphs) -> [StyledLine] {
    let header = headerName(of: slot.column, dates: dates, rows: rows, glyphs: glyphs)
    let role: Role = slot.column == column ? .accent : .header
    var lines = header.lines(columns: slot.width, ellipsis: glyphs.ellipsis).map { StyledLine($0, role) }
    lines[lines.count - 1] = lines[lines.count - 1].adding(header.marks, .key)
    if lines.count == 1 {
      let type = columns[slot.column].declaredType.lowercased()
      lines.append(StyledLine(HeaderType.text(type, columns: slot.width, ellipsis: glyphs.ellipsis), .muted))
    }
    return lines
  }

  /// Draws a line of a column's head.
  ///
  /// - Parameter end: The cell before which it has to end.
  private func draw(
    _ line: StyledLine, of slot: ColumnLayout.Slot, into surface: inout Surface, area: Rect, row: Int, end: Int, appearance: Appearance
  ) {
    guard row < area.rows else { return }
    let start = area.column + GridPane.gutter + slot.offset
    let width = max(0, min(slot.width, end - start))
    let column = start + (isNumeric(slot.column) ? max(0, width - line.width) : 0)
    let place = Point(column: column, row: area.row + row)
    line.draw(into: &surface, at: place, columns: start + width - column, base: .header, appearance: appearance)
  }

  /// Returns the name of a column with its marks.
  ///
  /// - Parameter rows: The lines of the head; nil for as many as there are where there is room.
  func headerName(of column: Int, dates: Set<Int>, rows: Int? = nil, glyphs: Glyphs) -> HeaderName {
    let marks = headerMarks(of: column, dates: dates, glyphs: glyphs)
    return HeaderName(name: columns[column].name, marks: marks, rows: rows ?? GridPane.headRows(of: columns))
  }

  /// Returns the marks behind a column's name: of its sort, its key, its foreign key, its hidden times.
  ///
  /// - Parameter dates: The columns whose times are hidden.
  private func headerMarks(of column: Int, dates: Set<Int>, glyphs: Glyphs) -> String {
    orderMark(of: column, glyphs: glyphs) + (isKey(column) ? glyphs.key : "") + (isReference(column) ? glyphs.reference : "")
      + (dates.contains(column) ? glyphs.hiddenTime : "")
  }

  /// Returns the direction in which the rows are sorted by a column, and its rank among several keys.
  private func orderMark(of column: Int, glyphs: Glyphs) -> String {
    guard let rank = order.firstIndex(where: { $0.column == column }) else { return "" }
    let arrow = order[rank].isDescending ? glyphs.descending : glyphs.ascending
    return order.count > 1 ? "\(arrow)\(rank + 1)" : arrow
  }

  /// The mark of columns out of sight on the right, with their number.
  private struct ScrollMark {
    var text: String
    var start: Point
    /// Whether it takes the place of a name's second line.
    var isCrowded = false
  }

  /// Returns the mark, `+3 ›`, in the first line that leaves room for it, else in the last one; nil where no column is out of sight.
  private func scrollMark(
    in header: Rect, beside head: [StyledLine]?, of last: ColumnLayout.Slot?, glyphs: Glyphs
  ) -> ScrollMark? {
    guard let head, let last, layout.continues(width: extent.columns) else { return nil }
    let count = layout.hiddenCount(width: extent.columns)
    let text = count > 0 ? "+\(count) \(glyphs.scrollRight)" : glyphs.scrollRight
    let start = header.endColumn - TextWidth.columns(of: text)
    let first = header.column + GridPane.gutter + last.offset
    let free = (0..<header.rows).first { row in
      guard head.indices.contains(row), head[row].width > 0 else { return true }
      return first + (isNumeric(last.column) ? last.width : head[row].width) < start
    }
    let place = Point(column: start, row: header.row + (free ?? header.rows - 1))
    return ScrollMark(text: text, start: place, isCrowded: free == nil && header.rows > 1)
  }
}
