internal import Libc

/// A thread that runs the jobs of one actor, so that a blocking step of SQLite never occupies one of Swift's cooperative threads.
///
/// The thread starts with the first job and ends with ``stop()``. If it cannot be started, the thread that enqueues a job runs it.
final class ConnectionThread: SerialExecutor, Sendable {
  private struct State {
    var jobs: [UnownedJob] = []
    var isStarted = false
    var isStopped = false
  }

  private let state = Monitor(State())
  private let label: String
  private let runsAtLowPriority: Bool

  init(label: String, runsAtLowPriority: Bool) {
    self.label = label
    self.runsAtLowPriority = runsAtLowPriority
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Only the job retains the executor for the caller; the job may be done, and the executor released, before this returns.
    let executor = Unmanaged.passRetained(self)
    defer { executor.release() }
    let isFirst = state.change { state in
      state.jobs.append(job)
      defer { state.isStarted = true }
      return !state.isStarted
    }
    // The thread retains the executor, which therefore outlives it.
    guard isFirst else { return }
    do throws(ThreadError) {
      _ = try WorkerThread { self.run() }
    } catch {
      runHere()
    }
  }

  /// Runs the jobs on the calling thread, including those enqueued meanwhile; the next job tries again to start a thread.
  private func runHere() {
    while true {
      let batch = state.change { state in
        defer { (state.jobs, state.isStarted) = ([], !state.jobs.isEmpty) }
        return state.jobs
      }
      if batch.isEmpty { return }
      for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  /// Lets the thread end after its remaining jobs.
  func stop() {
    state.change { $0.isStopped = true }
  }

  private func run() {
    nameThread()
    if runsAtLowPriority { lowerPriority() }
    while let batch = nextJobs() {
      for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  /// Waits for jobs; nil if there will be no more.
  private func nextJobs() -> [UnownedJob]? {
    state.wait { state in
      if state.jobs.isEmpty { return state.isStopped ? .some(nil) : nil }
      defer { state.jobs = [] }
      return .some(state.jobs)
    }
  }

  /// Sets the thread's name for debuggers, if Swift can: glibc declares the function only for GNU sources.
  private func nameThread() {
    #if canImport(Darwin)
      pthread_setname_np(label)
    #endif
  }

  /// Gives precedence to threads on which a caller waits.
  private func lowerPriority() {
    #if canImport(Darwin)
      pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #else
      // `PRIO_PROCESS`, whose type differs between C libraries; on Linux it applies only to the calling thread.
      _ = setpriority(0, 0, 10)
    #endif
  }
}
