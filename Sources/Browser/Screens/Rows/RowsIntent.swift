import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

/// The intents that the pane of rows receives.
enum RowsIntent: ScreenIntent {
  // Rows to show.
  /// Opens a table and moves the focus to it.
  case open(TableReference)
  /// Opens a table without moving the focus.
  ///
  /// A nil view means the remembered view of the table.
  case show(TableReference, RowView? = nil)
  /// Shows a table while the focus stays in the catalog, unless that would interrupt something or read more than a page.
  case preview(TableReference)
  /// Reads the rows of a table again if they are visible, because the table has been replaced.
  case reopen(TableReference)
  /// Opens a table at a hit of a search.
  case openFound(TableReference, at: SearchPlace?, filter: String, of: FormerSearch)
  /// Leaves tables that an undo has dropped, and opens a table that it has restored.
  case showTables(after: RecordedCommit)
  /// Shows a table, with the cursor on one of its rows.
  case goTo(TableReference, row: StagedRowID?)
  /// Moves the cursor to the row with a key.
  case moveTo(RowKey)
  case moveRows(by: Int)
  case scrollColumns(by: Int)
  case goBack
  case followForeignKey(column: Int, cells: [CellValue])
  case showReferringRows
  /// The list of tables has been read: the pane answers with the open table, or allows the catalog to open its first one.
  case catalogRead

  // Filter and order.
  case beginFilter
  /// Shows the form for the parameters of the filter.
  case askForFilterValues
  case filter(FilterChange)
  /// Begins a condition on a column or another value.
  case beginCondition(on: FilterSyntax)
  case sort(by: FilterSyntax)
  /// Shows values as computed columns, in place of computed columns that show other values.
  case showColumns([FilterSyntax], insteadOf: [FilterSyntax])

  // Cells.
  case editCell(column: Int)
  case setNull(column: Int)
  /// Stages the input of a cell field.
  case stage(WrittenCell, for: EditedCells)
  case countValues(column: Int)
  case copyValue(of: RowKey, column: Int)
  case copyRow
  /// Copies the selected cells.
  case copySelection

  // Statements and their results.
  /// Cancels opening rows, for the results of a statement.
  case dropOpening
  /// Resumes a count that was cancelled.
  case countAgain
  case clearResults
  /// Adds the result of a statement and shows it.
  case add(SQLRequest.Part, StatementOutcome)
  /// Reports the outcome of the visible result.
  case reportResult
  /// Returns to the table that was visible before the results.
  case leaveResults

  // Writing, which continues after the sender has closed.
  /// Commits the staged changes.
  case commit(thenQuits: Bool)
  case export(ExportForm)
  case importFile(ImportFile)

  // News.
  /// Offers the uncommitted staged changes of earlier sessions.
  case offerAbandoned
  /// Shows the holder of the lock that a statement waits for; nil for none.
  case noteLockWait(LockWait?)
  /// Reads the rows next to the visible ones.
  case prefetch
  /// Shows external changes.
  case catchUp
  /// Reopens rows that cannot be reread in place, because their files have been replaced.
  case leaveOldFiles
}
