internal import Synchronization

/// What lies between the tasks that use a connection and the thread that carries its bytes: requests to be sent, and answers.
///
/// Bytes are read from the socket only while somebody waits for a message, so that a server that is faster than its reader waits, and not
/// more than what one reading brings is held.
final class DqliteMailbox: Sendable {
  /// Why a connection gives no messages any more.
  enum Ending: Error {
    /// The connection has ended; with the first bytes that came at all, as long as no message was whole, else nil.
    case closed(any Error, firstBytes: [UInt8]?)
    /// What came is no message; with the first bytes that came at all.
    case violation(DqliteViolation, firstBytes: [UInt8])
    /// Too much was still to come of an answer that was given up.
    case abandoned
  }

  /// What the thread is to do next.
  struct Orders {
    /// Bytes to be sent; nil if there are none.
    var message: [UInt8]?
    /// Whether to read from the socket.
    var wantsInput: Bool
    /// When to ask for orders again, whatever happens; nil for no limit.
    var deadline: ContinuousClock.Instant?
  }

  private struct State {
    var answers = DqliteAnswers()
    var messages: ArraySlice<[UInt8]> = []
    var lastNumber = 0
    /// Whether the thread waits, and has to be woken for news; from the start, since it asks for no orders until it is connected.
    var isAsleep = true
    var isClosing = false
    var opening: CheckedContinuation<Void, any Error>?
    /// Is called once when the connection has ended, whoever ended it.
    var whenEnded: (@Sendable (Ending) -> Void)?
  }

  /// Wakes the thread out of its wait.
  let wakeup: Wakeup
  private let state = Mutex(State())

  init() throws(SocketError) {
    wakeup = try Wakeup()
  }

  /// Uses the state, and resumes those who have waited for it once its lock is free.
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

// MARK: What tasks ask

extension DqliteMailbox {
  /// Waits until messages may be sent.
  ///
  /// - Parameter start: Starts the thread.
  /// - Throws: What `start` throws; the reason why no messages can be sent.
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

  /// Sends requests behind those that were sent before, and notes that they have one answer.
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

  /// Waits for messages of an answer, and returns all that have come, one at least; nil if none has come within the limit.
  func take(_ number: Int, within limit: Duration) async throws -> [DqliteFrame]? {
    try await withCheckedThrowingContinuation { waiter in
      change { $0.answers.take(number, within: limit, waiter) }
    }
  }

  /// Gives up an answer that nobody wants any more.
  func abandon(_ number: Int, _ drain: DrainLimit) {
    change { $0.answers.abandon(number, drain) }
  }

  /// Waits until nothing more is to come, and returns whether the connection can then be used.
  func settle() async -> Bool {
    await withCheckedContinuation { waiter in change { $0.answers.settle(waiter) } }
  }

  /// Lets a function be called when the connection has ended; at once if it has.
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

// MARK: What the thread asks

extension DqliteMailbox {
  /// Whether the connection is to end.
  var isClosing: Bool { withState { $0.isClosing } }

  /// Lets the one who opens the connection go on, behind a first message.
  func becomeOpen(sending greeting: [UInt8]) {
    let opening = withState { state in
      state.messages.insert(greeting, at: state.messages.startIndex)
      defer { state.opening = nil }
      return state.opening
    }
    opening?.resume()
  }

  /// Returns what is to be done next; nil once the connection is to end.
  ///
  /// - Parameter canSend: Whether all that was sent before is on its way.
  func orders(canSend: Bool) -> Orders? {
    withState { state in
      state.answers.expire(at: .now)
      guard !state.isClosing, state.answers.ending == nil else { return nil }
      let message = canSend ? state.messages.popFirst() : nil
      state.isAsleep = message == nil
      return Orders(message: message, wantsInput: state.answers.wantsInput, deadline: state.answers.deadline)
    }
  }

  /// Takes bytes that have come.
  func receive(_ bytes: ArraySlice<UInt8>) {
    withState { $0.answers.receive(bytes) }
  }

  /// Notes that there is no connection, which the one who opens it learns as it is.
  func fail(_ error: any Error) {
    let opening = withState { state in
      defer { state.opening = nil }
      return state.opening
    }
    opening?.resume(throwing: error)
    end(error)
  }

  /// Notes that the connection has ended, unless that was its end already.
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
