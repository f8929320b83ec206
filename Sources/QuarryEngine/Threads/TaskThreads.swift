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
    /// The idle threads, each of which waits for its next job.
    var idle: [Monitor<UnownedJob?>] = []
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
    _ = try WorkerThread { [pauses] in pauses.run() }
    _ = try WorkerThread { self.run() }
    let count = max(Self.leastCount, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    for _ in 1..<count where (try? WorkerThread { self.run() }) == nil { break }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = state.withLock { state in
      if state.idle.isEmpty { state.jobs.append(job) }
      return state.idle.popLast()
    }
    thread?.change { $0 = job }
  }

  private func run() {
    Self.blockSignals()
    let next = Monitor<UnownedJob?>(nil)
    while true {
      let waiting = state.withLock { state in
        if state.jobs.isEmpty { state.idle.append(next) }
        return state.jobs.popFirst()
      }
      let job = waiting ?? next.wait { $0.take() }
      job.runSynchronously(on: asUnownedTaskExecutor())
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
