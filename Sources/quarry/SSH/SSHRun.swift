internal import ArgumentParser
internal import Browser
internal import CursesTerminal
internal import Essentials
internal import Libc
internal import QuarryEngine
internal import QuarryFiles
internal import Terminal

/// A command with files on another host.
///
/// It runs there through ssh, as if it ran locally.
struct SSHRun {
  private let address: SSHAddress
  private let command: any FileCommand
  private let request: SSHRequest
  private let build: ProgramBuild

  /// Determines the host of a command's files.
  ///
  /// Returns nil if they are local.
  ///
  /// - Parameter words: The words of the command line without the program name.
  /// - Throws: `AddressError` for a malformed address. `Failure` if the files are not on the same host, or the command needs something that
  ///   the host does not have.
  init?(_ parsed: any ParsableCommand, words: [String]) throws {
    guard let command = parsed as? any FileCommand else { return nil }
    let files = command.files
    let addresses = try files.map { try Address($0) }
    let hosts = addresses.compactMap { if case .ssh(let address) = $0 { address } else { nil } }
    guard let first = hosts.first else { return nil }
    let isOneHost = hosts.count == files.count && hosts.allSatisfy { $0.isSameHost(as: first) }
    if command.readsFilesApart, !isOneHost { return nil }
    for (file, address) in zip(files, addresses) {
      if case .ssh(let other) = address, other.isSameHost(as: first) { continue }
      throw Failure.usage(
        """
        “\(PathText.shown(file))” is not on \(first.host): SQLite opens files together only if all are on one machine. \
        `quarry backup \(first) copy.db` makes a copy here: name the copy instead
        """)
    }
    if let refusal = command.refusalElsewhere(host: first.host) { throw Failure.usage(refusal) }
    if command is Browse, !FullScreen.hasTerminal { throw Failure.usage(FullScreen.noTerminal) }
    let paths = Dictionary(zip(files, hosts.map(\.path)), uniquingKeysWith: { first, _ in first })
    var request = SSHRequest(host: SSHHost(first), words: words, paths: paths, streams: .ofThisProcess)
    let environment = ProcessInfo.processInfo.environment
    request.environment = Self.sentEnvironment(environment)
    request.preferences = SSHRequest.Preferences(ConfigurationFiles(at: Locations(environment: environment)))
    if command.localOutput?.isFile == true { request.streams.isOutputTerminal = false }
    try command.complete(&request)
    (address, self.command, self.request, build) = (first, command, request, try ProgramBuild.current())
  }

  /// Returns the environment variables about the terminal's capabilities and the user's preferences.
  static func sentEnvironment(_ environment: [String: String]) -> [String: String] {
    var sent = environment.filter { ["COLORTERM", "NO_COLOR", "TMUX"].contains($0.key) }
    // Hosts seldom have the locale of this machine, but all have this one.
    sent["LC_ALL"] = Locale.isUTF8(environment) ? "C.UTF-8" : "C"
    return sent
  }

  /// Runs the command on the host.
  ///
  /// - Returns: The exit status of the command.
  /// - Throws: `Failure` if the command could not start or the connection was lost.
  func run() throws -> Int32 {
    if command.opensScreen { return try runScreen() }
    if let backup = command as? BackupVerb { return try runBackup(backup) }
    guard let file = try command.localOutput?.file(databases: []) else { return try runVerb(StandardSSHOutput()) }
    let status = try runVerb(FileSSHOutput(file))
    if status == 0 { try file.finish() }
    return status
  }

  // MARK: The kinds of command

  private func runScreen() throws -> Int32 {
    let argument = try Self.fitting(request, themes: chosenThemes)
    var isReady = false
    var lineModes = termios()
    let hasLineModes = tcgetattr(STDIN_FILENO, &lineModes) == 0
    let outcome = try connect(argument: argument, input: .terminal, to: StandardSSHOutput()) {
      isReady = true
      if command is Browse { noteRecentFiles() }
    }
    if command is NewVerb, case .ended(0) = outcome { noteRecentFiles() }
    let signal: Int32? = if case .ended(let status) = outcome { status - 128 } else { nil }
    // After a normal exit or an interrupt, the terminal has been restored.
    if let signal, signal <= 0 || signal == SIGINT { return signal + 128 }
    // The modes set by the remote program are still on.
    if isReady { CursesTerminal.restoreAfterAnother() }
    // A killed ssh has not restored the line modes.
    if hasLineModes { tcsetattr(STDIN_FILENO, TCSADRAIN, &lineModes) }
    let stagesChanges = command is Browse || command is NewVerb
    if let signal {
      let failure = SSHFailure(address: address, said: SSHWords())
      throw stagesChanges ? failure.ended(by: signal) : failure.ended(status: signal + 128)
    }
    return try status(of: outcome, cut: stagesChanges ? \.cutInScreen : \.cutInComparison)
  }

  /// Adds the files to the recent files, if the list can be saved.
  private func noteRecentFiles() {
    let locations = Locations(environment: ProcessInfo.processInfo.environment)
    try? locations.recentFile.map { try RecentFiles(path: $0).note(command.files) }
  }

  /// The paths of the theme files that make up the active theme.
  private var chosenThemes: [String] {
    let person = Preferences.ofThisPerson(arguments: (command as? Browse)?.theme.map { [.theme: .text($0)] } ?? [:])
    return person.themes.userThemes(in: person.settings.theme).map(SSHRequest.Preferences.themePath)
  }

  private func runVerb(_ output: any SSHOutput) throws -> Int32 {
    var request = request
    let paths = try command.localSources()
    var sources = paths.map(SSHSource.init)
    if paths.contains(where: { $0 != nil }) {
      request.sourceCount = paths.count
      request.streams.isInputTerminal = false
      for source in sources { try source.check() }
    } else if request.streams.isInputTerminal {
      sources = []
    }
    let input = SSHConnection.Input.frames(request: Array(try request.json), data: sources)
    let outcome = try connect(argument: StandardInput.name, input: input, to: output)
    return try status(of: outcome, cut: \.cutInVerb)
  }

  /// Copies a remote database to a local file, completely or not at all.
  private func runBackup(_ backup: BackupVerb) throws -> Int32 {
    // SQLite would use a remaining journal at the path as the journal of the copy.
    let hasLog = ["-journal", "-wal"].contains { PathText.exists(PathText.bytes(backup.path + $0)) }
    if hasLog { return try runReplacingBackup(backup) }
    let file: OutputFile
    do {
      file = try OutputFile(path: backup.path, isReplacing: backup.isReplacing)
    } catch let error as OutputFileError where error.kind == .isThere {
      throw Failure.usage("\(error), or replace it with --force")
    } catch let error as OutputFileError where error.kind == .isDatabase && backup.isReplacing {
      return try runReplacingBackup(backup)
    }
    let status = try runVerb(FileSSHOutput(file))
    guard status == 0 else { return status }
    let size = file.count
    try file.finish()
    try backup.report(size)
    return 0
  }

  /// Copies a remote database over an existing local one.
  ///
  /// The local database is checkpointed first, so that no journal of it remains.
  private func runReplacingBackup(_ backup: BackupVerb) throws -> Int32 {
    let folder = try PrivateFolder(in: ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp")
    defer { withExtendedLifetime(folder) {} }
    let file = try OutputFile(path: folder.path + "/copy.db")
    let status = try runVerb(FileSSHOutput(file))
    guard status == 0 else { return status }
    try file.finish()
    Interrupts.watch()
    try backup.copy(DatabaseQueue(path: file.path))
    return 0
  }

  // MARK: The connection

  /// Starts the program on the host.
  ///
  /// If the program is missing there, offers to send it.
  private func connect(
    argument: String, input: SSHConnection.Input, to output: any SSHOutput, onReady: @escaping () -> Void = {}
  ) throws -> SSHConnection.Outcome {
    let ssh = SSHCommand(address: address, build: build)
    let arguments = ssh.arguments(running: ssh.start(argument), hasTerminal: command.opensScreen)
    let connection = SSHConnection(
      arguments: arguments, input: input, output: output, endsUnread: command.onlyPrints, onReady: onReady)
    let outcome = try connection.run()
    guard case .missing(let system, let other) = outcome else { return outcome }
    try SSHDelivery(address: address, build: build).offer(to: system, having: other)
    return try connection.run()
  }

  private func status(of outcome: SSHConnection.Outcome, cut: (SSHFailure) -> Failure) throws -> Int32 {
    switch outcome {
    case .ended(let status): return status
    case .failed(let status, let said): throw SSHFailure(address: address, said: said).beforeReady(status: status)
    case .cut(let said): throw cut(SSHFailure(address: address, said: said))
    case .missing: throw Failure(status: .cannotOpen, message: "the quarry that was sent to \(address.host) is no longer there")
    case .interrupted(let number): throw Interrupted(signal: number)
    }
  }

  /// Returns the request as an argument, without the parts that would make it too long.
  ///
  /// - Parameter themes: The paths of the files that make up the active theme.
  private static func fitting(_ request: SSHRequest, themes: [String]) throws -> String {
    var request = request
    let warnings = request.preferences.warnings
    var argument = try request.argument
    guard argument.utf8.count > SSHRequest.longestArgument else { return argument }
    let reason = "is not sent to \(request.host.name): it is too large"
    let all = request.preferences.themes
    // The active theme takes precedence over the other themes.
    for kept in [themes, []] {
      let left = all.filter { !kept.contains($0.path) }
      request.preferences.themes = all.filter { kept.contains($0.path) }
      request.preferences.warnings = warnings + left.map { SSHRequest.File(path: $0.path, text: reason) }
      argument = try request.argument
      guard argument.utf8.count > SSHRequest.longestArgument else { return argument }
    }
    let others = [request.preferences.settings, request.preferences.keymap].compactMap(\.self)
    request.preferences = SSHRequest.Preferences(warnings: others.map { SSHRequest.File(path: $0.path, text: reason) })
    argument = try request.argument
    guard argument.utf8.count > SSHRequest.longestArgument else { return argument }
    throw Failure.usage("the command line is too long to send to \(request.host.name)")
  }
}

/// An error for a remote command that was ended by a signal.
struct Interrupted: Error {
  var signal: Int32
}

extension SSHRequest.Streams {
  /// The streams of this process.
  static var ofThisProcess: Self {
    let size = StandardOutput.terminalSize
    return Self(
      isInputTerminal: StandardInput.isTerminal, isOutputTerminal: StandardOutput.isTerminal, isErrorTerminal: StandardError.isTerminal,
      columns: size?.columns, rows: size?.rows)
  }
}
