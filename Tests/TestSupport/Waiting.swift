public import Foundation
public import Testing

/// How tests wait for what happens outside of them.
public enum Waiting {
  /// A guard against hanging, and far more than anything takes on a busy machine: no test expects something to happen within a time.
  public static let limit = Duration.seconds(1200)

  /// The same as ``limit``, in seconds.
  public static let seconds = TimeInterval(limit / .seconds(1))

  /// Looks again and again whether something is so, and blocks until it is.
  ///
  /// - Parameter what: What is waited for, as the failure names it.
  /// - Throws: `CancellationError` after ``limit``, and what `isSo` throws.
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
