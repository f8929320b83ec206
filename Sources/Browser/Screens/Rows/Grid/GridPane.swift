import QuarryChanges
import QuarryEngine
package import QuarryRows

/// A grid: a window on the rows of one row set, a cursor in it, and the layout of its columns.
package struct GridPane: Hashable, Sendable {
  package let id: GridID
  private(set) var source: GridSource
  var tally: RowTally
  var freshness = GridFreshness()
  var search = GridSearch()
  package var reading = GridReading()
  var cursorPath = CursorPath()
  package var layout: ColumnLayout
  package var window: GridWindow
  /// The index of the first visible row within the window.
  package var top = 0
  /// The index of the row under the cursor within the window.
  package var row = 0
  /// The index of the column under the cursor, which is always one of the rows'.
  package var column = 0 {
    didSet { if !columns.indices.contains(column) { column = min(max(0, column), max(0, columns.count - 1)) } }
  }
  package var selection: GridSelection?
  /// The numbers of the table's rows that are staged to be inserted, which follow the last row.
  var newRows: [Int] = []
  /// What the rows refer to, shown beside their values; nil where the values stand alone.
  package var lens: ReferenceLabels?
  /// The columns whose times are hidden, because they are all 00:00:00.
  var emptyTimes: EmptyTimes
  /// The number of visible rows and columns, set whenever the screen's layout is known.
  package var extent = GridExtent(rows: 1, columns: 1)
  /// The highlight of recent external changes, used while the grid follows the end of the rows.
  package var glow = RecentChangeHighlight()

  struct EstimatedRow: Hashable, Sendable {
    var number: Int
    var key: RowKey
  }

  package struct PendingPage: Hashable, Sendable {
    package var request: PageRequest
    var target: CursorTarget
  }

  /// Where the cursor goes when a page arrives.
  package enum CursorTarget: Hashable, Sendable {
    /// It stays on its row; the page extends the window.
    case join
    /// The cursor stays on its present row; the page rereads the visible rows.
    case same
    case top
    case bottom
    case number(Int)
    case key(RowKey)

    /// Whether the cursor moves to another row when the page arrives.
    var isElsewhere: Bool {
      switch self {
      case .join, .same: false
      case .top, .bottom, .number, .key: true
      }
    }
  }

  init(id: GridID, rowSet: RowSet, title: String, opened: OpenedRows, glyphs: Glyphs) {
    self.id = id
    source = GridSource(rowSet, title: title, opened)
    window = GridWindow(opened.page)
    emptyTimes = EmptyTimes(count: opened.columns.count, rows: opened.page.rows.map { row in { row[$0] } })
    layout = ColumnLayout(
      needs: GridPane.needs(of: opened.columns, opened.page.rows, schema: opened.schema, dates: emptyTimes.hidden, glyphs: glyphs),
      awaitsMore: !window.reachesStart || !window.reachesEnd)
    let all = window.reachesStart && window.reachesEnd ? RowNumber.exact(window.rows.count) : nil
    tally = RowTally(total: opened.partial.map { .atLeast($0.count) } ?? all)
    row = opened.cursor.flatMap(window.index(of:)) ?? 0
    placeComputedColumns()
  }

  /// Takes note that the rows are groups, or those of a group.
  mutating func note(_ opening: Opening) {
    (source.grouping, source.isOfGroup) = (opening.grouping, opening.isOfGroup)
  }

  /// Takes note of how much has been read for the groups.
  mutating func note(_ partial: PartialGroups?) { source.partial = partial }

  /// Takes note that the rows are the result of a statement in the editor, which took so long.
  mutating func becomeResult(after time: Duration) { source.readingTime = time }

  // MARK: What the rows are

  package var rowSet: RowSet { source.rowSet }
  package var title: String { source.title }
  package var view: RowView { source.view }
  var schema: TableSchema? { source.schema }
  var origin: ResultEditability? { source.origin }
  package var columns: [RowSetColumn] { source.columns }
  var isSnapshot: Bool { source.isSnapshot }
  var filterColumns: FilterColumns { source.filterColumns }
  var order: [OrderMark] { source.order }
  /// The groups that the rows are; nil for other rows.
  package var grouping: Grouping? { source.grouping }
  /// Whether the rows are those of a group.
  var isOfGroup: Bool { source.isOfGroup }
  /// Whether the rows are the result of a statement in the editor.
  package var isResult: Bool { source.readingTime != nil }

  /// The number of rows; nil before a count has begun.
  package var total: RowNumber? { tally.total }
  /// The pending request for rows, and where its answer puts the cursor; nil for none.
  package var pending: PendingPage? { reading.pending }

  /// Puts computed columns after the columns from which they are computed.
  ///
  /// - Parameter places: The former index of each column, which keeps its place; nil for a new one.
  mutating func placeComputedColumns(_ places: [Int?]? = nil) {
    var dependents: [Int: [Int]] = [:]
    for index in columns.indices {
      guard let value = columns[index].computed?.syntax, let name = filterColumns.source(of: value),
        let source = columns.firstIndex(where: { $0.computed == nil && $0.name.isSameIdentifier(as: name) })
      else { continue }
      if places?[index] == nil { layout.put(index, afterLastOf: [source] + dependents[source, default: []]) }
      dependents[source, default: []].append(index)
    }
  }

  package var currentRow: WindowRow? { window.rows.indices.contains(row) ? window.rows[row] : nil }

  package var currentCell: CellValue? {
    currentRow?[column]
  }

  /// The column under the cursor; nil where the rows have none.
  var currentColumn: RowSetColumn? { column(at: column) }

  /// Returns a column by its index; nil where the rows have no such column.
  func column(at index: Int) -> RowSetColumn? {
    columns.indices.contains(index) ? columns[index] : nil
  }

  /// Returns whether a column is part of a foreign key.
  package func isReference(_ column: Int) -> Bool {
    guard let name = self.column(at: column)?.name else { return false }
    return foreignKeys.contains { $0.columns.contains { $0.isSameIdentifier(as: name) } }
  }

  func isKey(_ column: Int) -> Bool {
    self.column(at: column)?.schema?.primaryKeyPosition != nil
  }

  /// Returns whether a column's header is right-aligned, like its numbers.
  package func isNumeric(_ column: Int) -> Bool {
    // A number stands before what it refers to.
    if lensKey(of: column) != nil { return false }
    let rows = window.rows.prefix(20)
    return switch self.column(at: column)?.schema?.affinity {
    case .integer, .real: true
    case .numeric: rows.contains { $0[column]?.isNumber == true }
    case .text, .blob: false
    case nil: Self.isOfNumbers(column, rows)
    }
  }

  /// Returns whether a column has numbers, and nothing besides but NULL.
  static func isOfNumbers(_ column: Int, _ rows: some Collection<WindowRow>) -> Bool {
    let cells = rows.lazy.compactMap { $0[column] }
    return cells.contains(where: \.isNumber) && cells.allSatisfy { $0.isNumber || $0 == .null }
  }
}

/// The room for rows: lines, and cells of a line.
package struct GridExtent: Hashable, Sendable {
  package var rows: Int
  package var columns: Int

  package init(rows: Int, columns: Int) {
    (self.rows, self.columns) = (rows, columns)
  }
}

/// The cells between an anchor and the cursor.
package struct GridSelection: Hashable, Sendable {
  var isWholeRows: Bool
  /// The anchor's row, and its index in the window, which may lie outside of the window's rows.
  var anchor: RowKey
  var anchorRow: Int
  var anchorColumn: Int
}

extension CellValue {
  var isNumber: Bool {
    switch self {
    case .integer, .real: true
    case .null, .text, .blob: false
    }
  }
}

extension GridPane {
  /// Starts a selection at the cursor, changes its kind, or ends one of that kind.
  mutating func toggleSelection(wholeRows: Bool) {
    if let selection, selection.isWholeRows == wholeRows {
      self.selection = nil
    } else if selection != nil {
      selection?.isWholeRows = wholeRows
    } else {
      startSelection(wholeRows: wholeRows)
    }
  }

  /// Starts a selection of cells at the cursor, unless there is one.
  package mutating func startSelection(wholeRows: Bool = false) {
    guard selection == nil, let key = currentRow?.key else { return }
    selection = GridSelection(isWholeRows: wholeRows, anchor: key, anchorRow: row, anchorColumn: column)
  }

  /// The indexes of the selected rows, some of which may lie outside of the window; nil without a selection.
  var selectedRows: ClosedRange<Int>? {
    selection.map { min($0.anchorRow, row)...max($0.anchorRow, row) }
  }

  /// The indexes of the selected columns, from left to right as shown.
  var selectedColumns: [Int] {
    let shown = layout.shown
    guard let selection, !selection.isWholeRows else { return shown }
    guard let anchor = shown.firstIndex(of: selection.anchorColumn), let cursor = shown.firstIndex(of: column) else { return [column] }
    return Array(shown[min(anchor, cursor)...max(anchor, cursor)])
  }

  /// The keys of the first and the last selected row, in the set's order.
  var selectedKeys: (from: RowKey, through: RowKey)? {
    guard let selection, let key = currentRow?.key else { return nil }
    return selection.anchorRow <= row ? (selection.anchor, key) : (key, selection.anchor)
  }

  /// The number of selected rows; nil where unknown.
  var selectedCount: Int? {
    guard let selection, let rows = selectedRows else { return nil }
    return window.rows.indices.contains(selection.anchorRow) || selection.anchorRow.magnitude < 1 << 39 ? rows.count : nil
  }

  /// The selection in words: `3 rows`, `3 rows × 2 columns`; without the number of rows where that is unknown.
  var selectionTitle: String {
    guard let selection else { return "" }
    let count = selectedCount.map { Plural.of($0, "row") } ?? "rows"
    return selection.isWholeRows ? count : "\(count) × \(Plural.of(selectedColumns.count, "column"))"
  }
}
