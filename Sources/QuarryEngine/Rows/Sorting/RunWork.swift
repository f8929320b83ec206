internal import Synchronization

/// Something that is done with each of several runs, a run being a part of the work.
final class RunWork: ParallelScan {
  private let left: Mutex<[SortedRun]>
  private let body: @Sendable (SortedRun) -> Void
  let isLarge: Bool

  init(_ runs: [SortedRun], _ body: @escaping @Sendable (SortedRun) -> Void) {
    left = Mutex(runs)
    self.body = body
    isLarge = runs.count > 1
  }

  func work(in database: Database) throws {
    while let run = left.withLock({ $0.popLast() }) {
      try database.cancellation?.check()
      body(run)
    }
  }

  func stop() {
    left.withLock { $0 = [] }
  }
}
