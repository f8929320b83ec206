/// Something that is done once the screen that asks for it has returned.
enum FollowUp: Sendable {
  /// Sends intents, in order.
  case intents([any ScreenIntent])
  /// Sends an intent; shows a notice where no screen is open that receives it.
  case intent(any ScreenIntent, orNotify: Notice)
  /// Shows a screen over the others.
  case present(any Screen)
  /// Continues on the screen that asked.
  case resume(Continuation)

  static let nothing = FollowUp.intents([])

  static func send(_ intents: any ScreenIntent...) -> FollowUp { .intents(intents) }
}

/// Returns what is done with an answer: with the text of a prompt, or with the values of a form.
typealias Handler<Answer> = @Sendable (Answer) -> FollowUp

/// The rest of what a screen has begun, to be run on it once a dialog over it has been answered.
struct Continuation: Sendable {
  let screen: ScreenID
  let operation: any ScreenOperation & Sendable
}
