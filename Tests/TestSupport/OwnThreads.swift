import Foundation

/// Runs what tasks have to do on threads of its own: the ones that all tasks share may be held by other tests for minutes.
public final class OwnThreads: TaskExecutor {
  private let queue = OperationQueue()

  /// - Parameter count: How many threads there are at most.
  public init(_ count: Int) {
    queue.maxConcurrentOperationCount = count
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
