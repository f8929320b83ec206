internal import Synchronization

/// What a reader has under way on one connection, so that all of it, and nothing else, can be ended at once.
final class TaskBag: Sendable {
  private let running = Mutex(Running())

  private struct Running {
    var last = 0
    var cancellations: [Int: @Sendable () -> Void] = [:]
  }

  /// Runs `body` in a task of its own, which ends with the caller's task or when `cancel` is called.
  func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
    let task = Task { try await body() }
    let number = running.withLock { running in
      running.last += 1
      running.cancellations[running.last] = { task.cancel() }
      return running.last
    }
    defer { running.withLock { _ = $0.cancellations.removeValue(forKey: number) } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  func cancel() {
    for cancel in running.withLock({ Array($0.cancellations.values) }) {
      cancel()
    }
  }
}
