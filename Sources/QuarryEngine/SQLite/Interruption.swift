internal import CSQLite
internal import Synchronization

/// A flag that shows whether the task of an access has been cancelled.
///
/// Not `sqlite3_interrupt`, which would interrupt any running statement, but none if it is called between two statements.
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

/// A handle that interrupts a connection's statements from another thread.
package final class Interruption: Sendable {
  /// The connection's address, because a pointer may not be shared; nil once it is closed.
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

  /// Interrupts the running statements, but no wait for a lock.
  fileprivate func endStatements() {
    // Inside the mutex, so that the connection cannot be closed meanwhile.
    connection.withLock { address in
      if let connection = address.flatMap(OpaquePointer.init(bitPattern:)) { sqlite3_interrupt(connection) }
    }
  }

  /// Removes the connection, which is about to be closed.
  func invalidate() {
    connection.withLock { $0 = nil }
  }
}

/// An alarm that interrupts the running statements of a connection at a deadline.
final class StatementAlarm: Sendable {
  let end: ContinuousClock.Instant
  private let interruption: Interruption
  private let state = Mutex((isSet: true, hasRung: false))

  /// Sets the alarm.
  ///
  /// If no thread can be started, it never fires.
  init(_ interruption: Interruption, at end: ContinuousClock.Instant) {
    (self.interruption, self.end) = (interruption, end)
    AlarmThread.shared.add(self)
  }

  var isSet: Bool { state.withLock(\.isSet) }

  func ring() {
    state.withLock { state in
      guard state.isSet else { return }
      state.hasRung = true
      interruption.endStatements()
    }
  }

  /// Cancels the alarm, so that it does not interrupt later statements; returns whether it has fired.
  @discardableResult
  func cancel() -> Bool {
    state.withLock { state in
      state.isSet = false
      return state.hasRung
    }
  }
}
