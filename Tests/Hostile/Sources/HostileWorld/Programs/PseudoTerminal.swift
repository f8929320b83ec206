import Foundation

/// The program in a terminal of its own, as the leader of its session.
///
/// No shell is there to continue it, so the system ignores its wish to stop: it gives the terminal back and takes it again at once.
final class PseudoTerminal {
  struct OpenError: Error {
    let code: Int32
  }

  /// What the terminal has made of the output.
  private(set) var model: TerminalModel
  private let process: RunningProgram
  private var master: Int32
  /// Our own end of the line, so that its modes can be read after the program's end.
  private let line: Int32
  private let initialModes: [UInt8]
  /// The last bytes of the output, for reports.
  private(set) var lastOutput: [UInt8] = []

  /// - Parameters:
  ///   - command: The program and its arguments. It runs in the folder `files` of the case.
  ///   - missing: The variables that are not set.
  ///   - stopsBackgroundOutput: Whether the line stops a job in the background that writes, as after `stty tostop`.
  init(
    _ command: [String], for trial: Trial, size: (columns: Int, rows: Int), environment: [String: String] = [:],
    without missing: [String] = [], stopsBackgroundOutput: Bool = false
  ) throws {
    model = TerminalModel(type: environment["TERM"] ?? "xterm-256color", columns: size.columns, rows: size.rows)
    let path: String
    (master, path) = try Self.open()
    line = Foundation.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard line >= 0 else { throw OpenError(code: errno) }
    // What a line echoes while nobody reads it in raw mode is no output of the program.
    var modes = termios()
    tcgetattr(line, &modes)
    modes.c_lflag &= ~tcflag_t(ECHO)
    if stopsBackgroundOutput { modes.c_lflag |= tcflag_t(TOSTOP) }
    tcsetattr(line, TCSANOW, &modes)
    initialModes = Self.modes(of: line)
    let variables = trial.environment.merging(environment) { $1 }.filter { !missing.contains($0.key) }
    process = try RunningProgram(
      ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", trial.files.url.path] + command,
      environment: variables, streams: [(path, O_RDWR), (path, O_RDWR), (path, O_RDWR)])
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    resize(size)
  }

  deinit {
    process.send(SIGKILL)
    if master >= 0 { close(master) }
    close(line)
  }

  /// Opens a terminal, and returns its descriptor and the path of its line.
  private static func open() throws -> (Int32, String) {
    #if os(Linux)
      // Glibc hides `posix_openpt` from Swift.
      let master = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (isLocked, number) = (Int32(0), UInt32(0))
      let (unlock, askNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      guard master >= 0, ioctl(master, unlock, &isLocked) == 0, ioctl(master, askNumber, &number) == 0 else { throw OpenError(code: errno) }
      return (master, "/dev/pts/\(number)")
    #else
      let master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else { throw OpenError(code: errno) }
      return (master, String(cString: name))
    #endif
  }

  var hasEnded: Bool { process.poll() != nil }

  // MARK: Input

  /// Sends keys.
  ///
  /// What the terminal's line has no room for is dropped after a while, as a person's keys are.
  func type(_ bytes: [UInt8]) {
    guard master >= 0 else { return }
    var rest = bytes[...]
    var tries = 0
    while !rest.isEmpty, tries < 50, !hasEnded {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else { tries += 1 }
      read(waiting: count > 0 ? 0 : 20)
    }
  }

  func type(_ text: String) { type(Array(text.utf8)) }

  /// Sends keys for which there is room, without reading.
  func typeBlindly(_ text: String) {
    guard master >= 0 else { return }
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  func resize(_ size: (columns: Int, rows: Int)) {
    guard master >= 0 else { return }
    var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
    model.resize(columns: size.columns, rows: size.rows)
  }

  /// Lets another program write all over the screen.
  func spoil() { model.spoil() }

  func signal(_ number: Int32) {
    process.send(number)
  }

  /// Sends a signal to a thread that does not write to the terminal.
  func signalThread(_ number: Int32) {
    process.sendToThread(number)
  }

  /// Takes the terminal away.
  func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }

  // MARK: Output

  /// Reads what the program has written, and waits at most some milliseconds for the first byte.
  func read(waiting milliseconds: Int32) {
    guard master >= 0 else {
      if milliseconds > 0 { usleep(useconds_t(milliseconds) * 1000) }
      return
    }
    var buffer = [UInt8](repeating: 0, count: 65536)
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return }
    // A program that writes without a pause must not keep us.
    for _ in 0..<200 {
      let count = Foundation.read(master, &buffer, buffer.count)
      guard count > 0 else { return }
      model.take(buffer[..<count])
      lastOutput = Array((lastOutput + buffer[..<count]).suffix(400))
    }
  }

  /// Reads for a time.
  func wait(milliseconds: Int) { wait(upTo: .milliseconds(milliseconds)) { _ in false } }

  /// Reads until something is true, and returns whether it became so in time.
  @discardableResult
  func wait(upTo limit: Duration, until isSo: (TerminalModel) -> Bool) -> Bool {
    let end = ContinuousClock.now + limit
    while !isSo(model) {
      guard .now < end, !hasEnded else { return isSo(model) }
      read(waiting: 5)
    }
    return true
  }

  /// What the program has of the system.
  var usage: ProcessUsage { ProcessUsage(process.identifier) }

  /// Reads until the program has been quiet for some milliseconds, or has ended, or for five seconds.
  func settle(_ milliseconds: Int32 = 40) {
    var last = -1
    let end = ContinuousClock.now + .seconds(5)
    while last != model.byteCount, !hasEnded, .now < end {
      last = model.byteCount
      read(waiting: milliseconds)
    }
  }

  /// Waits until the output contains an escape sequence, as a program's first full screen does.
  func waitForStart() {
    var watch = ProgressWatch(process.identifier)
    while model.byteCount == 0, !hasEnded, !watch.isHanging { read(waiting: 20) }
    settle()
  }

  /// The time in which a screen ends that has been told to: three seconds for a terminal that does not read, and many for a busy machine.
  private static let patience = Duration.seconds(30)

  func waitForEnd() -> ProgramRun.Ending {
    let ending = process.waitForEnd(within: Self.patience) { read(waiting: 5) }
    read(waiting: 0)
    return ending
  }

  /// The places in which the modes of the line differ from those from before the program.
  var changedModes: [String] {
    let modes = Self.modes(of: line)
    return zip(initialModes, modes).enumerated().filter { $0.element.0 != $0.element.1 }.map { "\($0.offset): \($0.element)" }
  }

  private static func modes(of line: Int32) -> [UInt8] {
    var modes = termios()
    guard tcgetattr(line, &modes) == 0 else { return [] }
    return withUnsafeBytes(of: modes) { [UInt8]($0) }
  }
}
