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
  /// Those of a crash, after which nothing may be trusted but plain memory.
  private static let fatal: [Int32] = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS]
  private static let stackSize = 64 * 1024

  /// Remembers what the signals do now; before ncurses changes it.
  static func remember() {
    let scene = HandlerScene.make()
    for number in told + fatal { sigaction(number, nil, scene.pointee.previous + Int(number)) }
  }

  /// Takes the signals: from now on a crash writes `restoring` to the terminal and gives it back its `modes` first.
  static func take(pipe: Descriptor, output: Descriptor, restoring: [UInt8], modes: termios) {
    let scene = HandlerScene.make()
    scene.pointee.pipe = pipe.number
    scene.pointee.output = output.number
    setRestoring(restoring)
    scene.pointee.modes = modes
    useAlternateStack(of: scene)
    for number in told where !isIgnored(number, in: scene) { quarry_handle_signal(number, tellMainLoop, Int32(SA_RESTART), nil) }
    for number in fatal where !isIgnored(number, in: scene) { quarry_handle_signal(number, restoreAndDie, fatalFlags, nil) }
  }

  /// Changes what a crash writes to the terminal.
  static func setRestoring(_ bytes: [UInt8]) {
    let scene = HandlerScene.make()
    scene.pointee.restoringCount = 0
    let count = min(bytes.count, HandlerScene.longestRestoring)
    scene.pointee.restoring.update(from: bytes, count: count)
    scene.pointee.restoringCount = count
  }

  /// Gives the signals back to what they did before ``remember()``.
  static func giveBack() {
    guard let scene = HandlerScene.shared else { return }
    scene.pointee.hasTerminal = false
    for number in told + fatal { sigaction(number, scene.pointee.previous + Int(number), nil) }
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

  /// A crash leaves the terminal as it was only while the program has it.
  static func setHasTerminal(_ hasTerminal: Bool) {
    HandlerScene.shared?.pointee.hasTerminal = hasTerminal
  }

  /// The main loop has heard of the signals that asked the program to end.
  static func acknowledgeEnding() {
    HandlerScene.shared?.pointee.endingsUnheard = 0
  }

  private static var fatalFlags: Int32 { Int32(SA_ONSTACK) | Int32(truncatingIfNeeded: SA_NODEFER) }

  static func isIgnored(_ number: Int32, in scene: UnsafeMutablePointer<HandlerScene>) -> Bool {
    quarry_is_ignored(scene.pointee.previous + Int(number)) != 0
  }

  /// A handler of a stack overflow needs a stack of its own; one that is there already is kept.
  static func useAlternateStack(of scene: UnsafeMutablePointer<HandlerScene>) {
    var present = stack_t()
    guard sigaltstack(nil, &present) == 0, present.ss_flags & Int32(truncatingIfNeeded: SS_DISABLE) != 0 else { return }
    var stack = stack_t()
    stack.ss_sp = scene.pointee.stack
    stack.ss_size = stackSize
    sigaltstack(&stack, nil)
  }

  /// What handlers read and write: plain memory, made before they are installed and never freed.
  struct HandlerScene {
    static let longestRestoring = 1024
    private static let signalCount = 65

    var pipe: Int32 = -1
    var output: Int32 = -1
    var hasTerminal = false
    var endingsUnheard = 0
    var restoringCount = 0
    var modes = termios()
    let restoring = UnsafeMutablePointer<UInt8>.allocate(capacity: longestRestoring)
    let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: signalCount)
    let stack = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)

    // A handler interrupts whichever thread there is and can take no lock; the pointer is set once, before the first handler is installed.
    nonisolated(unsafe) static var shared: UnsafeMutablePointer<HandlerScene>?

    static func make() -> UnsafeMutablePointer<HandlerScene> {
      if let shared { return shared }
      let scene = UnsafeMutablePointer<HandlerScene>.allocate(capacity: 1)
      scene.initialize(to: HandlerScene())
      scene.pointee.previous.initialize(repeating: sigaction(), count: signalCount)
      shared = scene
      // A program that ends by exit() runs no deinit.
      atexit { HandlerScene.shared.map(HandlerScene.restore) }
      return scene
    }

    /// Makes the terminal what it was, by calls that a handler may make.
    static func restore(_ scene: UnsafeMutablePointer<HandlerScene>) {
      guard scene.pointee.hasTerminal else { return }
      scene.pointee.hasTerminal = false
      _ = quarry_write(scene.pointee.output, scene.pointee.restoring, scene.pointee.restoringCount)
      withUnsafePointer(to: &scene.pointee.modes) { _ = tcsetattr(scene.pointee.output, TCSANOW, $0) }
    }
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

  private static let restoreAndDie: @convention(c) (Int32) -> Void = { number in
    guard let scene = HandlerScene.shared else { return }
    HandlerScene.restore(scene)
    // What was to happen before, as the runtime's report of the crash, or the default.
    sigaction(number, scene.pointee.previous + Int(number), nil)
    raise(number)
  }
}
