internal import Synchronization

/// Counts the rows that a search has passed, and reports them now and then.
final class SearchPace: Sendable {
  private let total: Int?
  private let report: @Sendable (RowProgress) -> Void
  private let start = ContinuousClock.now
  /// The time between two reports.
  private let interval: Duration
  private let state: Mutex<State>

  private struct State: Sendable {
    var rows = 0
    var next: ContinuousClock.Instant
  }

  /// The number of rows that are counted at once.
  static let step = 1 << 10

  /// - Parameter total: About how many rows there are; nil where that is not known.
  init(total: Int?, interval: Duration = .milliseconds(100), _ report: @escaping @Sendable (RowProgress) -> Void) {
    self.total = total
    self.report = report
    self.interval = interval
    state = Mutex(State(next: start + interval))
  }

  /// Counts further rows that have been passed.
  func pass(_ rows: Int) {
    let now = ContinuousClock.now
    let passed = state.withLock { state -> Int? in
      state.rows += rows
      guard now >= state.next else { return nil }
      state.next = now + interval
      return state.rows
    }
    if let passed { report(RowProgress(rows: passed, total: total, elapsed: now - start)) }
  }
}
