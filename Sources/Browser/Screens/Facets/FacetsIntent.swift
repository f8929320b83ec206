/// The intents that open the facets.
enum FacetsIntent: OpeningIntent {
  /// Moves the focus to the facets beside the rows; opens them if there are none.
  ///
  /// Their cursor begins at the column under that of the grid.
  case show(InsightSubject, columns: [String], current: String?)

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    guard !(environment.sidePanel is FacetsScreen.Type) else { return nil }
    return switch self {
    case .show(let subject, let columns, let current): FacetsScreen(of: subject, columns: columns, current: current)
    }
  }
}

extension FacetsScreen {
  typealias Intent = FacetsIntent

  mutating func receive(_ intent: FacetsIntent, _ context: inout ScreenContext<Self>) {
    context.send(BrowserIntent.goTo(context.id))
  }
}
