/// An effect on other screens, performed after the current screen has returned.
enum FollowUp: Sendable {
  /// Sends intents, in order.
  case intents([any ScreenIntent])
  /// Sends an intent; shows a notice if no open screen receives it.
  case intent(any ScreenIntent, orNotify: Notice)
  /// Shows a screen above all others.
  case present(any Screen)
  /// Resumes the screen that requested it.
  case resume(Continuation)

  static let nothing = FollowUp.intents([])

  static func send(_ intents: any ScreenIntent...) -> FollowUp { .intents(intents) }
}

/// Returns the follow-up of an answer, such as the text of a prompt or the values of a form.
typealias Handler<Answer> = @Sendable (Answer) -> FollowUp

/// An operation to run on a screen after a dialog above it has been answered.
struct Continuation: Sendable {
  let screen: ScreenID
  let operation: any ScreenOperation & Sendable
}
