private import CNcurses
private import Libc
package import Terminal

/// The terminal in which the program was started.
///
/// The initializer takes over the terminal. It is restored by ``stop()``, by `deinit`, and on every other exit: a signal, an exit, a crash.
/// ncurses starts, stops and describes the terminal. This class writes the frames of the screen and decodes the input.
package final class CursesTerminal: Terminal {
  package private(set) var size: Size
  /// A warning that the terminfo database does not describe the terminal, or nil.
  package let warning: String?
  private let capabilities: Capabilities
  private let pipe: WakePipe
  private var screen: OpaquePointer?
  private var modes: TerminalModes
  private var usesMouse: Bool
  private var encoder: FrameEncoder
  private var decoder: InputDecoder
  /// The contents of the screen, or nil if they are not known.
  private var shown: Surface?
  private var pending: [Event] = []
  /// The signals that have arrived and have not been handled yet.
  ///
  /// 0 means a wake-up.
  private var signals: Set<UInt8> = []
  /// Whether the program controls the terminal, rather than a shell.
  private var isTaken = false
  private var hasHungUp = false
  /// Whether a signal has asked the program to exit.
  ///
  /// After that nothing waits for the terminal.
  private var isEnding = false
  /// Whether the terminal has stopped reading.
  ///
  /// After that no output is sent.
  private var isMute = false

  /// Takes over the terminal of standard input and output, whose type is in TERM.
  ///
  /// - Throws: `TerminalError` if there is no terminal or it cannot show a full screen. The terminal is unchanged in that case.
  package init(usesMouse: Bool = true) throws(TerminalError) {
    guard Descriptor.input.isTerminal, Descriptor.output.isTerminal else { throw .notATerminal }
    let entry = try TerminalEntry(name: Self.environment("TERM") ?? "")
    let name = entry.capabilities.name
    guard let pipe = WakePipe() else { throw .failed(name: name) }
    capabilities = entry.capabilities
    warning = entry.warning
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
    // Before ncurses sets the first mode: a signal that ends the program from here on restores them all.
    Signals.take(pipe: pipe.writing, output: .output, restoring: modes.restoring, modes: shellModes)
    guard let screen = entry.startScreen() else {
      Signals.giveBack()
      throw .failed(name: name)
    }
    self.screen = screen
    Signals.keepOutput()
    def_shell_mode()
    raw()
    noecho()
    // Enter and ^J are different keys.
    nonl()
    Signals.noteOwnModes()
    take()
  }

  deinit {
    stop()
  }

  /// Restores the terminal.
  ///
  /// After that nothing is painted or read.
  ///
  /// A second call has no effect.
  package func stop() {
    guard let screen else { return }
    // ncurses waits for the terminal, and must not be called by a background job.
    if isMute || !Descriptor.output.isForeground { Signals.restoreTerminal() } else { release() }
    Signals.giveBack()
    delscreen(screen)
    self.screen = nil
  }

  /// Returns whether the terminfo database has an entry with a name.
  package static func knows(_ name: String) -> Bool {
    (try? TerminalEntry(name: name, embedded: nil)) != nil
  }

  /// Restores the terminal of standard output on behalf of a remote program whose connection is lost.
  package static func restoreAfterAnother() { write { $1.restoring } }

  /// Returns the terminal of standard output to a remote program after ``restoreAfterAnother()``, and makes it repaint.
  ///
  /// A program repaints when its window changes size, so the size is changed for a moment.
  package static func resumeAnother() {
    write { $0.enterScreen + $1.on }
    guard let size = Descriptor.output.windowSize, size.rows > 1 else { return }
    Descriptor.output.setWindowSize(Size(columns: size.columns, rows: size.rows - 1))
    usleep(200_000)
    Descriptor.output.setWindowSize(size)
  }

  /// Writes bytes derived from the terminal's capabilities and modes to standard output.
  private static func write(_ bytes: (Capabilities, TerminalModes) -> [UInt8]) {
    guard Descriptor.output.isTerminal, let entry = try? TerminalEntry(name: environment("TERM") ?? "") else { return }
    let rows = (Descriptor.output.windowSize ?? entry.size).rows
    let modes = TerminalModes(capabilities: entry.capabilities, usesMouse: true, rows: rows)
    _ = Descriptor.output.write(bytes(entry.capabilities, modes), waitForRoom: { true })
  }

  package var waker: any Waker { pipe }

  package func paint(_ surface: Surface) {
    // A program that is to exit when it continues leaves the screen to the shell.
    guard screen != nil, isTaken else { return }
    let surface = surface.cropped(to: size)
    let bytes = encoder.encode(from: shown, to: surface)
    shown = surface
    // A terminal handles a short write at once. Terminals with synchronized output show a long write in one step.
    let isLong = bytes.count > 1024 && capabilities.hasMouse
    send(isLong ? TerminalModes.frameBegin + bytes + TerminalModes.frameEnd : bytes)
  }

  package func setMouse(_ isOn: Bool) {
    guard screen != nil, isOn != usesMouse else { return }
    usesMouse = isOn
    modes = TerminalModes(capabilities: capabilities, usesMouse: isOn, rows: size.rows)
    Signals.setRestoring(modes.restoring)
    send(TerminalModes.mouse(isOn: isOn, capabilities: capabilities))
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
    // ^C and ^\\ reach only the program that `body` runs, including just before and after it, while the terminal is in shell modes. ^Z
    // stops both.
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

  /// The time to wait for a terminal that does not read when the program exits, in milliseconds.
  private static let lastPatience: Int32 = 500

  /// Waits until the terminal reads again.
  ///
  /// Returns false if the program is to exit meanwhile.
  private func waitForRoom() -> Bool {
    while true {
      let ready = Descriptor.output.waitForRoom(orInputOf: pipe.reading, milliseconds: isEnding ? Self.lastPatience : -1)
      if ready.hasInput { collectSignals() }
      if ready.hasRoom { return true }
      if isEnding { return false }
    }
  }
}

// MARK: - Acquiring and releasing

extension CursesTerminal {
  /// Switches to the program's screen, at start and after a release.
  private func take() {
    // Before the first mode is set, as at the start.
    Signals.setHasTerminal(true)
    Signals.restartOutput()
    quarry_keypad(1)
    quarry_refresh()
    send(modes.on)
    isTaken = true
    invalidate()
  }

  /// Restores the terminal for a shell.
  private func release() {
    guard isTaken else { return }
    send(modes.off)
    // ncurses waits until the terminal has accepted all output.
    if isMute {
      Signals.restoreTerminal()
    } else {
      endwin()
      Signals.restoreLine()
    }
    isTaken = false
    Signals.setHasTerminal(false)
  }

  private func suspend(wholeJob: Bool) {
    guard screen != nil else { return }
    release()
    Signals.stop(wholeJob: wholeJob)
    collectSignals()
    signals.remove(UInt8(SIGCONT))
    stopInBackground()
    if !isEnding {
      take()
      updateSize()
      pending.append(.resumed)
    }
    handleSignals()
  }

  /// Stops again as long as the job is in the background, because only a job in the foreground may change the terminal.
  ///
  /// Returns early if a signal asks the program to exit.
  private func stopInBackground() {
    while !isEnding, !Descriptor.output.isForeground {
      // Bringing the job to the foreground continues it. An orphaned job is not stopped and gets no signal.
      Signals.stop(wholeJob: false)
      collectSignals()
      guard signals.remove(UInt8(SIGCONT)) != nil else { break }
    }
  }

  /// Takes the terminal over again after an unexpected stop, during which a shell has used it.
  private func retake() {
    stopInBackground()
    if isEnding { return handleSignals() }
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

  /// Reads available input.
  ///
  /// Stops after a megabyte that has produced events.
  private func readInput() {
    var total = 0
    repeat {
      let bytes = Descriptor.input.read(limit: 1 << 16)
      hasHungUp = bytes.isEmpty
      pending += decoder.decode(bytes)
      total += bytes.count
    } while !hasHungUp && (total < 1 << 20 || pending.isEmpty) && Descriptor.waitForInput([.input], milliseconds: 0)[0]
  }

  /// Collects the signals that have arrived.
  private func collectSignals() {
    signals.formUnion(pipe.take())
    isEnding = isEnding || !signals.isDisjoint(with: [SIGHUP, SIGINT, SIGTERM].map(UInt8.init))
  }

  /// Handles the signals that have arrived.
  ///
  /// If one of them asks the program to exit, handles only that one.
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

/// The reason why a terminal cannot show a full screen.
package enum TerminalError: Error, Hashable, Sendable {
  /// Standard input or output is not a terminal.
  case notATerminal
  /// TERM is not set.
  case noName
  /// The terminfo database has no entry for the name in TERM, and ncurses cannot read the entries inside the program.
  case unknown(name: String)
  /// The terminal cannot clear its screen or move its cursor.
  case tooSimple(name: String)
  /// ncurses does not support the terminal, or the system could not create a descriptor.
  case failed(name: String)
}

extension TerminalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notATerminal: "Standard input and output must be a terminal for the full screen."
    case .noName: "TERM is not set, so the type of the terminal is unknown; try TERM=xterm-256color."
    case .unknown(let name):
      "The terminal \"\(name)\" (TERM) is not in the terminfo database; install its entry, or try TERM=xterm-256color."
    case .tooSimple(let name):
      """
      The terminal \"\(name)\" (TERM) cannot place its cursor, which the full screen needs. If yours can, set its type: TERM=xterm-256color. \
      Verbs need no terminal: `quarry --help` lists them.
      """
    case .failed(let name): "The terminal \"\(name)\" (TERM) could not be started."
    }
  }
}
