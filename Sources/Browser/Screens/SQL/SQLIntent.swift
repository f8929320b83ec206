/// The intents that the SQL editor receives.
enum SQLIntent: ScreenIntent {
  /// Shows a text and moves the focus to it.
  case edit(String)
  /// Shows SQLite's plan for a statement.
  case explain(String)
  /// Repeats the last run with the same arguments.
  case runLast
}

extension SQLPane {
  typealias Intent = SQLIntent

  mutating func receive(_ intent: SQLIntent, _ context: inout ScreenContext<Self>) {
    switch intent {
    case .edit(let text): edit(text, &context)
    case .explain(let sql): explain(sql, &context)
    case .runLast: runLast(&context)
    }
  }
}
