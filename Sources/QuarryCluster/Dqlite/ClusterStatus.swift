internal import Synchronization

/// Reports the state of the connection to a cluster to all readers.
package final class ClusterStatus: Sendable {
  package init() {}

  private struct State {
    var shown = RemoteState(connection: .searching, leader: nil, voters: 0)
    var readers: [Int: AsyncStream<RemoteState>.Continuation] = [:]
    var nextReader = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Returns a stream of states from now on.
  ///
  /// The stream buffers only the last of several unread states.
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

  /// Shows the state of the connection.
  ///
  /// The last leader remains known.
  ///
  /// If no node leads, later searches do not change the state. Only finding a leader does.
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
