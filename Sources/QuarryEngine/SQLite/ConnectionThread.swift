internal import Libc

/// A thread that runs the jobs of one actor, so that a step of SQLite that blocks never holds one of Swift's cooperative threads.
///
/// The thread starts with the first job and ends with ``stop()``. If it cannot be started, who brings a job runs it.
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
    // The caller holds the executor by the job only, which may be done, and the executor released, before this returns.
    let executor = Unmanaged.passRetained(self)
    defer { executor.release() }
    let isFirst = state.change { state in
      state.jobs.append(job)
      defer { state.isStarted = true }
      return !state.isStarted
    }
    // The thread keeps the executor, which therefore outlives it.
    guard isFirst else { return }
    do throws(ThreadError) {
      _ = try WorkerThread { self.run() }
    } catch {
      runHere()
    }
  }

  /// Runs the jobs on the calling thread, also those that come meanwhile; the next job tries again to start a thread.
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

  /// Lets the thread end once it has run what it was given.
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

  /// Waits for jobs; nil when there will be no more.
  private func nextJobs() -> [UnownedJob]? {
    state.wait { state in
      if state.jobs.isEmpty { return state.isStopped ? .some(nil) : nil }
      defer { state.jobs = [] }
      return .some(state.jobs)
    }
  }

  /// Tells debuggers the label, where Swift can: glibc shows the call to GNU's own sources only.
  private func nameThread() {
    #if canImport(Darwin)
      pthread_setname_np(label)
    #endif
  }

  /// Lets threads go first that somebody waits for.
  private func lowerPriority() {
    #if canImport(Darwin)
      pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #else
      // `PRIO_PROCESS`, which not every C library gives the type that it wants, and on Linux the calling thread alone.
      _ = setpriority(0, 0, 10)
    #endif
  }
}
