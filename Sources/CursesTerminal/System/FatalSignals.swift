private import CNcurses
internal import Libc

/// The signals that end the program.
///
/// Their handlers restore the terminal, report the signal in a sentence, and then run the previous action.
package enum FatalSignals {
  /// Sets the sentence that reports a crash, followed by `advice`.
  ///
  /// A crash is reported in the verbs too. The other signals are handled only while the program controls the terminal.
  package static func setAdvice(_ advice: String) {
    let state = SignalState.make()
    for number in crashes + others {
      // SIGBUS is not a defect: mapped memory is lost when another program truncates the file.
      let isCrash = crashes.contains(number) && number != SIGBUS
      let text = "quarry: ended by \(name(of: number))\(isCrash ? ", which is a bug in quarry. \(advice)" : "")"
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
      _ = bytes.initialize(from: text.utf8)
      // The previous notice is never freed, because a handler may be about to write it.
      state.pointee.notices[Int(number)] = UnsafeBufferPointer(bytes)
    }
    setSaved("")
    handleCrashes()
  }

  /// Sets a sentence about saved data at the end of the notice, or removes it.
  ///
  /// Call it from one thread at a time.
  package static func setSaved(_ sentence: String) {
    let state = SignalState.make()
    let text = sentence.isEmpty ? ".\n" : ". \(sentence)\n"
    let bytes = Array(text.utf8.prefix(SignalState.longestSaved - 1)) + (text.utf8.count >= SignalState.longestSaved ? [0x0A] : [])
    // A handler may be writing the current end.
    let next = 1 - state.pointee.end & 1
    (state.pointee.ends + next * SignalState.longestSaved).update(from: bytes, count: bytes.count)
    state.pointee.end = bytes.count << 1 | next
  }

  /// The signals of a crash, after which only plain memory can be trusted.
  static let crashes: [Int32] = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

  /// The signals sent by other processes, or by the system at a limit.
  static let others: [Int32] = {
    let common = [SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF]
    #if os(Linux)
      // SIGSTKFLT, SIGIO and SIGPWR, and signals without a name. 32 and 33 belong to the C library.
      return common + [16, 29, 30] + Array(34...64)
    #else
      return common
    #endif
  }()

  /// Handles the signals of a crash.
  ///
  /// Does nothing if they are already handled.
  static func handleCrashes() {
    let state = SignalState.make()
    guard !state.pointee.handlesCrashes else { return }
    state.pointee.handlesCrashes = true
    for number in crashes { sigaction(number, nil, state.pointee.previous + Int(number)) }
    useAlternateStack(of: state)
    for number in crashes where !Signals.isIgnored(number, in: state) { handle(number) }
  }

  /// Makes a signal restore the terminal before it ends the program.
  static func handle(_ number: Int32) {
    quarry_handle_signal(number, restoreAndDie, Int32(SA_ONSTACK) | Int32(truncatingIfNeeded: SA_NODEFER), nil)
  }

  /// Sets an alternate stack for handlers, which is needed after a stack overflow.
  ///
  /// An existing one is not replaced.
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
    case SIGSEGV: "SIGSEGV (an invalid memory address)"
    case SIGBUS: "SIGBUS (missing memory: a truncated file, or a full disk)"
    case SIGILL: "SIGILL (a failed internal check)"
    case SIGTRAP: "SIGTRAP (a failed internal check)"
    case SIGFPE: "SIGFPE (an invalid calculation)"
    case SIGABRT: "SIGABRT (a failed internal check)"
    case SIGSYS: "SIGSYS (a forbidden system call)"
    case SIGQUIT: "SIGQUIT"
    case SIGALRM: "SIGALRM"
    case SIGUSR1: "SIGUSR1"
    case SIGUSR2: "SIGUSR2"
    case SIGXCPU: "SIGXCPU: it reached the limit of processor time (`ulimit -t`)"
    case SIGVTALRM: "SIGVTALRM"
    case SIGPROF: "SIGPROF"
    default: "signal \(number)"
    }
  }

  private static let restoreAndDie: @convention(c) (Int32) -> Void = { number in
    guard let state = SignalState.shared else { return }
    let isCrash = crashes.contains(number)
    if !isCrash, SignalState.passToOwner(number, state) { return }
    // What this handler interrupts must not be cut short, unless it has crashed.
    if state.pointee.isRestoring, !isCrash || SignalState.isEndedByAnother(state) { return state.pointee.postponed = number }
    guard SignalState.beginEnding(number, state) || isCrash else { return }
    SignalState.restore(state)
    SignalState.say(state, number)
    // The previous action, such as the runtime's crash report, or the default.
    sigaction(number, state.pointee.previous + Int(number), nil)
    SignalState.end(by: number)
  }
}
