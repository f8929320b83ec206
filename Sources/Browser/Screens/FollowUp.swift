/// An effect on other screens, carried out after the current one has returned.
enum FollowUp: Sendable {
  /// Sends intents, in order.
  case intents([any ScreenIntent])
  /// Sends an intent; shows a notice if no open screen receives it.
  case intent(any ScreenIntent, orNotify: Notice)
  /// Shows a screen over the others.
  case present(any Screen)
  /// Continues on the screen that asked.
  case resume(Continuation)

  static let nothing = FollowUp.intents([])

  static func send(_ intents: any ScreenIntent...) -> FollowUp { .intents(intents) }
}

/// Returns the follow-up of an answer, such as the text of a prompt or the values of a form.
typealias Handler<Answer> = @Sendable (Answer) -> FollowUp

/// An operation to run on a screen once a dialog over it has been answered.
struct Continuation: Sendable {
  let screen: ScreenID
  let operation: any ScreenOperation & Sendable
}
