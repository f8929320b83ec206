private import CNcurses
internal import Libc

/// The signals that end the program: each gives the terminal back, says in a sentence what happened, and then does what it did before.
package enum FatalSignals {
  /// Says of a crash, from now on, that it happened, and `advice`.
  ///
  /// A crash is told of in the verbs too; the other signals are handled only while the program has the terminal.
  package static func setAdvice(_ advice: String) {
    let state = SignalState.make()
    for number in crashes + others {
      // Memory that is a file's goes when somebody cuts the file short.
      let isCrash = crashes.contains(number) && number != SIGBUS
      let text = "quarry: ended by \(name(of: number))\(isCrash ? ", which is a defect of quarry. \(advice)" : "")\n"
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
      _ = bytes.initialize(from: text.utf8)
      // What was said before is never freed: a handler may be about to say it.
      state.pointee.notices[Int(number)] = UnsafeBufferPointer(bytes)
    }
    handleCrashes()
  }

  /// Those of a crash, after which nothing may be trusted but plain memory.
  static let crashes: [Int32] = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

  /// Those that others send, or the system at a limit.
  static let others: [Int32] = {
    let common = [SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF]
    #if os(Linux)
      // SIGSTKFLT, SIGIO and SIGPWR, and those without a name; 32 and 33 are the C library's own.
      return common + [16, 29, 30] + Array(34...64)
    #else
      return common
    #endif
  }()

  /// Handles the signals of a crash; where they are handled already, does nothing.
  static func handleCrashes() {
    let state = SignalState.make()
    guard !state.pointee.handlesCrashes else { return }
    state.pointee.handlesCrashes = true
    for number in crashes { sigaction(number, nil, state.pointee.previous + Int(number)) }
    useAlternateStack(of: state)
    for number in crashes where !Signals.isIgnored(number, in: state) { handle(number) }
  }

  /// Lets a signal give the terminal back before it ends the program.
  static func handle(_ number: Int32) {
    quarry_handle_signal(number, restoreAndDie, Int32(SA_ONSTACK) | Int32(truncatingIfNeeded: SA_NODEFER), nil)
  }

  /// Gives handlers a stack of their own, which that of a stack overflow needs; one that is there already is kept.
  private static func useAlternateStack(of state: UnsafeMutablePointer<SignalState>) {
    var present = stack_t()
    guard sigaltstack(nil, &present) == 0, present.ss_flags & Int32(truncatingIfNeeded: SS_DISABLE) != 0 else { return }
    var stack = stack_t()
    stack.ss_sp = state.pointee.stack
    stack.ss_size = SignalState.stackSize
    sigaltstack(&stack, nil)
  }

  private static func name(of number: Int32) -> String {
    switch number {
    case SIGSEGV: "SIGSEGV (an address that is not its own)"
    case SIGBUS: "SIGBUS (memory that is not there: a file that was cut short, or a full disk)"
    case SIGILL: "SIGILL (a check of its own that failed)"
    case SIGTRAP: "SIGTRAP (a check of its own that failed)"
    case SIGFPE: "SIGFPE (a calculation without a result)"
    case SIGABRT: "SIGABRT (a check of its own that failed)"
    case SIGSYS: "SIGSYS (a call that the system refuses)"
    case SIGQUIT: "SIGQUIT"
    case SIGALRM: "SIGALRM"
    case SIGUSR1: "SIGUSR1"
    case SIGUSR2: "SIGUSR2"
    case SIGXCPU: "SIGXCPU: it has used all the processor time that `ulimit -t` allows"
    case SIGVTALRM: "SIGVTALRM"
    case SIGPROF: "SIGPROF"
    default: "signal \(number)"
    }
  }

  private static let restoreAndDie: @convention(c) (Int32) -> Void = { number in
    guard let state = SignalState.shared else { return }
    SignalState.restore(state)
    SignalState.say(state, number)
    // What was to happen before, as the runtime's report of the crash, or the default.
    sigaction(number, state.pointee.previous + Int(number), nil)
    raise(number)
  }
}
