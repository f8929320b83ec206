internal import CNcurses
internal import Libc

/// The signals that the program meets while it has the terminal.
package enum Signals {
  /// Those that are reported to the main loop through the pipe.
  private static let reported: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP]

  /// Remembers what the signals do now; before ncurses changes it.
  static func remember() {
    let state = SignalState.make()
    for number in reported + FatalSignals.others { sigaction(number, nil, state.pointee.previous + Int(number)) }
    FatalSignals.handleCrashes()
  }

  /// Takes the signals: from now on one that ends the program writes `restoring` to the terminal and gives it back its `modes` first.
  static func take(pipe: Descriptor, output: Descriptor, restoring: [UInt8], modes: termios) {
    let state = SignalState.make()
    state.pointee.pipe = pipe.number
    state.pointee.output = output.number
    setRestoring(restoring)
    state.pointee.modes = modes
    tcgetattr(output.number, &state.pointee.ownModes)
    state.pointee.flags = fcntl(output.number, F_GETFL) & ~O_NONBLOCK
    for number in reported where !isIgnored(number, in: state) { quarry_handle_signal(number, notifyMainLoop, Int32(SA_RESTART), nil) }
    for number in FatalSignals.others where !isIgnored(number, in: state) { FatalSignals.handle(number) }
  }

  /// Changes what a crash writes to the terminal.
  static func setRestoring(_ bytes: [UInt8]) {
    let state = SignalState.make()
    state.pointee.restoringCount = 0
    let count = min(bytes.count, SignalState.longestRestoring)
    state.pointee.restoring.update(from: bytes, count: count)
    state.pointee.restoringCount = count
  }

  /// Restores what the signals did before ``remember()``, except those of a crash, which stay handled to the end.
  static func giveBack() {
    guard let state = SignalState.shared else { return }
    state.pointee.hasTerminal = false
    for number in reported + FatalSignals.others { sigaction(number, state.pointee.previous + Int(number), nil) }
  }

  /// Does what a stop signal does by default, to this process or to all of its job; returns when it goes on.
  static func stop(wholeJob: Bool) {
    // To the whole job, as ^Z does: a shell script that runs the program must stop with it.
    withDefaultStop { _ = wholeJob ? kill(0, SIGTSTP) : raise(SIGTSTP) }
  }

  /// Lets a stop signal do what it does by default while `body` runs.
  static func withDefaultStop<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    var handled = sigaction()
    quarry_handle_signal(SIGTSTP, nil, 0, &handled)
    defer { sigaction(SIGTSTP, &handled, nil) }
    return try body()
  }

  /// Lets ^C and ^\ do nothing to this process while `body` runs; a program that `body` starts gets them.
  ///
  /// They are handled and not ignored, since a program ignores what the one that starts it ignores.
  package static func withoutInterrupts<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let handled = [SIGINT, SIGQUIT].map { number in
      var previous = sigaction()
      quarry_handle_signal(number, doNothing, Int32(SA_RESTART), &previous)
      // What a shell has told the program to ignore stays ignored, by the programs that it starts too.
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

  /// Lets the terminal take bytes again after ^S, which a program had it obey; without waiting, as ncurses would for ever.
  static func restartOutput() {
    guard let state = SignalState.shared, state.pointee.output >= 0 else { return }
    _ = withUnsafePointer(to: &state.pointee.ownModes) { tcsetattr(state.pointee.output, TCSANOW, $0) }
    tcflow(state.pointee.output, TCOON)
  }

  /// Makes the terminal what it was without waiting for it: it takes no bytes, or another job has it.
  static func restoreTerminal() {
    SignalState.shared.map(SignalState.restore)
  }

  /// Sets whether the program has the terminal, which a crash then restores.
  static func setHasTerminal(_ hasTerminal: Bool) {
    SignalState.shared?.pointee.hasTerminal = hasTerminal
  }

  /// Notes that the main loop has seen the signals that asked the program to end.
  static func acknowledgeEnding() {
    SignalState.shared?.pointee.endingsUnheard = 0
  }

  static func isIgnored(_ number: Int32, in state: UnsafeMutablePointer<SignalState>) -> Bool {
    quarry_is_ignored(state.pointee.previous + Int(number)) != 0
  }

  private static let notifyMainLoop: @convention(c) (Int32) -> Void = { number in
    guard let state = SignalState.shared else { return }
    let saved = errno
    if number == SIGINT || number == SIGTERM || number == SIGHUP {
      state.pointee.endingsUnheard += 1
      // The main loop has not handled the previous signal: a second one ends the program at once.
      if state.pointee.endingsUnheard > 1 {
        SignalState.restore(state)
        quarry_handle_signal(number, nil, 0, nil)
        raise(number)
      }
    }
    quarry_put_byte(state.pointee.pipe, UInt8(truncatingIfNeeded: number))
    errno = saved
  }
}
