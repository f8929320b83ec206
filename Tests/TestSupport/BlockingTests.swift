public import Testing

/// Runs tests that block their thread, as those do that wait for a program, on two threads of their own.
///
/// Tasks share as many threads as there are processors: while tests hold these, no other test's tasks go on, be it to cancel something that
/// does not end by itself or to answer within a time limit.
public struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true

  private static let threads = OwnThreads(2)

  public func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
    try await withTaskExecutorPreference(Self.threads) { try await function() }
  }
}

extension Trait where Self == BlockingTests {
  /// The tests block their thread.
  public static var blocking: Self { Self() }
}
