internal import Libc
internal import QuarryEngine
internal import Synchronization

/// The handling of ^C, SIGTERM and SIGHUP while a verb runs.
///
/// The signals interrupt the running statement, so that its transaction is rolled back before the program exits, and no journal remains
/// beside the database. The second ^C or SIGTERM exits at once. A second SIGHUP does not, because a closing terminal may send it twice. A
/// separate thread waits for the signals, because a signal handler may do very little.
enum Interrupts {
  private struct State {
    var queue: DatabaseQueue?
    /// Cancels work other than a statement.
    var cancel: (@Sendable () -> Void)?
    /// Whether the queue has been released and may still be rolling back.
    var isClosing = false
    /// The thread that writes output.
    var writer: pthread_t?
    /// The first signal that arrived.
    var signal: Int32?
    /// Whether a full screen handles the signals.
    var isGivenBack = false
  }

  private static let state = Mutex(State())

  /// Takes over the signals.
  ///
  /// Call this on the main thread before any other thread exists.
  static func watch() {
    var signals = watchedSignals()
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    installWaker()
    do throws(ThreadError) {
      _ = try WorkerThread { waitForInterrupts() }
    } catch {
      // The signals then end the program at once.
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
  }

  /// Makes an interrupt stop the statement that runs on `queue`.
  static func stop(_ queue: DatabaseQueue) {
    state.withLock { $0.queue = queue }
  }

  /// Makes an interrupt cancel work other than a statement.
  ///
  /// `cancel` may be called several times.
  static func end(by cancel: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancel = cancel }
  }

  /// Releases the queue and other work, and closes the queue.
  ///
  /// An open transaction is rolled back and leaves no journal.
  static func forget() {
    let queue = state.withLock { state in
      defer { (state.queue, state.cancel, state.isClosing) = (nil, nil, true) }
      return state.queue
    }
    try? queue?.close()
  }

  /// Leaves the signals to a full screen, which restores the terminal before it exits.
  ///
  /// Call this on the main thread.
  static func giveBack() {
    state.withLock { $0.isGivenBack = true }
    var signals = watchedSignals()
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Whether an interrupt was requested.
  static var haveCome: Bool { state.withLock { $0.signal != nil } }

  /// Checks for an interrupt.
  ///
  /// - Throws: `Failure` if an interrupt was requested that no statement has reported.
  static func check() throws {
    if haveCome { throw Failure(status: .interrupted, message: nil) }
  }

  /// Ends the program by SIGTERM or SIGHUP if it was stopped by one of them, so that the sender sees this.
  ///
  /// Returns for ^C.
  static func passOn() {
    guard let number = state.withLock(\.signal), number != SIGINT else { return }
    end(by: number)
  }

  /// Ends the program by a signal.
  static func end(by number: Int32) {
    signal(number, SIG_DFL)
    var signals = watchedSignals()
    raise(number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  fileprivate static func take(_ number: Int32) {
    if state.withLock(\.isGivenBack), let mainThread {
      pthread_kill(mainThread, number)
      return
    }
    let (before, isFirst) = state.withLock { state in
      defer { state.signal = state.signal ?? number }
      return (state, state.signal == nil)
    }
    if !isFirst {
      if number != SIGHUP { _exit(128 + number) }
    } else if before.queue != nil || before.cancel != nil {
      do throws(ThreadError) {
        _ = try WorkerThread { stopUntilForgotten() }
      } catch {
        stopUntilForgotten()
      }
    } else if !before.isClosing {
      // No database is open that would have to be closed.
      _exit(128 + number)
    }
  }

  /// Interrupts the queue and a blocked write until the queue is released.
  ///
  /// Once is not enough: an interrupt between two statements stops neither of them, and does not end a call that is about to block.
  fileprivate static func stopUntilForgotten() {
    while case let work = state.withLock(\.self), work.queue != nil || work.cancel != nil {
      work.queue?.interrupt()
      work.cancel?()
      wakeWriter()
      usleep(20_000)
    }
  }

  // MARK: Blocked writes

  /// The thread that writes if no other thread does.
  ///
  /// Set once, before any other thread exists.
  nonisolated(unsafe) private static var mainThread: pthread_t?

  /// Makes an interrupt end blocked writes of the calling thread.
  static func writing<Value>(_ body: () throws -> Value) rethrows -> Value {
    // A thread started by a Dispatch thread inherits its blocked signals.
    var waker = sigset_t()
    sigemptyset(&waker)
    sigaddset(&waker, SIGURG)
    pthread_sigmask(SIG_UNBLOCK, &waker, nil)
    state.withLock { $0.writer = pthread_self() }
    defer { state.withLock { $0.writer = mainThread } }
    return try body()
  }

  /// Makes SIGURG, which otherwise has no effect, end a blocking call.
  private static func installWaker() {
    mainThread = pthread_self()
    state.withLock { $0.writer = mainThread }
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in }
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = { _ in }
    #else
      action.__sigaction_handler.sa_handler = { _ in }
    #endif
    sigaction(SIGURG, &action, nil)
  }

  private static func wakeWriter() {
    // Inside the mutex, so that the thread cannot end meanwhile.
    state.withLock { state in
      if let writer = state.writer { pthread_kill(writer, SIGURG) }
    }
  }
}

private func watchedSignals() -> sigset_t {
  var signals = sigset_t()
  sigemptyset(&signals)
  for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
  return signals
}

private func waitForInterrupts() {
  var signals = watchedSignals()
  var number: Int32 = 0
  while sigwait(&signals, &number) == 0 { Interrupts.take(number) }
}
