internal import Synchronization

/// Tells all who want to know in which state the connection to a cluster is.
package final class ClusterStatus: Sendable {
  package init() {}

  private struct State {
    var shown = RemoteState(connection: .searching, leader: nil, voters: 0)
    var readers: [Int: AsyncStream<RemoteState>.Continuation] = [:]
    var nextReader = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Returns the state from now on; of several that nobody has read only the last.
  package func states() -> AsyncStream<RemoteState> {
    let (stream, continuation) = AsyncStream.makeStream(of: RemoteState.self, bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      continuation.yield(state.shown)
      guard !state.isClosed else { return nil }
      state.nextReader += 1
      state.readers[state.nextReader] = continuation
      return state.nextReader
    }
    if let number {
      continuation.onTermination = { [weak self] _ in self?.forget(number) }
    } else {
      continuation.finish()
    }
    return stream
  }

  private func forget(_ number: Int) {
    _ = state.withLock { $0.readers.removeValue(forKey: number) }
  }

  /// Shows whether anything is connected; who led last stays known.
  ///
  /// Where no node leads, each further search leaves it at that: only a leader that is found takes it back.
  package func show(_ connection: RemoteState.Connection) {
    show { state in
      if connection == .searching, state.connection == .unavailable { return }
      state.connection = connection
    }
  }

  package func show(_ new: RemoteState) {
    show { $0 = new }
  }

  private func show(_ change: (inout RemoteState) -> Void) {
    state.withLock { state in
      let old = state.shown
      change(&state.shown)
      guard state.shown != old else { return }
      for reader in state.readers.values { reader.yield(state.shown) }
    }
  }

  func close() {
    let readers = state.withLock { state in
      state.isClosed = true
      defer { state.readers = [:] }
      return state.readers.values
    }
    for reader in readers { reader.finish() }
  }
}
