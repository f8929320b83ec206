private import Dispatch
private import Synchronization
public import Terminal

/// A terminal without a screen that takes its events from the test and records the painted surfaces.
public final class HeadlessTerminal: Terminal {
  public private(set) var size: Size
  /// The surface painted last, or nil before the first.
  public private(set) var painted: Surface?
  /// Called with each painted surface, for example to count flickering.
  public var onPaint: (Surface) -> Void = { _ in }
  /// The number of times that a surface was painted.
  public private(set) var paintCount = 0
  /// The copied texts, in order.
  public private(set) var copies: [String] = []
  /// The number of times that the program has suspended itself.
  public private(set) var suspensionCount = 0
  /// The number of times that the terminal was released for another program.
  public private(set) var releaseCount = 0
  /// Whether mouse events are enabled.
  public private(set) var usesMouse = true
  /// Whether copying works.
  public var hasClipboard = true

  /// The reason for which the program is asked to exit while it handles events.
  public var ending: Ending?

  private let inbox = Inbox()

  public init(size: Size) {
    self.size = size
  }

  public var waker: any Waker { inbox }

  public func setMouse(_ isOn: Bool) { usesMouse = isOn }

  /// Adds events for `waitForEvents()` to return next.
  ///
  /// A `resized` event changes the size when it is returned.
  public func send(_ events: Event...) {
    send(events)
  }

  /// Adds several events at once for `waitForEvents()` to return next.
  public func send(_ events: [Event]) {
    inbox.add(events)
  }

  /// Adds a press of each key.
  ///
  /// See ``send(_:)``.
  public func press(_ keys: Key...) {
    inbox.add(keys.map(Event.key))
  }

  /// Adds a press of the key of each character.
  ///
  /// See ``send(_:)``.
  public func type(_ text: String) {
    inbox.add(text.map { .key(Key($0)) })
  }

  public func waitForEvents() -> [Event] {
    note(inbox.take(before: .distantFuture) ?? [])
  }

  /// Waits like ``waitForEvents()``, but at most `limit`.
  ///
  /// Returns nil if no event arrived within it.
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

/// The events that a headless terminal has not returned yet, and the wake-ups.
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

  /// Blocks until events or a wake-up have arrived since the last call.
  ///
  /// Returns nil if neither arrived before `deadline`.
  func take(before deadline: DispatchTime) -> [Event]? {
    guard signal.wait(timeout: deadline) == .success else { return nil }
    while signal.wait(timeout: .now()) == .success {}
    return events.withLock { events in
      defer { events = [] }
      return events
    }
  }
}
