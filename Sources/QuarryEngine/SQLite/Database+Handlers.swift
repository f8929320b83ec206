internal import CSQLite

/// A closure that is called from time to time while a statement runs.
struct ProgressReport {
  let steps: Int32
  let shouldStop: () -> Bool
  /// The number of instructions since the last call.
  var passed: Int32 = 0

  /// Counts instructions; returns whether the closure must be called.
  mutating func isDue(after steps: Int32) -> Bool {
    passed &+= steps
    guard passed >= self.steps else { return false }
    passed = 0
    return true
  }
}

/// A check whether a statement has blocked writers for too long.
struct LateCheck {
  let steps: Int32
  let isLate: () -> Bool
}

extension Database {
  /// The number of instructions between two checks for cancellation, which take some tens of microseconds.
  private static let stepsBetweenChecks: Int32 = 1000

  func installHandlers() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_busy_handler(connection, handleBusy, context)
    installProgressHandler()
    installAuthorizer()
  }

  /// Installs the handler for what is to be checked now, unless the connection is closed.
  func installProgressHandler() {
    guard !isClosed else { return }
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(connection, stepsBetweenCalls, handleProgress, context)
  }

  /// The number of instructions between two calls of the handler.
  private var stepsBetweenCalls: Int32 {
    let steps = progress?.steps ?? Self.stepsBetweenChecks
    return lateCheck.map { min($0.steps, steps) } ?? steps
  }

  /// Calls `shouldStop` at intervals of virtual machine instructions while `body` runs; if it returns true, the running statement throws
  /// `SQLITE_INTERRUPT`.
  ///
  /// ```swift
  /// var checks = 0
  /// let count = try db.withProgress(every: 10_000, { checks += 1; return checks > 100 }) {
  ///   try Int.fetchOne(db, sql: "SELECT count(*) FROM events")
  /// }
  /// ```
  ///
  /// The handler must not use the database. A nested handler replaces the outer one until it ends. The corresponding C function is
  /// `sqlite3_progress_handler`.
  ///
  /// - Throws: Any error of `body`.
  public func withProgress<Value>(
    every steps: Int, _ shouldStop: () -> Bool, during body: () throws -> Value
  ) throws -> Value {
    try checkAccess()
    return try withoutActuallyEscaping(shouldStop) { shouldStop in
      let outer = progress
      progress = ProgressReport(steps: Int32(clamping: max(1, steps)), shouldStop: shouldStop)
      installProgressHandler()
      defer {
        progress = outer
        installProgressHandler()
      }
      return try body()
    }
  }

  fileprivate func shouldStop() -> Bool {
    // A running statement has its lock.
    if busyWait.isReported { busyWait.end() }
    if cancellation?.isCancelled == true || lateCheck?.isLate() == true { return true }
    let steps = stepsBetweenCalls
    guard let shouldStop = progress?.shouldStop, progress?.isDue(after: steps) == true else { return false }
    return shouldStop()
  }

  fileprivate func waitForLock(attempt: Int32) -> Bool {
    busyWait.wait(attempt: attempt, cancellation: cancellation, interruption: interruption)
  }
}

extension Database {
  /// Calls `report` with true when a statement has waited longer than `delay` for a lock of another connection, and with false when that
  /// wait ends.
  ///
  /// It is called on the connection's thread, which it must not block.
  package func reportLockWaits(after delay: Duration, to report: @escaping @Sendable (_ isWaiting: Bool) -> Void) {
    busyWait.report = LockReport(delay: delay, body: report)
  }

  /// Runs `body` without waiting for locks: if another connection holds one, `SQLITE_BUSY` is thrown immediately.
  package func withoutWaiting<Value>(_ body: () throws -> Value) rethrows -> Value {
    let timeout = busyTimeout
    busyTimeout = .zero
    defer { busyTimeout = timeout }
    return try body()
  }

  /// The maximum time to wait for a lock of another connection; initially ``Configuration/busyTimeout``.
  ///
  /// ```swift
  /// db.busyTimeout = .milliseconds(200)
  /// ```
  ///
  /// After that, `SQLITE_BUSY` is thrown. The corresponding C function is `sqlite3_busy_handler`.
  public var busyTimeout: Duration {
    get { busyWait.timeout }
    set { busyWait.timeout = newValue }
  }
}

private func handleProgress(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  return Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
}

private func handleBusy(_ context: UnsafeMutableRawPointer?, _ attempt: Int32) -> Int32 {
  guard let context else { return 0 }
  return Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().waitForLock(attempt: attempt) ? 1 : 0
}
