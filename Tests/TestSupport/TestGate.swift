import Foundation
import Synchronization
public import Testing

/// Limits the number of tests that run concurrently, in the order of their arrival.
///
/// A waiting test has not begun: it holds no thread, program, node or terminal. A running test has threads that no other test uses, so that
/// it may block them. The threads shared by all tasks are then free for the tasks that tests start.
///
///     @Suite(.gated) struct JournalTests {}
public struct TestGate: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  public func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
    try await Self.pass(function)
  }

  /// Runs `body` once the test has passed the gate, or at once if it already has.
  public static func pass<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    if hasPassed { return try await body() }
    let threads = await places.take()
    let start = ContinuousClock.now
    defer {
      TestTimes.note(.now - start)
      places.giveBack(threads)
    }
    return try await $hasPassed.withValue(true) {
      try await withoutActuallyEscaping(body) { body in
        try await Self.guarded { try await withTaskExecutorPreference(threads) { try await body() } }
      }
    }
  }

  /// Records an issue if the current test has not passed the gate.
  ///
  /// A thread started by a test itself belongs to no test.
  ///
  /// - Parameter holder: The resource that the test would hold, as a noun.
  public static func expectPassed(toHold holder: String) {
    if Test.current != nil, !hasPassed { Issue.record("\(holder) needs a test that has passed the gate: mark its suite as .gated") }
  }

  @TaskLocal private static var hasPassed = false

  /// Greater than the number of processors, because some tests wait for programs and nodes.
  private static let places = Places(count: ProcessInfo.processInfo.activeProcessorCount + 2)

  /// Runs `body`, and cancels it if it hangs for ``Waiting/limit``.
  private static func guarded<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: Waiting.limit)
        Issue.record("the test has hung for \(Waiting.limit)")
        return nil
      }
      defer { group.cancelAll() }
      while let value = try await group.next() {
        if let value { return value }
        group.cancelAll()
      }
      throw CancellationError()
    }
  }
}

extension Trait where Self == TestGate {
  /// A trait whose tests pass the gate.
  public static var gated: Self { TestGate() }
}

/// The places behind the gate, each with its own threads.
private final class Places: Sendable {
  private struct State {
    var free: [OwnThreads]
    var waiting: ArraySlice<CheckedContinuation<OwnThreads, Never>> = []
  }

  private let state: Mutex<State>

  init(count: Int) {
    // A task of a test may block a thread while its other tasks continue.
    state = Mutex(State(free: (0..<count).map { _ in OwnThreads(4) }))
  }

  func take() async -> OwnThreads {
    await withCheckedContinuation { continuation in
      let threads = state.withLock { state in
        if state.free.isEmpty { state.waiting.append(continuation) }
        return state.free.popLast()
      }
      if let threads { continuation.resume(returning: threads) }
    }
  }

  func giveBack(_ threads: OwnThreads) {
    let next = state.withLock { state in
      if state.waiting.isEmpty { state.free.append(threads) }
      return state.waiting.popFirst()
    }
    next?.resume(returning: threads)
  }
}
