import QuarryEngine

extension GridPane {
  /// Starts a selection at the cursor, changes its kind, or ends it where it is of that kind already.
  mutating func toggleSelection(wholeRows: Bool) {
    if let selection, selection.isWholeRows == wholeRows {
      self.selection = nil
    } else if selection != nil {
      selection?.isWholeRows = wholeRows
    } else {
      startSelection(wholeRows: wholeRows)
    }
  }

  /// Starts a selection of cells at the cursor unless there is one.
  mutating func startSelection(wholeRows: Bool = false) {
    guard selection == nil, let key = currentRow?.key else { return }
    selection = GridSelection(isWholeRows: wholeRows, anchor: key, anchorRow: row, anchorColumn: column)
  }

  /// The indexes of the rows selected, of which some may lie outside of the window; nil without a selection.
  var selectedRows: ClosedRange<Int>? {
    selection.map { min($0.anchorRow, row)...max($0.anchorRow, row) }
  }

  /// The places of the columns selected, from left to right as shown.
  var selectedColumns: [Int] {
    let shown = layout.shown
    guard let selection, !selection.isWholeRows else { return shown }
    guard let anchor = shown.firstIndex(of: selection.anchorColumn), let cursor = shown.firstIndex(of: column) else { return [column] }
    return Array(shown[min(anchor, cursor)...max(anchor, cursor)])
  }

  /// The first and the last selected row's keys, in the set's order.
  var selectedKeys: (from: RowKey, through: RowKey)? {
    guard let selection, let key = currentRow?.key else { return nil }
    return selection.anchorRow <= row ? (selection.anchor, key) : (key, selection.anchor)
  }

  /// The number of rows selected; nil where that is not known.
  var selectedCount: Int? {
    guard let selection, let rows = selectedRows else { return nil }
    return window.rows.indices.contains(selection.anchorRow) || selection.anchorRow.magnitude < 1 << 39 ? rows.count : nil
  }

  /// What is selected, for people: `3 rows`, `3 rows × 2 columns`; without the number of rows where that is not known.
  var selectionTitle: String {
    guard let selection else { return "" }
    let count = selectedCount.map { Plural.of($0, "row") } ?? "rows"
    return selection.isWholeRows ? count : "\(count) × \(Plural.of(selectedColumns.count, "column"))"
  }
}
