/// A piece of reading as a value, which runs off the main thread.
///
/// Of two requests for one slot only the later one's answer counts.
protocol Request: Hashable, Sendable {
  associatedtype Answer: Sendable
  /// What is reported before the answer: progress, or one of several results.
  associatedtype Report: Sendable = Never

  /// The slot in which a later request supersedes this one; nil for none.
  var slot: RequestSlot? { get }
  /// Whether a later request for the slot cancels this one; a short one runs on and its answer is dropped.
  var isCancelledWhenSuperseded: Bool { get }
  /// The work's name and urgency, for the title and `stop`; nil for work that is neither named nor stopped.
  var activity: Activity? { get }

  /// Whether it only lets some time pass: nothing waits for its end.
  var isTimer: Bool { get }

  /// Does the work, on any thread.
  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> Answer
}

extension Request {
  var slot: RequestSlot? { nil }
  var isCancelledWhenSuperseded: Bool { true }
  var activity: Activity? { nil }
  var isTimer: Bool { false }
}

/// A request that changes something: it waits for those before it in its queue, and is always answered.
protocol Action: Request {
  var queue: ActionQueue { get }
}

/// An answer that holds something open in the session, which is released if nobody receives the answer.
protocol ReleasableAnswer: Sendable {
  var release: any ServiceCall { get }
}

/// A change of the services that takes effect at once, before any later request; it has no answer.
protocol ServiceCall: Hashable, Sendable {
  func perform(in services: Services)
}

/// What a request is for: a kind of work and its subject.
///
/// Later requests supersede earlier ones in the same slot.
struct RequestSlot: Hashable, Sendable {
  let name: String
  let subject: Int?

  init(_ name: String, _ subject: Int? = nil) {
    self.name = name
    self.subject = subject
  }
}

/// Actions that run one after the other.
struct ActionQueue: Hashable, Sendable {
  let name: String

  init(_ name: String) { self.name = name }
}

/// The number of a request that was issued; never used twice.
package struct RequestID: Hashable, Sendable {
  let number: Int
}

/// A request on its way to the session, with the number for its answer.
package struct IssuedRequest: Hashable, Sendable {
  let id: RequestID
  let request: any Request

  package static func == (left: IssuedRequest, right: IssuedRequest) -> Bool {
    left.id == right.id && AnyHashable(left.request) == AnyHashable(right.request)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}
