internal import Synchronization

/// A collector of the hits in one table, in row order, which reports them from time to time.
final class SearchCollector: Sendable {
  private let index: Int
  private let limit: Int
  private let report: @Sendable (SearchReport) -> Void
  private let state: Mutex<State>

  private struct State: Sendable {
    var table: SearchedTable
    /// The hits not yet reported.
    var hits: [SearchHit] = []
    /// The number of collected hits.
    var keptCount = 0
    var lastReport: ContinuousClock.Instant?
    /// The number of the next part, and the parts that were finished early.
    var next = 0
    var waiting: [Int: [SearchVisitor.Found]] = [:]
  }

  /// The minimum time between two reports, except for the first hit.
  private static let interval = Duration.milliseconds(25)

  /// Creates a collector.
  ///
  /// - Parameters:
  ///   - index: The index of the table in the list of searched tables.
  ///   - limit: The maximum number of reported hits.
  init(_ table: SearchedTable, at index: Int, limit: Int, _ report: @escaping @Sendable (SearchReport) -> Void) {
    self.index = index
    self.limit = limit
    self.report = report
    state = Mutex(State(table: table))
  }

  /// The current state of the table.
  var table: SearchedTable { state.withLock(\.table) }

  /// The number of additional hits that can be collected.
  var room: Int { state.withLock { max(0, limit - $0.keptCount) } }

  /// Adds the hits in a part of the rows, and those of the following parts that waited for it.
  func add(_ found: [SearchVisitor.Found], ofPart part: Int) {
    state.withLock { state in
      state.waiting[part] = found
      while let found = state.waiting.removeValue(forKey: state.next) {
        state.next += 1
        for found in found { take(found, &state) }
      }
      send(&state, isDue: false)
    }
  }

  /// Adds the hits that follow all earlier ones.
  func add(_ found: SearchVisitor.Found) {
    state.withLock { state in
      take(found, &state)
      send(&state, isDue: false)
    }
  }

  /// Records that another connection has written to the file.
  func noteChange() {
    state.withLock { $0.table.sawChanges = true }
  }

  /// Sets the number of hits, if it is known before the hits themselves.
  func set(hitCount: Int) {
    state.withLock { $0.table.hitCount = hitCount }
  }

  /// Changes the state of the search and reports it.
  func set(_ newState: SearchedTable.State) {
    state.withLock { state in
      state.table.state = newState
      send(&state, isDue: true)
    }
  }

  private func take(_ found: SearchVisitor.Found, _ state: inout State) {
    state.table.hitCount += found.hitCount
    state.table.rowCount += found.rowCount
    let kept = found.hits.prefix(limit - state.keptCount)
    state.keptCount += kept.count
    state.hits += kept
  }

  /// Reports the new hits: immediately if due or if they include the first hit, otherwise after an interval.
  private func send(_ state: inout State, isDue: Bool) {
    let isFirst = state.keptCount > 0 && state.keptCount == state.hits.count
    let now = ContinuousClock.now
    guard isDue || isFirst || state.lastReport.map({ now - $0 >= Self.interval }) ?? true else { return }
    state.lastReport = now
    report(.progress(SearchProgress(index: index, table: state.table, hits: state.hits)))
    state.hits = []
  }
}
