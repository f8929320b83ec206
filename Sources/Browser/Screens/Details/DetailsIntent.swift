import QuarryEngine

/// The intents that open the details.
enum DetailsIntent: OpeningIntent {
  /// Shows the schema of a table.
  case table(TableReference)
  /// Shows lines, above the rows or above a list that covers them.
  case lines(title: String, [StyledLine], isOverList: Bool)

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    switch self {
    case .table(let table): DetailsScreen(table: table)
    case .lines(let title, let lines, let isOverList): DetailsScreen(title: title, lines: lines, isOverList: isOverList)
    }
  }
}
