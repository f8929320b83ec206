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
    guard !wasStopped, ContinuousClock.now - start < timeout else { return false }
    usleep(Self.microseconds(attempt))
    return true
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

extension Database {
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
