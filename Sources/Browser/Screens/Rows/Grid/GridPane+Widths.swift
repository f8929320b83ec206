import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

extension GridPane {
  /// The greatest width that is looked at: no screen shows more of a value.
  private static let longest = 500
  /// The cells that a column takes for the name of its type alone.
  private static let typeColumns = 8
  /// A text grows by at least this part of its width.
  private static let growth = 4

  /// Returns what each column needs, regardless of the other columns: its header, its type and the values at hand.
  ///
  /// - Parameter dates: The columns whose times are hidden.
  static func needs(
    of columns: [RowSetColumn], _ rows: [WindowRow], schema: TableSchema?, dates: Set<Int>, glyphs: Glyphs
  ) -> [ColumnLayout.Need] {
    let references = Set((schema?.foreignKeys ?? []).flatMap(\.columns).map { $0.lowercased() })
    return columns.indices.map { index in
      let column = columns[index]
      let isNumeric = isOfNumbers(index, rows)
      let isKey = column.schema?.primaryKeyPosition != nil
      let marks = [
        isKey ? glyphs.key : "", references.contains(column.name.lowercased()) ? glyphs.reference : "",
        dates.contains(index) ? glyphs.hiddenTime : "", column.computed == nil ? "" : glyphs.computed,
      ].joined()
      let header = HeaderName(name: column.name, marks: marks, rows: headRows(of: columns))
      let values = widthOfValues(of: index, rows, hidesTime: dates.contains(index), glyphs: glyphs, limit: longest)
      return ColumnLayout.Need(
        width: max(values, headerWidth(of: column, header)),
        canBeCut: !isNumeric && !isKey, isCutLast: DateText.isColumn(index, of: rows),
        wish: min(TextWidth.columns(of: column.schema?.declaredType ?? ""), ColumnLayout.widest),
        values: max(values, header.readableWidth), least: max(values, header.leastWidth))
    }
  }

  /// Fits the columns into the room of the grid.
  mutating func fitColumns() {
    layout.fit(into: extent.columns)
  }

  /// Widens columns whose visible values would be cut: keys and numbers in any case, texts only if there are cells to spare.
  mutating func growColumns(staged: StagedChanges, glyphs: Glyphs) {
    let rows = cellsInSight(staged)
    guard !rows.isEmpty else { return }
    let dates = emptyTimes.hidden
    for column in dates.union(order.compactMap(\.column)) where !layout.fixed.contains(column) && columns.indices.contains(column) {
      layout.raiseHeader(to: headerName(of: column, dates: dates, glyphs: glyphs), of: column)
    }
    var spare = layout.spare(width: extent.columns)
    for slot in layout.slots(width: extent.columns) where !layout.fixed.contains(slot.column) {
      let isCut = layout.canBeCut(slot.column)
      let limit = isCut ? slot.width + spare : ColumnLayout.widest
      guard limit > slot.width else { continue }
      let widest = rows.reduce(slot.width) { widest, row in
        let hidesTime = dates.contains(slot.column)
        return max(widest, row(slot.column).map { GridPane.width(of: $0, hidesTime: hidesTime, glyphs: glyphs, beyond: widest) } ?? 0)
      }
      guard widest > slot.width else { continue }
      // A text takes more than it needs now, so that it seldom has to grow.
      let width = min(limit, isCut ? max(widest, slot.width + slot.width / GridPane.growth) : widest)
      if isCut { spare -= width - slot.width }
      layout.raise(to: width, of: slot.column)
    }
    fitColumns()
  }

  /// Returns the values of the visible rows, as the grid shows them.
  func cellsInSight(_ staged: StagedChanges) -> [(Int) -> CellValue?] {
    guard let table, staged.counts(of: table).changes > 0 else {
      return window.rows.dropFirst(top).prefix(extent.rows).map { row in { row[$0] } }
    }
    return (top..<max(top, min(top + extent.rows, rowCount))).map { index in
      let row = shownRow(at: index, staged)
      return { row.cell($0).value }
    }
  }

  /// Returns the width of a value; 0 if it cannot exceed `least`.
  private static func width(of cell: CellValue, hidesTime: Bool, glyphs: Glyphs, beyond least: Int) -> Int {
    switch cell {
    // Numbers have at most this many digits, and texts at most as many characters as bytes.
    case .null: 0
    case .text(_, let byteCount, _) where byteCount <= least: 0
    case .integer, .real, .text, .blob:
      TextWidth.columns(of: String(CellText(cell, hidesTime: hidesTime, glyphs: glyphs).text.prefix(longest)))
    }
  }

  /// Fits the column under the cursor to its widest loaded value, within the grid's room.
  mutating func fitColumn(glyphs: Glyphs) {
    guard let header = currentColumn else { return }
    let limit = max(ColumnLayout.narrowest, extent.columns)
    let dates = emptyTimes.hidden
    let name = headerName(of: column, dates: dates, glyphs: glyphs)
    let values = GridPane.widthOfValues(of: column, window.rows, hidesTime: dates.contains(column), glyphs: glyphs, limit: limit)
    layout.fix(min(limit, max(values, GridPane.headerWidth(of: header, name))), of: column)
    revealCursor()
  }

  /// Returns what the head of a column takes: its name with its marks and the arrow of a sort, and its type.
  private static func headerWidth(of column: RowSetColumn, _ header: HeaderName) -> Int {
    max(ColumnLayout.narrowest, header.width + 1, min(TextWidth.columns(of: column.declaredType), typeColumns))
  }

  private static func widthOfValues(of index: Int, _ rows: [WindowRow], hidesTime: Bool, glyphs: Glyphs, limit: Int) -> Int {
    let values = rows.lazy.compactMap { $0[index] }.map { cell in
      TextWidth.columns(of: String(CellText(cell, hidesTime: hidesTime, glyphs: glyphs).text.prefix(limit + 1)))
    }
    return values.max() ?? 0
  }
}
