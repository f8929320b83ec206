internal import CursesTerminal
internal import Libc
internal import QuarryEngine

/// One run of ssh.
///
/// Output that ssh prints before the remote program is ready is separated from the program's output. Failures of ssh are distinguished from
/// failures of the program.
struct SSHConnection {
  /// The input sent to the remote program once it is ready.
  enum Input {
    /// The keyboard, which ssh reads itself.
    case terminal
    /// A request followed by the data of the sources, in frames.
    case frames(request: [UInt8], data: [SSHSource])
    /// The bytes of a file.
    case file(Int32)
  }

  /// The result of the run.
  enum Outcome: Hashable {
    /// The remote program has ended with this status.
    case ended(Int32)
    /// The program is missing on the remote machine.
    ///
    /// Contains the output of `uname -sm` and another installed version.
    case missing(system: String, other: String)
    /// The program never became ready.
    ///
    /// Contains ssh's status and output.
    case failed(Int32, said: SSHWords)
    /// The connection was lost after the program was ready.
    case cut(said: SSHWords)
    /// The user interrupted the run, or this program received a signal.
    case interrupted(Int32)
  }

  /// The arguments of `ssh`.
  var arguments: [String]
  var input: Input
  /// Receives the output of the remote program.
  var output: any SSHOutput
  /// Whether the run ends once the reader of the output is gone.
  var endsUnread = false
  /// Whether it runs beside other work of this program, which takes the signals.
  var isInBackground = false
  /// Receives the lines for the user: the messages of ssh and of the remote program.
  var tell: @Sendable ([UInt8]) -> Void = StandardError.pass
  /// Called when the remote program is ready.
  var onReady: () -> Void = {}
  /// Called with the number of bytes of a file that have been sent.
  var onProgress: (Int) -> Void = { _ in }

  /// Runs ssh until it ends.
  ///
  /// - Throws: `Failure` if ssh is not installed, and any error thrown by `output`.
  func run() throws -> Outcome {
    let process = try SSHProcess(arguments, readsTerminal: isScreen, takesSignals: !isInBackground)
    var state = SSHConversation(self, process)
    do {
      while try state.turn() {}
    } catch {
      process.terminate()
      throw error
    }
    return state.outcome
  }

  fileprivate var isScreen: Bool {
    if case .terminal = input { true } else { false }
  }
}

/// A destination for the output of the remote program.
protocol SSHOutput: AnyObject {
  /// The descriptor that must be writable before a write, or nil if writes never block.
  var descriptor: Int32? { get }
  /// Writes bytes and returns their number.
  ///
  /// - Throws: `StandardOutput.WriteError.closed` if the reader is gone.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> Int
}

/// The state of a run, updated by each turn of its loop.
private struct SSHConversation {
  private let connection: SSHConnection
  private let process: SSHProcess
  /// The standard output before the program was ready.
  private var preface: [UInt8] = []
  /// The messages of ssh and, at the end of a verb, of the remote program.
  private var said = SSHWords()
  private var isReady = false
  private var missing: (system: String, other: String)?
  private var unwritten: ArraySlice<UInt8> = []
  private var isOutputOpen = true
  /// Whether the run was ended because its reader is gone.
  private var isUnread = false
  private var areErrorsOpen = true
  private var unsent: ArraySlice<UInt8> = []
  private var source: Int32?
  /// The source being read.
  ///
  /// Keeps its file open.
  private var openSource: SSHSource?
  private var laterSources: ArraySlice<SSHSource> = []
  private var sent = 0
  private var interruption: Int32?

  /// The maximum number of bytes kept of other output, and of bytes read ahead of the output.
  private static let longest = 1 << 16
  /// A writable pipe accepts at least this many bytes.
  private static let piece = 4096

  init(_ connection: SSHConnection, _ process: SSHProcess) {
    (self.connection, self.process) = (connection, process)
  }

  /// Waits for an event and handles it.
  ///
  /// Returns whether the run continues.
  mutating func turn() throws -> Bool {
    var events = [
      pollfd(fd: process.events, events: Int16(POLLIN), revents: 0),
      pollfd(fd: areErrorsOpen ? process.errors : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unwritten.isEmpty && isOutputOpen ? process.output : -1, events: Int16(POLLIN), revents: 0),
      // Polls the reader even without pending output, so that a closed reader is noticed.
      pollfd(
        fd: unwritten.isEmpty && !(isReady && isOutputOpen) ? -1 : connection.output.descriptor ?? -1,
        events: unwritten.isEmpty ? 0 : Int16(POLLOUT),
        revents: 0),
      pollfd(fd: unsent.isEmpty ? -1 : process.input ?? -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: unsent.isEmpty ? source ?? -1 : -1, events: Int16(POLLIN), revents: 0),
    ]
    let isFile = connection.output.descriptor == nil && !unwritten.isEmpty
    guard poll(&events, nfds_t(events.count), isFile ? 0 : -1) >= 0 || errno == EINTR else { return false }
    let hasEnded = events[0].revents != 0 && handleEvents()
    if events[1].revents != 0 || hasEnded { readErrors() }
    if events[2].revents != 0 { try readOutput() }
    if !unwritten.isEmpty, isFile || events[3].revents != 0 {
      try writeOutput()
    } else if unwritten.isEmpty, events[3].revents & Int16(POLLERR) != 0, !connection.isScreen {
      closeOutput()
    }
    if events[4].revents != 0 { send() }
    if events[5].revents != 0 { try readSource() }
    return hasEnded ? try finish() : true
  }

  /// Handles signals and changes of the child's state.
  ///
  /// Returns whether the child has ended.
  private mutating func handleEvents() -> Bool {
    let events = process.takeEvents()
    for case .signal(let number) in events { interrupt(number) }
    // The user has suspended ssh with its escape key. Stop this program too, so that the shell continues.
    if events.contains(.stopped), !connection.isInBackground {
      if connection.isScreen, isReady { CursesTerminal.restoreAfterAnother() }
      kill(getpid(), SIGSTOP)
      if connection.isScreen, isReady { CursesTerminal.resumeAnother() }
    }
    return events.contains(.ended)
  }

  private mutating func interrupt(_ number: Int32) {
    let isFirst = interruption == nil
    interruption = interruption ?? number
    // The terminal also sends the signal to ssh. A remote verb gets an interrupt frame, unless the frame cannot be sent at once.
    guard case .frames = connection.input, isReady, isFirst, number == SIGINT, unsent.isEmpty else { return process.terminate() }
    (source, laterSources) = (nil, [])
    unsent = SSHFrame.interrupt.bytes()[...]
    send()
    if !unsent.isEmpty { process.terminate() }
  }

  // MARK: Output of the remote program

  private mutating func readErrors() {
    while areErrorsOpen, let bytes = Descriptor.readPart(process.errors) {
      areErrorsOpen = !bytes.isEmpty
      said.append(bytes)
      if isReady, !connection.isScreen { connection.tell(said.takeAll()) }
    }
    // ssh may be waiting for the user, who must see its question: ssh asks on the terminal itself.
    if !isReady { connection.tell(said.takeLines()) }
  }

  private mutating func readOutput() throws {
    guard let bytes = Descriptor.readPart(process.output) else { return }
    if bytes.isEmpty { return isOutputOpen = false }
    if isReady { unwritten += bytes } else { try readPreface(bytes) }
  }

  /// Finds the line with the marker.
  ///
  /// Skips the output of shell profiles before it.
  private mutating func readPreface(_ bytes: [UInt8]) throws {
    preface += bytes
    let text = preface
    for marker in [SSHMarker.ready, SSHMarker.missing] {
      guard let found = text.firstRange(of: Array(marker.utf8)), let end = text[found.upperBound...].firstIndex(of: 0x0A) else { continue }
      let line = String(decoding: text[found.upperBound..<end], as: UTF8.self).filter { !$0.isNewline }
      if marker == SSHMarker.ready { return try begin(after: text[(end + 1)...]) }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      missing = (parts.first ?? "", parts.dropFirst().first ?? "")
    }
    preface = text.suffix(Self.longest)
  }

  private mutating func begin(after rest: ArraySlice<UInt8>) throws {
    isReady = true
    unwritten = rest
    if !connection.isScreen { connection.tell(said.takeAll()) }
    connection.onReady()
    switch connection.input {
    case .terminal: break
    case .frames(let request, let data):
      unsent = SSHFrame.request.bytes(request)[...]
      laterSources = data[...]
      if data.isEmpty { unsent += SSHFrame.end.bytes() }
      try beginSource()
    case .file(let file): source = file
    }
  }

  /// Writes pending output as far as the reader has room.
  private mutating func writeOutput() throws {
    do {
      let count = try unwritten.prefix(Self.piece).withUnsafeBytes { try connection.output.write($0) }
      unwritten = unwritten.dropFirst(count)
    } catch StandardOutput.WriteError.closed {
      closeOutput()
    }
  }

  /// Stops reading the output.
  ///
  /// If the program only prints, ends it. Otherwise its next write fails, as it would locally.
  private mutating func closeOutput() {
    unwritten = []
    isOutputOpen = false
    process.closeOutput()
    guard connection.endsUnread else { return }
    isUnread = true
    process.terminate()
  }

  // MARK: Input of the remote program

  private mutating func beginSource() throws {
    openSource = laterSources.popFirst()
    source = try openSource?.open()
  }

  private mutating func readSource() throws {
    guard let descriptor = source, let bytes = Descriptor.readPart(descriptor) else { return }
    if bytes.isEmpty { try beginSource() }
    switch connection.input {
    case .terminal: break
    case .frames: unsent = (bytes.isEmpty ? SSHFrame.end.bytes() : SSHFrame.data.bytes(bytes))[...]
    case .file:
      unsent = bytes[...]
      if bytes.isEmpty { process.closeInput() }
    }
    send()
  }

  private mutating func send() {
    guard let input = process.input, !unsent.isEmpty else { return }
    switch unsent.withUnsafeBytes({ Descriptor.write($0, to: input) }) {
    case .success(let count):
      unsent = unsent.dropFirst(count)
      sent += count
      if case .file = connection.input { connection.onProgress(sent) }
    case .failure(let error) where error.code == EAGAIN || error.code == EINTR: break
    case .failure:
      // The remote program no longer reads. The end of the process gives the reason.
      unsent = []
      (source, laterSources) = (nil, [])
    }
  }

  // MARK: The end

  /// Writes the output that is left in the pipes.
  ///
  /// Returns false.
  private mutating func finish() throws -> Bool {
    readErrors()
    while isOutputOpen {
      while !unwritten.isEmpty, isOutputOpen { try writeRest() }
      guard isOutputOpen, let bytes = Descriptor.readPart(process.output), !bytes.isEmpty else { break }
      if isReady { unwritten = bytes[...] } else { try readPreface(bytes) }
    }
    return false
  }

  /// Waits until the reader has room and writes pending output.
  ///
  /// A signal ends the wait.
  private mutating func writeRest() throws {
    if let reader = connection.output.descriptor {
      var events = [
        pollfd(fd: reader, events: Int16(POLLOUT), revents: 0), pollfd(fd: process.events, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&events, nfds_t(events.count), -1) > 0 else { return }
      if events[1].revents != 0 { _ = handleEvents() }
      if interruption != nil { return unwritten = [] }
      if events[0].revents == 0 { return }
    }
    try writeOutput()
  }

  var outcome: SSHConnection.Outcome {
    let status = process.status ?? 255
    if isUnread, interruption == nil { return .ended(0) }
    if let interruption, interruption != SIGINT || status == 255 || status > 128 { return .interrupted(interruption) }
    if let missing, !isReady { return .missing(system: missing.system, other: missing.other) }
    var said = said
    if !isReady { said.append(preface) }
    if !isReady { return .failed(status, said: said) }
    return status == 255 ? .cut(said: said) : .ended(status)
  }
}
