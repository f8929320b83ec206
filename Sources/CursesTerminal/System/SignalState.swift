internal import CNcurses
internal import Libc

/// The state used by signal handlers: plain memory, allocated before they are installed and never freed.
struct SignalState {
  static let longestRestoring = 1024
  /// The size of arrays indexed by signal number.
  static let signalCount = 65
  static let stackSize = 64 * 1024
  static let longestSaved = 1024

  var pipe: Int32 = -1
  var output: Int32 = -1
  var hasTerminal = false
  var handlesCrashes = false
  var endingsUnheard = 0
  /// The thread that writes to the terminal, or nil.
  var owner: pthread_t?
  /// The thread in which a handler ends the program, or nil.
  var ending: pthread_t?
  /// Whether the owner waits in a handler for the end of the program.
  var isOwnerWaiting = false
  /// Whether the terminal is being restored, which no signal may cut short.
  var isRestoring = false
  /// The signal that ends the program once the terminal is restored, or 0.
  var postponed: Int32 = 0
  var restoringCount = 0
  /// The line modes of the terminal, as set by the shell and by the program.
  var modes = termios()
  var ownModes = termios()
  /// The flags of the terminal's descriptor as set by the shell.
  var flags: Int32 = 0
  let restoring = UnsafeMutablePointer<UInt8>.allocate(capacity: longestRestoring)
  let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: signalCount)
  /// The notice for each signal that ends the program.
  let notices = UnsafeMutablePointer<UnsafeBufferPointer<UInt8>>.allocate(capacity: signalCount)
  /// Room for two ends of notices: the current one, and the next one.
  let ends = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * longestSaved)
  /// The length of the current end, and in the lowest bit its number.
  ///
  /// A handler reads both at once.
  var end = 0
  let stack = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)

  // A handler interrupts any thread and cannot take a lock. The pointer is set once, before the first handler is installed.
  nonisolated(unsafe) static var shared: UnsafeMutablePointer<SignalState>?

  static func make() -> UnsafeMutablePointer<SignalState> {
    if let shared { return shared }
    let state = UnsafeMutablePointer<SignalState>.allocate(capacity: 1)
    state.initialize(to: SignalState())
    state.pointee.previous.initialize(repeating: sigaction(), count: signalCount)
    state.pointee.notices.initialize(repeating: UnsafeBufferPointer(start: nil, count: 0), count: signalCount)
    shared = state
    // A program that ends by exit() runs no deinit.
    atexit { SignalState.shared.map(SignalState.restore) }
    return state
  }
}

// MARK: - Signal handlers

/// Only calls that are allowed in a signal handler, without memory allocation.
extension SignalState {
  /// Passes a signal on to the owner of the terminal, and returns false in the owner itself.
  ///
  /// The system may choose any thread. If another one restored the terminal, the owner could still write to it.
  static func passToOwner(_ number: Int32, _ state: UnsafeMutablePointer<SignalState>) -> Bool {
    guard let owner = state.pointee.owner, !isThisThread(owner) else { return false }
    return pthread_kill(owner, number) == 0
  }

  /// Makes the calling thread the one that ends the program, and stops the owner of the terminal.
  ///
  /// Waits forever if another thread ends the program. Returns false if this thread does already.
  static func beginEnding(_ number: Int32, _ state: UnsafeMutablePointer<SignalState>) -> Bool {
    if isEndedByAnother(state) {
      if let owner = state.pointee.owner, isThisThread(owner) { state.pointee.isOwnerWaiting = true }
      while true { pause() }
    }
    if isEndedHere(state) { return false }
    state.pointee.ending = pthread_self()
    // Other threads receive the next signals, and wait.
    setBlocked(SIG_BLOCK) { sigfillset(&$0) }
    guard passToOwner(number, state) else { return true }
    // An owner that cannot run is not waited for.
    for _ in 0..<100 where !state.pointee.isOwnerWaiting { _ = poll(nil, 0, 10) }
    return true
  }

  /// Sends the calling thread a signal even while signals are blocked, to end the program.
  static func end(by number: Int32) {
    setBlocked(SIG_UNBLOCK) {
      sigemptyset(&$0)
      sigaddset(&$0, number)
    }
    raise(number)
  }

  private static func setBlocked(_ how: Int32, _ choose: (inout sigset_t) -> Void) {
    var signals = sigset_t()
    choose(&signals)
    pthread_sigmask(how, &signals, nil)
  }

  static func isEndedByAnother(_ state: UnsafeMutablePointer<SignalState>) -> Bool { state.pointee.ending != nil && !isEndedHere(state) }

  private static func isEndedHere(_ state: UnsafeMutablePointer<SignalState>) -> Bool { state.pointee.ending.map(isThisThread) ?? false }

  private static func isThisThread(_ thread: pthread_t) -> Bool { pthread_equal(thread, pthread_self()) != 0 }

  /// Restores the terminal.
  ///
  /// Gives up after a short time if the terminal accepts no output.
  static func restore(_ state: UnsafeMutablePointer<SignalState>) {
    guard state.pointee.hasTerminal else { return }
    state.pointee.hasTerminal = false
    state.pointee.isRestoring = true
    restoreModes(state)
    state.pointee.isRestoring = false
    let postponed = state.pointee.postponed
    state.pointee.postponed = 0
    if postponed != 0, !isEndedHere(state) { raise(postponed) }
  }

  private static func restoreModes(_ state: UnsafeMutablePointer<SignalState>) {
    write(state.pointee.restoring, count: state.pointee.restoringCount, to: state.pointee.output)
    _ = fcntl(state.pointee.output, F_SETFL, state.pointee.flags)
    // Another process that has taken over the terminal meanwhile, such as the shell of a stopped job, has already set its modes.
    guard isForeground(state.pointee.output) || hasOwnModes(state) else { return }
    restoreLine(state)
  }

  /// Restores the line modes of the shell, after the terminal has had time to read the bytes before them.
  ///
  /// In these modes, a ^C or ^Z that was typed before discards what the terminal has not read, unless a flag forbids it. The end of a program
  /// that has no shell discards it too.
  static func restoreLine(_ state: UnsafeMutablePointer<SignalState>) {
    evenInBackground {
      keepOutput(state)
      _ = poll(nil, 0, timeToRead)
      _ = withUnsafePointer(to: &state.pointee.modes) { tcsetattr(state.pointee.output, TCSANOW, $0) }
    }
  }

  /// The time in which a terminal reads what was written to it, in milliseconds.
  private static let timeToRead: Int32 = 20

  /// Sets the line modes of the shell, but so that ^C and ^Z do not discard output.
  static func keepOutput(_ state: UnsafeMutablePointer<SignalState>) {
    var modes = state.pointee.modes
    modes.c_lflag |= tcflag_t(NOFLSH)
    tcsetattr(state.pointee.output, TCSANOW, &modes)
  }

  /// Reports to the user which signal ended the program.
  static func say(_ state: UnsafeMutablePointer<SignalState>, _ number: Int32) {
    let notice = state.pointee.notices[Int(number)]
    guard let start = notice.baseAddress else { return }
    let flags = fcntl(STDERR_FILENO, F_GETFL)
    write(start, count: notice.count, to: STDERR_FILENO)
    let end = state.pointee.end
    write(state.pointee.ends + (end & 1) * longestSaved, count: end >> 1, to: STDERR_FILENO)
    if flags >= 0 { _ = fcntl(STDERR_FILENO, F_SETFL, flags) }
  }

  /// Returns whether the program's job is in the foreground.
  ///
  /// A background job is stopped when it changes the terminal's modes.
  static func isForeground(_ terminal: Int32) -> Bool {
    let group = tcgetpgrp(terminal)
    return group < 0 || group == getpgrp()
  }

  /// Runs `body` without being stopped when it changes the terminal from the background.
  static func evenInBackground(_ body: () -> Void) {
    var (stopping, before) = (sigset_t(), sigset_t())
    sigemptyset(&stopping)
    sigaddset(&stopping, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &stopping, &before)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static func hasOwnModes(_ state: UnsafeMutablePointer<SignalState>) -> Bool {
    var present = termios()
    guard tcgetattr(state.pointee.output, &present) == 0 else { return false }
    return present.c_lflag == state.pointee.ownModes.c_lflag && present.c_iflag == state.pointee.ownModes.c_iflag
      && present.c_oflag == state.pointee.ownModes.c_oflag
  }

  /// Writes as much as the reader accepts, until it has accepted nothing for three seconds.
  ///
  /// On a busy machine it may be late. Each other signal ends a wait early, so waits are not counted.
  private static func write(_ bytes: UnsafePointer<UInt8>, count: Int, to descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var (done, lastProgress) = (0, seconds)
    while done < count, seconds - lastProgress <= 3 {
      let written = quarry_write(descriptor, bytes + done, count - done)
      if written > 0 {
        (done, lastProgress) = (done + written, seconds)
      } else if written < 0, errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, 100)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// The full seconds of the monotonic clock.
  private static var seconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }
}
