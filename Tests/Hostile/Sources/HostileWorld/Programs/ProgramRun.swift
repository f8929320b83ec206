public import Foundation

/// A program that was run to its end.
public struct ProgramRun: Sendable {
  public enum Ending: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
    /// It was killed because it made no progress; `state` tells what its threads did.
    case hang(_ state: String)
  }

  public struct StartError: Error {
    public let code: Int32
    public let command: String
  }

  public let ending: Ending
  public let output: Data
  public let errors: String

  public var status: Int32? {
    if case .exit(let status) = ending { return status }
    return nil
  }

  public var isSuccess: Bool { ending == .exit(0) }
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// Runs a program.
  ///
  /// - Parameters:
  ///   - folder: A folder for its output. It contains a file `output` and a file `errors` afterwards.
  ///   - input: The bytes of its standard input.
  /// - Throws: ``StartError`` with the system's error number.
  public init(_ command: [String], environment: [String: String], in folder: URL, input: String = "") throws {
    let (inputPath, outputPath, errorPath) = (
      folder.appending(path: "input").path, folder.appending(path: "output").path, folder.appending(path: "errors").path
    )
    try Data(input.utf8).write(to: URL(filePath: inputPath))
    let process = try RunningProgram(
      command, environment: environment, streams: [(inputPath, O_RDONLY), (outputPath, Self.writing), (errorPath, Self.writing)])
    ending = process.waitForEnd()
    output = FileManager.default.contents(atPath: outputPath) ?? Data()
    errors = String(decoding: FileManager.default.contents(atPath: errorPath) ?? Data(), as: UTF8.self)
  }

  private static let writing = O_WRONLY | O_CREAT | O_TRUNC
}

/// A program that runs in a session of its own, so that no terminal of ours reaches it.
public final class RunningProgram {
  public let identifier: pid_t
  private var ending: ProgramRun.Ending?

  /// Starts a program.
  ///
  /// - Parameter streams: The files of standard input, output and error. A terminal becomes the controlling terminal.
  public init(_ command: [String], environment: [String: String], streams: [(path: String, mode: Int32)]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_addopen(&actions, Int32(number), stream.path, stream.mode, 0o600)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.setDefaultSignals(&attributes)
    var words = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var identifier = pid_t()
    let code = posix_spawn(&identifier, command[0], &actions, &attributes, &words, &variables)
    guard code == 0 else { throw ProgramRun.StartError(code: code, command: command.joined(separator: " ")) }
    self.identifier = identifier
  }

  /// Makes a program begin without blocked and ignored signals.
  ///
  /// The threads that we run on may block some, a shell makes jobs in the background ignore others, and a process inherits both.
  private static func setDefaultSignals(_ attributes: inout posix_spawnattr_t) {
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | newSession)
  }

  deinit {
    guard ending == nil else { return }
    send(SIGKILL)
    _ = waitForEnd()
  }

  /// The flag `POSIX_SPAWN_SETSID`, which Swift does not import from glibc.
  private static let newSession: Int16 = {
    #if os(macOS)
      0x400
    #else
      0x80
    #endif
  }()

  public func send(_ signal: Int32) {
    if ending == nil { kill(identifier, signal) }
  }

  /// Sends a signal to a thread other than the main one, or to the program where that is not possible.
  public func sendToThread(_ signal: Int32) {
    typealias Sender = @convention(c) (pid_t, pid_t, Int32) -> Int32
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task")) ?? []
    // Swift does not import the function from glibc, and other systems do not have it.
    guard ending == nil, let thread = threads.compactMap({ pid_t($0) }).filter({ $0 != identifier }).max(),
      let sender = dlsym(nil, "tgkill"), unsafeBitCast(sender, to: Sender.self)(identifier, thread, signal) == 0
    else { return send(signal) }
  }

  /// Looks whether the program has ended.
  public func poll() -> ProgramRun.Ending? {
    if let ending { return ending }
    var status: Int32 = 0
    guard waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
    let signal = status & 0x7f
    ending = signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal)
    return ending
  }

  /// Waits for the end.
  ///
  /// A program without progress, or one that has not ended at the limit, is killed.
  public func waitForEnd(
    within limit: Duration = ProgressWatch.limit, whileWaiting body: () -> Void = { usleep(500) }
  ) -> ProgramRun.Ending {
    var watch = ProgressWatch(identifier, limit: limit)
    while true {
      if let ending = poll() { return ending }
      if watch.isHanging { return killHanging() }
      body()
    }
  }

  private func killHanging() -> ProgramRun.Ending {
    let state = self.state
    kill(identifier, SIGKILL)
    let end = ContinuousClock.now + .seconds(10)
    // The system itself keeps a program that waits for a device.
    while poll() == nil, .now < end { usleep(500) }
    ending = .hang(state)
    return .hang(state)
  }

  /// What the system says of the program's threads: the state of each, and the call in which it waits.
  public var state: String {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task")) ?? []
    return threads.sorted().map { thread in
      let texts = ["stat", "wchan", "syscall"].map { name in
        let bytes = FileManager.default.contents(atPath: "/proc/\(identifier)/task/\(thread)/\(name)") ?? Data()
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      }
      // The name of the program stands in parentheses before the state.
      let state = texts[0].split(separator: ")").last?.split(separator: " ").first ?? "?"
      return "\(state) in \(texts[1]) (\(texts[2].split(separator: " ").first ?? "?"))"
    }.joined(separator: ", ")
  }
}

/// Whether a program makes progress: it hangs if it neither reads nor writes for a minute, or if it has not ended at a limit.
public struct ProgressWatch {
  private static let patience = Duration.seconds(60)
  /// The time after which a program hangs in any case.
  public static let limit = Duration.seconds(600)

  private let identifier: pid_t
  private let limit: Duration
  private let start = ContinuousClock.now
  private var last: String?
  private var lastChange = ContinuousClock.now
  private var nextLook: ContinuousClock.Instant

  init(_ identifier: pid_t, limit: Duration = Self.limit) {
    (self.identifier, self.limit) = (identifier, limit)
    nextLook = .now + min(.seconds(5), limit)
  }

  var isHanging: Bool {
    mutating get {
      let now = ContinuousClock.now
      guard now >= nextLook else { return false }
      nextLook = now + .seconds(5)
      let counters = FileManager.default.contents(atPath: "/proc/\(identifier)/io").map { String(decoding: $0, as: UTF8.self) }
      if counters != last { (last, lastChange) = (counters, now) }
      return now - lastChange > Self.patience || now - start >= limit
    }
  }
}
