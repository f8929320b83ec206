import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct TaskThreadsTests {
  /// Runs `body` on the threads.
  private func onThreads<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let threads = try #require(TaskThreads.shared)
    return try await Task(executorPreference: threads) { try await body() }.value
  }

  @Test func `more tasks than threads come to their end`() async throws {
    let sum = try await onThreads {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...200 {
          group.addTask {
            await Task.yield()
            try await Task.pause(for: .microseconds(number))
            return number
          }
        }
        return try await group.reduce(0, +)
      }
    }
    #expect(sum == 20_100)
  }

  @Test func `a pause lasts until its end, and a later one does not delay it`() async throws {
    let start = ContinuousClock.now
    try await onThreads {
      async let long: Void = Task.pause(until: start + .milliseconds(40))
      async let short: Void = Task.pause(until: start + .milliseconds(10))
      try await short
      #expect(.now >= start + .milliseconds(10))
      try await long
      #expect(.now >= start + .milliseconds(40))
      try await Task.pause(until: start)
    }
  }

  @Test func `a pause ends with its task`() async throws {
    let task = Task(executorPreference: TaskThreads.shared) { try await Task.pause(for: .seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let cancelled = Task(executorPreference: TaskThreads.shared) {
      withUnsafeCurrentTask { $0?.cancel() }
      try await Task.pause(for: .seconds(3600))
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }
}
