import QuarryChanges
import QuarryRows
import Terminal

extension GridPane {
  /// The cells at the left for the cursor's mark.
  static let gutter = 2

  /// Returns the room for rows in `area`.
  func extent(in area: Rect) -> GridExtent {
    GridExtent(rows: max(1, area.rows - headerRows(of: area.rows)), columns: max(1, area.columns - GridPane.gutter - 1))
  }

  /// Returns the row (nil in the header) and the column at a point of the screen; nil elsewhere.
  func cell(at point: Point, area: Rect) -> (row: Int?, column: Int)? {
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
    let dates = columnsOfHiddenTimes
    drawHeader(into: &surface, area: header, slots: slots, dates: dates, appearance: appearance)
    let selected = Set(selection == nil ? [] : selectedColumns)
    for offset in 0..<max(0, min(body.rows, rowCount - top)) {
      let index = top + offset
      let row = Rect(column: body.column, row: body.row + offset, columns: body.columns, rows: 1)
      let key = window.rows.indices.contains(index) ? window.rows[index].key : nil
      let painter = RowPainter(
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

  /// Draws one row of a grid.
  private struct RowPainter {
    let pane: GridPane
    let line: ShownRow
    /// The row's key; nil for a new row.
    let key: RowKey?
    let slots: [ColumnLayout.Slot]
    let isCurrent: Bool
    let hasFocus: Bool
    let isOutdated: Bool
    let dates: Set<Int>
    let selected: Set<Int>
    let appearance: Appearance

    func draw(into surface: inout Surface, row: Rect) {
      if isCurrent {
        surface.fill(row, style: appearance.theme.style(.currentRow))
        let style = appearance.theme.markStyle(hasFocus ? .accent : .muted, on: .currentRow)
        surface.write(appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), limit: 1, style: style)
      }
      if let kind = line.kind {
        let style = appearance.theme.style(kind.role, on: isCurrent ? .currentRow : .text)
        surface.write(kind.sign, at: Point(column: row.column + 1, row: row.row), limit: 1, style: style)
      }
      if !selected.isEmpty, pane.selection?.isWholeRows == true, let first = slots.first, let last = slots.last {
        let width = last.offset + last.width - first.offset
        let cells = Rect(column: row.column + GridPane.gutter + first.offset, row: row.row, columns: width, rows: 1)
        surface.fill(cells, style: appearance.theme.style(.selection))
      }
      for slot in slots where line.columns.indices.contains(slot.column) {
        draw(slot, into: &surface, start: Point(column: row.column + GridPane.gutter + slot.offset, row: row.row))
      }
    }

    private func draw(_ slot: ColumnLayout.Slot, into surface: inout Surface, start: Point) {
      let shown = line.cell(slot.column)
      var cell = shown.text(isKey: pane.isKey(slot.column), hidesTime: dates.contains(slot.column), glyphs: appearance.glyphs)
      let label = pane.lensText(of: slot.column, in: line, glyphs: appearance.glyphs)
      let value = TextWidth.columns(of: cell.text)
      if let label { cell.text += label.text }
      let base = base(of: slot.column)
      let text = cell.cut(to: slot.width, showing: pane.needle, ellipsis: appearance.glyphs.ellipsis)
      let used = TextWidth.columns(of: text)
      let area = Rect(column: start.column, row: start.row, columns: slot.width, rows: 1)
      if base == .selection || base == .cursor { surface.fill(area, style: appearance.theme.style(base)) }
      let isRight = cell.isRightAligned && pane.lensKey(of: slot.column) == nil || (cell.role == .null && pane.isNumeric(slot.column))
      let column = start.column + (isRight ? slot.width - used : 0)
      surface.write(
        text, at: Point(column: column, row: start.row), limit: slot.width,
        style: appearance.theme.style(role(of: shown, cell, slot.column), on: base))
      if let label, used > value, role(of: shown, cell, slot.column) == cell.role {
        let rest = Rect(column: column + value, row: start.row, columns: used - value, rows: 1)
        surface.overlay(rest, style: appearance.theme.style(label.role, on: base))
      }
      // Beside the first column stands the sign of the row.
      if shown.isChanged, slot.column != slots.first?.column {
        surface.write(
          StagedRow.Kind.updated.sign, at: Point(column: start.column - 1, row: start.row), limit: 1,
          style: appearance.theme.style(.changed, on: isCurrent ? .currentRow : .text))
      }
      markHits(in: text, at: Point(column: column, row: start.row), base: base, into: &surface)
    }

    private func role(of shown: ShownCell, _ cell: CellText, _ column: Int) -> Role {
      if isOutdated { return .muted }
      if let key, pane.glow.contains(key, column: column) { return .match }
      return line.role(of: shown) ?? cell.role
    }

    private func base(of column: Int) -> Role {
      if isCurrent, hasFocus, column == pane.column { return .cursor }
      return selected.contains(column) ? .selection : isCurrent ? .currentRow : .text
    }

    /// Highlights the matches of the last search.
    private func markHits(in text: String, at start: Point, base: Role, into surface: inout Surface) {
      guard case .text(let needle)? = pane.needle, text.utf8.count >= needle.utf8.count else { return }
      let letters = Array(text)
      for hit in LineSearch.hits(of: needle, in: letters) {
        let column = start.column + TextWidth.columns(of: String(letters[..<hit.lowerBound]))
        surface.write(String(letters[hit]), at: Point(column: column, row: start.row), style: appearance.theme.style(.match, on: base))
      }
    }
  }
}
