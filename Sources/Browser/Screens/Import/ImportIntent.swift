import QuarryEngine
import QuarryRows

/// What other screens want of the import.
enum ImportIntent: ScreenIntent {
  /// Shows why nothing was imported.
  case fail(String)
  /// Goes back to the rows of the table that a file has been imported into.
  case finish(TableReference)
}

extension ImportScreen {
  typealias Intent = ImportIntent

  mutating func receive(_ intent: ImportIntent, _ context: inout ScreenContext<Self>) {
    switch intent {
    case .fail(let sentence): fail(sentence)
    case .finish(let table):
      context.close()
      // Another import may have been opened over this one.
      context.send(intent)
      guard context.grid?.rowSet.sourceTable != table else { return }
      context.send(RowsIntent.show(table))
      context.focus(.rows)
    }
  }
}
