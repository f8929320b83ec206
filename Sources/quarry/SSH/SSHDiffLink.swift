internal import Browser
internal import Essentials
internal import Libc
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows
internal import Synchronization

/// The connection to a Quarry on another host that reads a file there for a comparison.
///
/// It ends with this object.
final class SSHDiffLink: DiffLink {
  private let answers = Answers()
  /// The pipe from which the thread of the connection sends questions.
  private let questions: Mutex<Int32>

  /// Starts to connect.
  ///
  /// - Parameter isOnScreen: Whether the full screen is visible, so that ssh must not ask for a password.
  /// - Throws: `Failure` if the system refuses a pipe or a thread.
  init(to address: SSHAddress, isOnScreen: Bool) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure.refused("ssh cannot be started: \(SystemError(code: errno))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (source, build) = (ends[0], try ProgramBuild.current())
    questions = Mutex(ends[1])
    answers.isQuiet.withLock { $0 = isOnScreen }
    _ = try WorkerThread { [answers] in
      let run = Run(address: address, build: build, isOnScreen: isOnScreen, answers: answers)
      answers.end(run.error(readingFrom: source))
    }
  }

  deinit { questions.withLock { _ = close($0) } }

  /// Whether the connection has ended.
  var hasEnded: Bool { answers.hasEnded }

  /// Shows no more messages of the host, because the full screen is about to appear.
  func beQuiet() { answers.isQuiet.withLock { $0 = true } }

  func send(_ question: DiffMessage, _ receive: @escaping @Sendable (Result<DiffMessage, any Error>) -> Void) {
    let bytes: [UInt8]
    do { bytes = try question.bytes } catch { return receive(.failure(error)) }
    questions.withLock { pipe in
      guard answers.expect(receive) else { return }
      var rest = bytes[...]
      while !rest.isEmpty {
        switch rest.withUnsafeBytes({ Descriptor.write($0, to: pipe) }) {
        case .success(let count): rest = rest.dropFirst(count)
        case .failure(let error) where error.code == EINTR: continue
        // The connection has ended, which fails the question.
        case .failure: return
        }
      }
    }
  }
}

/// The answers that have not arrived yet.
private final class Answers: Sendable {
  private struct State {
    var receivers: [@Sendable (Result<DiffMessage, any Error>) -> Void] = []
    var received: ArraySlice<UInt8> = []
    var ending: (any Error)?
  }

  private let state = Mutex(State())
  let isQuiet = Mutex(false)

  var hasEnded: Bool { state.withLock { $0.ending != nil } }

  /// Adds a receiver; returns false after the end of the connection, which the receiver then gets.
  func expect(_ receive: @escaping @Sendable (Result<DiffMessage, any Error>) -> Void) -> Bool {
    let ending = state.withLock { state in
      if state.ending == nil { state.receivers.append(receive) }
      return state.ending
    }
    if let ending { receive(.failure(ending)) }
    return ending == nil
  }

  /// Adds received bytes, and passes on complete answers.
  func receive(_ bytes: UnsafeRawBufferPointer) throws {
    let complete = state.withLock { state in
      state.received += bytes
      var complete: [(DiffMessage, @Sendable (Result<DiffMessage, any Error>) -> Void)] = []
      while !state.receivers.isEmpty, let message = DiffMessage.take(from: &state.received) {
        complete.append((message, state.receivers.removeFirst()))
      }
      return complete
    }
    for (message, receive) in complete { receive(.success(message)) }
  }

  /// Fails all questions without an answer.
  func end(_ error: any Error) {
    let receivers = state.withLock { state in
      state.ending = error
      defer { state.receivers = [] }
      return state.receivers
    }
    for receive in receivers { receive(.failure(error)) }
  }
}

/// A run of ssh, on a thread of its own.
private struct Run {
  let address: SSHAddress
  let build: ProgramBuild
  let isOnScreen: Bool
  let answers: Answers

  private final class Output: SSHOutput {
    let descriptor: Int32? = nil
    private let answers: Answers

    init(_ answers: Answers) { self.answers = answers }

    func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
      try answers.receive(bytes)
      return bytes.count
    }
  }

  /// Runs ssh until it ends, and returns the reason, in the form that screens and verbs can show.
  func error(readingFrom pipe: Int32) -> any Error {
    do {
      return reason(try outcome(readingFrom: pipe))
    } catch let failure as Failure {
      return Self.error(failure)
    } catch {
      return error
    }
  }

  private static func error(_ failure: Failure) -> DataSourceError {
    DataSourceError(failure.message ?? "the comparison was stopped", isOfOpening: failure.status == .cannotOpen)
  }

  private func outcome(readingFrom pipe: Int32) throws -> SSHConnection.Outcome {
    let ssh = SSHCommand(address: address, build: build)
    // On the screen, nobody could answer a question of ssh.
    let options = isOnScreen ? ["-o", "BatchMode=yes", "-o", "ConnectTimeout=15"] : []
    var connection = SSHConnection(
      arguments: ssh.arguments(running: ssh.start(StandardInput.name), hasTerminal: false, options: options),
      input: .frames(request: Array(try request.json), data: [SSHSource(pipe: pipe)]), output: Output(answers), isInBackground: true)
    connection.tell = { [answers] bytes in
      if !answers.isQuiet.withLock(\.self) { StandardError.pass(bytes) }
    }
    let outcome = try connection.run()
    guard case .missing(let system, let other) = outcome else { return outcome }
    var delivery = SSHDelivery(address: address, build: build, isInBackground: true)
    if isOnScreen { delivery.canAsk = false }
    try delivery.offer(to: system, having: other)
    return try connection.run()
  }

  private var request: SSHRequest {
    let word = "\(address)"
    var request = SSHRequest(
      host: SSHHost(address), words: [DiffSideVerb.word, word], paths: [word: address.path], streams: .ofThisProcess)
    request.streams.isOutputTerminal = false
    request.environment = SSHRun.sentEnvironment(ProcessInfo.processInfo.environment)
    return request
  }

  private func reason(_ outcome: SSHConnection.Outcome) -> any Error {
    switch outcome {
    case .ended(let status): Self.error(SSHFailure(address: address, said: SSHWords()).ended(status: status))
    case .failed(let status, let said): Self.error(SSHFailure(address: address, said: said).beforeReady(status: status))
    case .cut(let said): Self.error(SSHFailure(address: address, said: said).cutInComparison)
    case .missing:
      DataSourceError("the quarry that was sent to \(address.host) is no longer there", isOfOpening: true)
    case .interrupted: CancellationError()
    }
  }
}

/// The files on other hosts that are compared, each with one connection.
final class HostFiles: Sendable {
  private struct State {
    var links: [SSHAddress: SSHDiffLink] = [:]
    var isOnScreen = false
  }

  private let state: Mutex<State>

  init(isOnScreen: Bool = false) { state = Mutex(State(isOnScreen: isOnScreen)) }

  /// Notes that the full screen is about to appear, on which ssh cannot ask and the hosts have no standard error.
  func enterScreen() {
    state.withLock { state in
      state.isOnScreen = true
      for link in state.links.values { link.beQuiet() }
    }
  }

  /// Opens a file, or returns nil if the text is not the address of a file on another host.
  ///
  /// - Parameter isWatched: Whether only the state of the file is read.
  /// - Throws: `DataSourceError` if it cannot be opened.
  func side(_ place: String, isWatched: Bool) throws -> (any DiffSide)? {
    guard case .ssh(let address) = try Address(place) else { return nil }
    let link = try state.withLock { state in
      if let link = state.links[address], !link.hasEnded { return link }
      let link = try SSHDiffLink(to: address, isOnScreen: state.isOnScreen)
      state.links[address] = link
      return link
    }
    return try HostDiffSide(link, name: PathText.shown(place), isWatched: isWatched)
  }
}
