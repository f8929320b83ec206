import Foundation

/// The program in a terminal of its own, below a shell with job control.
///
/// The shell continues the program at once whenever it has stopped.
final class PseudoTerminal {
  struct OpenError: Error {
    let code: Int32
  }

  /// What the terminal has made of the output.
  private(set) var model = TerminalModel()
  private let process: RunningProgram
  private var master: Int32
  /// Our own end of the line, so that its modes can be read after the program's end.
  private let line: Int32
  private let folder: URL
  private let initialModes: [UInt8]
  /// The last bytes of the output, for reports.
  private(set) var lastOutput: [UInt8] = []

  /// - Parameter command: The program and its arguments. It runs in the folder `files` of the case.
  init(_ command: [String], for trial: Trial, size: (columns: Int, rows: Int), environment: [String: String] = [:]) throws {
    let path: String
    (master, path) = try Self.open()
    line = Foundation.open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard line >= 0 else { throw OpenError(code: errno) }
    folder = trial.folder
    for name in ["pid", "stopped", "errors"] { try? FileManager.default.removeItem(at: folder.appending(path: name)) }
    initialModes = Self.modes(of: line)
    process = try RunningProgram(
      ["/bin/bash", "-c", Self.script, trial.files.url.path] + command, environment: trial.environment.merging(environment) { $1 },
      streams: [(path, O_RDWR), (path, O_RDWR), (path, O_RDWR)])
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    resize(size)
  }

  deinit {
    if let program { kill(program, SIGKILL) }
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

  private static let script = """
    cd "$0"; set -m; trap : INT QUIT TERM HUP; ulimit -c 0
    sh -c 'echo $$ > ../pid.new; mv ../pid.new ../pid; exec "$@"' sh "$@"
    status=$?
    while [ $status -eq 148 ]; do stty -g >> ../stopped; fg > /dev/null 2>&1; status=$?; done
    exit $status
    """

  /// The process of the program, once it has started.
  var program: pid_t? {
    FileManager.default.contents(atPath: folder.appending(path: "pid").path)
      .flatMap { pid_t(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) }
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

  func resize(_ size: (columns: Int, rows: Int)) {
    guard master >= 0 else { return }
    var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  func signal(_ number: Int32) {
    if let program, !hasEnded { kill(program, number) }
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
    while true {
      let count = Foundation.read(master, &buffer, buffer.count)
      guard count > 0 else { return }
      model.take(buffer[..<count])
      lastOutput = Array((lastOutput + buffer[..<count]).suffix(400))
    }
  }

  /// Reads until the program has been quiet for some milliseconds, or has ended.
  func settle(_ milliseconds: Int32 = 40) {
    var last = -1
    while last != model.byteCount, !hasEnded {
      last = model.byteCount
      read(waiting: milliseconds)
    }
  }

  /// Waits until the output contains an escape sequence, as a program's first full screen does.
  func waitForStart() {
    var watch = ProgressWatch(process.identifier)
    while program == nil || model.byteCount == 0, !hasEnded, !watch.isHanging { read(waiting: 20) }
    settle()
  }

  /// Waits for the end, and returns how the shell tells it: 128 and more for a signal.
  func waitForEnd() -> ProgramRun.Ending {
    let ending = process.waitForEnd(watching: program) { read(waiting: 5) }
    read(waiting: 0)
    return ending
  }

  /// Whether the modes of the line are those from before the program.
  var hasInitialModes: Bool { Self.modes(of: line) == initialModes }

  /// Whether the line had one set of modes each time the program stopped.
  var stopModes: Set<Substring> {
    let lines = FileManager.default.contents(atPath: folder.appending(path: "stopped").path).map { String(decoding: $0, as: UTF8.self) }
    return Set((lines ?? "").split(separator: "\n"))
  }

  private static func modes(of line: Int32) -> [UInt8] {
    var modes = termios()
    guard tcgetattr(line, &modes) == 0 else { return [] }
    return withUnsafeBytes(of: modes) { [UInt8]($0) }
  }
}
