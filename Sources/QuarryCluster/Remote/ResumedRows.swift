internal import QuarryRows
internal import Synchronization

/// The rows of a statement that is run again if the leader is lost before its last row.
///
/// Rows that were passed on before are skipped if they are unchanged. The printed rows are then the beginning of the new leader's rows.
final class ResumedRows: Sendable {
  private struct State {
    /// The number and the hash of the rows passed on.
    var count = 0
    var hasher = Hasher()
    /// The number and the hash of the rows of the current run.
    var runCount = 0
    var runHasher = Hasher()

    /// Whether the current run has returned all rows passed on before, unchanged.
    var isSame: Bool { runCount >= count && runHasher.finalize() == hasher.finalize() }
  }

  private let state = Mutex(State())

  /// Begins a run.
  func begin() {
    state.withLock { ($0.runCount, $0.runHasher) = (0, Hasher()) }
  }

  /// Returns whether a row is new and must be passed on.
  ///
  /// - Throws: ``DataSourceError`` if the rows passed on before have changed.
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
  /// - Throws: ``DataSourceError`` if the run did not return all rows passed on before.
  func end() throws {
    if !state.withLock(\.isSame) { throw ResumedRows.haveChanged }
  }

  private static let haveChanged = DataSourceError(
    "the leader was lost, and the rows changed while they were read: the result is incomplete, read it again")
}
