import QuarryEngine
import Terminal

extension GridPane {
  /// The width that each column takes by itself: its header, its type and the values at hand, within bounds.
  static func naturalWidths(_ columns: [RowSetColumn], _ rows: [WindowRow], glyphs: Glyphs) -> [Int] {
    columns.indices.map { place in
      min(ColumnLayout.widest, width(of: place, columns[place], rows, glyphs: glyphs, limit: ColumnLayout.widest))
    }
  }

  /// Gives room that no column takes to the columns that were cut at the greatest width, the leftmost first.
  mutating func useSpareRoom(glyphs: Glyphs) {
    let shown = layout.shown
    var spare = extent.columns - shown.reduce(0) { $0 + layout.widths[$1] + ColumnLayout.gap } + ColumnLayout.gap
    for place in shown where layout.widths[place] == ColumnLayout.widest && spare > 0 {
      let limit = ColumnLayout.widest + spare
      let wanted = min(limit, GridPane.width(of: place, columns[place], window.rows, glyphs: glyphs, limit: limit))
      spare -= wanted - ColumnLayout.widest
      layout.setWidth(wanted, of: place)
    }
  }

  /// Makes columns wider for values in sight that would be cut: keys and numbers in any case, others where no column has to go for it.
  ///
  /// None becomes narrower, so that nothing moves for rows that come and go.
  mutating func growColumns(glyphs: Glyphs) {
    let rows = window.rows.dropFirst(top).prefix(extent.rows)
    guard !rows.isEmpty else { return }
    var spare = extent.columns - layout.shown.reduce(0) { $0 + layout.widths[$1] + ColumnLayout.gap } + ColumnLayout.gap
    for slot in layout.slots(width: extent.columns) where !layout.fixed.contains(slot.column) {
      let (place, width) = (slot.column, layout.widths[slot.column])
      guard width < ColumnLayout.widest else { continue }
      let isNeeded = isKey(place) || isReference(place)
      let limit = width + max(0, spare)
      let wanted = rows.reduce(width) { widest, row in
        let cell = row.cells[place]
        guard isNeeded || cell.isNumber || limit > widest else { return widest }
        let needed = GridPane.width(of: cell, glyphs: glyphs, beyond: widest)
        return max(widest, isNeeded || cell.isNumber ? needed : min(needed, limit))
      }
      guard wanted > width else { continue }
      layout.setWidth(min(ColumnLayout.widest, wanted), of: place)
      spare -= layout.widths[place] - width
    }
  }

  /// The width of a value; 0 where it is no more than another.
  private static func width(of cell: CellValue, glyphs: Glyphs, beyond least: Int) -> Int {
    switch cell {
    // Numbers have no more digits than this, and texts no more characters than bytes.
    case .null: 0
    case .text(_, let byteCount, _) where byteCount <= least: 0
    case .integer, .real, .text, .blob: TextWidth.columns(of: String(CellText(cell, glyphs: glyphs).text.prefix(ColumnLayout.widest + 1)))
    }
  }

  /// Makes the column under the cursor as wide as its widest value at hand, as far as the grid has room.
  mutating func fitColumn(glyphs: Glyphs) {
    let limit = max(ColumnLayout.narrowest, extent.columns)
    let width = GridPane.width(of: column, columns[column], window.rows, glyphs: glyphs, limit: limit)
    layout.setWidth(min(limit, width), of: column)
    revealCursor()
  }

  private static func width(of place: Int, _ column: RowSetColumn, _ rows: [WindowRow], glyphs: Glyphs, limit: Int) -> Int {
    let header = TextWidth.columns(of: column.name) + 2
    let type = TextWidth.columns(of: column.schema?.declaredType ?? "")
    let values = rows.lazy.map { row in
      TextWidth.columns(of: String(CellText(row.cells[place], glyphs: glyphs).text.prefix(limit + 1)))
    }
    return max(ColumnLayout.narrowest, header, min(type, 16), values.max() ?? 0)
  }
}
