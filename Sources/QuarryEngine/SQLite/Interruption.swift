internal import CSQLite
internal import Synchronization

/// Tells whether the task that an access belongs to has been cancelled.
///
/// A flag and not `sqlite3_interrupt`, which would stop whatever runs when it comes, and nothing when it comes between two statements.
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }

  func cancel() {
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
