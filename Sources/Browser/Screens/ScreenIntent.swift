/// A message from one screen to another, declared in the folder of the receiver.
///
/// The sender names the intent, not the screen that receives it. The log contains a line for every intent, and tests compare them.
protocol ScreenIntent: Hashable, Sendable {}

extension Never: ScreenIntent {}

/// An intent that may open the screen that receives it.
protocol OpeningIntent: ScreenIntent {
  /// Returns the screen to open; nil if an open screen receives the intent.
  func opened(in environment: ScreenEnvironment) -> (any Screen)?
}

extension Screen {
  /// Returns whether screens of this type receive an intent.
  static func receives(_ intent: any ScreenIntent) -> Bool { intent is Intent }
}
