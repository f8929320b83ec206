internal import Libc
import Synchronization

/// The threads on which the tasks of the program run.
///
/// Swift's own threads end while they are idle. If the system refuses a new one later, each thread that begins or resumes a task waits for it,
/// even the thread of the screen. These threads are started once and never end, so a task needs no new thread.
///
/// ```swift
/// Task(executorPreference: TaskThreads.shared) { try await count() }
/// ```
///
/// Child tasks inherit the threads. An unstructured task does not.
package final class TaskThreads: TaskExecutor {
  private struct State {
    /// The jobs that wait for a thread.
    var jobs: ArraySlice<UnownedJob> = []
    /// The idle threads, each of which waits until its value is true.
    var idle: [Monitor<Bool>] = []
    /// Whether an idle thread has been woken and has not run yet.
    var isWaking = false

    /// Returns the idle thread to wake, if there is work for it.
    ///
    /// Only one is woken at a time: a thread that is already running often takes the job first.
    mutating func threadToWake() -> Monitor<Bool>? {
      guard !jobs.isEmpty, !isWaking, let thread = idle.popLast() else { return nil }
      isWaking = true
      return thread
    }
  }

  private static let started = Result { () throws(ThreadError) in try TaskThreads() }

  /// The threads, started by the first use; nil for Swift's own threads if the system refuses to start any.
  package static let shared = try? started.get()

  /// The least number of threads.
  ///
  /// A task may occupy one for some time, for example to compute or to write a file.
  private static let leastCount = 4

  let pauses = TaskPauses()
  private let state = Mutex(State())

  /// Starts the threads, unless this has been done.
  package static func start() throws(ThreadError) {
    _ = try started.get()
  }

  /// Starts one thread for pauses, and as many for tasks as the system allows, but at least one.
  private init() throws(ThreadError) {
    _ = try WorkerThread { [pauses] in
      Self.blockSignals()
      pauses.run()
    }
    _ = try WorkerThread { self.run() }
    let count = max(Self.leastCount, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    for _ in 1..<count where (try? WorkerThread { self.run() }) == nil { break }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = state.withLock { state in
      state.jobs.append(job)
      return state.threadToWake()
    }
    thread?.change { $0 = true }
  }

  private func run() {
    Self.blockSignals()
    let wake = Monitor(false)
    var isWoken = false
    while true {
      let (job, thread) = state.withLock { state in
        if isWoken { state.isWaking = false }
        let job = state.jobs.popFirst()
        if job == nil { state.idle.append(wake) }
        return (job, state.threadToWake())
      }
      thread?.change { $0 = true }
      isWoken = job == nil
      if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else { wake.wait { $0 ? ($0 = false) : nil } }
    }
  }

  /// Leaves the signals that the program receives to the main thread, which may be waiting for them.
  private static func blockSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
