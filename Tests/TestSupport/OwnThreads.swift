import Dispatch
import Foundation
import Synchronization

/// Runs tasks on its own threads as long as the tests run.
public final class OwnThreads: TaskExecutor {
  private let jobs = Mutex<ArraySlice<UnownedJob>>([])
  private let waiting = DispatchSemaphore(value: 0)

  /// Creates the threads.
  ///
  /// - Parameter count: The number of threads.
  public init(_ count: Int) {
    for _ in 0..<count {
      Thread { [self] in while true { runNext() } }.start()
    }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    waiting.signal()
  }

  private func runNext() {
    waiting.wait()
    jobs.withLock { $0.popFirst() }?.runSynchronously(on: asUnownedTaskExecutor())
  }
}
