/// A line on the terminal of standard error that says how far long work has come; it is gone when the work has ended.
///
/// Nothing is written where standard error is no terminal, nor for work that is done within half a second.
final class ProgressLine {
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  /// Work that takes less is not told.
  private static let patience = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(100)

  /// Shows a text in the place of the one before.
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
