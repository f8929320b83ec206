import QuarryEngine

/// A grid: a window on the rows of one row set, a cursor in it, and how its columns are laid out.
struct GridPane: Hashable, Sendable {
  let id: GridID
  let rowSet: RowSet
  /// The table's name, or what else the rows are.
  let title: String
  /// What narrows and orders the rows, as it was written.
  let view: RowView
  var bar = FilterBar()
  let schema: TableSchema?
  let columns: [RowSetColumn]
  /// Whether the rows stay what they are when others write.
  let isSnapshot: Bool
  /// Whether the rows are what a statement of the editor has given.
  var isResult = false
  /// Whether others have written since the rows were asked for that are under way.
  var isStale = false
  /// Whether rows in an order have been read since somebody wrote, and a new order is being made.
  var isOrderStale = false
  /// The changes of the files that its rows have in them.
  var fileChanges = 0
  /// The columns as filter and order name them.
  let filterColumns: FilterColumns
  /// The columns that the rows are ordered by, as the header marks them.
  let order: [OrderMark]
  var layout: ColumnLayout
  var window: GridWindow
  /// The index in the window of the first row in sight.
  var top = 0
  /// The index in the window of the row under the cursor.
  var row = 0
  /// The place of the column under the cursor.
  var column = 0
  var selection: GridSelection?
  /// How many rows there are; nil before a count has begun.
  var total: RowNumber?
  var isCounting = false
  /// What was looked for last.
  var needle: Needle?
  /// The rows and columns in sight, set whenever the screen's layout is known.
  var extent = GridExtent(rows: 1, columns: 1)
  /// Moves asked for whose rows are still on their way.
  var pendingMovement = 0
  /// The request for rows that is under way, and where its answer puts the cursor.
  var pending: PendingPage?
  /// The row on which the cursor stands for one whose number could only be estimated.
  var estimate: EstimatedRow?

  /// What has put the cursor on its row.
  var placement = Placement.opening
  /// The row where the cursor was before it was taken far away.
  var formerRow: RowKey?

  enum Placement: Hashable, Sendable {
    case opening, sorting, hand
  }

  struct EstimatedRow: Hashable, Sendable {
    var number: Int
    var key: RowKey
  }

  struct PendingPage: Hashable, Sendable {
    var request: PageRequest
    var target: CursorTarget
  }

  /// Where the cursor goes when rows arrive.
  enum CursorTarget: Hashable, Sendable {
    /// It stays on its row; the rows join the window.
    case join
    /// It stays on the row that it has come to meanwhile; the rows are those in sight, read again.
    case same
    case top
    case bottom
    case number(Int)
    case key(RowKey)

    /// Whether the cursor leaves its row for another when they do.
    var isElsewhere: Bool {
      switch self {
      case .join, .same: false
      case .top, .bottom, .number, .key: true
      }
    }
  }

  init(id: GridID, rowSet: RowSet, title: String, opened: OpenedRows, glyphs: Glyphs) {
    self.id = id
    self.rowSet = rowSet
    self.title = title
    view = opened.view
    order = opened.order
    filterColumns = opened.filterColumns
    schema = opened.schema
    columns = opened.columns
    isSnapshot = opened.isSnapshot
    window = GridWindow(opened.page)
    layout = ColumnLayout(widths: GridPane.naturalWidths(opened.columns, opened.page.rows, glyphs: glyphs))
    row = opened.cursor.flatMap(window.index(of:)) ?? 0
    if window.reachesStart, window.reachesEnd { total = .exact(window.rows.count) }
  }

  var currentRow: WindowRow? { window.rows.indices.contains(row) ? window.rows[row] : nil }

  var currentCell: CellValue? {
    guard let cells = currentRow?.cells, cells.indices.contains(column) else { return nil }
    return cells[column]
  }

  /// Whether a column takes part in a foreign key.
  func isReference(_ column: Int) -> Bool {
    guard let schema else { return false }
    return schema.foreignKeys.contains { $0.columns.contains { $0.isSameName(as: columns[column].name) } }
  }

  func isKey(_ column: Int) -> Bool {
    columns[column].schema?.primaryKeyPlace != nil
  }

  /// Whether a column's header keeps to the right, as its numbers do.
  func isNumeric(_ column: Int) -> Bool {
    switch columns[column].schema?.affinity {
    case .integer, .real: true
    case .numeric: window.rows.prefix(20).contains { $0.cells[column].isNumber }
    case .text, .blob, nil:
      !window.rows.isEmpty && window.rows.prefix(20).allSatisfy { $0.cells[column].isNumber || $0.cells[column] == .null }
    }
  }
}

/// The room that a grid has for its rows: lines, and cells of a line.
struct GridExtent: Hashable, Sendable {
  var rows: Int
  var columns: Int
}

/// The cells between an anchor and the cursor.
struct GridSelection: Hashable, Sendable {
  var isWholeRows: Bool
  /// The anchor's row, and its index in the window: outside of the window's rows once they have moved on.
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

extension String {
  /// Whether SQLite takes the two for one name: ASCII letters match in either case.
  func isSameName(as other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  fileprivate var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
}

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
