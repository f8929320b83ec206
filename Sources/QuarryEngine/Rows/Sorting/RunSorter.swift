internal import Dispatch
internal import Synchronization

/// Sorts runs on a thread of its own, while the next one is being read.
final class RunSorter: Sendable {
  private let queue = DispatchQueue(label: "quarry.sort", qos: .userInitiated)
  private let runs = Mutex<[SortedRun]>([])

  func add(_ run: SortedRun) {
    queue.async { [self] in
      run.sort()
      runs.withLock { $0.append(run) }
    }
  }

  /// The runs, when all of them are sorted.
  func finish() -> [SortedRun] {
    queue.sync {}
    return runs.withLock { runs in
      defer { runs = [] }
      return runs
    }
  }
}
