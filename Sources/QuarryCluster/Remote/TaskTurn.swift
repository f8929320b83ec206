internal import Synchronization

/// Runs tasks one after another in the order of their requests.
///
/// Tasks that share their turn run concurrently.
///
/// ```swift
/// try await turn.run { try await connection.execute(statement) }
/// try await turn.run(shared: true) { try await connection.rows(statement) }
/// ```
final class TaskTurn: Sendable {
  private struct Waiter {
    let number: Int
    let isShared: Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    /// The number of tasks that have their turn, which can be more than one if they share it.
    var holders = 0
    var isShared = false
    var waiters: [Waiter] = []
    var nextNumber = 0
    /// The numbers of tasks that were cancelled before they began to wait.
    var cancelled: Set<Int> = []

    /// Grants a turn if possible, and returns whether it did.
    mutating func grants(shared: Bool) -> Bool {
      guard holders == 0 || isShared && shared else { return false }
      holders += 1
      isShared = shared
      return true
    }
  }

  private let state = Mutex(State())

  /// Runs a function exclusively, or concurrently with functions that share their turn.
  ///
  /// - Throws: Any error thrown by the function, or `CancellationError` if the task is cancelled while it waits.
  func run<Result>(shared isShared: Bool = false, _ function: () async throws -> Result) async throws -> Result {
    try await wait(isShared)
    defer { pass() }
    return try await function()
  }

  private func wait(_ isShared: Bool) async throws {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let isGranted = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return false }
          if state.waiters.isEmpty, state.grants(shared: isShared) { return true }
          state.waiters.append(Waiter(number: number, isShared: isShared, continuation: continuation))
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
        return Waiter?.none
      }
      return state.waiters.remove(at: index)
    }
    waiter?.continuation.resume(returning: false)
    // Tasks waiting behind it may share the current turn.
    resumeNext()
  }

  private func pass() {
    state.withLock { $0.holders -= 1 }
    resumeNext()
  }

  private func resumeNext() {
    let next = state.withLock { state in
      var next: [Waiter] = []
      while let first = state.waiters.first, state.grants(shared: first.isShared) { next.append(state.waiters.removeFirst()) }
      return next
    }
    for waiter in next { waiter.continuation.resume(returning: true) }
  }
}
