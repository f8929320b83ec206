internal import CSQLite
internal import Libc
internal import Synchronization

/// A wait for a lock of another connection, until the timeout, or until the work is cancelled.
struct BusyWait {
  var timeout: Duration
  /// The receiver of reports of long waits; nil for none.
  var report: LockReport?
  /// Whether a wait has been reported, but not its end.
  private(set) var isReported = false
  private var start = ContinuousClock.now
  private var interruptions = 0
  /// Whether the last wait ended because the work was stopped, and not by timeout.
  private(set) var wasStopped = false

  init(timeout: Duration) {
    self.timeout = timeout
  }

  /// Sleeps briefly; returns false when it is time to give up.
  mutating func wait(attempt: Int32, cancellation: Cancellation?, interruption: Interruption) -> Bool {
    if attempt == 0 {
      start = .now
      interruptions = interruption.count
    }
    wasStopped = cancellation?.isCancelled == true || interruption.count != interruptions
    let elapsed = ContinuousClock.now - start
    guard !wasStopped, elapsed < timeout else { return false }
    if let report, !isReported, elapsed >= report.delay {
      isReported = true
      report.body(true)
    }
    usleep(Self.microseconds(attempt))
    return true
  }

  /// Reports the end of the wait, if the wait was reported.
  mutating func end() {
    guard isReported else { return }
    isReported = false
    report?.body(false)
  }

  mutating func forgetStop() {
    wasStopped = false
  }

  /// Returns the time to sleep: at first like SQLite's own busy handler, but never long enough to delay a cancelled access noticeably.
  private static func microseconds(_ attempt: Int32) -> UInt32 {
    switch attempt {
    case 0: 1_000
    case 1: 2_000
    case 2: 5_000
    default: 10_000
    }
  }
}

/// A closure that is called when a statement has waited for a lock for some time, and when the wait ends.
struct LockReport: Sendable {
  let delay: Duration
  let body: @Sendable (_ isWaiting: Bool) -> Void
}

extension Duration {
  /// The busy timeout of a connection that waits until it gets the lock, or until it is stopped.
  package static let untilStopped: Duration = .seconds(1 << 40)
}

/// The connections of a program that wait for locks of other connections.
///
///     let waits = LockWaits()
///     try waits.watch(queue, as: "reader")
///     waits.onChange { names in print("waiting: \(names)") }
package final class LockWaits: Sendable {
  /// The minimum duration of a reported wait.
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

  /// Watches a connection from now on, under a unique name.
  ///
  /// - Throws: `SQLITE_MISUSE` inside an access of the queue.
  package func watch(_ queue: DatabaseQueue, as name: String) throws {
    state.withLock { $0.watched[name] = Watched(queue: queue) }
    try queue.withoutTransaction { db in
      db.reportLockWaits(after: Self.delay) { [weak self] isWaiting in self?.note(name, isWaiting: isWaiting) }
    }
  }

  /// Calls `body` with the names of the waiting connections whenever they change.
  package func onChange(_ body: @escaping @Sendable (Set<String>) -> Void) {
    state.withLock { $0.onChange = body }
  }

  /// Records a wait for a connection that cannot be opened yet, or the end of such a wait.
  package func note(_ name: String, isWaiting: Bool) {
    // Inside the mutex, so that changes are reported in order.
    state.withLock { state in
      guard state.watched[name, default: Watched()].isWaiting != isWaiting else { return }
      state.watched[name, default: Watched()].isWaiting = isWaiting
      state.onChange?(state.names)
    }
  }

  /// Stops all waits, including those too short to be reported; they throw `SQLITE_INTERRUPT`.
  package func stopAll() {
    let queues = state.withLock { state in state.watched.values.compactMap(\.queue) }
    for queue in queues { queue.interrupt() }
  }
}
