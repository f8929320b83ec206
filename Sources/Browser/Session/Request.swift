/// Something to be read away from the screen's thread, as a value that can do it.
///
/// Of two requests for one slot only the later one's answer counts.
protocol Request: Hashable, Sendable {
  associatedtype Answer: Sendable
  /// What is told before the answer: progress, or one of several results.
  associatedtype Report: Sendable = Never

  /// What the request is for; nil where nothing supersedes it.
  var slot: RequestSlot? { get }
  /// Whether the work is cancelled when a later request takes its slot; what is short enough just goes on, unheard.
  var isCancelledWhenSuperseded: Bool { get }
  /// What the title says while the work lasts, which `stop` ends then; nil for work that is neither named nor stopped.
  var activity: Activity? { get }

  /// Does the work, on no thread in particular.
  func run(in services: Services, report: @escaping @Sendable (Report) -> Void) async throws -> Answer
}

extension Request {
  var slot: RequestSlot? { nil }
  var isCancelledWhenSuperseded: Bool { true }
  var activity: Activity? { nil }
}

/// A request that changes something: it runs after those before it in its queue, and is always answered.
protocol Action: Request {
  var queue: ActionQueue { get }
}

/// An answer that holds something open in the session, which is let go of where nobody takes the answer any more.
protocol ReleasableAnswer: Sendable {
  var release: any ServiceCall { get }
}

/// Something that is done to the services at once, before anything that is asked for later; it has no answer.
protocol ServiceCall: Hashable, Sendable {
  func perform(in services: Services)
}

/// What requests are for that supersede each other: a kind of work, and what it is about.
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
public struct RequestID: Hashable, Sendable {
  let number: Int
}

/// A request on its way to the session, with the number that its answer comes back by.
public struct IssuedRequest: Hashable, Sendable {
  let id: RequestID
  let request: any Request

  public static func == (left: IssuedRequest, right: IssuedRequest) -> Bool {
    left.id == right.id && AnyHashable(left.request) == AnyHashable(right.request)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}
