import QuarryChanges
import QuarryEngine
import QuarryRows

/// What other screens want of the pane of rows.
enum RowsIntent: ScreenIntent {
  // Rows to show.
  /// Opens a table and moves the focus to it.
  case open(TableReference)
  /// Opens a table, with the focus where it is.
  case show(TableReference)
  /// Reads the rows of a table anew where they are shown: it has been made again.
  case reopen(TableReference)
  /// Opens a table where a search has found something.
  case openFound(TableReference, at: SearchPlace?, filter: String, of: FormerSearch)
  /// Shows the tables as they are after an undo.
  case showTables(after: RecordedCommit)
  /// Shows a table, with the cursor on a row of it.
  case goTo(TableReference, row: StagedRowID?)
  /// Moves the cursor to the row of a key.
  case moveTo(RowKey)
  case moveRows(by: Int)
  case followForeignKey(column: Int, cells: [CellValue])
  case showReferringRows
  /// Says what is being opened, after the list of tables has been read.
  case catalogRead

  // Filter and order.
  case beginFilter
  /// Shows the form for the parameters of the filter.
  case askForFilterValues
  case filter(FilterChange)
  /// Begins a condition on a column or another value.
  case beginCondition(on: FilterSyntax)
  case sort(by: FilterSyntax)
  /// Shows what lies at paths as columns behind a column of JSON.
  case showPaths([JSONPath], of: String)

  // Cells.
  case editCell(column: Int)
  case setNull(column: Int)
  /// Stages what was written for cells.
  case stage(WrittenCell, for: EditedCells)
  case countValues(column: Int)
  case copyValue(of: RowKey, column: Int)
  case copyRow

  // Statements and their results.
  /// Drops rows that are being opened: those of a statement come first.
  case dropOpening
  /// Counts the rows that stay, where that was cancelled.
  case countAgain
  case clearResults
  /// Adds the result of a statement and shows it.
  case add(SQLRequest.Part, StatementOutcome)
  /// Says what the result that is shown came to.
  case reportResult
  /// Returns to the table that was shown before the results.
  case leaveResults

  // Writing, which goes on when the screen that asks for it has been closed.
  /// Commits what is staged.
  case commit(thenQuits: Bool)
  case export(ExportForm)
  case importFile(ImportFile)
}
