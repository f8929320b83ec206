internal import Libc
internal import QuarryEngine
internal import Synchronization

/// What ^C, SIGTERM and SIGHUP do while a verb runs: they stop the statement that runs, so that its transaction is rolled back in order
/// before the program ends, and no journal is left beside the database.
///
/// The second ^C or SIGTERM ends the program at once; a terminal that goes may well send SIGHUP twice. A thread of its own waits for the
/// signals, since a signal handler may do next to nothing.
enum Interrupts {
  private struct State {
    var queue: DatabaseQueue?
    /// Ends work that no statement does.
    var cancel: (@Sendable () -> Void)?
    /// Whether the queue has been let go of, and may still be rolling back.
    var isClosing = false
    /// The thread that writes.
    var writer: pthread_t?
    /// The first signal that came.
    var signal: Int32?
  }

  private static let state = Mutex(State())

  /// Takes the signals over; to be called by the main thread, before any other thread is there.
  static func watch() {
    var signals = watchedSignals()
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    installWaker()
    do throws(ThreadError) {
      _ = try WorkerThread { waitForInterrupts() }
    } catch {
      // Then they end the program at once.
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
  }

  /// Lets an interrupt stop what runs on `queue`.
  static func stop(_ queue: DatabaseQueue) {
    state.withLock { $0.queue = queue }
  }

  /// Lets an interrupt end work that no statement does; `cancel` may be called several times.
  static func end(by cancel: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancel = cancel }
  }

  /// Lets go of other work and of the queue, and so closes it: a transaction that is still open is rolled back in order, and leaves no
  /// journal.
  static func forget() {
    let queue = state.withLock { state in
      defer { (state.queue, state.cancel, state.isClosing) = (nil, nil, true) }
      return state.queue
    }
    try? queue?.close()
  }

  /// Whether an interrupt was asked for.
  static var haveCome: Bool { state.withLock { $0.signal != nil } }

  /// Checks for an interrupt.
  ///
  /// - Throws: `Failure` where an interrupt was asked for that no statement has noticed.
  static func check() throws {
    if haveCome { throw Failure(status: .interrupted, message: nil) }
  }

  /// Ends the program by SIGTERM or SIGHUP, where one of them has stopped it, so that its sender sees that; for ^C returns.
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
      // Nothing is open yet that would have to be closed.
      _exit(128 + number)
    }
  }

  /// Stops what the queue runs and the write that waits for its reader, until the queue is let go of.
  ///
  /// Once is not enough: what comes between two statements stops neither, nor does it end a call that is just about to block.
  fileprivate static func stopUntilForgotten() {
    while case let work = state.withLock(\.self), work.queue != nil || work.cancel != nil {
      work.queue?.interrupt()
      work.cancel?()
      wakeWriter()
      usleep(20_000)
    }
  }

  // MARK: A write that waits for its reader

  /// The thread that writes where no other does; set once, before there is another thread.
  nonisolated(unsafe) private static var mainThread: pthread_t?

  /// Lets an interrupt end the writes of the calling thread that wait.
  static func writing<Value>(_ body: () throws -> Value) rethrows -> Value {
    // A thread that one of Dispatch's has started blocks signals as that one does.
    var waker = sigset_t()
    sigemptyset(&waker)
    sigaddset(&waker, SIGURG)
    pthread_sigmask(SIG_UNBLOCK, &waker, nil)
    state.withLock { $0.writer = pthread_self() }
    defer { state.withLock { $0.writer = mainThread } }
    return try body()
  }

  /// Makes SIGURG, which is otherwise of no consequence, end a call that blocks.
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
