public import Foundation
public import Testing

/// Waits of tests for external events.
public enum Waiting {
  /// A guard against hanging tests, far longer than anything takes on a busy machine.
  ///
  /// No test expects an event within a time.
  public static let limit = Duration.seconds(1200)

  /// The same as ``limit``, in seconds.
  public static let seconds = TimeInterval(limit / .seconds(1))

  /// Polls a condition, and blocks until it is true.
  ///
  /// - Parameter what: The name of the awaited event in the failure.
  /// - Throws: `CancellationError` after ``limit``, and any error thrown by `isSo`.
  public static func wait(
    for what: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation, until isSo: () throws -> Bool
  ) throws {
    let end = ContinuousClock.now + limit
    while try !isSo() {
      guard .now < end else {
        Issue.record("waited in vain for \(what())", sourceLocation: sourceLocation)
        throw CancellationError()
      }
      usleep(20_000)
    }
  }
}
