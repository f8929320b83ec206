/// The intents that open the profile.
enum ProfileIntent: OpeningIntent {
  /// Profiles every column of some rows.
  case profile(title: String, of: InsightSubject)

  func opened(in environment: ScreenEnvironment) -> (any Screen)? {
    switch self {
    case .profile(let title, let subject): ProfileScreen(title: title, of: subject)
    }
  }
}
