private import CNcurses
public import Terminal

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// The terminal that the program was started in.
///
/// It is taken by the initializer and given back by ``stop()``, by `deinit`, and on every other way out: a signal, an exit, a crash.
/// ncurses
/// starts, stops and describes it; what the screen shows is written here, a frame at a time, and what is typed is decoded here.
public final class CursesTerminal: Terminal {
  /// How long after an escape what follows is taken for one key with it, in milliseconds.
  private static let escapeDelay: Int32 = 25

  public private(set) var size: Size
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
  private var hasHungUp = false

  /// Takes the terminal of standard input and output, of the kind that TERM names.
  ///
  /// - Throws: `TerminalError` where there is none or it cannot show a full screen; the terminal is untouched then.
  public init(usesMouse: Bool = true) throws(TerminalError) {
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

  /// Gives the terminal back; after that nothing is painted or read. A second call does nothing.
  public func stop() {
    guard let screen else { return }
    release()
    Signals.giveBack()
    delscreen(screen)
    self.screen = nil
  }

  public var waker: any Waker { pipe }

  public func paint(_ surface: Surface) {
    guard screen != nil else { return }
    let surface = surface.cropped(to: size)
    let bytes = encoder.encode(from: shown, to: surface)
    shown = surface
    // A terminal takes a short write at once; a long one is shown when it is whole, by those that know how.
    let isLong = bytes.count > 1024 && capabilities.hasMouse
    send(isLong ? TerminalModes.frameBegin + bytes + TerminalModes.frameEnd : bytes)
  }

  public func invalidate() {
    shown = nil
  }

  public func copyToClipboard(_ text: String) -> Bool {
    let request = Clipboard.request(
      text, terminalName: capabilities.name, isInTmux: Self.environment("TMUX") != nil, hasMouse: capabilities.hasMouse)
    guard let request, screen != nil else { return false }
    send(request)
    return true
  }

  public func suspend() {
    suspend(wholeJob: true)
  }

  public func run(shellCommand: String) -> Int {
    guard screen != nil else { return -1 }
    release()
    defer {
      take()
      updateSize()
      pending.append(.resumed)
    }
    // ^C and ^\\ are the command's alone, ^Z stops both.
    let status = Signals.withDefaultStop { system(shellCommand) }
    return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 128 + Int(status & 0x7F)
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private func send(_ bytes: [UInt8]) {
    if !bytes.isEmpty, !hasHungUp { hasHungUp = !Descriptor.output.write(bytes) }
  }
}

// MARK: - Taking and giving back

extension CursesTerminal {
  /// Switches to a screen of the program's own, or back to it.
  private func take() {
    quarry_keypad(1)
    quarry_refresh()
    send(modes.on)
    Signals.setHasTerminal(true)
    invalidate()
  }

  /// Makes the terminal a shell's again.
  private func release() {
    send(modes.off)
    endwin()
    Signals.setHasTerminal(false)
  }

  private func suspend(wholeJob: Bool) {
    guard screen != nil else { return }
    release()
    Signals.stop(wholeJob: wholeJob)
    take()
    updateSize()
    pending.append(.resumed)
    handleSignals(but: SIGCONT)
  }

  /// The program was stopped in a way that cannot be met beforehand, and goes on: a shell has used the terminal meanwhile.
  private func retake() {
    endwin()
    take()
    updateSize()
    pending.append(.resumed)
  }
}

// MARK: - Events

extension CursesTerminal {
  public func waitForEvents() -> [Event] {
    var isWoken = false
    while pending.isEmpty, !isWoken, !hasHungUp {
      let delay = decoder.isAwaitingEscape ? Self.escapeDelay : -1
      let ready = Descriptor.waitForInput([.input, pipe.reading], milliseconds: delay)
      if ready[1] { isWoken = handleSignals() }
      if ready[0] { readInput() } else if !ready[1] { pending += decoder.flush() }
    }
    defer { pending = [] }
    return hasHungUp ? pending + [.ended(.hangup)] : pending
  }

  /// Reads all that there is, but leaves off after a megabyte that made events.
  private func readInput() {
    var total = 0
    repeat {
      let bytes = Descriptor.input.read(limit: 1 << 16)
      hasHungUp = bytes.isEmpty
      pending += decoder.decode(bytes)
      total += bytes.count
    } while !hasHungUp && (total < 1 << 20 || pending.isEmpty) && Descriptor.waitForInput([.input], milliseconds: 0)[0]
  }

  /// Does what the signals that came ask for; tells whether somebody woke the terminal.
  @discardableResult
  private func handleSignals(but ignored: Int32? = nil) -> Bool {
    let bytes = pipe.take()
    for number in Set(bytes).map(Int32.init).sorted() where number != ignored {
      switch number {
      case SIGWINCH: resize()
      case SIGTSTP: suspend(wholeJob: false)
      case SIGCONT: retake()
      case SIGHUP: end(.hangup)
      case SIGINT, SIGTERM: end(.signal(number))
      default: break
      }
    }
    return bytes.contains(0)
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
