internal import Browser
internal import Libc
internal import QuarryEngine
internal import Synchronization

/// The running ssh program of the system, with pipes as its standard streams.
///
/// For the full screen, its input is the terminal.
///
/// ssh asks for passwords and for confirmation of unknown hosts on the terminal itself.
final class SSHProcess {
  /// An event: a signal, or a change of the process.
  enum Event: Hashable {
    case signal(Int32)
    case stopped
    case ended
  }

  /// The exit status, or 128 plus the number of a signal.
  ///
  /// Nil while the process is running.
  private(set) var status: Int32?
  /// The input pipe, or nil if the input is the terminal.
  private(set) var input: Int32?
  private(set) var output: Int32
  let errors: Int32
  /// A descriptor that is readable when there are events.
  let events: Int32
  private let program: ChildProgram

  /// The status of the process for the thread that takes its events.
  private let ending = Ending()

  private final class Ending: Sendable {
    let status = Mutex<Int32?>(nil)
  }

  /// The pipe of the process that receives signals.
  ///
  /// Negative before it exists.
  private static let bell = Mutex<Int32>(-1)

  private static let (stopByte, endByte) = (UInt8(0xFE), UInt8(0xFF))
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Starts ssh.
  ///
  /// - Parameters:
  ///   - readsTerminal: Whether its standard input is the terminal, so that ^C affects it.
  ///   - takesSignals: Whether signals of this program are events.
  /// - Throws: `Failure` if ssh is not installed.
  init(_ arguments: [String], readsTerminal: Bool, takesSignals: Bool = true) throws {
    var pipes: [Pipe] = []
    defer { pipes.forEach { $0.closeTheirs() } }
    for number in (readsTerminal ? 1 : 0)...3 { pipes.append(try Pipe(number: Int32(number))) }
    // The threads are needed to detect the end of ssh.
    try WorkerThread.checkRoom(forThreads: 2)
    if takesSignals {
      Self.blockSignals()
      // In a verb, keys such as ^C are for this program, which informs the remote one.
      if !readsTerminal { signal(SIGINT, SIG_IGN) }
    }
    defer { if takesSignals { signal(SIGINT, SIG_DFL) } }
    func stream(_ number: Int32) -> ChildProgram.Stream {
      pipes.first { $0.number == number }.map { .descriptor($0.theirs) } ?? .inherited
    }
    do throws(SystemError) {
      program = try ChildProgram("ssh", arguments, input: stream(0), output: stream(1), errors: stream(2))
    } catch {
      throw Self.startFailure(error)
    }
    input = pipes.first { $0.number == 0 }?.ours
    let others = pipes.filter { $0.number > 0 }
    (output, errors, events) = (others[0].ours, others[1].ours, others[2].ours)
    let (program, bell, ending) = (self.program, others[2].theirs, self.ending)
    if takesSignals { try Self.takeSignals(bell) }
    _ = try WorkerThread { Self.waitForEnd(of: program, bell, ending) }
  }

  deinit {
    for descriptor in [errors, events] { close(descriptor) }
    closeInput()
    closeOutput()
  }

  func closeInput() {
    if let input { close(input) }
    input = nil
  }

  /// Closes the output pipe.
  ///
  /// The next write of ssh fails.
  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Terminates the process.
  func terminate() {
    program.send(SIGTERM)
  }

  /// Returns the events since the last call.
  ///
  /// The end of the process also sets ``status``.
  func takeEvents() -> Set<Event> {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { read(events, $0.baseAddress, $0.count) }
    let found = Set(
      bytes.prefix(max(0, count)).map { byte in
        byte == Self.stopByte ? Event.stopped : byte == Self.endByte ? .ended : .signal(Int32(byte))
      })
    if found.contains(.ended) { status = ending.status.withLock(\.self) ?? 255 }
    return found
  }

  // MARK: Starting

  private struct Pipe {
    /// The number of the stream.
    ///
    /// 3 is not one of ssh's streams.
    var number: Int32
    var ours: Int32
    /// For the event pipe it remains open, because a thread may still be about to write to it.
    let theirs: Int32

    init(number: Int32) throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Failure.refused("ssh cannot be started: \(SystemError(code: errno))") }
      (ours, theirs, self.number) = number == 0 ? (ends[1], ends[0], number) : (ends[0], ends[1], number)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      _ = fcntl(ours, F_SETFL, O_NONBLOCK)
    }

    func closeTheirs() {
      if number < 3 { close(theirs) }
    }
  }

  private static func startFailure(_ error: SystemError) -> Failure {
    guard error.code == ENOENT else { return Failure(status: .cannotOpen, message: "ssh cannot be started: \(error)") }
    return Failure(
      status: .cannotOpen,
      message: "ssh, which opens files on other machines, is not installed: install it, for example with `apt install openssh-client`")
  }

  // MARK: Threads

  private static func blockSignals() {
    var set = signalSet
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Runs `body`, which waits for the user while no ssh is running, with signals that end the program.
  static func withDeadlySignals<Value>(_ body: () throws -> Value) rethrows -> Value {
    var (set, before) = (signalSet, sigset_t())
    pthread_sigmask(SIG_UNBLOCK, &set, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  private static var signalSet: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    return set
  }

  /// Makes signals events of a process, instead of the previous one.
  private static func takeSignals(_ bell: Int32) throws {
    let isFirst = Self.bell.withLock { present in
      defer { present = bell }
      return present < 0
    }
    if isFirst { _ = try WorkerThread { waitForSignals() } }
  }

  private static func waitForSignals() {
    var set = signalSet
    var number: Int32 = 0
    while sigwait(&set, &number) == 0 { ring(bell.withLock(\.self), UInt8(truncatingIfNeeded: number)) }
  }

  private static func waitForEnd(of program: ChildProgram, _ bell: Int32, _ ending: Ending) {
    while true {
      switch program.waitForChange() {
      case .stopped: ring(bell, stopByte)
      case .ended(let status):
        ending.status.withLock { $0 = status }
        return ring(bell, endByte)
      }
    }
  }

  private static func ring(_ bell: Int32, _ byte: UInt8) {
    var byte = byte
    _ = write(bell, &byte, 1)
  }
}
