public import Foundation
import Synchronization

/// A program started by a test.
///
/// It is killed if it hangs.
///
/// Foundation's `Process` waits until a certain socket of its own is closed everywhere, and a pipe ends when its other end is closed
/// everywhere. A program started by another test at the same moment would inherit both, and a terminal server would keep them open as long
/// as it runs. Here a pipe is created and marked as not inheritable while no other program is started.
public final class ChildProcess: Sendable {
  /// The source or destination of a standard stream.
  public enum Stream: Sendable {
    case nothing
    case file(String)
    /// A pipe whose other end belongs to the test.
    case pipe
    /// The same as standard output, for standard error.
    case output
  }

  /// The way in which a program has ended.
  public enum Ending: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
  }

  public struct StartError: Error {
    public var code: Int32
  }

  public let identifier: pid_t
  /// The standard input of the program, if it is a pipe.
  public let input: FileHandle?
  /// The standard output of the program, if it is a pipe.
  public let output: FileHandle?
  /// The standard error of the program, if it is a pipe.
  public let errors: FileHandle?

  private static let starts = NSLock()
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The path of the program, and its arguments.
  ///   - environment: The environment, or nil for this program's own.
  /// - Throws: ``StartError`` with the system's error number.
  public init(
    _ command: [String], environment: [String: String]? = nil,
    input: Stream = .nothing, output: Stream = .nothing, errors: Stream = .nothing
  ) throws {
    TestGate.expectPassed(toHold: "a program")
    Self.starts.lock()
    defer { Self.starts.unlock() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var theirs: [Int32] = []
    defer { theirs.forEach { _ = close($0) } }
    func connect(_ stream: Stream, to number: Int32) throws -> FileHandle? {
      switch stream {
      case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .file(let path):
        posix_spawn_file_actions_addopen(&actions, number, path, number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      case .output: posix_spawn_file_actions_adddup2(&actions, 1, number)
      case .pipe:
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw StartError(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (mine, their) = number == 0 ? (ends[1], ends[0]) : (ends[0], ends[1])
        theirs.append(their)
        posix_spawn_file_actions_adddup2(&actions, their, number)
        return FileHandle(fileDescriptor: mine, closeOnDealloc: true)
      }
      return nil
    }
    self.input = try connect(input, to: 0)
    self.output = try connect(output, to: 1)
    self.errors = try connect(errors, to: 2)
    identifier = try Self.start(command, environment, &actions)
    DispatchQueue.global().asyncAfter(deadline: .now() + Waiting.seconds) { [weak self] in self?.send(SIGKILL) }
  }

  private static func start(
    _ command: [String], _ environment: [String: String]?, _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    let environment = environment ?? ProcessInfo.processInfo.environment
    // The threads that tests run on block signals.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var words = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var identifier: pid_t = 0
    let failure = posix_spawn(&identifier, command[0], &actions, &attributes, &words, &variables)
    guard failure == 0 else { throw StartError(code: failure) }
    return identifier
  }

  deinit {
    send(SIGKILL)
    wait()
  }

  /// Sends a signal, unless the program is known to have ended.
  public func send(_ signal: Int32) {
    ending.withLock { ending in
      if ending == nil { _ = kill(identifier, signal) }
    }
  }

  /// Stops the program until it gets SIGCONT.
  ///
  /// Returns when none of its threads is running any more.
  public func stop() {
    send(SIGSTOP)
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WSTOPPED | WEXITED | WNOWAIT) == -1, errno == EINTR {}
  }

  /// Waits until the program has ended.
  @discardableResult
  public func wait() -> Ending {
    // The process identifier is not reused until it is waited for, here and under the lock. Until then a signal cannot reach another
    // process.
    var information = siginfo_t()
    while ending.withLock({ $0 }) == nil, waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    return ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
      let signal = status & 0x7f
      let seen: Ending = signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal)
      ending = seen
      return seen
    }
  }
}
