private import CNcurses
private import Libc
package import Terminal

/// The terminal that the program was started in.
///
/// It is taken by the initializer and given back by ``stop()``, by `deinit`, and on every other way out: a signal, an exit, a crash.
/// ncurses
/// starts, stops and describes it; what the screen shows is written here, a frame at a time, and what is typed is decoded here.
package final class CursesTerminal: Terminal {
  package private(set) var size: Size
  private let capabilities: Capabilities
  private let pipe: WakePipe
  private var screen: OpaquePointer?
  private var modes: TerminalModes
  private let usesMouse: Bool
  private var encoder: FrameEncoder
  private var decoder: InputDecoder
  /// What the screen shows; nil where that is not known.
  private var shown: Surface?
  private var pending: [Event] = []
  /// The signals that have arrived and have not been handled yet; 0 stands for a wake-up.
  private var signals: Set<UInt8> = []
  /// Whether the program has the terminal, and not a shell.
  private var isTaken = false
  private var hasHungUp = false
  /// Whether a signal has asked the program to end, after which nothing waits for the terminal.
  private var isEnding = false
  /// Whether the terminal has stopped reading, after which nothing more is sent to it.
  private var isMute = false

  /// Takes the terminal of standard input and output, of the kind that TERM names.
  ///
  /// - Throws: `TerminalError` where there is none or it cannot show a full screen; the terminal is untouched then.
  package init(usesMouse: Bool = true) throws(TerminalError) {
    guard Descriptor.input.isTerminal, Descriptor.output.isTerminal else { throw .notATerminal }
    let entry = try TerminalEntry(name: Self.environment("TERM") ?? "")
    let name = entry.capabilities.name
    guard let pipe = WakePipe() else { throw .failed(name: name) }
    capabilities = entry.capabilities
    self.pipe = pipe
    self.usesMouse = usesMouse
    size = Descriptor.output.windowSize ?? entry.size
    modes = TerminalModes(capabilities: capabilities, usesMouse: usesMouse, rows: size.rows)
    let detected = ColorDepth.detected(
      name: name, colors: capabilities.colors, hasDirectColor: capabilities.hasDirectColor, colorTerm: Self.environment("COLORTERM"))
    encoder = FrameEncoder(capabilities: capabilities, depth: detected)
    decoder = InputDecoder(keys: entry.keys)
    var shellModes = termios()
    tcgetattr(STDIN_FILENO, &shellModes)
    Signals.remember()
    guard let screen = quarry_newterm(name) else { throw .failed(name: name) }
    self.screen = screen
    raw()
    noecho()
    // Enter and ^J are two keys.
    nonl()
    Signals.take(pipe: pipe.writing, output: .output, restoring: modes.restoring, modes: shellModes)
    take()
  }

  deinit {
    stop()
  }

  /// Gives the terminal back; after that nothing is painted or read.
  ///
  /// A second call does nothing.
  package func stop() {
    guard let screen else { return }
    // ncurses waits for the terminal, and must not be called by a job in the background.
    if isMute || !Descriptor.output.isForeground { Signals.restoreTerminal() } else { release() }
    Signals.giveBack()
    delscreen(screen)
    self.screen = nil
  }

  /// Returns whether terminfo knows terminals of a name.
  package static func knows(_ name: String) -> Bool {
    (try? TerminalEntry(name: name)) != nil
  }

  /// Gives the terminal of standard output back in the place of a program that cannot: one on another machine, whose connection is gone.
  package static func restoreAfterAnother() { write { $1.restoring } }

  /// Gives the terminal of standard output to a program on another machine again, after ``restoreAfterAnother()``, and has it paint anew.
  ///
  /// It does where its window has another size, and so it has one for a moment.
  package static func resumeAnother() {
    write { $0.enterScreen + $1.on }
    guard let size = Descriptor.output.windowSize, size.rows > 1 else { return }
    Descriptor.output.setWindowSize(Size(columns: size.columns, rows: size.rows - 1))
    usleep(200_000)
    Descriptor.output.setWindowSize(size)
  }

  /// Writes to the terminal of standard output what its capabilities and modes make.
  private static func write(_ bytes: (Capabilities, TerminalModes) -> [UInt8]) {
    guard Descriptor.output.isTerminal, let entry = try? TerminalEntry(name: environment("TERM") ?? "") else { return }
    let rows = (Descriptor.output.windowSize ?? entry.size).rows
    let modes = TerminalModes(capabilities: entry.capabilities, usesMouse: true, rows: rows)
    _ = Descriptor.output.write(bytes(entry.capabilities, modes), waitForRoom: { true })
  }

  package var waker: any Waker { pipe }

  package func paint(_ surface: Surface) {
    guard screen != nil else { return }
    let surface = surface.cropped(to: size)
    let bytes = encoder.encode(from: shown, to: surface)
    shown = surface
    // A terminal takes a short write at once; a long one is shown as a whole by terminals with synchronized output.
    let isLong = bytes.count > 1024 && capabilities.hasMouse
    send(isLong ? TerminalModes.frameBegin + bytes + TerminalModes.frameEnd : bytes)
  }

  package func invalidate() {
    shown = nil
  }

  package func copyToClipboard(_ text: String) -> Bool {
    let request = OSC52.request(
      text, terminalName: capabilities.name, isInTmux: Self.environment("TMUX") != nil, hasMouse: capabilities.hasMouse)
    guard let request, screen != nil else { return false }
    send(request)
    return true
  }

  package func suspend() {
    suspend(wholeJob: true)
  }

  package func whileReleased<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    guard screen != nil else { return try body() }
    // ^C and ^\\ go only to the program that `body` runs, also right before and after it, where the terminal has a shell's modes; ^Z stops
    // both.
    return try Signals.withoutInterrupts { () throws(Failure) in
      release()
      defer {
        take()
        updateSize()
        pending.append(.resumed)
      }
      return try Signals.withDefaultStop(body)
    }
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private func send(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !hasHungUp, !isMute else { return }
    switch Descriptor.output.write(bytes, waitForRoom: waitForRoom) {
    case .whole: break
    case .abandoned: isMute = true
    case .failed: hasHungUp = true
    }
  }

  /// How long a terminal that reads nothing is waited for once the program is to end, in milliseconds.
  private static let lastPatience: Int32 = 500

  /// Waits until the terminal reads again; returns false where the program is to end meanwhile.
  private func waitForRoom() -> Bool {
    while true {
      let ready = Descriptor.output.waitForRoom(orInputOf: pipe.reading, milliseconds: isEnding ? Self.lastPatience : -1)
      if ready.hasInput { collectSignals() }
      if ready.hasRoom { return true }
      if isEnding { return false }
    }
  }
}

// MARK: - Taking and giving back

extension CursesTerminal {
  /// Switches to a screen of the program's own, or back to it.
  private func take() {
    Signals.restartOutput()
    quarry_keypad(1)
    quarry_refresh()
    send(modes.on)
    isTaken = true
    Signals.setHasTerminal(true)
    invalidate()
  }

  /// Makes the terminal a shell's again.
  private func release() {
    guard isTaken else { return }
    send(modes.off)
    // ncurses waits until the terminal has taken all that was written.
    if isMute { Signals.restoreTerminal() } else { endwin() }
    isTaken = false
    Signals.setHasTerminal(false)
  }

  private func suspend(wholeJob: Bool) {
    guard screen != nil else { return }
    release()
    Signals.stop(wholeJob: wholeJob)
    collectSignals()
    signals.remove(UInt8(SIGCONT))
    if !isEnding {
      take()
      updateSize()
      pending.append(.resumed)
    }
    handleSignals()
  }

  /// Takes the terminal back after a stop that could not be foreseen: a shell has used the terminal meanwhile.
  private func retake() {
    while !Descriptor.output.isForeground {
      // Bringing the job to the foreground continues it; a job that nobody can bring there is not stopped, and gets no signal.
      Signals.stop(wholeJob: false)
      collectSignals()
      if isEnding { return handleSignals() }
      guard signals.remove(UInt8(SIGCONT)) != nil else { break }
    }
    Signals.restartOutput()
    endwin()
    take()
    updateSize()
    pending.append(.resumed)
  }
}

// MARK: - Events

extension CursesTerminal {
  package func waitForEvents() -> [Event] {
    var isWoken = false
    while pending.isEmpty, !isWoken, !hasHungUp {
      let delay = decoder.patience ?? -1
      let ready = signals.isEmpty ? Descriptor.waitForInput([.input, pipe.reading], milliseconds: delay) : [false, true]
      if ready[1] {
        collectSignals()
        isWoken = signals.remove(0) != nil
        handleSignals()
      }
      if ready[0] { readInput() } else if !ready[1] { pending += decoder.flush() }
    }
    defer { pending = [] }
    return hasHungUp ? pending + [.ended(.hangup)] : pending
  }

  package func takeEnding() -> Ending? {
    if Descriptor.waitForInput([pipe.reading], milliseconds: 0)[0] { collectSignals() }
    let ending: Ending? =
      if signals.contains(UInt8(SIGHUP)) {
        .hangup
      } else {
        [SIGINT, SIGTERM].first { signals.contains(UInt8($0)) }.map { .signal($0) }
      }
    if ending != nil { Signals.acknowledgeEnding() }
    return ending
  }

  /// Reads what is available, and stops after a megabyte that has produced events.
  private func readInput() {
    var total = 0
    repeat {
      let bytes = Descriptor.input.read(limit: 1 << 16)
      hasHungUp = bytes.isEmpty
      pending += decoder.decode(bytes)
      total += bytes.count
    } while !hasHungUp && (total < 1 << 20 || pending.isEmpty) && Descriptor.waitForInput([.input], milliseconds: 0)[0]
  }

  /// Takes note of the signals that have come.
  private func collectSignals() {
    signals.formUnion(pipe.take())
    isEnding = isEnding || !signals.isDisjoint(with: [SIGHUP, SIGINT, SIGTERM].map(UInt8.init))
  }

  /// Handles the signals that have arrived; if one asks the program to end, that one only.
  private func handleSignals() {
    let numbers = signals.map(Int32.init).sorted()
    signals.formIntersection([0])
    for number in numbers {
      switch number {
      case SIGHUP: end(.hangup)
      case SIGINT, SIGTERM: end(.signal(number))
      case _ where isEnding: break
      case SIGWINCH: resize()
      case SIGTSTP: suspend(wholeJob: false)
      case SIGCONT: retake()
      default: break
      }
    }
  }

  private func end(_ ending: Ending) {
    Signals.acknowledgeEnding()
    pending.append(.ended(ending))
  }

  private func resize() {
    updateSize()
    invalidate()
    pending.append(.resized(size))
  }

  private func updateSize() {
    guard let size = Descriptor.output.windowSize, size != self.size else { return }
    self.size = size
    resizeterm(Int32(size.rows), Int32(size.columns))
    modes = TerminalModes(capabilities: capabilities, usesMouse: usesMouse, rows: size.rows)
    Signals.setRestoring(modes.restoring)
  }
}

/// Why a terminal cannot show a full screen.
package enum TerminalError: Error, Hashable, Sendable {
  /// Standard input or output is no terminal.
  case notATerminal
  /// TERM is not set.
  case noName
  /// There is no terminfo entry for the name in TERM.
  case unknown(name: String)
  /// The terminal cannot clear its screen or place its cursor.
  case tooSimple(name: String)
  /// ncurses does not take the terminal, or the system refuses a descriptor.
  case failed(name: String)
}

extension TerminalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notATerminal: "Standard input and output must be a terminal for the full screen."
    case .noName: "TERM is not set, so it is not known how to address the terminal; try TERM=xterm-256color."
    case .unknown(let name):
      "The terminal \"\(name)\" (TERM) is not in the terminfo database; install its entry, or try TERM=xterm-256color."
    case .tooSimple(let name): "The terminal \"\(name)\" (TERM) cannot place its cursor, which the full screen needs."
    case .failed(let name): "The terminal \"\(name)\" (TERM) could not be started."
    }
  }
}
