import QuarryRows

/// The intents that open a record.
enum RecordIntent: OpeningIntent {
  /// Shows the row under the cursor of the grid.
  case showCurrentRow

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    guard let grid = environment.grid, let key = grid.currentRow?.key else { return nil }
    return RecordScreen(grid: grid.id, title: grid.title, columns: grid.columns, schema: grid.schema, key: key, field: grid.column)
  }
}
