/// The intents that the list of changes receives; some of them open it.
enum ChangesIntent: OpeningIntent {
  case open
  /// Shows the reason why nothing was written.
  case explain(CommitRefusal)

  func opened(in environment: ScreenEnvironment) -> (any Screen)? { self == .open ? ChangesScreen() : nil }
}

extension ChangesScreen {
  typealias Intent = ChangesIntent

  mutating func receive(_ intent: ChangesIntent, _ context: inout ScreenContext<Self>) {
    switch intent {
    case .open: break
    case .explain(let refusal): receive(refusal)
    }
  }
}
