/// The intents that the SQL editor receives.
enum SQLIntent: ScreenIntent {
  /// Shows a text and moves the focus to it.
  case edit(String)
  /// Shows a statement and runs it.
  case run(String)
  /// Shows SQLite's plan for a statement, and measures indexes for its first rows, or for all if no number is given.
  case explain(String, rows: Int? = nil)
  /// Repeats the last run with the same arguments.
  case runLast
  /// Moves the focus from the editor to the rows.
  case leave
  case close
}

extension SQLPane {
  typealias Intent = SQLIntent

  mutating func receive(_ intent: SQLIntent, _ context: inout ScreenContext<Self>) {
    switch intent {
    case .edit(let text): edit(text, &context)
    case .run(let text):
      edit(text, &context)
      runAll(&context)
    case .explain(let sql, let rows): explain(sql, rows: rows, &context)
    case .runLast: runLast(&context)
    case .leave: leave(&context)
    case .close: close(&context)
    }
  }
}
