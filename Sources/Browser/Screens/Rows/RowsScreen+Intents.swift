import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows

/// Receiving intents.
extension RowsScreen {
  typealias Intent = RowsIntent

  mutating func receive(_ intent: RowsIntent, _ context: inout ScreenContext<Self>) {
    switch intent {
    case .open(let table): open(table, &context)
    case .show(let table, let view): open(RowSet(.table(table)), title: table.name, view: view, &context)
    case .preview(let table): preview(table, &context)
    case .reopen(let table): if let grid = context.grid, grid.table == table { opening.openAgain(grid, &context) }
    case .openFound(let table, let place, let filter, let search): open(table, at: place, filter: filter, of: search, &context)
    case .showTables(let undo): showTables(after: undo, &context)
    case .goTo(let table, let row): go(to: row, of: table, &context)
    case .moveTo(let key): change(&context) { $0.moveToRow(key) }
    case .moveRows(let count): change(&context) { $0.moveRows(by: count) }
    case .scrollColumns(let count): scrollColumns(by: count, &context)
    case .goBack: goBack(&context)
    case .followForeignKey(let column, let cells): followForeignKey(column: column, cells: cells, &context)
    case .showReferringRows: showReferringRows(&context)
    case .catalogRead: answerCatalog(&context)
    case .beginFilter: beginBar(.filter, &context)
    case .askForFilterValues: askForFilter(&context)
    case .filter(let change): filter(change, &context)
    case .beginCondition(let value): filter(on: value, &context)
    case .sort(let value): sort(by: value, isFurther: false, &context)
    case .showColumns(let shown, let former): show(shown, insteadOf: former, &context)
    case .editCell(let column): editCell(inColumn: column, &context)
    case .setNull(let column): setNull(inColumn: column, &context)
    case .stage(let written, let cells): CellEditing(cells: cells).receive(written, &context)
    case .countValues(let column): countValues(ofColumn: column, &context)
    case .copyValue(let key, let column): context.copyValue(of: key, column: column)
    case .copyRow: context.copyRow(as: .tsv)
    case .copySelection: context.copySelection(as: .tsv)
    case .dropOpening: dropOpening(&context)
    case .countAgain: context.countAgain()
    case .clearResults: clearResults(&context)
    case .add(let part, let outcome): add(part, outcome, &context)
    case .reportResult: reportResult(&context)
    case .leaveResults: leaveResults(&context)
    case .commit(let thenQuits): commitStaged(thenQuits: thenQuits, &context)
    case .export(let form): write(form.request, from: form, &context)
    case .importFile(let request): importFile(request, &context)
    case .offerAbandoned: saved.offerAbandoned(&context)
    case .noteLockWait(let wait): context.note(wait)
    case .prefetch: change(&context) { $0.prefetch() }
    case .catchUp: catchUp(&context)
    case .leaveOldFiles: leaveOldFiles(&context)
    }
  }

  /// Shows a table, with the cursor on a row if the row is stored.
  private mutating func go(to row: StagedRowID?, of table: TableReference, _ context: inout ScreenContext<Self>) {
    if context.grid?.rowSet.sourceTable != table { return open(table, &context) }
    dropOtherOpening(&context)
    if case .stored(let key)? = row { change(&context) { $0.moveToRow(key) } }
  }

  private func editCell(inColumn column: Int, _ context: inout ScreenContext<Self>) {
    goTo(column: column, &context)
    editCells(&context)
  }

  private func setNull(inColumn column: Int, _ context: inout ScreenContext<Self>) {
    goTo(column: column, &context)
    stage(.value(.null), inSelectionOf: &context)
  }

  /// Moves the cursor to a column, and ends the selection.
  private func goTo(column: Int, _ context: inout ScreenContext<Self>) {
    context.workspace.changeGrid { grid in
      grid.selection = nil
      grid.column = column
      grid.revealCursor()
    }
  }

  /// Answers the catalog, after it has been read, with the open table, or allows it to open its first table.
  private func answerCatalog(_ context: inout ScreenContext<Self>) {
    for set in [context.grid?.rowSet, opening.pending?.rowSet].compactMap(\.self) { selectInCatalog(set, &context) }
    guard opening.pending == nil else { return }
    let isFirst = context.grid == nil && opening.failure == nil && results.index == nil
    context.send(isFirst ? CatalogIntent.openFirst : .countTables)
  }
}
