import QuarryEngine
import QuarrySources

/// Waits for locks: the pane of rows times them, since it is always there.
extension RowsContext {
  /// Takes note of who is waited for; nil where nobody is any more.
  mutating func note(_ wait: LockWait?) {
    let isWaiting = workspace.source.lockWait != nil
    workspace.source.lockWait = wait
    guard wait != nil else { return supersede(TimeLockWait.slot) }
    guard !isWaiting else { return }
    ask(
      TimeLockWait(),
      reported: { _, context, time in
        if context.workspace.source.lockWait != nil { context.workspace.source.lockWaitTime = time }
      }, then: { _, _, _ in })
  }
}

/// Tells how long a lock has been waited for, until the wait is over.
struct TimeLockWait: Request {
  static let slot = RequestSlot("lock wait")

  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "waiting", urgency: .background) }

  func run(in services: Services, report: @escaping @Sendable (Duration) -> Void) async throws -> Never {
    // A wait is told of when it has lasted for some time.
    let start = services.now() - LockWaits.delay
    while true {
      try await Task.sleep(for: .milliseconds(500))
      report(services.now() - start)
    }
  }
}
