internal import Synchronization

/// The connections of one program that wait for locks which other connections hold.
///
///     let waits = LockWaits()
///     try waits.watch(queue, as: "reader")
///     waits.onChange { names in print("waiting: \(names)") }
package final class LockWaits: Sendable {
  /// A wait that is shorter is told to nobody.
  package static let delay = Duration.milliseconds(500)

  private struct Watched: Sendable {
    weak var queue: DatabaseQueue?
    var isWaiting = false
  }

  private struct State {
    var watched: [String: Watched] = [:]
    var onChange: (@Sendable (Set<String>) -> Void)?

    var names: Set<String> { Set(watched.filter { $0.value.isWaiting }.keys) }
  }

  private let state = Mutex(State())

  package init() {}

  /// Watches a connection from now on, under a name of its own.
  ///
  /// - Throws: `SQLITE_MISUSE` inside an access of the queue.
  package func watch(_ queue: DatabaseQueue, as name: String) throws {
    state.withLock { $0.watched[name] = Watched(queue: queue) }
    try queue.withoutTransaction { db in
      db.reportLockWaits(after: Self.delay) { [weak self] isWaiting in self?.note(name, isWaiting: isWaiting) }
    }
  }

  /// Calls `body` with the names of those that wait, each time that they have become others.
  package func onChange(_ body: @escaping @Sendable (Set<String>) -> Void) {
    state.withLock { $0.onChange = body }
  }

  /// Takes note of a wait for a connection that cannot be opened yet, or of the end of one.
  package func note(_ name: String, isWaiting: Bool) {
    // Inside the mutex, so that changes are told in their order.
    state.withLock { state in
      guard state.watched[name, default: Watched()].isWaiting != isWaiting else { return }
      state.watched[name, default: Watched()].isWaiting = isWaiting
      state.onChange?(state.names)
    }
  }

  /// Stops what waits, also what has not waited long enough to be told of: it throws `SQLITE_INTERRUPT`.
  package func stopAll() {
    let queues = state.withLock { state in state.watched.values.compactMap(\.queue) }
    for queue in queues { queue.interrupt() }
  }
}
