internal import Synchronization

/// Gathers what is found in one table, in the order of its rows, and reports it now and then.
final class SearchCollector: Sendable {
  private let index: Int
  private let limit: Int
  private let report: @Sendable (SearchReport) -> Void
  private let state: Mutex<State>

  private struct State: Sendable {
    var table: SearchedTable
    /// What has not been reported yet.
    var hits: [SearchHit] = []
    /// How many hits have been taken.
    var keptCount = 0
    var lastReport: ContinuousClock.Instant?
    /// The part that comes next, and those that were finished before others ahead of them.
    var next = 0
    var waiting: [Int: [SearchVisitor.Found]] = [:]
  }

  /// The time between two reports, unless the first hit is among what is new.
  private static let interval = Duration.milliseconds(25)

  /// Makes a collector.
  ///
  /// - Parameters:
  ///   - index: The index of the table among those that are searched.
  ///   - limit: How many hits are reported at most.
  init(_ table: SearchedTable, at index: Int, limit: Int, _ report: @escaping @Sendable (SearchReport) -> Void) {
    self.index = index
    self.limit = limit
    self.report = report
    state = Mutex(State(table: table))
  }

  /// The table as it is by now.
  var table: SearchedTable { state.withLock(\.table) }

  /// How many further hits are taken.
  var room: Int { state.withLock { max(0, limit - $0.keptCount) } }

  /// Takes what was found in a part of the rows, and that of the parts after it which waited for it.
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

  /// Takes what follows on all that was found before.
  func add(_ found: SearchVisitor.Found) {
    state.withLock { state in
      take(found, &state)
      send(&state, isDue: false)
    }
  }

  /// Takes note that others have written to the file.
  func noteChange() {
    state.withLock { $0.table.sawChanges = true }
  }

  /// Sets the number of hits, where that is known before they are.
  func set(hitCount: Int) {
    state.withLock { $0.table.hitCount = hitCount }
  }

  /// Changes how far the search is, and reports it.
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

  /// Reports what is new: at once what has to be, or has the first hit in it, and anything else after a while.
  private func send(_ state: inout State, isDue: Bool) {
    let isFirst = state.keptCount > 0 && state.keptCount == state.hits.count
    let now = ContinuousClock.now
    guard isDue || isFirst || state.lastReport.map({ now - $0 >= Self.interval }) ?? true else { return }
    state.lastReport = now
    report(.progress(SearchProgress(index: index, table: state.table, hits: state.hits)))
    state.hits = []
  }
}
