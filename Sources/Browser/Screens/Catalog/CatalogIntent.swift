import QuarryEngine

/// The intents that the list of tables receives.
enum CatalogIntent: ScreenIntent {
  /// Reads the list again.
  case load
  /// Follows the reading of files as tables.
  case followFiles
  /// Opens the first table of the first file without moving the focus.
  case openFirst
  /// Counts the remaining tables, now that no rows are being opened.
  case countTables
  case select(TableReference)
}

extension CatalogPane {
  typealias Intent = CatalogIntent

  mutating func receive(_ intent: CatalogIntent, _ context: inout ScreenContext<Self>) {
    switch intent {
    case .load: load(&context)
    case .followFiles: followFiles(&context)
    case .openFirst: openFirst(&context)
    case .countTables: countTables(&context)
    case .select(let table): select(table)
    }
  }
}
