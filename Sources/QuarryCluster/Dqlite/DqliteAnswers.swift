/// The answers that are still to come or to be taken, in the order of their requests, which is the order in which a node answers.
///
/// A value without a thread or a clock of its own: bytes and the time go in, and those who wait come out by ``takeResumptions()``.
struct DqliteAnswers {
  typealias Instant = ContinuousClock.Instant
  typealias Waiter = CheckedContinuation<[DqliteFrame]?, any Error>

  /// Why no messages come any more; nil while they do.
  private(set) var ending: DqliteMailbox.Ending?
  private var frames = DqliteFrames()
  private var answers: [DqliteAnswer] = []
  private var hasReceived = false
  /// Those who wait until nothing more is to come; each is resumed with whether the connection can be used.
  private var settling: [CheckedContinuation<Bool, Never>] = []
  private var resumptions: [@Sendable () -> Void] = []

  /// Whether somebody waits for the bytes that come next, or they are to be dropped.
  var wantsInput: Bool {
    guard ending == nil, let index = current else { return false }
    return answers[index].drain != nil || answers[index].waiter != nil
  }

  /// When ``expire(at:)`` is to be called next; nil if nothing has a limit.
  var deadline: Instant? { answers.compactMap(\.expiry).min() }

  // MARK: What the channel asks

  /// Notes requests that are sent at once, and whose answers are one.
  mutating func expect(_ number: Int, count: Int) {
    answers.append(DqliteAnswer(number: number, left: count))
  }

  /// Gives all messages of an answer that have come, one at least; nil if none has come within the limit since it was this answer's turn.
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

  /// Gives up an answer: the rest of it is read and dropped within a limit, past which the connection ends.
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

  /// Waits until nothing more is to come.
  mutating func settle(_ waiter: CheckedContinuation<Bool, Never>) {
    settling.append(waiter)
    resumeSettled()
  }

  // MARK: What the connection brings

  /// Takes bytes that have come, and gives the messages that are whole to those who wait.
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

  /// Ends what has a limit that is over.
  mutating func expire(at now: Instant) {
    for index in answers.indices {
      guard let expiry = answers[index].expiry, expiry <= now else { continue }
      if answers[index].drain != nil { return end(.abandoned) }
      if index == current {
        resume(answers[index].stopWaiting(), with: .success(nil))
      } else {
        // Those behind another answer wait on.
        answers[index].expiry = now + answers[index].limit
      }
    }
  }

  /// Ends with an error of the connection.
  mutating func end(closedBy error: any Error) {
    end(.closed(error, firstBytes: hasReceived ? nil : frames.firstBytes))
  }

  /// Returns what resumes those who have waited long enough, to be called where no lock is held.
  ///
  /// A task that is cancelled holds a lock of the runtime while its handler runs, and resuming the task takes the same one.
  mutating func takeResumptions() -> [@Sendable () -> Void] {
    defer { resumptions = [] }
    return resumptions
  }

  // MARK: Steps

  private mutating func resume(_ waiter: Waiter?, with result: Result<[DqliteFrame]?, any Error>) {
    guard let waiter else { return }
    resumptions.append { waiter.resume(with: result) }
  }

  /// The answer whose messages come now.
  private var current: Int? { answers.firstIndex { $0.left > 0 } }

  private func index(of number: Int) -> Int? { answers.firstIndex { $0.number == number } }

  private mutating func add(_ frame: DqliteFrame) throws(DqliteViolation) {
    guard let index = current else { throw DqliteViolation("a message came that nobody asked for") }
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

  /// Starts the limit of an answer that is dropped, once it is its turn.
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

/// What a request is answered, as far as it has come and nobody has taken it.
private struct DqliteAnswer {
  let number: Int
  /// How many messages with which an answer ends are still to come.
  var left: Int
  var frames: [DqliteFrame] = []
  private(set) var waiter: DqliteAnswers.Waiter?
  /// How long the waiter waits from when it is the answer's turn.
  private(set) var limit = Duration.zero
  /// What is dropped of it; nil while somebody wants it.
  var drain: DrainLimit?
  /// When the waiter or the drain has waited for long enough.
  var expiry: DqliteAnswers.Instant?

  init(number: Int, left: Int) {
    (self.number, self.left) = (number, left)
  }

  mutating func wait(_ waiter: DqliteAnswers.Waiter, _ limit: Duration) {
    (self.waiter, self.limit, expiry) = (waiter, limit, .now + limit)
  }

  /// Returns the one who waits, to be resumed now.
  mutating func stopWaiting() -> DqliteAnswers.Waiter? {
    defer { if waiter != nil { (waiter, expiry) = (nil, nil) } }
    return waiter
  }
}

/// How much is read and dropped of an answer that nobody wants any more, so that its connection can be kept.
package struct DrainLimit: Sendable {
  /// How long it may take from when it is its turn.
  var time: Duration
  /// How many bytes there may be.
  package var bytes: Int

  package init(time: Duration, bytes: Int) {
    (self.time, self.bytes) = (time, bytes)
  }

  /// A connection is made anew as fast as this.
  package static let short = DrainLimit(time: .milliseconds(500), bytes: 1 << 18)
  /// With the connection, a transaction would go.
  static let ofTransaction = DrainLimit(time: .seconds(10), bytes: .max)
}
