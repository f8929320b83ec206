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
