import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

/// Changing values: one cell, those that are selected, a column in all rows.
extension RowsScreen {
  /// The cells that a value is written for.
  struct EditedCells: Hashable, Sendable {
    var grid: GridID
    var table: TableReference
    /// The table's columns.
    var columns: [String]
    var rows: Rows
    /// The other columns that tell a row from others, where no key does.
    var identityColumns: [String]
    /// What a single row has in them.
    var identity: [String: StoredValue] = [:]
    /// The table with the columns that the grid shows of it, where its rows are those of a query.
    var origin: ResultTable?
    /// The number of commits that had ended when the cells were chosen.
    var commitCount: Int

    init(_ grid: GridPane, _ table: TableReference, columns: [String], rows: Rows, _ edits: EditSession) {
      (self.grid, origin, commitCount) = (grid.id, grid.origin?.table, edits.commitCount)
      (self.table, self.columns, self.rows) = (table, columns, rows)
      identityColumns = (grid.tableSchema?.identityColumns ?? []).filter { !columns.contains($0) }
    }

    /// The row, where it is a single one.
    var onlyRow: StagedRowID? {
      if case .one(let row, _) = rows { row } else { nil }
    }

    enum Rows: Hashable, Sendable {
      /// One row, and what its cell has in the file.
      case one(StagedRowID, was: StoredValue)
      /// Those from one through another, in the order of the grid.
      case range(from: RowKey, through: RowKey, new: [Int])
      /// All that the filter leaves.
      case all
    }
  }

  /// Opens the field of the cell under the cursor, or one for all cells that are selected.
  func editCells(externally: Bool = false, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let table = grid.table, let row = grid.stagedRow else { return }
    if grid.selection != nil { return editSelection(of: grid, table, &context) }
    guard let column = grid.currentColumn?.schema?.name else { return }
    if let staged = context.workspace.staged.value(of: column, in: row, of: table) {
      return open(
        staged, EditedCells(grid, table, columns: [column], rows: .one(row, was: .null), context.workspace.edits), externally, &context)
    }
    guard let key = grid.currentRow?.key else { return }
    let range = EditedCells(grid, table, columns: [column], rows: .range(from: key, through: key, new: []), context.workspace.edits)
    if range.identityColumns.isEmpty, let whole = grid.currentCell?.whole {
      let cells = EditedCells(grid, table, columns: [column], rows: .one(row, was: whole), context.workspace.edits)
      return open(StagedValue(whole), cells, externally, &context)
    }
    if let known = grid.storedRow(of: range) { return receive(.success([known]), of: column, externally, &context) }
    load(range, &context) { rows, context, result in
      rows.receive(result, of: column, externally, &context)
    }
  }

  private func receive(
    _ result: Result<[LoadStoredRows.Row], Problem>, of column: String, _ externally: Bool, _ context: inout ScreenContext<Self>
  ) {
    guard let grid = context.grid, let table = grid.table else { return }
    switch result {
    case .success(let rows):
      guard let row = rows.first, let value = row.values.first else {
        return context.notify("another program has deleted this row", .warning)
      }
      var cells = EditedCells(grid, table, columns: [column], rows: .one(row.id, was: value), context.workspace.edits)
      cells.identity = row.identity
      open(StagedValue(value), cells, externally, &context)
    case .failure(let problem): context.notify(problem.text, .error)
    }
  }

  private func editSelection(of grid: GridPane, _ table: TableReference, _ context: inout ScreenContext<Self>) {
    guard let range = grid.selectedRange else { return }
    let columns = grid.editableColumns(among: grid.editedColumns)
    guard !columns.isEmpty else { return context.notify("none of the selected columns can be changed", .warning) }
    open(nil, EditedCells(grid, table, columns: columns, rows: range, context.workspace.edits), false, &context)
  }

  /// Opens a field for the column under the cursor in all rows of the filter.
  func editColumn(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let table = grid.table, let column = grid.currentColumn?.schema?.name else { return }
    open(nil, EditedCells(grid, table, columns: [column], rows: .all, context.workspace.edits), false, &context)
  }

  /// Opens the field for cells.
  ///
  /// - Parameter value: What the one cell has; nil for several.
  private func open(_ value: StagedValue?, _ cells: EditedCells, _ externally: Bool, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let name = cells.columns.first, let subject = subject(of: cells, value, in: grid, context.environment)
    else { return }
    if case .rawText? = value {
      let key = context.environment.keyHint(.setNull)
      return context.notify("\(name) has bytes that are not valid UTF-8: \(key) sets it to NULL, an UPDATE writes other bytes", .warning)
    }
    if let value, value.byteCount > CellEditor.longest, !externally {
      let key = context.environment.keyHint(.editCellExternally)
      return context.notify("\(name) has \(BlobKind.size(value.byteCount)), too large for a field: \(key) opens it in $VISUAL", .warning)
    }
    let accept = accepting(cells, context)
    if externally, let value { return editExternally(value, subject, accept, &context) }
    context.present(CellEditor(subject, accept: accept))
  }

  private func subject(
    of cells: EditedCells, _ value: StagedValue?, in grid: GridPane, _ environment: ScreenEnvironment
  ) -> CellEditor.Subject? {
    guard let index = cells.columns.first.flatMap(grid.index(of:)), let column = grid.column(at: index)?.schema else { return nil }
    let type = grid.type(of: column.name)
    let isJSON = column.declaredType.uppercased() == "JSON"
    let title =
      switch cells.rows {
      case .one: column.name
      case .range: "\(cells.columns.joined(separator: ", ")) of \(grid.selectedCount.map { Plural.of($0, "row") } ?? "the selected rows")"
      case .all: "\(column.name) of all \(grid.total.map { $0.text(environment.appearance) + " " } ?? "")rows"
      }
    return CellEditor.Subject(
      title: title, cells: cells, column: column,
      reading: ParameterReading(type: isJSON ? .json : nil, expression: type), typeName: isJSON ? "json" : type?.formName ?? "any",
      value: value, takesDefault: column.defaultSQL != nil || grid.newRow != nil,
      anchor: grid.cellArea(column: index, in: RowsLayout(area, environment).grid))
  }

  /// Opens a value in the person's own editor.
  private func editExternally(
    _ value: StagedValue, _ subject: CellEditor.Subject, _ accept: @escaping @Sendable (inout Browser, CellEditor.Outcome) -> Void,
    _ context: inout ScreenContext<Self>
  ) {
    switch value {
    case .value(.blob), .file:
      return context.notify(
        "a blob is not text: \(context.environment.keyHint(.editCell)) takes hexadecimal digits, or @path for a file", .warning)
    case .value, .rawText, .defaultValue: break
    }
    context.editExternally(value.text) { rows, context, result in
      switch result {
      case .success(let text) where text == value.text: context.notify("the value is unchanged")
      case .success(let text):
        // The field would take long to lay out a large text; it also says what is wrong with one that is no value.
        if text.utf8.count > CellEditor.longest, let input = try? subject.input(text) {
          context.afterwards { accept(&$0, CellEditor.Outcome(input: input)) }
          return context.notify("staged: \(subject.title), \(BlobKind.size(text.utf8.count)) from $VISUAL")
        }
        var field = CellEditor(subject, accept: accept)
        field.edit { $0.replaceText(text) }
        context.present(field)
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  // MARK: Staging

  /// Stages what was written in a field.
  private mutating func receive(_ outcome: CellEditor.Outcome, for cells: EditedCells, _ context: inout ScreenContext<Self>) {
    switch (outcome.input, cells.rows) {
    case (.value(let value), .one(let row, let was)):
      let place = context.workspace.edits.current(RowAddress(table: cells.table, row: row), since: cells.commitCount)
      context.changeStaged { edits throws(StagingRefusal) in
        try edits.set(
          value, column: cells.columns[0], row: row, of: cells.table, was: was, expecting: cells.identity, since: cells.commitCount)
      }
      if !outcome.isWarned { checkStaged([place.row], cells.columns, of: cells.table, &context) }
    case (.value(let value), _): stage(value, for: cells, &context)
    case (.expression(let text), _): compute(text, for: cells, &context)
    case (.file(let path), _):
      context.ask(LoadFile(path: path)) { rows, context, result in
        switch result {
        case .success(let value): rows.receive(CellEditor.Outcome(input: .value(value)), for: cells, &context)
        case .failure(let problem): rows.reopen(cells, "@\(path)", problem, &context)
        }
      }
    }
    guard outcome.step != 0, context.workspace.changeGrid({ $0.moveToField(after: outcome.step) }) == true else { return }
    context.afterwards { $0.perform(.editCell) }
  }

  /// Stages the same value for the cell under the cursor, or for all that are selected.
  func stage(_ value: StagedValue, inSelectionOf context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let table = grid.table else { return }
    let columns = grid.editableColumns(among: grid.editedColumns)
    guard let range = grid.selectedRange ?? grid.cursorRange, !columns.isEmpty else { return }
    stage(value, for: EditedCells(grid, table, columns: columns, rows: range, context.workspace.edits), &context)
  }

  /// Stages NULL for the cell under the cursor, or for all that are selected; the INTEGER PRIMARY KEY of a new row is left to SQLite.
  func setNull(_ context: inout ScreenContext<Self>) {
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
    context.notify("SQLite gives \(key.name) the next number when the row is committed")
  }

  /// Stages the same value for several cells, once their present values have been read where the page does not have them.
  private func stage(_ value: StagedValue, for cells: EditedCells, _ context: inout ScreenContext<Self>) {
    if let known = context.grid?.storedRow(of: cells) {
      return stage(.success([known]), of: cells, &context) { _, _ in value }
    }
    load(cells, &context) { rows, context, result in
      rows.stage(result, of: cells, &context) { _, _ in value }
    }
  }

  /// Reads rows that are to be changed; it fails where a commit has changed their keys meanwhile.
  func load(
    _ cells: EditedCells, computing expression: String? = nil, _ context: inout ScreenContext<Self>,
    then receive: @escaping @Sendable (inout Self, inout ScreenContext<Self>, Result<[LoadStoredRows.Row], Problem>) -> Void
  ) {
    context.ask(LoadStoredRows(cells: cells, expression: expression)) { rows, context, result in
      let hasMoved = context.workspace.edits.hasMovedRows(of: cells.table, since: cells.commitCount)
      let moved = Problem("a commit has changed keys of \(cells.table.name) meanwhile: choose the rows again")
      receive(&rows, &context, hasMoved ? .failure(moved) : result)
    }
  }

  /// Stages what an expression gives for each row.
  private func compute(_ text: String, for cells: EditedCells, _ context: inout ScreenContext<Self>) {
    load(cells, computing: text, &context) { rows, context, result in
      if case .failure(let problem) = result, problem != .stopped { return rows.reopen(cells, "=\(text)", problem, &context) }
      rows.stage(result, of: cells, &context) { row, _ in row.computed.map { StagedValue($0) } ?? .value(.null) }
    }
  }

  /// Opens the field again with what could not be staged, so that it is not lost.
  private func reopen(_ cells: EditedCells, _ text: String, _ problem: Problem, _ context: inout ScreenContext<Self>) {
    context.notify(problem.text, .error)
    guard let grid = context.grid, grid.id == cells.grid, let subject = subject(of: cells, nil, in: grid, context.environment) else {
      return
    }
    var field = CellEditor(subject, accept: accepting(cells, context))
    field.edit { $0.replaceText(text) }
    field.refuse(problem.text)
    context.present(field)
  }

  private func accepting(_ cells: EditedCells, _ context: ScreenContext<Self>) -> @Sendable (inout Browser, CellEditor.Outcome) -> Void {
    context.handler { (rows: inout RowsScreen, context: inout ScreenContext<Self>, outcome: CellEditor.Outcome) in
      rows.receive(outcome, for: cells, &context)
    }
  }

  /// Stages a value for each of the cells that were read, in one step.
  private func stage(
    _ result: Result<[LoadStoredRows.Row], Problem>, of cells: EditedCells, _ context: inout ScreenContext<Self>,
    value: (LoadStoredRows.Row, String) -> StagedValue
  ) {
    switch result {
    case .failure(.stopped): break
    case .failure(let problem): context.notify(problem.text, .error)
    case .success(let rows):
      let staged = context.workspace.staged
      let affected = rows.count { row in
        staged.status(of: row.id, in: cells.table) != .deleted
          && zip(cells.columns, row.values).contains { column, was in
            (staged.value(of: column, in: row.id, of: cells.table) ?? StagedValue(was)) != value(row, column)
          }
      }
      let name = "\(cells.columns.joined(separator: ", ")) of \(Plural.of(affected, "row"))"
      var (changed, left) = (0, 0)
      context.workspace.edits.step(name) { edits in
        for row in rows {
          let id = edits.current(RowAddress(table: cells.table, row: row.id), since: cells.commitCount).row
          for (column, was) in zip(cells.columns, row.values) {
            let before = edits.staged.value(of: column, in: id, of: cells.table)
            do throws(StagingRefusal) {
              try edits.set(
                value(row, column), column: column, row: row.id, of: cells.table, was: was, expecting: row.identity,
                since: cells.commitCount)
            } catch { left += 1 }
            if edits.staged.value(of: column, in: id, of: cells.table) != before { changed += 1 }
          }
        }
      }
      context.workspace.changeGrid { $0.selection = nil }
      let rest = left > 0 ? "; deleted rows were left out" : ""
      context.notify(changed == 0 ? "nothing changed: the cells have these values already\(rest)" : "staged: \(name)\(rest)")
      if changed > 0 { checkStaged(rows.map(\.id), cells.columns, of: cells.table, &context) }
    }
  }

  /// Warns where a rule of the table refuses what was just staged: only SQLite decides in the end, so that it stays staged.
  ///
  /// - Parameter columns: Those that were given values; nil for whole rows.
  func checkStaged(_ rows: [StagedRowID], _ columns: [String]?, of table: TableReference, _ context: inout ScreenContext<Self>) {
    let revision = context.workspace.edits.revision
    let first = Array(rows.prefix(CheckStagedRows.limit))
    context.ask(CheckStagedRows(table: table, columns: columns, rows: first, changes: context.workspace.staged)) { _, context, result in
      guard case .success(let fault?) = result, context.workspace.edits.revision == revision else { return }
      let key = context.environment.keyHint(.undoChange, in: .grid)
      context.notify("\(fault.withoutFullStop). It is staged all the same: \(key) takes it back", .warning)
    }
  }
}

extension CellEditor {
  /// The greatest size of a text that a field takes, in bytes.
  static let longest = 64 << 10

  /// What a field has come to.
  struct Outcome: Hashable, Sendable {
    var input: CellInput
    /// How many fields to the right the cell is that is to be edited next; 0 for none.
    var step = 0
    /// Whether a fault of the value has been shown.
    var isWarned = false
  }
}

extension StagedValue {
  /// The size of the text or blob, in bytes.
  fileprivate var byteCount: Int {
    switch self {
    case .value(.text(let text)): text.utf8.count
    case .value(.blob(let bytes)), .rawText(let bytes): bytes.count
    case .value, .file, .defaultValue: 0
    }
  }
}

extension GridPane {
  /// The rows that are selected; nil without a selection.
  var selectedRange: RowsScreen.EditedCells.Rows? {
    guard let rows = selectedRows, let keys = selectedStoredKeys(rows) else { return nil }
    // The selected rows may be many, but few of them are in the window or new.
    let new = newRows.indices.filter { window.reachesEnd && rows.contains(window.rows.count + $0) }
    return .range(from: keys.from, through: keys.through, new: new.map { newRows[$0] })
  }

  /// The row under the cursor, as a range.
  var cursorRange: RowsScreen.EditedCells.Rows? {
    switch stagedRow {
    case .stored?: currentRow.map { .range(from: $0.key, through: $0.key, new: []) }
    case .new?: stagedRow.map { .one($0, was: .null) }
    case nil: nil
    }
  }

  /// Returns the values of a single row, where the page has them whole.
  func storedRow(of rows: RowsScreen.EditedCells.Rows, columns names: [String]) -> LoadStoredRows.Row? {
    guard case .range(let first, let last, let new) = rows, first == last, new.isEmpty, let line = currentRow, line.key == first,
      let id = stagedRow
    else { return nil }
    let values = names.compactMap { name in index(of: name).flatMap { line[$0]?.whole } }
    return values.count == names.count ? LoadStoredRows.Row(id: id, values: values) : nil
  }

  /// Returns the values of a single row, and those that identify it, where the page has them whole.
  func storedRow(of cells: RowsScreen.EditedCells) -> LoadStoredRows.Row? {
    storedRow(of: cells.rows, columns: cells.columns + cells.identityColumns).map { LoadStoredRows.Row($0.id, $0.values, of: cells) }
  }

  private func selectedStoredKeys(_ rows: ClosedRange<Int>) -> (from: RowKey, through: RowKey)? {
    guard newRow != nil else { return selectedKeys }
    guard let selection, let last = window.rows.last?.key else { return nil }
    return (selection.anchor, last)
  }

  /// The columns whose cells are changed together: those that are selected, and of whole rows the one under the cursor.
  var editedColumns: [Int] { selection?.isWholeRows == false ? selectedColumns : [column] }

  /// Returns the names of those columns that can be changed.
  func editableColumns(among indexes: [Int]) -> [String] {
    guard let schema = tableSchema else { return [] }
    return indexes.compactMap { self.column(at: $0)?.schema?.name }.filter { schema.editability(of: .update, column: $0) == .editable }
  }
}
