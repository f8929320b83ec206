import QuarryChanges
import QuarryRows
package import Terminal

extension GridPane {
  /// The cells at the left for the cursor's mark.
  static let gutter = 2

  /// Returns the room for rows in `area`.
  func extent(in area: Rect) -> GridExtent {
    GridExtent(rows: max(1, area.rows - headerRows(of: area.rows)), columns: max(1, area.columns - GridPane.gutter - 1))
  }

  /// Returns the row (nil in the header) and the column at a point of the screen; nil elsewhere.
  package func cell(at point: Point, area: Rect) -> (row: Int?, column: Int)? {
    let offset = point.column - area.column - GridPane.gutter
    let slots = layout.slots(width: extent.columns)
    guard let slot = slots.last(where: { $0.offset <= max(0, offset) }) else { return nil }
    let line = point.row - area.row - headerRows(of: area.rows)
    guard line >= 0 else { return offset <= slot.offset + slot.width ? (nil, slot.column) : nil }
    return top + line < rowCount ? (top + line, slot.column) : nil
  }

  /// Returns where a cell of the cursor's row is.
  func cellArea(column: Int, in area: Rect) -> Rect {
    let slot = layout.slots(width: extent.columns).first { $0.column == column }
    return Rect(
      column: area.column + GridPane.gutter + (slot?.offset ?? 0), row: area.row + headerRows(of: area.rows) + row - top,
      columns: slot?.width ?? 1, rows: 1)
  }

  /// Draws the grid.
  ///
  /// - Parameters:
  ///   - isOutdated: Whether the rows do not match the text in the bar, which mutes them.
  ///   - staged: What is staged, of this table and of others.
  func draw(
    into surface: inout Surface, area: Rect, hasFocus: Bool, isOutdated: Bool = false, staged: StagedChanges = StagedChanges(),
    appearance: Appearance
  ) {
    surface.fill(area, style: appearance.theme.style(.text))
    let slots = layout.slots(width: extent.columns)
    var body = area
    let header = body.removeTop(headerRows(of: area.rows))
    let dates = emptyTimes.hidden
    GridHeaderPainter(pane: self, slots: slots, dates: dates, appearance: appearance).draw(into: &surface, area: header)
    let selected = Set(selection == nil ? [] : selectedColumns)
    for offset in 0..<max(0, min(body.rows, rowCount - top)) {
      let index = top + offset
      let row = Rect(column: body.column, row: body.row + offset, columns: body.columns, rows: 1)
      let key = window.rows.indices.contains(index) ? window.rows[index].key : nil
      let painter = GridRowPainter(
        pane: self, line: shownRow(at: index, staged), key: key, slots: slots, isCurrent: index == self.row, hasFocus: hasFocus,
        isOutdated: isOutdated, dates: dates, selected: selectedRows?.contains(index) == true ? selected : [], appearance: appearance)
      painter.draw(into: &surface, row: row)
    }
    drawFrozenEdge(into: &surface, area: area, slots: slots, appearance: appearance)
    if rowCount == 0, !body.isEmpty {
      surface.write(
        "no rows", at: Point(column: body.column + GridPane.gutter, row: body.row), limit: body.columns,
        style: appearance.theme.style(.muted))
    }
  }

  private func drawFrozenEdge(into surface: inout Surface, area: Rect, slots: [ColumnLayout.Slot], appearance: Appearance) {
    guard let last = slots.last(where: \.isFrozen) else { return }
    let column = area.column + GridPane.gutter + last.offset + last.width
    for row in area.row..<area.endRow {
      surface.write(appearance.glyphs.vertical, at: Point(column: column, row: row), style: appearance.theme.style(.border))
    }
  }
}
