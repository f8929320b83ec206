internal import Synchronization

/// Lets those who want the same connection have it one after the other, in the order in which they came.
final class DqliteTurn: Sendable {
  private struct State {
    var isTaken = false
    var waiters: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var nextNumber = 0
    /// Those whose tasks were cancelled before they waited.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  /// Runs a function while nobody else's runs.
  ///
  /// - Throws: What the function throws; `CancellationError` where the task is cancelled while it waits.
  func run<Result>(_ function: () async throws -> Result) async throws -> Result {
    try await wait()
    defer { pass() }
    return try await function()
  }

  private func wait() async throws {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let isGranted = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return false }
          if !state.isTaken {
            state.isTaken = true
            return true
          }
          state.waiters.append((number, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      cancel(number)
    }
    state.withLock { _ = $0.cancelled.remove(number) }
    if !isGranted { throw CancellationError() }
  }

  private func cancel(_ number: Int) {
    let waiter = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return CheckedContinuation<Bool, Never>?.none
      }
      return state.waiters.remove(at: index).continuation
    }
    waiter?.resume(returning: false)
  }

  private func pass() {
    let next = state.withLock { state in
      guard !state.waiters.isEmpty else {
        state.isTaken = false
        return CheckedContinuation<Bool, Never>?.none
      }
      return state.waiters.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
