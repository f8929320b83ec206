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
  private let identifier: pid_t

  /// The number of the process and of the pipe, for the threads.
  private static let watched = Mutex<(process: pid_t, events: Int32)>((0, -1))
  private static let endings = Mutex<Int32?>(nil)

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
    identifier = try Self.spawn(arguments, pipes.filter { $0.number < 3 })
    input = pipes.first { $0.number == 0 }?.ours
    let others = pipes.filter { $0.number > 0 }
    (output, errors, events) = (others[0].ours, others[1].ours, others[2].ours)
    let (process, bell) = (identifier, others[2].theirs)
    Self.endings.withLock { $0 = nil }
    let isFirst = Self.watched.withLock { watched in
      defer { watched = (process, bell) }
      return watched.events < 0
    }
    if isFirst { _ = try WorkerThread { Self.waitForSignals() } }
    _ = try WorkerThread { Self.waitForChild() }
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
    if status == nil { kill(identifier, SIGTERM) }
  }

  /// Returns what has happened since; reading an end also gives ``status`` its value.
  func takeEvents() -> Set<Event> {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { read(events, $0.baseAddress, $0.count) }
    let found = Set(
      bytes.prefix(max(0, count)).map { byte in
        byte == Self.stopByte ? Event.stopped : byte == Self.endByte ? .ended : .signal(Int32(byte))
      })
    if found.contains(.ended) { status = Self.endings.withLock(\.self) ?? 255 }
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

    func connect(_ actions: inout posix_spawn_file_actions_t) {
      posix_spawn_file_actions_adddup2(&actions, theirs, number)
    }

    func closeTheirs() {
      if number < 3 { close(theirs) }
    }
  }

  private static func spawn(_ arguments: [String], _ pipes: [Pipe]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    pipes.forEach { $0.connect(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, standard) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&standard)
    sigaddset(&standard, SIGPIPE)
    sigaddset(&standard, SIGXFSZ)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var words = (["ssh"] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var identifier: pid_t = 0
    let failure = posix_spawnp(&identifier, "ssh", &actions, &attributes, &words, environ)
    guard failure == 0 else { throw startFailure(failure) }
    return identifier
  }

  private static func startFailure(_ code: Int32) -> Failure {
    guard code == ENOENT else { return Failure(status: .cannotOpen, message: "ssh cannot be started: \(SystemError(code: code))") }
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

  private static func waitForChild() {
    let process = watched.withLock(\.process)
    var status: Int32 = 0
    while true {
      let found = waitpid(process, &status, WUNTRACED)
      if found < 0, errno == EINTR { continue }
      if found == process, status & 0xFF == 0x7F {
        ring(stopByte)
        continue
      }
      let signal = status & 0x7F
      endings.withLock { $0 = found < 0 ? 255 : signal == 0 ? (status >> 8) & 0xFF : 128 + signal }
      return ring(endByte)
    }
  }

  private static func ring(_ byte: UInt8) {
    var byte = byte
    _ = write(watched.withLock(\.events), &byte, 1)
  }
}
