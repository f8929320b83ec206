internal import Synchronization

/// The connection between the tasks that use a connection and its I/O thread: requests to send, and answers.
///
/// Bytes are read from the socket only while a task waits for a message. A server that is faster than its reader must therefore wait, and
/// no more than one read is buffered.
final class DqliteMailbox: Sendable {
  /// The reason why a connection returns no more messages.
  enum Ending: Error {
    /// The connection has ended.
    ///
    /// Contains the first received bytes if no message was complete, otherwise nil.
    case closed(any Error, firstBytes: [UInt8]?)
    /// The received bytes are not a message.
    ///
    /// Contains the first received bytes.
    case violation(DqliteViolation, firstBytes: [UInt8])
    /// Too much of an abandoned answer was still to come.
    case abandoned
  }

  /// The next actions of the thread.
  struct Orders {
    /// The bytes to send, or nil if there are none.
    var message: [UInt8]?
    /// Whether to read from the socket.
    var wantsInput: Bool
    /// The time at which to request orders again at the latest, or nil for no limit.
    var deadline: ContinuousClock.Instant?
  }

  private struct State {
    var answers = DqliteAnswers()
    var messages: ArraySlice<[UInt8]> = []
    var lastNumber = 0
    /// Whether the thread waits and must be woken for changes.
    ///
    /// Initially true, because the thread does not request orders until it is connected.
    var isAsleep = true
    var isClosing = false
    var opening: CheckedContinuation<Void, any Error>?
    /// Called once when the connection has ended for any reason.
    var whenEnded: (@Sendable (Ending) -> Void)?
  }

  /// Wakes the waiting thread.
  let wakeup: Wakeup
  private let state = Mutex(State())

  init() throws(SocketError) {
    wakeup = try Wakeup()
  }

  /// Uses the state, and resumes waiters after unlocking it.
  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, resumptions) = state.withLock { state in
      let result = body(&state)
      return (result, state.answers.takeResumptions())
    }
    for resume in resumptions { resume() }
    return result
  }

  /// Changes the state, and wakes the thread if it waits.
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, isAsleep) = withState { state in
      let result = body(&state)
      defer { state.isAsleep = false }
      return (result, state.isAsleep)
    }
    if isAsleep { wakeup.wake() }
    return result
  }
}

// MARK: Requests of tasks

extension DqliteMailbox {
  /// Waits until messages can be sent.
  ///
  /// - Parameter start: Starts the thread.
  /// - Throws: Any error thrown by `start`, or the reason why no messages can be sent.
  func open(_ start: () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      withState { $0.opening = continuation }
      do {
        try start()
      } catch {
        fail(error)
      }
    }
  }

  /// Sends requests after earlier ones, and registers that they have one answer.
  ///
  /// - Returns: The number of the answer.
  func send(_ bytes: [UInt8], count: Int) -> Int {
    change { state in
      state.lastNumber += 1
      state.answers.expect(state.lastNumber, count: count)
      if state.answers.ending == nil { state.messages.append(bytes) }
      return state.lastNumber
    }
  }

  /// Waits for messages of an answer and returns all that have arrived, at least one.
  ///
  /// Returns nil if none arrives within the limit.
  func take(_ number: Int, within limit: Duration) async throws -> [DqliteFrame]? {
    try await withCheckedThrowingContinuation { waiter in
      change { $0.answers.take(number, within: limit, waiter) }
    }
  }

  /// Abandons an answer that is no longer wanted.
  func abandon(_ number: Int, _ drain: DrainLimit) {
    change { $0.answers.abandon(number, drain) }
  }

  /// Waits until no answers are pending, and returns whether the connection is usable.
  func settle() async -> Bool {
    await withCheckedContinuation { waiter in change { $0.answers.settle(waiter) } }
  }

  /// Calls a function when the connection has ended, or at once if it already has.
  func onEnd(_ function: @escaping @Sendable (Ending) -> Void) {
    let ending = withState { state in
      if state.answers.ending == nil { state.whenEnded = function }
      return state.answers.ending
    }
    if let ending { function(ending) }
  }

  /// Ends the connection.
  func close() {
    change { $0.isClosing = true }
  }
}

// MARK: Requests of the thread

extension DqliteMailbox {
  /// Whether the connection is to be closed.
  var isClosing: Bool { withState { $0.isClosing } }

  /// Sends a first message and resumes the task that opens the connection.
  func becomeOpen(sending greeting: [UInt8]) {
    let opening = withState { state in
      state.messages.insert(greeting, at: state.messages.startIndex)
      defer { state.opening = nil }
      return state.opening
    }
    opening?.resume()
  }

  /// Returns the next actions of the thread, or nil if the connection is to end.
  ///
  /// - Parameter canSend: Whether all earlier messages have been sent.
  func orders(canSend: Bool) -> Orders? {
    withState { state in
      state.answers.expire(at: .now)
      guard !state.isClosing, state.answers.ending == nil else { return nil }
      let message = canSend ? state.messages.popFirst() : nil
      state.isAsleep = message == nil
      return Orders(message: message, wantsInput: state.answers.wantsInput, deadline: state.answers.deadline)
    }
  }

  /// Adds received bytes.
  func receive(_ bytes: ArraySlice<UInt8>) {
    withState { $0.answers.receive(bytes) }
  }

  /// Notes that connecting has failed, and throws the error to the task that opens the connection.
  func fail(_ error: any Error) {
    let opening = withState { state in
      defer { state.opening = nil }
      return state.opening
    }
    opening?.resume(throwing: error)
    end(error)
  }

  /// Notes that the connection has ended, unless this was noted before.
  func end(_ error: any Error) {
    let (ending, opening, function) = withState { state in
      state.answers.end(closedBy: error)
      defer { (state.opening, state.whenEnded, state.messages) = (nil, nil, []) }
      return (state.answers.ending, state.opening, state.whenEnded)
    }
    guard let ending else { return }
    opening?.resume(throwing: ending)
    function?(ending)
  }
}
