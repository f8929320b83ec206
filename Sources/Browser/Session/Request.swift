/// A read as a value, which runs off the main thread.
///
/// If two requests share a slot, only the later one's answer counts.
protocol Request: Hashable, Sendable {
  associatedtype Answer: Sendable
  /// The type of reports before the answer: progress, or partial results.
  associatedtype Report: Sendable = Never

  /// The slot in which a later request supersedes this one; nil for none.
  var slot: RequestSlot? { get }
  /// Whether a later request in the slot cancels this one; a short request continues, and its answer is ignored.
  var isCancelledWhenSuperseded: Bool { get }
  /// The name and the urgency of the work, for the title and `stop`; nil for work that is neither named nor stopped.
  var activity: Activity? { get }

  /// Whether the request is only a delay, whose end nothing waits for.
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

/// A request that changes data: it waits for earlier requests in its queue, and is always answered.
protocol Action: Request {
  var queue: ActionQueue { get }
}

/// An answer that holds resources in the session, which are released if nobody receives the answer.
protocol ReleasableAnswer: Sendable {
  var release: any ServiceCall { get }
}

/// A change of the services that takes effect immediately, before any later request; it has no answer.
protocol ServiceCall: Hashable, Sendable {
  func perform(in services: Services)
}

/// The purpose of a request: a kind of work and its subject.
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

/// The number of an issued request; never reused.
package struct RequestID: Hashable, Sendable {
  let number: Int
}

/// A request for the session, with the number that identifies its answer.
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
