/// The intents that open the search in all tables.
enum SearchIntent: OpeningIntent {
  /// Returns to a search.
  case resume(FormerSearch)

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    switch self {
    case .resume(let search): SearchScreen(search)
    }
  }
}
