import QuarryChanges
import QuarryEngine
import QuarryRows

/// Adding and deleting rows.
extension CellEditing {
  /// Stages a new row after the last one, and moves to it.
  static func addRow(_ context: inout RowsContext) {
    guard let table = context.grid?.table else { return }
    context.workspace.edits.insert(into: table)
    goToNewRow(of: table, &context)
  }

  /// Stages a copy of the row under the cursor, without the values that SQLite assigns.
  static func addRowLikeThis(_ context: inout RowsContext) {
    guard let grid = context.grid, let table = grid.table, let row = grid.stagedRow else { return }
    let columns = grid.copiedColumns
    guard case .stored(let key) = row else {
      if case .inserted(let values)? = context.workspace.staged.change(of: row, in: table) {
        context.workspace.edits.insert(values, into: table)
        goToNewRow(of: table, &context)
      }
      return
    }
    let range = EditedCells.Rows.range(from: key, through: key, new: [])
    let editing = CellEditing(cells: EditedCells(grid, table, columns: columns, rows: range, context.workspace.edits))
    editing.load(&context) { _, context, result in
      switch result {
      case .success(let read):
        guard let first = read.first else { return context.notify(Problem.rowDeleted.text, .warning) }
        let present = Dictionary(zip(columns, first.values.map { StagedValue($0) }), uniquingKeysWith: { $1 })
        let staged = columns.compactMap { column in
          context.workspace.staged.value(of: column, in: row, of: table).map { (column, $0) }
        }
        context.workspace.edits.insert(present.merging(staged) { $1 }, into: table)
        goToNewRow(of: table, &context)
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Moves the cursor to the last new row, in the first column that the user has to fill in.
  static func goToNewRow(of table: TableReference, _ context: inout RowsContext) {
    let new = context.workspace.staged.newRows(of: table)
    context.changeGrid { grid in
      guard grid.table == table else { return [] }
      grid.selection = nil
      grid.show(newRows: new)
      if let column = grid.firstColumnToFill { grid.column = column }
      return grid.moveToBottom()
    }
    let keys = context.environment
    context.notify(
      "a new row: \(keys.keyHint(.editCell)) fills in a value, \(keys.keyHint(.nextPane)) goes to the next field, "
        + "\(keys.keyHint(.changes)) commits it")
  }

  /// Stages the deletion of the selected rows, or of the row under the cursor; if the latter is already staged, restores the row.
  static func deleteRows(_ context: inout RowsContext) {
    guard let grid = context.grid, let table = grid.table else { return }
    if grid.selection == nil, let row = grid.stagedRow {
      if context.workspace.staged.status(of: row, in: table) == .deleted {
        let isKept = context.changeStaged { edits throws(StagingRefusal) in try edits.discard(row, of: table) }
        return isKept ? context.notify("the row will not be deleted") : ()
      }
      if case .new = row {
        context.workspace.edits.delete(row, of: table, was: [:])
        return context.notify("new row removed: \(context.environment.keyHint(.undoChange)) restores it")
      }
    }
    guard let range = grid.selectedRange ?? grid.cursorRange else { return }
    let columns = grid.storedColumns
    let editing = CellEditing(cells: EditedCells(grid, table, columns: columns, rows: range, context.workspace.edits))
    if let known = grid.storedRow(of: range, columns: columns) { return editing.delete(.success([known]), &context) }
    editing.load(&context) { _, context, result in editing.delete(result, &context) }
  }

  private func delete(_ result: Result<[LoadStoredRows.Row], Problem>, _ context: inout RowsContext) {
    switch result {
    case .failure(.stopped): break
    case .failure(let problem): context.notify(problem.text, .error)
    case .success(let rows):
      let name = cells.delete(rows, in: &context.workspace.edits)
      context.workspace.changeGrid { $0.selection = nil }
      let keys = context.environment
      context.notify("staged: \(name); \(keys.keyHint(.changes)) commits it, \(keys.keyHint(.undoChange)) undoes it")
    }
  }
}

extension GridPane {
  /// The names of the table's columns with stored values; the result of a query may show only some of them.
  var storedColumns: [String] {
    let all = origin?.table?.schema.columns ?? columns.compactMap(\.schema)
    return all.filter { $0.generation == nil && !$0.isHidden }.map(\.name)
  }

  /// The names of the columns that a copy of a row includes: SQLite assigns a new rowid.
  fileprivate var copiedColumns: [String] {
    columns.filter { $0.schema.map { $0.generation == nil && !$0.isHidden && !$0.isRowID } ?? false }.map(\.name)
  }

  /// The first visible column that requires a value, or otherwise accepts one.
  fileprivate var firstColumnToFill: Int? {
    let open = layout.shown.filter { column(at: $0)?.schema.map { $0.generation == nil && !$0.isRowID } ?? false }
    return open.first { column(at: $0)?.schema.map { !$0.isNullable && $0.defaultSQL == nil } ?? false } ?? open.first
  }
}
