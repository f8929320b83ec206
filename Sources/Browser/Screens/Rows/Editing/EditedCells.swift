package import QuarryChanges
package import QuarryEngine
package import QuarryRows

/// The cells to edit, or the rows to delete.
package struct EditedCells: Hashable, Sendable {
  var grid: GridID
  var table: TableReference
  /// The table's columns.
  package var columns: [String]
  package var rows: Rows
  /// The other columns that identify a row without a key.
  var identityColumns: [String]
  /// The values of a single row in these columns.
  var identity: [String: StoredValue] = [:]
  /// The source table of a query's rows, with its columns in the grid; nil for the rows of a table.
  var origin: ResultTable?
  /// The number of completed commits when the cells were selected.
  var commitCount: Int

  package init(_ grid: GridPane, _ table: TableReference, columns: [String], rows: Rows, _ edits: EditSession) {
    (self.grid, origin, commitCount) = (grid.id, grid.origin?.table, edits.commitCount)
    (self.table, self.columns, self.rows) = (table, columns, rows)
    identityColumns = (grid.tableSchema?.identityColumns ?? []).filter { !columns.contains($0) }
  }

  /// The row, if there is only one.
  package var onlyRow: StagedRowID? {
    if case .one(let row, _) = rows { row } else { nil }
  }

  package enum Rows: Hashable, Sendable {
    /// One row, and the stored value of its cell.
    case one(StagedRowID, was: StoredValue)
    /// The rows of a range, in the order of the grid.
    case range(from: RowKey, through: RowKey, new: [Int])
    /// All rows that match the filter.
    case all
  }
}

/// The input in the field of a cell, and the next cell to edit.
struct WrittenCell: Hashable, Sendable {
  var input: CellInput
  /// The number of fields from the cell to the next one to edit, to the right; 0 for none.
  var step = 0
  /// Whether a fault of the value has been shown.
  var isWarned = false
}

// MARK: - Staging

extension EditedCells {
  /// The result of staging values.
  package struct Staged: Hashable, Sendable {
    /// The name of the step: `age of 3 rows`.
    var name: String
    /// The number of cells with a new value.
    package var changed = 0
    /// The number of skipped cells in deleted rows.
    var left = 0

    package init(name: String, changed: Int = 0, left: Int = 0) {
      self.name = name
      self.changed = changed
      self.left = left
    }

    package var sentence: String {
      let rest = left > 0 ? "; deleted rows were skipped" : ""
      return changed == 0 ? "nothing changed: the cells have these values already\(rest)" : "staged: \(name)\(rest)"
    }
  }

  /// Stages a value for each cell of rows, in one step.
  ///
  /// - Parameters:
  ///   - rows: The stored rows.
  ///   - value: Returns the value of a row's column; nil to leave the cell as it is.
  package func stage(
    _ rows: [LoadStoredRows.Row], in edits: inout EditSession, value: (LoadStoredRows.Row, String) -> StagedValue?
  ) -> Staged {
    let affected = rows.count { isChanged($0, edits.staged, value) }
    var result = Staged(name: "\(columns.joined(separator: ", ")) of \(Plural.of(affected, "row"))")
    edits.step(result.name) { edits in
      for row in rows {
        let id = edits.current(RowAddress(table: table, row: row.id), since: commitCount).row
        for (column, was) in zip(columns, row.values) {
          guard let new = value(row, column) else { continue }
          let before = edits.staged.value(of: column, in: id, of: table)
          do throws(StagingRefusal) {
            try set(new, of: column, was, in: row, &edits)
          } catch { result.left += 1 }
          if edits.staged.value(of: column, in: id, of: table) != before { result.changed += 1 }
        }
      }
    }
    return result
  }

  private func isChanged(
    _ row: LoadStoredRows.Row, _ staged: StagedChanges, _ value: (LoadStoredRows.Row, String) -> StagedValue?
  ) -> Bool {
    staged.status(of: row.id, in: table) != .deleted
      && zip(columns, row.values).contains { column, was in
        value(row, column).map { $0 != staged.value(of: column, in: row.id, of: table) ?? StagedValue(was) } ?? false
      }
  }

  /// Stages pasted values for the cells of rows in one step; stages nothing if one of them is refused.
  package func paste(_ values: [[DatabaseValue]], over rows: [LoadStoredRows.Row], in edits: inout EditSession) throws(StagingRefusal) {
    try edits.step("paste of \(Plural.of(values.count, "row"))") { edits throws(StagingRefusal) in
      for (row, values) in zip(rows, values) {
        for ((column, was), value) in zip(zip(columns, row.values), values) { try set(.value(value), of: column, was, in: row, &edits) }
      }
    }
  }

  private func set(
    _ value: StagedValue, of column: String, _ was: StoredValue, in row: LoadStoredRows.Row, _ edits: inout EditSession
  ) throws(StagingRefusal) {
    try edits.set(value, column: column, row: row.id, of: table, was: was, expecting: row.identity, since: commitCount)
  }

  /// Stages the deletion of rows in one step; returns the name of the step.
  package func delete(_ rows: [LoadStoredRows.Row], in edits: inout EditSession) -> String {
    let name = "deletion of \(Plural.of(rows.count, "row"))"
    edits.step(name) { edits in
      for row in rows {
        let was = Dictionary(zip(columns, row.values), uniquingKeysWith: { $1 })
        edits.delete(row.id, of: table, was: was, since: commitCount)
      }
    }
    return name
  }
}

extension GridPane {
  /// The rows of the selection; nil without a selection.
  var selectedRange: EditedCells.Rows? {
    guard let rows = selectedRows, let keys = selectedStoredKeys(rows) else { return nil }
    // The selected rows may be many, but few of them are in the window or new.
    let new = newRows.indices.filter { window.reachesEnd && rows.contains(window.rows.count + $0) }
    return .range(from: keys.from, through: keys.through, new: new.map { newRows[$0] })
  }

  /// The row under the cursor, as a range.
  var cursorRange: EditedCells.Rows? {
    switch stagedRow {
    case .stored?: currentRow.map { .range(from: $0.key, through: $0.key, new: []) }
    case .new?: stagedRow.map { .one($0, was: .null) }
    case nil: nil
    }
  }

  /// Returns the values of a single row; nil if they are not completely loaded.
  func storedRow(of rows: EditedCells.Rows, columns names: [String]) -> LoadStoredRows.Row? {
    guard case .range(let first, let last, let new) = rows, first == last, new.isEmpty, let line = currentRow, line.key == first,
      let id = stagedRow
    else { return nil }
    let values = names.compactMap { name in index(of: name).flatMap { line[$0]?.whole } }
    return values.count == names.count ? LoadStoredRows.Row(id: id, values: values) : nil
  }

  /// Returns the values of a single row and of its identity columns; nil if they are not completely loaded.
  func storedRow(of cells: EditedCells) -> LoadStoredRows.Row? {
    if case .new(let number)? = cells.onlyRow { return LoadStoredRows.Row(new: number, of: cells) }
    return storedRow(of: cells.rows, columns: cells.columns + cells.identityColumns).map { LoadStoredRows.Row($0.id, $0.values, of: cells) }
  }

  private func selectedStoredKeys(_ rows: ClosedRange<Int>) -> (from: RowKey, through: RowKey)? {
    guard newRow != nil else { return selectedKeys }
    guard let selection, let last = window.rows.last?.key else { return nil }
    return (selection.anchor, last)
  }

  /// The columns that are edited together: the selected columns, or the column under the cursor if whole rows are selected.
  var editedColumns: [Int] { selection?.isWholeRows == false ? selectedColumns : [column] }

  /// Returns the names of the columns that can be edited.
  func editableColumns(among indexes: [Int]) -> [String] {
    guard let schema = tableSchema else { return [] }
    return indexes.compactMap { self.column(at: $0)?.schema?.name }.filter { schema.editability(of: .update, column: $0) == .editable }
  }
}
