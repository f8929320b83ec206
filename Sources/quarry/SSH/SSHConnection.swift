internal import CursesTerminal
internal import Libc
internal import QuarryEngine

/// One run of ssh: what it prints before the program there is ready is kept apart from what that prints, and its end is told from that of
/// the program.
struct SSHConnection {
  /// What is sent there once somebody listens.
  enum Input {
    /// The keyboard, which ssh reads itself.
    case terminal
    /// Frames: a request, and then the data of sources, each with its end.
    case frames(request: [UInt8], data: [SSHSource])
    /// The bytes of a file.
    case file(Int32)
  }

  /// How it has ended.
  enum Outcome: Hashable {
    /// The program has ended, with this status.
    case ended(Int32)
    /// There is no such program there: what `uname -sm` says, and another version that there is.
    case missing(system: String, other: String)
    /// Nothing was ready: ssh's status, and what was printed.
    case failed(Int32, said: SSHWords)
    /// The connection broke afterwards.
    case cut(said: SSHWords)
    /// A person has stopped it, or a signal this program.
    case interrupted(Int32)
  }

  /// The words after `ssh`.
  var arguments: [String]
  var input: Input
  /// Takes what the program there prints.
  var output: any SSHOutput
  /// Whether it is ended once nobody reads any more what the program there prints.
  var endsUnread = false
  /// Is called when it is ready.
  var onReady: () -> Void = {}
  /// Is called with the number of bytes of a file that have been sent.
  var onProgress: (Int) -> Void = { _ in }

  /// Runs it to its end.
  ///
  /// - Throws: `Failure` where there is no ssh, and what `output` throws.
  func run() throws -> Outcome {
    let process = try SSHProcess(arguments, readsTerminal: isScreen)
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

/// Where what the program there prints goes.
protocol SSHOutput: AnyObject {
  /// A descriptor that is to have room before anything is written; nil for what never waits.
  var descriptor: Int32? { get }
  /// Writes bytes; returns how many.
  ///
  /// - Throws: `StandardOutput.WriteError.closed` where nobody reads them any more.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> Int
}

/// The state of a run, which each turn of its loop brings forward.
private struct SSHConversation {
  private let connection: SSHConnection
  private let process: SSHProcess
  /// What was printed before the program was ready, on standard output.
  private var preface: [UInt8] = []
  /// What ssh has said, and in a verb, at its end, the program there.
  private var said = SSHWords()
  private var isReady = false
  private var missing: (system: String, other: String)?
  private var unwritten: ArraySlice<UInt8> = []
  private var isOutputOpen = true
  /// Whether it was ended because nobody reads what it prints.
  private var isUnread = false
  private var areErrorsOpen = true
  private var unsent: ArraySlice<UInt8> = []
  private var source: Int32?
  /// The source that is being read, which keeps its file open.
  private var openSource: SSHSource?
  private var laterSources: ArraySlice<SSHSource> = []
  private var sent = 0
  private var interruption: Int32?

  /// The most that is kept of what is printed besides, and the most that is read before it has been passed on.
  private static let longest = 1 << 16
  /// A pipe that has room at all takes so many bytes at once.
  private static let piece = 4096

  init(_ connection: SSHConnection, _ process: SSHProcess) {
    (self.connection, self.process) = (connection, process)
  }

  /// Waits for something to do and does it; returns whether there is more.
  mutating func turn() throws -> Bool {
    var events = [
      pollfd(fd: process.events, events: Int16(POLLIN), revents: 0),
      pollfd(fd: areErrorsOpen ? process.errors : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unwritten.isEmpty && isOutputOpen ? process.output : -1, events: Int16(POLLIN), revents: 0),
      // A reader that goes is noticed though nothing comes that could be written.
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

  /// Handles signals and the child's changes; returns whether it has ended.
  private mutating func handleEvents() -> Bool {
    let events = process.takeEvents()
    for case .signal(let number) in events { interrupt(number) }
    // ssh has been suspended by its own key, and the shell waits for this program.
    if events.contains(.stopped) {
      if connection.isScreen, isReady { CursesTerminal.restoreAfterAnother() }
      kill(getpid(), SIGSTOP)
      if connection.isScreen, isReady { CursesTerminal.resumeAnother() }
    }
    return events.contains(.ended)
  }

  private mutating func interrupt(_ number: Int32) {
    let isFirst = interruption == nil
    interruption = interruption ?? number
    // The terminal's ssh has got the signal itself; a verb there is told, unless the words would have to wait.
    guard case .frames = connection.input, isReady, isFirst, number == SIGINT, unsent.isEmpty else { return process.terminate() }
    (source, laterSources) = (nil, [])
    unsent = SSHFrame.interrupt.bytes()[...]
    send()
    if !unsent.isEmpty { process.terminate() }
  }

  // MARK: From there

  private mutating func readErrors() {
    while areErrorsOpen, let bytes = Descriptor.readPart(process.errors) {
      areErrorsOpen = !bytes.isEmpty
      said.append(bytes)
      if isReady, !connection.isScreen { StandardError.pass(said.takeAll()) }
    }
    // ssh may be waiting for the person, who has to read what it wants: it asks on the terminal itself.
    if !isReady { StandardError.pass(said.takeLines()) }
  }

  private mutating func readOutput() throws {
    guard let bytes = Descriptor.readPart(process.output) else { return }
    if bytes.isEmpty { return isOutputOpen = false }
    if isReady { unwritten += bytes } else { try readPreface(bytes) }
  }

  /// Looks for the line that says what there is, and leaves out what profiles of shells print before it.
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
    if !connection.isScreen { StandardError.pass(said.takeAll()) }
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

  /// Passes on what is there, as far as there is room.
  private mutating func writeOutput() throws {
    do {
      let count = try unwritten.prefix(Self.piece).withUnsafeBytes { try connection.output.write($0) }
      unwritten = unwritten.dropFirst(count)
    } catch StandardOutput.WriteError.closed {
      closeOutput()
    }
  }

  /// Takes no more of what the program there prints, and ends it where it does nothing else; else it learns that as it would here, by its
  /// next write.
  private mutating func closeOutput() {
    unwritten = []
    isOutputOpen = false
    process.closeOutput()
    guard connection.endsUnread else { return }
    isUnread = true
    process.terminate()
  }

  // MARK: To there

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
      // Nobody listens any more; why is told by the end of the process.
      unsent = []
      (source, laterSources) = (nil, [])
    }
  }

  // MARK: The end

  /// Passes on what ssh has left in the pipes; returns false.
  private mutating func finish() throws -> Bool {
    readErrors()
    while isOutputOpen {
      while !unwritten.isEmpty, isOutputOpen { try writeRest() }
      guard isOutputOpen, let bytes = Descriptor.readPart(process.output), !bytes.isEmpty else { break }
      if isReady { unwritten = bytes[...] } else { try readPreface(bytes) }
    }
    return false
  }

  /// Waits until the reader has room, and passes on what it takes; a signal ends that.
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
