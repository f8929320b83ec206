internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A thread that runs the jobs of one actor, so that a step of SQLite that blocks never holds one of Swift's cooperative threads.
///
/// The thread starts with the first job and ends with ``stop()``.
final class ConnectionThread: SerialExecutor, @unchecked Sendable {
  // Sendable because the mutex guards all that changes.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [UnownedJob] = []
  private var isStarted = false
  private var isStopped = false
  private let label: String
  private let givesWay: Bool

  init(label: String, givesWay: Bool) {
    self.label = label
    self.givesWay = givesWay
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The caller holds the executor by the job only, which may be done, and the executor released, before this returns.
    let executor = Unmanaged.passRetained(self)
    defer { executor.release() }
    withLock {
      jobs.append(job)
      if isStarted {
        pthread_cond_signal(condition)
      } else {
        start()
      }
    }
  }

  /// Lets the thread end once it has run what it was given.
  func stop() {
    withLock {
      isStopped = true
      pthread_cond_signal(condition)
    }
  }

  private func start() {
    isStarted = true
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // The thread keeps the executor, which therefore outlives it.
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(&thread, nil, runConnectionThread, context)
    precondition(code == 0, "no thread could be made for a database connection: error \(code)")
    #if !canImport(Darwin)
      pthread_detach(thread)
    #endif
  }

  fileprivate func run() {
    nameThread()
    if givesWay { lowerPriority() }
    while let batch = nextJobs() {
      for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  /// Waits for jobs; nil when there will be no more.
  private func nextJobs() -> [UnownedJob]? {
    withLock {
      while jobs.isEmpty {
        if isStopped { return nil }
        pthread_cond_wait(condition, mutex)
      }
      defer { jobs.removeAll(keepingCapacity: true) }
      return jobs
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

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}

#if canImport(Darwin)
  private func runConnectionThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ConnectionThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#else
  private func runConnectionThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ConnectionThread>.fromOpaque(context).takeRetainedValue().run() }
    return nil
  }
#endif
