public import Testing

/// Runs tests on threads that the other tests do not share.
///
/// Tasks share as many threads as there are processors, and go on there in the order in which they are ready: behind all tests that have not
/// begun, and while tests hold these threads, not at all.
public struct ThreadsOfTests: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  fileprivate let threads: OwnThreads

  fileprivate static let ofBlockingTests = ThreadsOfTests(threads: OwnThreads(2))
  /// More than there are processors: some block while a node of a cluster starts, and none is to wait for that but its own test.
  fileprivate static let ofTimelyTests = ThreadsOfTests(threads: OwnThreads(16))

  public func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
    try await withTaskExecutorPreference(threads) { try await function() }
  }
}

extension Trait where Self == ThreadsOfTests {
  /// The tests block their thread, as those do that wait for a program.
  public static var blocking: Self { Self.ofBlockingTests }

  /// The tests, or what they test, have to answer or to cancel something within a time.
  public static var timely: Self { Self.ofTimelyTests }
}

extension Task where Failure == any Error {
  /// Starts a task beside a timely test: one that inherits no threads would begin behind all tests that have not begun.
  public static func timely(_ operation: @escaping @Sendable () async throws -> Success) -> Task {
    Task(executorPreference: ThreadsOfTests.ofTimelyTests.threads, operation: operation)
  }
}
