/// The pauses of tasks, all ended by one thread.
final class TaskPauses: Sendable {
  private struct Pause {
    let end: ContinuousClock.Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var pauses: [Int: Pause] = [:]
    /// The number of the last pause.
    var last = 0
    /// Whether a pause has been added since the thread looked at them.
    var hasNew = false
  }

  private let state = Monitor(State())

  /// Suspends the current task until `end`.
  ///
  /// - Throws: `CancellationError`
  func wait(until end: ContinuousClock.Instant) async throws {
    let number = state.change { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.change { state in
          state.pauses[number] = Pause(end: end, continuation: continuation)
          state.hasNew = true
        }
        // If the task was cancelled before, the handler has found no pause.
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    state.change { $0.pauses.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
  }

  /// Ends pauses forever.
  func run() {
    while true {
      let (due, next) = state.change { state in
        state.hasNew = false
        let now = ContinuousClock.now
        let due = state.pauses.filter { $1.end <= now }
        for number in due.keys { state.pauses[number] = nil }
        return (due.values, state.pauses.values.map(\.end).min())
      }
      for pause in due { pause.continuation.resume() }
      waitForNew(until: next)
    }
  }

  private func waitForNew(until end: ContinuousClock.Instant?) {
    let limit = end.map { ContinuousClock.now.duration(to: $0) }
    if let limit { _ = state.wait(upTo: limit) { $0.hasNew ? () : nil } } else { state.wait { $0.hasNew ? () : nil } }
  }
}

extension Task where Success == Never, Failure == Never {
  /// Suspends the current task for some time.
  ///
  /// `Task.sleep` may need a new thread for this, which the system may refuse.
  ///
  /// - Throws: `CancellationError`
  package static func pause(for duration: Duration) async throws {
    try await pause(until: .now + duration)
  }

  /// Suspends the current task until `end`.
  ///
  /// - Throws: `CancellationError`
  package static func pause(until end: ContinuousClock.Instant) async throws {
    guard let threads = TaskThreads.shared else { return try await Task.sleep(until: end) }
    try await threads.pauses.wait(until: end)
  }
}
