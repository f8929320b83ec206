internal import Libc
package import QuarryEngine
internal import Synchronization

/// A program started by this one; no other type starts programs.
package final class ChildProgram: Sendable {
  /// The connection of a standard stream of the program.
  package enum Stream: Sendable {
    /// The same stream of this program.
    case inherited
    /// A stream without content, `/dev/null`.
    case nothing
    case descriptor(Int32)
  }

  /// A change of the program's state.
  package enum Change: Hashable, Sendable {
    /// A signal has stopped the program, as ^Z does.
    case stopped
    /// The program has ended, with its exit status, or with 128 plus the number of the signal that ended it.
    case ended(status: Int32)
  }

  private let identifier: pid_t
  private let status = Mutex<Int32?>(nil)

  /// Starts a program.
  ///
  /// It blocks no signals, and ignores only the signals that the parent of this program ignored.
  ///
  /// The corresponding C function is `posix_spawnp`.
  ///
  /// - Parameter name: A path, or a name that is looked up in `PATH`.
  package init(
    _ name: String, _ arguments: [String], input: Stream = .inherited, output: Stream = .inherited, errors: Stream = .inherited
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let nothing = try Self.connect([input, output, errors], &actions)
    defer { withExtendedLifetime(nothing) {} }
    var attributes = Self.attributes()
    defer { posix_spawnattr_destroy(&attributes) }
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var identifier: pid_t = 0
    let code = posix_spawnp(&identifier, name, &actions, &attributes, &words, environ)
    guard code == 0 else { throw SystemError(code: code) }
    self.identifier = identifier
  }

  /// Connects the standard streams, and returns a file that has to stay open until the program has started.
  private static func connect(_ streams: [Stream], _ actions: inout posix_spawn_file_actions_t) throws(SystemError) -> OpenFile? {
    var nothing: OpenFile?
    for (number, stream) in zip(Int32(0)..., streams) {
      switch stream {
      case .inherited: break
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      case .nothing:
        let file = if let nothing { nothing } else { try OpenFile("/dev/null", .device) }
        posix_spawn_file_actions_adddup2(&actions, file.descriptor, number)
        nothing = file
      }
    }
    return nothing
  }

  private static func attributes() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var (none, standard) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&standard)
    // The signals that this program itself ignores.
    sigaddset(&standard, SIGPIPE)
    sigaddset(&standard, SIGXFSZ)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    return attributes
  }

  /// Sends a signal, unless the program is known to have ended.
  package func send(_ signal: Int32) {
    status.withLock { if $0 == nil { _ = kill(identifier, signal) } }
  }

  /// Waits until the program has ended, and returns its status; see ``Change/ended(status:)``.
  package func wait() -> Int32 {
    while true {
      if case .ended(let status) = waitForChange() { return status }
    }
  }

  /// Waits until the program stops or ends.
  package func waitForChange() -> Change {
    while true {
      // The process ID remains valid until the program is reaped, which happens under the lock: a signal never reaches another program.
      var information = siginfo_t()
      let isKnown = waitid(P_PID, id_t(identifier), &information, WEXITED | WSTOPPED | WNOWAIT) == 0 || errno != EINTR
      if isKnown, let change = status.withLock({ takeChange(&$0) }) { return change }
    }
  }

  /// Returns the change of state without waiting; nil if a stopped program is already running again.
  private func takeChange(_ ending: inout Int32?) -> Change? {
    if let ending { return .ended(status: ending) }
    var status: Int32 = 0
    let found = waitpid(identifier, &status, WUNTRACED | WNOHANG)
    if found == 0 { return nil }
    if found == identifier, status & 0xFF == 0x7F { return .stopped }
    let signal = status & 0x7F
    // There is no status if the parent of this program made it ignore SIGCHLD.
    let end = found < 0 ? 255 : signal == 0 ? status >> 8 & 0xFF : 128 + signal
    ending = end
    return .ended(status: end)
  }
}
