internal import CNcurses
internal import Libc

/// The handling of signals while the program controls the terminal.
package enum Signals {
  /// The signals reported to the main loop through the pipe.
  private static let reported: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP]

  /// Takes over the signals, and the terminal, before ncurses does.
  ///
  /// A signal that ends the program then first writes `restoring` to the terminal and restores its `modes`.
  static func take(pipe: Descriptor, output: Descriptor, restoring: [UInt8], modes: termios) {
    let state = SignalState.make()
    for number in reported + FatalSignals.others { sigaction(number, nil, state.pointee.previous + Int(number)) }
    FatalSignals.handleCrashes()
    state.pointee.pipe = pipe.number
    state.pointee.output = output.number
    state.pointee.owner = pthread_self()
    setRestoring(restoring)
    (state.pointee.modes, state.pointee.ownModes) = (modes, modes)
    state.pointee.hasTerminal = true
    state.pointee.flags = fcntl(output.number, F_GETFL) & ~O_NONBLOCK
    for number in reported where !isIgnored(number, in: state) { quarry_handle_signal(number, notifyMainLoop, Int32(SA_RESTART), nil) }
    for number in FatalSignals.others where !isIgnored(number, in: state) { FatalSignals.handle(number) }
  }

  /// Notes the current line modes as those of the program.
  static func noteOwnModes() {
    guard let state = SignalState.shared else { return }
    tcgetattr(state.pointee.output, &state.pointee.ownModes)
  }

  /// Changes the bytes that a crash writes to the terminal.
  static func setRestoring(_ bytes: [UInt8]) {
    let state = SignalState.make()
    state.pointee.restoringCount = 0
    let count = min(bytes.count, SignalState.longestRestoring)
    state.pointee.restoring.update(from: bytes, count: count)
    state.pointee.restoringCount = count
  }

  /// Restores the signal handlers saved by ``remember()``, except those of crashes, which remain handled until the end.
  static func giveBack() {
    guard let state = SignalState.shared else { return }
    state.pointee.hasTerminal = false
    state.pointee.owner = nil
    for number in reported + FatalSignals.others { sigaction(number, state.pointee.previous + Int(number), nil) }
  }

  /// Stops this process or its whole job like the default action of a stop signal.
  ///
  /// Returns when the process continues.
  static func stop(wholeJob: Bool) {
    // ^Z stops the whole job: a shell script that runs the program must stop with it.
    withDefaultStop { _ = wholeJob ? kill(0, SIGTSTP) : raise(SIGTSTP) }
  }

  /// Restores the default action of a stop signal while `body` runs.
  static func withDefaultStop<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    var handled = sigaction()
    quarry_handle_signal(SIGTSTP, nil, 0, &handled)
    defer { sigaction(SIGTSTP, &handled, nil) }
    return try body()
  }

  /// Makes ^C and ^\ have no effect on this process while `body` runs.
  ///
  /// A program started by `body` receives them.
  ///
  /// They are handled rather than ignored, because a child process inherits ignored signals.
  package static func withoutInterrupts<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let handled = [SIGINT, SIGQUIT].map { number in
      var previous = sigaction()
      quarry_handle_signal(number, doNothing, Int32(SA_RESTART), &previous)
      // Signals that the shell has set to be ignored remain ignored, also in child processes.
      if quarry_is_ignored(&previous) != 0 { sigaction(number, &previous, nil) }
      return (number, previous)
    }
    defer {
      for (number, previous) in handled {
        var previous = previous
        sigaction(number, &previous, nil)
      }
    }
    return try body()
  }

  private static let doNothing: @convention(c) (Int32) -> Void = { _ in }

  /// Resumes output to the terminal after ^S, which another program may have enabled.
  ///
  /// Does not wait, whereas ncurses could wait forever.
  static func restartOutput() {
    guard let state = SignalState.shared, state.pointee.output >= 0 else { return }
    _ = withUnsafePointer(to: &state.pointee.ownModes) { tcsetattr(state.pointee.output, TCSANOW, $0) }
    tcflow(state.pointee.output, TCOON)
  }

  /// Restores the terminal without waiting for it, because it accepts no output or another job controls it.
  static func restoreTerminal() {
    SignalState.shared.map(SignalState.restore)
  }

  /// Restores the line modes of the shell after ncurses, which has set those of ``keepOutput()``.
  static func restoreLine() {
    SignalState.shared.map(SignalState.restoreLine)
  }

  /// Sets line modes in which ^C and ^Z do not discard output, for ncurses to take for those of the shell.
  static func keepOutput() {
    SignalState.shared.map(SignalState.keepOutput)
  }

  /// Sets whether the program controls the terminal, so that a crash restores it.
  static func setHasTerminal(_ hasTerminal: Bool) {
    SignalState.shared?.pointee.hasTerminal = hasTerminal
  }

  /// Notes that the main loop has seen the signals that asked the program to exit.
  static func acknowledgeEnding() {
    SignalState.shared?.pointee.endingsUnheard = 0
  }

  static func isIgnored(_ number: Int32, in state: UnsafeMutablePointer<SignalState>) -> Bool {
    quarry_is_ignored(state.pointee.previous + Int(number)) != 0
  }

  private static let notifyMainLoop: @convention(c) (Int32) -> Void = { number in
    guard let state = SignalState.shared else { return }
    let saved = errno
    defer { errno = saved }
    let isEnding = number == SIGINT || number == SIGTERM || number == SIGHUP
    if isEnding, SignalState.passToOwner(number, state) { return }
    // A handler that this one interrupts must not be cut short.
    guard state.pointee.ending == nil else { return }
    if isEnding {
      state.pointee.endingsUnheard += 1
      // The main loop has not handled the previous signal, so a second one ends the program at once.
      if state.pointee.endingsUnheard > 1, !state.pointee.isRestoring, SignalState.beginEnding(number, state) {
        SignalState.restore(state)
        quarry_handle_signal(number, nil, 0, nil)
        SignalState.end(by: number)
      }
    }
    quarry_put_byte(state.pointee.pipe, UInt8(truncatingIfNeeded: number))
  }
}
