import QuarryEngine
import Terminal

extension GridPane {
  /// Returns the default width of each column, from its header, its type and the loaded values, within bounds.
  static func naturalWidths(_ columns: [RowSetColumn], _ rows: [WindowRow], glyphs: Glyphs) -> [Int] {
    columns.indices.map { index in
      min(ColumnLayout.widest, width(of: index, columns[index], rows, glyphs: glyphs, limit: ColumnLayout.widest))
    }
  }

  /// Distributes spare room to the columns that were cut at the greatest default width, the leftmost first.
  mutating func useSpareRoom(glyphs: Glyphs) {
    let shown = layout.shown
    var spare = extent.columns - shown.reduce(0) { $0 + layout.widths[$1] + ColumnLayout.gap } + ColumnLayout.gap
    for index in shown where layout.widths[index] == ColumnLayout.widest && spare > 0 {
      let limit = ColumnLayout.widest + spare
      let wanted = min(limit, GridPane.width(of: index, columns[index], window.rows, glyphs: glyphs, limit: limit))
      spare -= wanted - ColumnLayout.widest
      layout.setWidth(wanted, of: index)
    }
  }

  /// Widens columns for values in sight that would be cut: keys and numbers always, others where no column is pushed out of sight.
  ///
  /// None is narrowed, so that nothing moves as rows come and go.
  mutating func growColumns(glyphs: Glyphs) {
    let rows = window.rows.dropFirst(top).prefix(extent.rows)
    guard !rows.isEmpty else { return }
    var spare = extent.columns - layout.shown.reduce(0) { $0 + layout.widths[$1] + ColumnLayout.gap } + ColumnLayout.gap
    for slot in layout.slots(width: extent.columns) where !layout.fixed.contains(slot.column) {
      let (index, width) = (slot.column, layout.widths[slot.column])
      guard width < ColumnLayout.widest else { continue }
      let isNeeded = isKey(index) || isReference(index)
      let limit = width + max(0, spare)
      let wanted = rows.reduce(width) { widest, row in
        let cell = row.cells[index]
        guard isNeeded || cell.isNumber || limit > widest else { return widest }
        let needed = GridPane.width(of: cell, glyphs: glyphs, beyond: widest)
        return max(widest, isNeeded || cell.isNumber ? needed : min(needed, limit))
      }
      guard wanted > width else { continue }
      layout.setWidth(min(ColumnLayout.widest, wanted), of: index)
      spare -= layout.widths[index] - width
    }
  }

  /// Returns the width of a value, or 0 where that is not more than `least`.
  private static func width(of cell: CellValue, glyphs: Glyphs, beyond least: Int) -> Int {
    switch cell {
    // Numbers have at most this many digits, and texts at most as many characters as bytes.
    case .null: 0
    case .text(_, let byteCount, _) where byteCount <= least: 0
    case .integer, .real, .text, .blob: TextWidth.columns(of: String(CellText(cell, glyphs: glyphs).text.prefix(ColumnLayout.widest + 1)))
    }
  }

  /// Fits the column under the cursor to its widest loaded value, within the grid's room.
  mutating func fitColumn(glyphs: Glyphs) {
    let limit = max(ColumnLayout.narrowest, extent.columns)
    let width = GridPane.width(of: column, columns[column], window.rows, glyphs: glyphs, limit: limit)
    layout.setWidth(min(limit, width), of: column)
    revealCursor()
  }

  private static func width(of index: Int, _ column: RowSetColumn, _ rows: [WindowRow], glyphs: Glyphs, limit: Int) -> Int {
    let header = TextWidth.columns(of: column.name) + 2
    let type = TextWidth.columns(of: column.schema?.declaredType ?? "")
    let values = rows.lazy.map { row in
      TextWidth.columns(of: String(CellText(row.cells[index], glyphs: glyphs).text.prefix(limit + 1)))
    }
    return max(ColumnLayout.narrowest, header, min(type, 16), values.max() ?? 0)
  }
}
