/// What other screens want of the facets.
enum FacetsIntent: OpeningIntent {
  /// Goes to the facets beside the rows; opens them where they are not there.
  case show(InsightSubject, columns: [String])

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    guard !(environment.sidePanel is FacetsScreen.Type) else { return nil }
    return switch self {
    case .show(let subject, let columns): FacetsScreen(of: subject, columns: columns)
    }
  }
}

extension FacetsScreen {
  typealias Intent = FacetsIntent

  mutating func receive(_ intent: FacetsIntent, _ context: inout ScreenContext<Self>) {
    context.send(BrowserIntent.goTo(context.id))
  }
}
