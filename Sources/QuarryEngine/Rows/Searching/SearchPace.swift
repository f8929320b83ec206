internal import Synchronization

/// How many rows a search has passed, of which somebody is told now and then.
final class SearchPace: Sendable {
  private let total: Int?
  private let report: @Sendable (RowProgress) -> Void
  private let start = ContinuousClock.now
  /// How long nobody is told anything.
  private let interval: Duration
  private let state: Mutex<State>

  private struct State: Sendable {
    var rows = 0
    var next: ContinuousClock.Instant
  }

  /// The number of rows after which it is worth while to be told of them.
  static let step = 1 << 10

  /// - Parameter total: about how many rows there are; nil where that is not known.
  init(total: Int?, interval: Duration = .milliseconds(100), _ report: @escaping @Sendable (RowProgress) -> Void) {
    self.total = total
    self.report = report
    self.interval = interval
    state = Mutex(State(next: start + interval))
  }

  /// Takes note of further rows that have been passed.
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
