internal import CSQLite

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Waiting for a lock that another connection holds, until the time is over or the work is no longer wanted.
struct BusyWait {
  var timeout: Duration
  /// Who is told of long waits; nil for nobody.
  var report: LockReport?
  /// Whether a wait has been told of, and its end has not.
  private(set) var isReported = false
  private var start = ContinuousClock.now
  private var interruptions = 0
  /// Whether the last wait ended because the work was stopped, and not by time.
  private(set) var wasStopped = false

  init(timeout: Duration) {
    self.timeout = timeout
  }

  /// Sleeps a little; false when it is time to give up.
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

  /// Tells that the wait is over, where it has been told of.
  mutating func end() {
    guard isReported else { return }
    isReported = false
    report?.body(false)
  }

  mutating func forgetStop() {
    wasStopped = false
  }

  /// As SQLite's own busy handler at first, but never so long that a cancelled access would be felt.
  private static func microseconds(_ attempt: Int32) -> UInt32 {
    switch attempt {
    case 0: 1_000
    case 1: 2_000
    case 2: 5_000
    default: 10_000
    }
  }
}

/// A closure that is told when a statement has waited for a lock for so long, and when it waits no more.
struct LockReport: Sendable {
  let delay: Duration
  let body: @Sendable (_ isWaiting: Bool) -> Void
}

extension Duration {
  /// The busy timeout of a connection that waits until it gets the lock, or until somebody stops it.
  package static let untilStopped: Duration = .seconds(1 << 40)
}

extension Database {
  /// Calls `report` with true when a statement has waited for another connection's lock for longer than `delay`, and with false when that
  /// wait has ended; on the connection's thread, which it must not block.
  package func reportLockWaits(after delay: Duration, to report: @escaping @Sendable (_ isWaiting: Bool) -> Void) {
    busyWait.report = LockReport(delay: delay, body: report)
  }

  /// Runs `body` with no wait for locks: where another connection holds one, `SQLITE_BUSY` is thrown at once.
  func withoutWaiting<Value>(_ body: () throws -> Value) rethrows -> Value {
    let timeout = busyTimeout
    busyTimeout = .zero
    defer { busyTimeout = timeout }
    return try body()
  }

  /// How long to wait for a lock that another connection holds; at first ``Configuration/busyTimeout``.
  ///
  /// ```swift
  /// db.busyTimeout = .milliseconds(200)
  /// ```
  ///
  /// When the time is over, `SQLITE_BUSY` is thrown. The corresponding C function is `sqlite3_busy_handler`.
  public var busyTimeout: Duration {
    get { busyWait.timeout }
    set { busyWait.timeout = newValue }
  }
}
