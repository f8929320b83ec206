internal import CNcurses

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The signals that the program meets while it has the terminal.
enum Signals {
  /// Those that are told to the main loop through the pipe.
  private static let told: [Int32] = [SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP]

  /// Remembers what the signals do now; before ncurses changes it.
  static func remember() {
    let scene = HandlerScene.make()
    for number in told + FatalSignals.others { sigaction(number, nil, scene.pointee.previous + Int(number)) }
    FatalSignals.handleCrashes()
  }

  /// Takes the signals: from now on one that ends the program writes `restoring` to the terminal and gives it back its `modes` first.
  static func take(pipe: Descriptor, output: Descriptor, restoring: [UInt8], modes: termios) {
    let scene = HandlerScene.make()
    scene.pointee.pipe = pipe.number
    scene.pointee.output = output.number
    setRestoring(restoring)
    scene.pointee.modes = modes
    tcgetattr(output.number, &scene.pointee.ownModes)
    scene.pointee.flags = fcntl(output.number, F_GETFL) & ~O_NONBLOCK
    for number in told where !isIgnored(number, in: scene) { quarry_handle_signal(number, tellMainLoop, Int32(SA_RESTART), nil) }
    for number in FatalSignals.others where !isIgnored(number, in: scene) { FatalSignals.handle(number) }
  }

  /// Changes what a crash writes to the terminal.
  static func setRestoring(_ bytes: [UInt8]) {
    let scene = HandlerScene.make()
    scene.pointee.restoringCount = 0
    let count = min(bytes.count, HandlerScene.longestRestoring)
    scene.pointee.restoring.update(from: bytes, count: count)
    scene.pointee.restoringCount = count
  }

  /// Gives the signals back to what they did before ``remember()``, but for those of a crash, which is told of to the end.
  static func giveBack() {
    guard let scene = HandlerScene.shared else { return }
    scene.pointee.hasTerminal = false
    for number in told + FatalSignals.others { sigaction(number, scene.pointee.previous + Int(number), nil) }
  }

  /// Does what a stop signal does by default, to this process or to all of its job; returns when it goes on.
  static func stop(wholeJob: Bool) {
    // To the whole job, as ^Z does: a shell script that runs the program must stop with it.
    withDefaultStop { _ = wholeJob ? kill(0, SIGTSTP) : raise(SIGTSTP) }
  }

  /// Lets a stop signal do what it does by default while `body` runs.
  static func withDefaultStop<Value>(_ body: () -> Value) -> Value {
    var handled = sigaction()
    quarry_handle_signal(SIGTSTP, nil, 0, &handled)
    defer { sigaction(SIGTSTP, &handled, nil) }
    return body()
  }

  /// Makes the terminal what it was without waiting for it: it takes no bytes, or another job has it.
  static func restoreTerminal() {
    HandlerScene.shared.map(HandlerScene.restore)
  }

  /// A crash leaves the terminal as it was only while the program has it.
  static func setHasTerminal(_ hasTerminal: Bool) {
    HandlerScene.shared?.pointee.hasTerminal = hasTerminal
  }

  /// The main loop has heard of the signals that asked the program to end.
  static func acknowledgeEnding() {
    HandlerScene.shared?.pointee.endingsUnheard = 0
  }

  static func isIgnored(_ number: Int32, in scene: UnsafeMutablePointer<HandlerScene>) -> Bool {
    quarry_is_ignored(scene.pointee.previous + Int(number)) != 0
  }

  private static let tellMainLoop: @convention(c) (Int32) -> Void = { number in
    guard let scene = HandlerScene.shared else { return }
    let saved = errno
    if number == SIGINT || number == SIGTERM || number == SIGHUP {
      scene.pointee.endingsUnheard += 1
      // The main loop has not heard the last one: what asks again wants an end now.
      if scene.pointee.endingsUnheard > 1 {
        HandlerScene.restore(scene)
        quarry_handle_signal(number, nil, 0, nil)
        raise(number)
      }
    }
    quarry_put_byte(scene.pointee.pipe, UInt8(truncatingIfNeeded: number))
    errno = saved
  }
}
