internal import CSQLite
internal import Synchronization

/// Tells whether the task that an access belongs to has been cancelled.
///
/// A flag and not `sqlite3_interrupt`, which would stop whatever runs when it comes, and nothing when it comes between two statements.
package final class Cancellation: Sendable {
  package init() {}

  private let flag = Atomic<Bool>(false)

  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  package func cancel() {
    flag.store(true, ordering: .relaxed)
  }

  package func check() throws {
    if isCancelled { throw CancellationError() }
  }
}

/// What stops a connection's statements from another thread.
package final class Interruption: Sendable {
  /// The connection's address, since a pointer may not be shared; nil once it is closed.
  private let connection: Mutex<UInt?>
  private let requests = Atomic<Int>(0)

  init(_ connection: OpaquePointer) {
    self.connection = Mutex(UInt(bitPattern: connection))
  }

  /// The number of interrupts so far; a wait for a lock ends when it changes.
  var count: Int { requests.load(ordering: .relaxed) }

  package func interrupt() {
    requests.add(1, ordering: .relaxed)
    endStatements()
  }

  /// Ends the statements that run, and no wait for a lock.
  fileprivate func endStatements() {
    // Inside the mutex, so that the connection cannot be closed meanwhile.
    connection.withLock { address in
      if let connection = address.flatMap(OpaquePointer.init(bitPattern:)) { sqlite3_interrupt(connection) }
    }
  }

  /// Forgets the connection, which is about to be closed.
  func invalidate() {
    connection.withLock { $0 = nil }
  }
}

/// Ends the statements of a connection that still run at a point of time.
final class StatementAlarm: Sendable {
  private let state = Mutex((isSet: true, hasRung: false))

  /// Sets the alarm.
  init(_ interruption: Interruption, at end: ContinuousClock.Instant) {
    Task { [weak self] in
      try? await Task.sleep(until: end, clock: .continuous)
      self?.ring(interruption)
    }
  }

  private func ring(_ interruption: Interruption) {
    state.withLock { state in
      guard state.isSet else { return }
      state.hasRung = true
      interruption.endStatements()
    }
  }

  /// Keeps the alarm from ending what runs from now on; returns whether it has rung.
  @discardableResult
  func cancel() -> Bool {
    state.withLock { state in
      state.isSet = false
      return state.hasRung
    }
  }
}
