/// The intents that open the list of changes, and those that it receives.
enum ChangesIntent: OpeningIntent {
  case open
  /// Shows why nothing was written.
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
