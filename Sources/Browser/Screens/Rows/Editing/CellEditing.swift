package import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

/// One edit of cells, from the key that begins it to the staged changes.
///
///                 begin                                       accepted: a value
///     the cursor ───────▶ field open ────────────────────────────────────▶ staged ──▶ checked against the constraints
///     or selection │        ▲  ▲  │                                          ▲
///                  │   read │  │  │ accepted: an expression, a file,         │ read
///                  └─▶ reading │  │ or a value for several rows              │
///                 the value    │  └────────────────────────────────────▶ reading them
///                              └────────────────────────────────────────────┘ failed: the input is not lost
///
/// A commit may end while a field is open. The cells therefore store the number of completed commits at their selection, from which
/// `EditSession` derives the current row.
package struct CellEditing: Hashable, Sendable {
  package var cells: EditedCells
  /// The value of a single cell; nil for several cells.
  package var value: StagedValue?
  /// Whether the value is edited in the external editor.
  var isExternal = false

  /// The beginning of an edit.
  package enum Start: Hashable, Sendable {
    case field(CellEditing)
    /// The value must be read first, because the page does not have all of it.
    case reading(CellEditing)
    case refused(String)
  }

  /// Returns the edit of the cell under the cursor, or of all selected cells; nil if there is nothing to edit.
  package static func begin(in grid: GridPane, _ edits: EditSession, isExternal: Bool = false) -> Start? {
    guard let table = grid.table, let row = grid.stagedRow else { return nil }
    if grid.selection != nil { return beginSelection(of: grid, table, edits) }
    guard let column = grid.currentColumn?.schema?.name else { return nil }
    func cells(_ rows: EditedCells.Rows) -> EditedCells { EditedCells(grid, table, columns: [column], rows: rows, edits) }
    if let staged = edits.staged.value(of: column, in: row, of: table) {
      return .field(CellEditing(cells: cells(.one(row, was: .null)), value: staged, isExternal: isExternal))
    }
    guard let key = grid.currentRow?.key else { return nil }
    let range = CellEditing(cells: cells(.range(from: key, through: key, new: [])), isExternal: isExternal)
    if range.cells.identityColumns.isEmpty, let whole = grid.currentCell?.whole {
      return .field(CellEditing(cells: cells(.one(row, was: whole)), value: StagedValue(whole), isExternal: isExternal))
    }
    return grid.storedRow(of: range.cells).flatMap { range.narrowed(to: $0, in: grid, edits) }.map(Start.field) ?? .reading(range)
  }

  private static func beginSelection(of grid: GridPane, _ table: TableReference, _ edits: EditSession) -> Start? {
    guard let range = grid.selectedRange else { return nil }
    let columns = grid.editableColumns(among: grid.editedColumns)
    guard !columns.isEmpty else { return .refused("none of the selected columns can be changed") }
    return .field(CellEditing(cells: EditedCells(grid, table, columns: columns, rows: range, edits)))
  }

  /// Returns the edit of the column under the cursor in all rows that match the filter; nil if there is no such column.
  static func beginColumn(of grid: GridPane, _ edits: EditSession) -> CellEditing? {
    guard let table = grid.table, let column = grid.currentColumn?.schema?.name else { return nil }
    return CellEditing(cells: EditedCells(grid, table, columns: [column], rows: .all, edits))
  }

  /// Returns the edit of a single cell that has been read; nil if the row has no value.
  ///
  /// - Parameter grid: The current rows of the table.
  package func narrowed(to row: LoadStoredRows.Row, in grid: GridPane, _ edits: EditSession) -> CellEditing? {
    guard let value = row.values.first else { return nil }
    var narrowed = self
    narrowed.cells = EditedCells(grid, cells.table, columns: cells.columns, rows: .one(row.id, was: value), edits)
    narrowed.cells.identity = row.identity
    narrowed.value = StagedValue(value)
    return narrowed
  }

  /// Returns the subject of the field; nil if the grid has no such column.
  ///
  /// - Parameter area: The area of the grid.
  func subject(in grid: GridPane, area: Rect, _ appearance: Appearance) -> CellEditor.Subject? {
    guard let index = cells.columns.first.flatMap(grid.index(of:)), let column = grid.column(at: index)?.schema else { return nil }
    let type = grid.type(of: column.name)
    let isJSON = column.declaredType.uppercased() == "JSON"
    return CellEditor.Subject(
      title: title(of: column.name, in: grid, appearance), cells: cells, column: column,
      reading: ParameterReading(type: isJSON ? .json : nil, expression: type), typeName: isJSON ? "json" : type?.formName ?? "any",
      value: value, takesDefault: column.defaultSQL != nil || grid.newRow != nil, anchor: grid.cellArea(column: index, in: area))
  }

  private func title(of column: String, in grid: GridPane, _ appearance: Appearance) -> String {
    switch cells.rows {
    case .one: column
    case .range: "\(cells.columns.joined(separator: ", ")) of \(grid.selectedCount.map { Plural.of($0, "row") } ?? "the selected rows")"
    case .all: "\(column) of all \(grid.total.map { $0.text(appearance) + " " } ?? "")rows"
    }
  }
}

extension CellEditor {
  /// The largest size of a text in a field, in bytes.
  static let longest = 64 << 10
}

extension StagedValue {
  /// The size of the text or blob, in bytes.
  var byteCount: Int {
    switch self {
    case .value(.text(let text)): text.utf8.count
    case .value(.blob(let bytes)), .rawText(let bytes): bytes.count
    case .value, .file, .defaultValue: 0
    }
  }
}
