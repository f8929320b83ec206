/// A progress line on the terminal of standard error.
///
/// It is cleared when the work has ended.
///
/// Nothing is written if standard error is not a terminal, or if the work takes less than half a second.
final class ProgressLine {
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  /// The minimum duration of reported work.
  private static let patience = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(100)

  /// Shows a text in place of the previous one.
  func show(_ text: @autoclosure () -> String) {
    let now = ContinuousClock.now
    guard StandardError.isTerminal, now - start >= Self.patience, last.map({ now - $0 >= Self.interval }) ?? true else { return }
    last = now
    StandardError.replaceLine("quarry: " + text())
  }

  /// Clears the line.
  func end() {
    if last != nil { StandardError.replaceLine("") }
    last = nil
  }

  deinit { end() }
}
