internal import QuarryRows
internal import Synchronization

/// The rows of a statement that is run again where the leader is lost in their midst.
///
/// Rows that were handed over before are passed over, as long as they come again as they were: what has been printed is then the beginning
/// of what the new leader has.
final class ResumedRows: Sendable {
  private struct State {
    /// The rows that were handed over, and what tells them from others.
    var count = 0
    var hasher = Hasher()
    /// The rows of this run.
    var runCount = 0
    var runHasher = Hasher()

    /// Whether the rows that were handed over are among those of this run.
    var isSame: Bool { runCount >= count && runHasher.finalize() == hasher.finalize() }
  }

  private let state = Mutex(State())

  /// Begins a run.
  func begin() {
    state.withLock { ($0.runCount, $0.runHasher) = (0, Hasher()) }
  }

  /// Returns whether a row is handed over: one that has not been before.
  ///
  /// - Throws: ``DataSourceError`` where the rows that were handed over have become others.
  func isNew(_ row: ArraySlice<RemoteValue>) throws -> Bool {
    try state.withLock { state in
      let isNew = state.runCount == state.count
      row.forEach { state.runHasher.combine($0) }
      state.runCount += 1
      if isNew {
        (state.count, state.hasher) = (state.runCount, state.runHasher)
      } else if state.runCount == state.count, !state.isSame {
        throw ResumedRows.haveChanged
      }
      return isNew
    }
  }

  /// Ends a run.
  ///
  /// - Throws: ``DataSourceError`` where not all rows have come again.
  func end() throws {
    if !state.withLock(\.isSame) { throw ResumedRows.haveChanged }
  }

  private static let haveChanged = DataSourceError(
    "the leader was lost, and the rows have been changed since the first of them came: those are not all, ask for them again")
}
