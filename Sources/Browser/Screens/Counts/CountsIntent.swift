import QuarryRows

/// The intents that open the counts.
enum CountsIntent: OpeningIntent {
  /// Counts the values of a column.
  case count(RowSetColumn, of: InsightSubject)

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    switch self {
    case .count(let column, let subject): CountsScreen(column: column, of: subject)
    }
  }
}
