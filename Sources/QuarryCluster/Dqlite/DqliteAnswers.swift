/// The pending answers of a node, in the order of their requests, which is also the order of the answers.
///
/// A value without a thread or a clock. Callers pass in the received bytes and the time. ``takeResumptions()`` returns the waiters to
/// resume.
struct DqliteAnswers {
  typealias Instant = ContinuousClock.Instant
  typealias Waiter = CheckedContinuation<[DqliteFrame]?, any Error>

  /// The reason why no more messages arrive, or nil while the connection is open.
  private(set) var ending: DqliteMailbox.Ending?
  private var frames = DqliteFrames()
  private var answers: [DqliteAnswer] = []
  private var hasReceived = false
  /// The callers that wait until no answers are pending.
  ///
  /// Each is resumed with whether the connection is usable.
  private var settling: [CheckedContinuation<Bool, Never>] = []
  private var resumptions: [@Sendable () -> Void] = []

  /// Whether a caller waits for the next bytes, or they are to be discarded.
  var wantsInput: Bool {
    guard ending == nil, let index = current else { return false }
    return answers[index].drain != nil || answers[index].waiter != nil
  }

  /// The time of the next call to ``expire(at:)``, or nil if nothing has a time limit.
  var deadline: Instant? { answers.compactMap(\.expiry).min() }

  // MARK: Requests of the channel

  /// Registers requests that are sent together and have one answer.
  mutating func expect(_ number: Int, count: Int) {
    answers.append(DqliteAnswer(number: number, left: count))
  }

  /// Resumes the waiter with all received messages of an answer, at least one.
  ///
  /// Resumes it with nil if none arrives within the limit.
  ///
  /// The limit begins when all earlier answers are complete.
  mutating func take(_ number: Int, within limit: Duration, _ waiter: Waiter) {
    guard let index = index(of: number), answers[index].drain == nil else {
      return resume(waiter, with: .failure(CancellationError()))
    }
    if !answers[index].frames.isEmpty {
      resume(waiter, with: .success(takeFrames(at: index)))
    } else if let ending {
      resume(waiter, with: .failure(ending))
    } else {
      answers[index].wait(waiter, limit)
    }
  }

  /// Abandons an answer.
  ///
  /// The rest of it is read and discarded within a limit, beyond which the connection ends.
  mutating func abandon(_ number: Int, _ drain: DrainLimit) {
    guard let index = index(of: number), answers[index].drain == nil else { return }
    resume(answers[index].stopWaiting(), with: .failure(CancellationError()))
    answers[index].frames = []
    guard answers[index].left > 0 else {
      answers.remove(at: index)
      return
    }
    answers[index].drain = drain
    startDraining()
  }

  /// Resumes the waiter when no answers are pending.
  mutating func settle(_ waiter: CheckedContinuation<Bool, Never>) {
    settling.append(waiter)
    resumeSettled()
  }

  // MARK: Events of the connection

  /// Adds received bytes, and passes complete messages to the waiters.
  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    frames.append(bytes)
    do throws(DqliteViolation) {
      while ending == nil, let frame = try frames.next() {
        hasReceived = true
        try add(frame)
      }
    } catch {
      end(.violation(error, firstBytes: frames.firstBytes))
    }
    deliver()
    startDraining()
  }

  /// Ends the waits whose time limit has passed.
  mutating func expire(at now: Instant) {
    for index in answers.indices {
      guard let expiry = answers[index].expiry, expiry <= now else { continue }
      if answers[index].drain != nil { return end(.abandoned) }
      if index == current {
        resume(answers[index].stopWaiting(), with: .success(nil))
      } else {
        // Answers behind another answer continue to wait.
        answers[index].expiry = now + answers[index].limit
      }
    }
  }

  /// Ends with an error of the connection.
  mutating func end(closedBy error: any Error) {
    end(.closed(error, firstBytes: hasReceived ? nil : frames.firstBytes))
  }

  /// Returns the functions that resume the waiters.
  ///
  /// Call them without holding a lock.
  ///
  /// While the cancellation handler of a task runs, the task holds a lock of the runtime. Resuming the task takes the same lock.
  mutating func takeResumptions() -> [@Sendable () -> Void] {
    defer { resumptions = [] }
    return resumptions
  }

  // MARK: Steps

  private mutating func resume(_ waiter: Waiter?, with result: Result<[DqliteFrame]?, any Error>) {
    guard let waiter else { return }
    resumptions.append { waiter.resume(with: result) }
  }

  /// The index of the answer whose messages arrive next.
  private var current: Int? { answers.firstIndex { $0.left > 0 } }

  private func index(of number: Int) -> Int? { answers.firstIndex { $0.number == number } }

  private mutating func add(_ frame: DqliteFrame) throws(DqliteViolation) {
    guard let index = current else { throw DqliteViolation("it sent an unexpected message") }
    if frame.endsAnswer { answers[index].left -= 1 }
    guard answers[index].drain != nil else { return answers[index].frames.append(frame) }
    answers[index].drain?.bytes -= frame.body.count
    if answers[index].left == 0 {
      answers.remove(at: index)
      resumeSettled()
    } else if let drain = answers[index].drain, drain.bytes < 0 {
      end(.abandoned)
    }
  }

  private mutating func takeFrames(at index: Int) -> [DqliteFrame] {
    defer { if answers[index].left == 0 { answers.remove(at: index) } else { answers[index].frames = [] } }
    return answers[index].frames
  }

  private mutating func deliver() {
    for index in answers.indices.reversed() where !answers[index].frames.isEmpty {
      if let waiter = answers[index].stopWaiting() { resume(waiter, with: .success(takeFrames(at: index))) }
    }
    resumeSettled()
  }

  /// Starts the time limit of a discarded answer when all earlier answers are complete.
  private mutating func startDraining() {
    guard let index = current, let drain = answers[index].drain, answers[index].expiry == nil else { return }
    answers[index].expiry = .now + drain.time
  }

  private mutating func resumeSettled() {
    guard !settling.isEmpty, ending != nil || current == nil else { return }
    for waiter in settling { resumptions.append { [isUsable = ending == nil] in waiter.resume(returning: isUsable) } }
    settling = []
  }

  private mutating func end(_ reason: DqliteMailbox.Ending) {
    guard ending == nil else { return }
    deliver()
    ending = reason
    for index in answers.indices { resume(answers[index].stopWaiting(), with: .failure(reason)) }
    resumeSettled()
  }
}

/// The answer to a request: its messages that have arrived and have not been taken.
private struct DqliteAnswer {
  let number: Int
  /// The number of final messages that are still to come.
  var left: Int
  var frames: [DqliteFrame] = []
  private(set) var waiter: DqliteAnswers.Waiter?
  /// The time limit of the waiter, from the moment at which earlier answers are complete.
  private(set) var limit = Duration.zero
  /// The limits for discarding the answer, or nil while it is wanted.
  var drain: DrainLimit?
  /// The time at which the waiter or the drain expires.
  var expiry: DqliteAnswers.Instant?

  init(number: Int, left: Int) {
    (self.number, self.left) = (number, left)
  }

  mutating func wait(_ waiter: DqliteAnswers.Waiter, _ limit: Duration) {
    (self.waiter, self.limit, expiry) = (waiter, limit, .now + limit)
  }

  /// Returns the waiter for resumption, and stops its wait.
  mutating func stopWaiting() -> DqliteAnswers.Waiter? {
    defer { if waiter != nil { (waiter, expiry) = (nil, nil) } }
    return waiter
  }
}

/// Limits for reading and discarding an abandoned answer, so that its connection can still be used.
package struct DrainLimit: Sendable {
  /// The maximum time, from the moment at which earlier answers are complete.
  var time: Duration
  /// The maximum number of bytes.
  package var bytes: Int

  package init(time: Duration, bytes: Int) {
    (self.time, self.bytes) = (time, bytes)
  }

  /// Beyond these limits a new connection is as fast.
  package static let short = DrainLimit(time: .milliseconds(500), bytes: 1 << 18)
  /// Losing the connection would lose the transaction.
  static let ofTransaction = DrainLimit(time: .seconds(10), bytes: .max)
}
