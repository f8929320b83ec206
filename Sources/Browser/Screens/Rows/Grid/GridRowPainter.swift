import QuarryChanges
import QuarryRows
import Terminal

/// Draws one row of a grid.
struct GridRowPainter {
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
    if let label {
      cell.text += label.text
      cell.shorterForms = []
    }
    let base = base(of: slot.column)
    let text = cell.cut(to: slot.width, showing: pane.search.needle, ellipsis: appearance.glyphs.ellipsis)
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
    if isOutdated || pane.isPartial(column: column) { return .muted }
    if let key, pane.glow.contains(key, column: column) { return .match }
    return line.role(of: shown) ?? cell.role
  }

  private func base(of column: Int) -> Role {
    if isCurrent, hasFocus, column == pane.column { return .cursor }
    return selected.contains(column) ? .selection : isCurrent ? .currentRow : .text
  }

  /// Highlights the matches of the last search.
  private func markHits(in text: String, at start: Point, base: Role, into surface: inout Surface) {
    guard case .text(let needle)? = pane.search.needle, text.utf8.count >= needle.utf8.count else { return }
    let letters = Array(text)
    for hit in LineSearch.hits(of: needle, in: letters) {
      let column = start.column + TextWidth.columns(of: String(letters[..<hit.lowerBound]))
      surface.write(String(letters[hit]), at: Point(column: column, row: start.row), style: appearance.theme.style(.match, on: base))
    }
  }
}
