import QuarryEngine
import QuarryRows

/// The intents that the import receives.
enum ImportIntent: ScreenIntent {
  /// Shows the reason why nothing was imported.
  case fail(String)
  /// Closes the import and shows the table that a file has been imported into.
  case finish(TableReference)
}

extension ImportScreen {
  typealias Intent = ImportIntent

  mutating func receive(_ intent: ImportIntent, _ context: inout ScreenContext<Self>) {
    switch intent {
    case .fail(let sentence): fail(sentence)
    case .finish(let table):
      context.close()
      // Another import may have been opened above this one.
      context.send(intent)
      guard context.grid?.rowSet.sourceTable != table else { return }
      context.send(RowsIntent.show(table))
      context.focus(.rows)
    }
  }
}
