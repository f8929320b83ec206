internal import ArgumentParser
internal import Browser
internal import CursesTerminal
internal import Libc
internal import QuarryEngine

/// The entry point, which runs the command and exits with its status.
@main
enum Program {
  static func main() {
    let status = run()
    Interrupts.passOn()
    exit(status)
  }

  private static func run() -> Int32 {
    // When a reader closes the pipe, the failing write reports it. SIGPIPE is not needed.
    signal(SIGPIPE, SIG_IGN)
    // The failing write also reports a file that would exceed the limit of `ulimit -f`.
    signal(SIGXFSZ, SIG_IGN)
    SystemLimits.saveAddressSpace()
    Database.turnOffMemoryStatistics()
    FatalSignals.setAdvice(CrashAdvice.text(log: nil))
    defer {
      Interrupts.forget()
      PrivateTables.release()
    }
    do {
      // Swift's runtime reads the arguments from there.
      if CommandLine.argc == 0 { throw Failure.refused("/proc is not mounted, so the arguments cannot be read: mount -t proc proc /proc") }
      let words = try requestedWords()
      var command = try command(arguments(words))
      if let elsewhere = try SSHRun(command, words: words) { return try elsewhere.run() }
      try command.run()
      return ExitStatus.success.rawValue
    } catch let passed as PassedStatus {
      return passed.status
    } catch let interrupted as Interrupted {
      if interrupted.signal != SIGINT { Interrupts.end(by: interrupted.signal) }
      return ExitStatus.interrupted.rawValue
    } catch {
      return report(error).rawValue
    }
  }

  /// Returns the words of the command line, from this machine or from the machine that has started this program through ssh.
  private static func requestedWords() throws -> [String] {
    let words = Array(words.dropFirst())
    return words.count == 2 && words[0] == SSHSession.word ? try SSHSession.begin(words[1]) : words
  }

  /// Parses the command line.
  ///
  /// Without a verb, only the full screen's options are parsed. With a verb, only its own options are. This saves a third of the startup
  /// time. Errors and help requests are handled by the complete command tree.
  private static func command(_ arguments: [String]) throws -> any ParsableCommand {
    let verbs = Quarry.configuration.subcommands
    if SSHSession.current != nil, arguments.first == DiffSideVerb.word { return try DiffSideVerb.parse(Array(arguments.dropFirst())) }
    if arguments.first == CompletionScript.request { return try completion(arguments) }
    if let first = arguments.first {
      if let verb = verbs.first(where: { $0._commandName == first }) {
        if let command = try? verb.parse(Array(arguments.dropFirst())) { return command }
      } else if first != "help" {
        if let failure = Quarry.unknownVerb(arguments) { throw failure }
        if let screen = try? Browse.parse(arguments) { return screen }
      }
    }
    let command = try Quarry.parseAsRoot(arguments)
    if Quarry.isHelp(command), let failure = Quarry.misreadOption(arguments) { throw failure }
    return command
  }

  /// Answers a request of a completion script by an error with status 0.
  ///
  /// - Throws: A failure without a message for another request, because the user is typing a command.
  private static func completion(_ arguments: [String]) throws -> any ParsableCommand {
    let refusal = Failure(status: .usage, message: nil)
    guard CompletionScript.isValidRequest(arguments) else { throw refusal }
    do {
      return try Quarry.parseAsRoot(arguments)
    } catch  where Quarry.exitCode(for: error) != .success {
      throw refusal
    }
  }

  /// Returns the arguments for the parser.
  ///
  /// Arguments after `--` are not options.
  private static func arguments(_ texts: [String]) -> [String] {
    let end = texts.firstIndex(of: "--") ?? texts.endIndex
    return texts[..<end].map(argument) + texts[end...]
  }

  /// The words of the command line.
  ///
  /// A word that is not UTF-8 keeps its bytes if it is the path of an existing file.
  private static var words: [String] {
    (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }.map { word in
      let bytes = UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) }
      let path = PathText.text(bytes)
      return PathText.exists(bytes) || Address.isElsewhere(path) ? path : String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Inserts a space before SQL that begins with a comment, which the parser would treat as an option.
  ///
  /// No option has such a name.
  private static func argument(_ text: String) -> String {
    guard text.hasPrefix("--"), let next = text.dropFirst(2).first, !next.isLetter, next != "-" else { return text }
    return " " + text
  }

  /// Reports an error to the user: requested help on standard output, anything else on standard error.
  private static func report(_ error: any Error) -> ExitStatus {
    if let failure = Failure(error) {
      // The message must name the machine on which the file is missing.
      let host = failure.status == .cannotOpen ? SSHSession.current.map { "\($0.host.name): " } ?? "" : ""
      let path = failure.status == .interrupted ? VerbOutput.unfinishedPath : nil
      let unwritten = path.map { "stopped: “\(PathText.shown($0))” was not written" }
      if let message = failure.message ?? unwritten { StandardError.write("quarry: \(host)\(message)\n") }
      return failure.status
    }
    let text = CompletionScript.extended(Quarry.fullMessage(for: error), verbs: Quarry.verbs)
    guard Quarry.exitCode(for: error) == .success else {
      StandardError.write(text + "\n")
      return .usage
    }
    do {
      try StandardOutput.write(HelpText.complete(text) + "\n")
      return .success
    } catch {
      return report(error)
    }
  }
}
