internal import Browser
internal import Libc
internal import QuarryEngine
internal import Synchronization

/// The system's ssh while it runs, with pipes in the place of its standard streams; the full screen leaves it the terminal for its input.
///
/// It asks for passwords, and for what is to become of a host that is not known, on the terminal itself.
final class SSHProcess {
  /// What comes between: a signal, or a change of the process.
  enum Event: Hashable {
    case signal(Int32)
    case stopped
    case ended
  }

  /// How it has ended: its exit status, or 128 and the number of a signal.
  private(set) var status: Int32?
  /// Nil where its input is the terminal.
  private(set) var input: Int32?
  private(set) var output: Int32
  let errors: Int32
  /// Readable when there are events.
  let events: Int32
  private let program: ChildProgram

  /// The pipe that the threads write events to; negative before there is one.
  private static let bell = Mutex<Int32>(-1)
  private static let ending = Mutex<Int32?>(nil)

  private static let (stopByte, endByte) = (UInt8(0xFE), UInt8(0xFF))
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Starts ssh.
  ///
  /// - Parameter readsTerminal: Whether its standard input is the terminal, as is what ^C does to it.
  /// - Throws: `Failure` where there is none.
  init(_ arguments: [String], readsTerminal: Bool) throws {
    var pipes: [Pipe] = []
    defer { pipes.forEach { $0.closeTheirs() } }
    for number in (readsTerminal ? 1 : 0)...3 { pipes.append(try Pipe(number: Int32(number))) }
    // Without its threads nobody would learn that ssh has ended.
    try WorkerThread.checkRoom(forThreads: 2)
    Self.blockSignals()
    // What is typed at a verb is for this program, which tells the one there.
    if !readsTerminal { signal(SIGINT, SIG_IGN) }
    defer { signal(SIGINT, SIG_DFL) }
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
    let (program, bell) = (self.program, others[2].theirs)
    Self.ending.withLock { $0 = nil }
    let isFirst = Self.bell.withLock { present in
      defer { present = bell }
      return present < 0
    }
    if isFirst { _ = try WorkerThread { Self.waitForSignals() } }
    _ = try WorkerThread { Self.waitForEnd(of: program) }
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

  /// Takes no more of what it prints, which it then learns.
  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Ends it.
  func terminate() {
    program.send(SIGTERM)
  }

  /// Returns what has happened since; reading an end also gives ``status`` its value.
  func takeEvents() -> Set<Event> {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { read(events, $0.baseAddress, $0.count) }
    let found = Set(
      bytes.prefix(max(0, count)).map { byte in
        byte == Self.stopByte ? Event.stopped : byte == Self.endByte ? .ended : .signal(Int32(byte))
      })
    if found.contains(.ended) { status = Self.ending.withLock(\.self) ?? 255 }
    return found
  }

  // MARK: Starting

  private struct Pipe {
    /// The number of the stream; 3 is none of ssh's.
    var number: Int32
    var ours: Int32
    /// That of the pipe of events stays open, since a thread may still be about to write there.
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
      message: "there is no ssh on this machine, which reaches files on others: install it, as by `apt install openssh-client`")
  }

  // MARK: Threads

  private static func blockSignals() {
    var set = signalSet
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Lets the signals end the program while `body` waits for a person, and no ssh runs.
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

  private static func waitForSignals() {
    var set = signalSet
    var number: Int32 = 0
    while sigwait(&set, &number) == 0 { ring(UInt8(truncatingIfNeeded: number)) }
  }

  private static func waitForEnd(of program: ChildProgram) {
    while true {
      switch program.waitForChange() {
      case .stopped: ring(stopByte)
      case .ended(let status):
        ending.withLock { $0 = status }
        return ring(endByte)
      }
    }
  }

  private static func ring(_ byte: UInt8) {
    var byte = byte
    _ = write(bell.withLock(\.self), &byte, 1)
  }
}
