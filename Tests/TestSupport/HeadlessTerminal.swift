private import Dispatch
private import Synchronization
public import Terminal

/// A terminal without a screen: it is given its events and keeps what is painted.
public final class HeadlessTerminal: Terminal {
  public private(set) var size: Size
  /// What was painted last; nil before.
  public private(set) var painted: Surface?
  /// Receives everything that is painted, such as to count what flickers.
  public var onPaint: (Surface) -> Void = { _ in }
  /// How often was painted.
  public private(set) var paintCount = 0
  /// The texts that were copied, in order.
  public private(set) var copies: [String] = []
  /// How often the program stopped itself.
  public private(set) var suspensionCount = 0
  /// How often the terminal was given back for something else that uses it.
  public private(set) var releaseCount = 0
  /// Tells whether copying works.
  public var hasClipboard = true

  /// Asks the program to end, while it handles events that it has been given.
  public var ending: Ending?

  private let inbox = Inbox()

  public init(size: Size) {
    self.size = size
  }

  public var waker: any Waker { inbox }

  /// Adds events to those that `waitForEvents()` returns next; a `resized` one changes the size when it is returned.
  public func send(_ events: Event...) {
    send(events)
  }

  /// Adds events to those that `waitForEvents()` returns next, all at once.
  public func send(_ events: [Event]) {
    inbox.add(events)
  }

  /// Adds a press of each key, as ``send(_:)`` does.
  public func press(_ keys: Key...) {
    inbox.add(keys.map(Event.key))
  }

  /// Adds a press of the key of each character, as ``send(_:)`` does.
  public func type(_ text: String) {
    inbox.add(text.map { .key(Key($0)) })
  }

  public func waitForEvents() -> [Event] {
    note(inbox.take(before: .distantFuture) ?? [])
  }

  /// Waits as ``waitForEvents()`` does, but no longer than `limit`; returns nil where nothing came within it.
  package func waitForEvents(within limit: Duration) -> [Event]? {
    inbox.take(before: .now() + .milliseconds(max(0, Int(limit / .milliseconds(1))))).map(note)
  }

  private func note(_ events: [Event]) -> [Event] {
    for case .resized(let size) in events { self.size = size }
    return events
  }

  public func takeEnding() -> Ending? {
    defer { ending = nil }
    return ending
  }

  public func paint(_ surface: Surface) {
    painted = surface
    paintCount += 1
    onPaint(surface)
  }

  public func invalidate() {}

  public func copyToClipboard(_ text: String) -> Bool {
    if hasClipboard { copies.append(text) }
    return hasClipboard
  }

  public func whileReleased<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    releaseCount += 1
    return try body()
  }

  public func suspend() {
    suspensionCount += 1
    send(.resumed)
  }
}

/// The events that a headless terminal has not returned yet, and the wakes.
private final class Inbox: Waker {
  private let events = Mutex<[Event]>([])
  private let signal = DispatchSemaphore(value: 0)

  func add(_ more: [Event]) {
    events.withLock { $0 += more }
    signal.signal()
  }

  func wake() {
    signal.signal()
  }

  /// Blocks until something was added or somebody woke it since the last time; returns nil where neither came before `deadline`.
  func take(before deadline: DispatchTime) -> [Event]? {
    guard signal.wait(timeout: deadline) == .success else { return nil }
    while signal.wait(timeout: .now()) == .success {}
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
