import Foundation

/// Runs what a task has to do on threads of its own: the ones that tasks share may be held by other tests for minutes.
public final class OwnThread: TaskExecutor {
  public init() {}

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
