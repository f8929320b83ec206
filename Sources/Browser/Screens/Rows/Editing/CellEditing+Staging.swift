import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

/// Opening the field of an edit, and staging its value.
extension CellEditing {
  /// Opens the field of the cell under the cursor, or one field for all selected cells.
  ///
  /// - Parameter area: The area of the grid.
  static func begin(externally: Bool = false, in area: Rect, _ context: inout RowsContext) {
    guard let grid = context.grid, let start = begin(in: grid, context.workspace.edits, isExternal: externally) else { return }
    switch start {
    case .field(let editing): editing.open(in: area, &context)
    case .reading(let editing):
      editing.load(&context) { rows, context, result in
        guard let grid = context.grid, grid.table == editing.cells.table else { return }
        switch result {
        case .success(let read):
          guard let narrowed = read.first.flatMap({ editing.narrowed(to: $0, in: grid, context.workspace.edits) }) else {
            return context.notify(Problem.rowDeleted.text, .warning)
          }
          narrowed.open(in: rows.gridArea(context.environment), &context)
        case .failure(let problem): context.notify(problem.text, .error)
        }
      }
    case .refused(let sentence): context.notify(sentence, .warning)
    }
  }

  /// Opens a field for the column under the cursor in all rows that match the filter.
  static func beginColumn(in area: Rect, _ context: inout RowsContext) {
    if let grid = context.grid { beginColumn(of: grid, context.workspace.edits)?.open(in: area, &context) }
  }

  /// Opens the field.
  private func open(in area: Rect, _ context: inout RowsContext) {
    guard let grid = context.grid, let name = cells.columns.first, let subject = subject(in: grid, area: area, context.appearance)
    else { return }
    if case .rawText? = value {
      let key = context.environment.keyHint(.setNull)
      return context.notify("\(name) is not valid UTF-8: \(key) sets it to NULL, an UPDATE can replace it", .warning)
    }
    if let value, value.byteCount > CellEditor.longest, !isExternal {
      let key = context.environment.keyHint(.editCellExternally)
      return context.notify("\(name) has \(BlobKind.size(value.byteCount)), too large to edit here: \(key) opens it in $VISUAL", .warning)
    }
    if isExternal, let value { return editExternally(value, subject, &context) }
    context.present(CellEditor(subject))
  }

  /// Opens a value in the external editor.
  private func editExternally(_ value: StagedValue, _ subject: CellEditor.Subject, _ context: inout RowsContext) {
    switch value {
    case .value(.blob), .file:
      return context.notify(
        "a blob is not text: \(context.environment.keyHint(.editCell)) accepts hexadecimal digits, or @path for a file", .warning)
    case .value, .rawText, .defaultValue: break
    }
    context.editExternally(value.text) { rows, context, result in
      switch result {
      case .success(let text) where text == value.text: context.notify("the value is unchanged")
      case .success(let text):
        // The layout of a large text in the field would be slow. The field also reports a text that is not a value.
        if text.utf8.count > CellEditor.longest, let input = try? subject.input(text) {
          context.send(RowsIntent.stage(WrittenCell(input: input), for: cells))
          return context.notify("staged: \(subject.title), \(BlobKind.size(text.utf8.count)) from $VISUAL")
        }
        var field = CellEditor(subject)
        field.edit { $0.replaceText(text) }
        context.present(field)
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Reopens the field with the input that could not be staged, so that it is not lost.
  private func reopen(_ text: String, _ problem: Problem, in area: Rect, _ context: inout RowsContext) {
    context.notify(problem.text, .error)
    let editing = CellEditing(cells: cells)
    guard let grid = context.grid, grid.id == cells.grid, let subject = editing.subject(in: grid, area: area, context.appearance) else {
      return
    }
    var field = CellEditor(subject)
    field.edit { $0.replaceText(text) }
    field.refuse(problem.text)
    context.present(field)
  }

  // MARK: Staging

  /// Stages the input of a field.
  func receive(_ written: WrittenCell, _ context: inout RowsContext) {
    switch (written.input, cells.rows) {
    case (.value(let value), .one(let row, let was)):
      let place = context.workspace.edits.current(RowAddress(table: cells.table, row: row), since: cells.commitCount)
      context.changeStaged { edits throws(StagingRefusal) in
        try edits.set(
          value, column: cells.columns[0], row: row, of: cells.table, was: was, expecting: cells.identity, since: cells.commitCount)
      }
      if !written.isWarned { context.checkStaged([place.row], cells.columns, of: cells.table) }
    case (.value(let value), _): stage(value, &context)
    case (.expression(let text), _): compute(text, &context)
    case (.file(let path), _):
      context.ask(LoadFile(path: path)) { rows, context, result in
        switch result {
        case .success(let value): receive(WrittenCell(input: .value(value)), &context)
        case .failure(let problem): reopen("@\(path)", problem, in: rows.gridArea(context.environment), &context)
        }
      }
    }
    guard written.step != 0, context.workspace.changeGrid({ $0.moveToField(after: written.step) }) == true else { return }
    context.send(BrowserIntent.perform(.editCell))
  }

  /// Stages the same value for several cells, after reading the current values that the page does not have.
  private func stage(_ value: StagedValue, _ context: inout RowsContext) {
    if let known = context.grid?.storedRow(of: cells) {
      return stage(.success([known]), &context) { _, _ in value }
    }
    load(&context) { _, context, result in
      stage(result, &context) { _, _ in value }
    }
  }

  /// Stages the result of an expression for each row.
  private func compute(_ text: String, _ context: inout RowsContext) {
    load(computing: text, &context) { rows, context, result in
      if case .failure(let problem) = result, problem != .stopped {
        return reopen("=\(text)", problem, in: rows.gridArea(context.environment), &context)
      }
      stage(result, &context) { row, _ in row.computed.map { StagedValue($0) } }
    }
  }

  /// Stages a value for each of the cells that have been read.
  private func stage(
    _ result: Result<[LoadStoredRows.Row], Problem>, _ context: inout RowsContext, value: (LoadStoredRows.Row, String) -> StagedValue?
  ) {
    switch result {
    case .failure(.stopped): break
    case .failure(let problem): context.notify(problem.text, .error)
    case .success(let rows):
      let staged = cells.stage(rows, in: &context.workspace.edits, value: value)
      context.workspace.changeGrid { $0.selection = nil }
      context.notify(staged.sentence)
      if staged.changed > 0 { context.checkStaged(rows.map(\.id), cells.columns, of: cells.table) }
    }
  }

  /// Reads the rows to edit; fails if a commit has changed their keys in the meantime.
  func load(
    computing expression: String? = nil, _ context: inout RowsContext,
    then receive: @escaping @Sendable (inout RowsScreen, inout RowsContext, Result<[LoadStoredRows.Row], Problem>) -> Void
  ) {
    let changes = expression == nil ? StagedChanges() : context.workspace.staged
    context.ask(LoadStoredRows(cells: cells, expression: expression, changes: changes)) { rows, context, result in
      let hasMoved = context.workspace.edits.hasMovedRows(of: cells.table, since: cells.commitCount)
      let moved = Problem("a commit has changed keys of \(cells.table.name): select the rows again")
      receive(&rows, &context, hasMoved ? .failure(moved) : result)
    }
  }

  // MARK: One value for the selection

  /// Stages the same value for the cell under the cursor, or for all selected cells.
  static func stage(_ value: StagedValue, inSelectionOf context: inout RowsContext) {
    guard let grid = context.grid, let table = grid.table else { return }
    let columns = grid.editableColumns(among: grid.editedColumns)
    guard let range = grid.selectedRange ?? grid.cursorRange, !columns.isEmpty else { return }
    let cells = EditedCells(grid, table, columns: columns, rows: range, context.workspace.edits)
    CellEditing(cells: cells).stage(value, &context)
  }

  /// Stages NULL for the cell under the cursor, or for all selected cells; SQLite assigns the INTEGER PRIMARY KEY of a new row.
  static func setNull(_ context: inout RowsContext) {
    guard let grid = context.grid, let table = grid.table else { return }
    let columns = grid.editableColumns(among: grid.editedColumns)
    guard let key = grid.columns.first(where: { $0.schema.map { columns.contains($0.name) && $0.isRowID } ?? false })?.schema else {
      return stage(.value(.null), inSelectionOf: &context)
    }
    guard grid.selection == nil, let row = grid.stagedRow, case .new = row else { return context.notify(key.refusalOfNull, .warning) }
    if context.workspace.staged.value(of: key.name, in: row, of: table) != .defaultValue {
      guard context.changeStaged({ edits throws(StagingRefusal) in try edits.discard(column: key.name, of: row, in: table) }) else {
        return
      }
    }
    context.notify("SQLite assigns the next number to \(key.name) when the row is committed")
  }
}

extension RowsContext {
  /// Warns if a staged value violates a constraint of the table; it remains staged, because only SQLite decides in the end.
  ///
  /// - Parameter columns: The columns with new values; nil for whole rows.
  mutating func checkStaged(_ rows: [StagedRowID], _ columns: [String]?, of table: TableReference) {
    let revision = workspace.edits.revision
    let first = Array(rows.prefix(CheckStagedRows.limit))
    ask(CheckStagedRows(table: table, columns: columns, rows: first, changes: workspace.staged)) { _, context, result in
      guard case .success(let fault?) = result, context.workspace.edits.revision == revision else { return }
      let key = context.environment.keyHint(.undoChange, in: .grid)
      context.notify("\(fault.withoutFullStop). It is staged anyway: \(key) undoes it", .warning)
    }
  }
}
