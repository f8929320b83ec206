internal import QuarryEngine
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What ^C does while a verb runs: it stops the statement that runs, and where none does, or the second time, the program.
///
/// A thread of its own waits for the signal, since a signal handler may do next to nothing.
enum Interrupts {
  private struct State {
    var queue: DatabaseQueue?
    var wasRequested = false
  }

  private static let state = Mutex(State())

  /// Takes SIGINT over; to be called before any other thread is there.
  static func watch() {
    var signals = interruptOnly()
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    pthread_create(&thread, nil, waitForInterrupts, nil)
  }

  /// Lets an interrupt stop what runs on `queue`.
  static func stop(_ queue: DatabaseQueue) {
    state.withLock { $0.queue = queue }
  }

  /// Lets go of the queue, and so closes it: a transaction that is still open is rolled back in order, and leaves no journal.
  static func forget() {
    state.withLock { $0.queue = nil }
  }

  /// - Throws: `Failure` where an interrupt was asked for that no statement has noticed.
  static func check() throws {
    if state.withLock({ $0.wasRequested }) { throw Failure(status: .interrupted, message: nil) }
  }

  fileprivate static func interrupt() {
    let queue = state.withLock { state -> DatabaseQueue? in
      defer { state.wasRequested = true }
      return state.wasRequested ? nil : state.queue
    }
    guard let queue else { _exit(ExitStatus.interrupted.rawValue) }
    queue.interrupt()
  }
}

private func interruptOnly() -> sigset_t {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGINT)
  return signals
}

/// The thread's whole life, in the shape that `pthread_create` asks for.
private func waitForInterrupts(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var signals = interruptOnly()
  var number: Int32 = 0
  while sigwait(&signals, &number) == 0 { Interrupts.interrupt() }
  return nil
}
