import QuarryChanges
import QuarryEngine
import QuarryRows

/// The visible rows after an undo that has dropped or restored tables.
extension RowsScreen {
  /// Leaves the rows of tables that an undo has dropped, and opens the table that it has restored.
  ///
  /// If no other rows were visible before, the catalog opens a table after it has been read again.
  mutating func showTables(after undo: RecordedCommit, _ context: inout ScreenContext<Self>) {
    func tables(_ isMeant: (RecordedTable) -> Bool) -> Set<TableReference> {
      Set(undo.tables.filter(isMeant).map { TableReference(database: undo.id.database, name: $0.name) })
    }
    leave(rowsOf: tables(\.isDropped), &context)
    let restored = tables(\.isNew)
    if restored.count == 1, let table = restored.first { open(RowSet(.table(table)), title: table.name, &context) }
  }

  private mutating func leave(rowsOf tables: Set<TableReference>, _ context: inout ScreenContext<Self>) {
    guard !tables.isEmpty else { return }
    let workspace = context.workspace
    func isGone(_ grid: GridID) -> Bool { workspace[grid]?.rowSet.sourceTable.map(tables.contains) ?? false }
    for grid in opening.forget(where: isGone) { context.forget(grid) }
    if let table = opening.pending?.rowSet.sourceTable, tables.contains(table) { dropOpening(&context) }
    guard let grid = context.grid, !grid.isResult, isGone(grid.id) else { return }
    context.stopReading(of: grid.id)
    context.forget(grid.id)
    goBack(&context)
  }
}
