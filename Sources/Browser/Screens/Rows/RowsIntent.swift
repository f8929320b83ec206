import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

/// The intents that the pane of rows receives.
enum RowsIntent: ScreenIntent {
  // Rows to show.
  /// Opens a table and moves the focus to it.
  case open(TableReference)
  /// Opens a table, with the focus where it is.
  ///
  /// The view is the remembered one if it is nil.
  case show(TableReference, RowView? = nil)
  /// Shows a table while the focus stays in the catalog, unless that would interrupt something or read more than a page.
  case preview(TableReference)
  /// Reads the rows of a table again if they are shown, since the table has been replaced.
  case reopen(TableReference)
  /// Opens a table at a hit of a search.
  case openFound(TableReference, at: SearchPlace?, filter: String, of: FormerSearch)
  /// Leaves tables that an undo has dropped, and opens one that it has restored.
  case showTables(after: RecordedCommit)
  /// Shows a table, with the cursor on a row of it.
  case goTo(TableReference, row: StagedRowID?)
  /// Moves the cursor to the row of a key.
  case moveTo(RowKey)
  case moveRows(by: Int)
  case scrollColumns(by: Int)
  case goBack
  case followForeignKey(column: Int, cells: [CellValue])
  case showReferringRows
  /// The list of tables has been read: the pane answers which table is open, or that the catalog may open its first.
  case catalogRead

  // Filter and order.
  case beginFilter
  /// Shows the form for the parameters of the filter.
  case askForFilterValues
  case filter(FilterChange)
  /// Begins a condition on a column or another value.
  case beginCondition(on: FilterSyntax)
  case sort(by: FilterSyntax)
  /// Shows JSON paths of a column as columns behind it.
  case showPaths([JSONPath], of: String)

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
  /// Returns to the table that was shown before the results.
  case leaveResults

  // Writing, which continues after the sender has closed.
  /// Commits the staged changes.
  case commit(thenQuits: Bool)
  case export(ExportForm)
  case importFile(ImportFile)

  // News.
  /// Offers changes that earlier sessions have staged and not committed.
  case offerAbandoned
  /// Shows who holds the lock that is being waited for; nil for none.
  case noteLockWait(LockWait?)
  /// Reads the rows next to the visible ones.
  case prefetch
  /// Shows what others have written.
  case catchUp
  /// Reopens rows that cannot be reread in place, since their files have been replaced.
  case leaveOldFiles
}
