/// What one screen wants of another, as a value that is declared beside the receiving screen.
///
/// The sender names the intent and not the screen that receives it. The log has a line for every intent, and tests compare them.
protocol ScreenIntent: Hashable, Sendable {}

extension Never: ScreenIntent {}

/// An intent that may open the screen that receives it.
protocol OpeningIntent: ScreenIntent {
  /// Returns the screen to be opened; nil where the intent is for one that is open.
  func opened(in environment: ScreenEnvironment) -> (any Screen)?
}

extension Screen {
  /// Returns whether an intent is for screens of this type.
  static func receives(_ intent: any ScreenIntent) -> Bool { intent is Intent }
}
