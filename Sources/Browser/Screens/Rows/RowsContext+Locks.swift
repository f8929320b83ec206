import QuarryEngine
import QuarrySources

/// Lock waits: the pane of rows measures them, because it is always open.
extension RowsContext {
  /// Records the current lock wait; nil for none.
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

/// A request that reports the duration of a lock wait until it has ended.
struct TimeLockWait: Request {
  static let slot = RequestSlot("lock wait")

  var slot: RequestSlot? { Self.slot }
  var activity: Activity? { Activity(name: "waiting", urgency: .background) }

  func run(in services: Services, report: @escaping @Sendable (Duration) -> Void) async throws -> Never {
    // A wait is only reported after this delay.
    let start = services.now() - LockWaits.delay
    while true {
      try await Task.pause(for: .milliseconds(500))
      report(services.now() - start)
    }
  }
}
