internal import ArgumentParser
internal import Browser
internal import Essentials
internal import QuarryEngine

/// The command tree.
struct Quarry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quarry",
    abstract: "Browse SQLite databases on a full screen, or query them from the command line.",
    usage: """
      quarry [<file> ...] [<options>]
      quarry <verb> <arguments> [<options>]
      """,
    version: "\(nameAndVersion)\nSQLite \(Database.sqliteVersion)",
    subcommands: [
      Browse.self, NewVerb.self, TablesVerb.self, SchemaVerb.self, RowsVerb.self, SearchVerb.self, QueryVerb.self, CountsVerb.self,
      GroupVerb.self, ProfileVerb.self, ChartVerb.self, CheckVerb.self, ChangesVerb.self, UndoVerb.self, DiffVerb.self, MergeVerb.self,
      TextconvVerb.self, ImportVerb.self, DumpVerb.self, BackupVerb.self, FilterCheckVerb.self, ThemesVerb.self, KeysVerb.self,
      ConfigVerb.self, DoctorVerb.self, ManVerb.self,
    ],
    defaultSubcommand: Browse.self)

  /// The first line of `quarry --version`, which another machine compares.
  static let nameAndVersion = "quarry 0.1.0"
}

extension Quarry {
  /// The verbs, including the parser's own.
  static var verbs: [String] { configuration.subcommands.map { $0._commandName } + ["help"] }

  /// Returns the path of a file as a word of a command line.
  ///
  /// A path that is the name of a verb or that begins with a minus sign begins with `./`.
  static func word(ofPath path: String) -> String {
    let address = SSHSession.address(ofPath: path)
    return ShellWord.quoted(path: address.hasPrefix("-") || verbs.contains(address) ? "./" + address : address)
  }

  /// Returns the reason why the first word is neither a file nor a verb.
  ///
  /// Returns nil if the word is a file or a verb, or if it can only be a path.
  static func unknownVerb(_ words: [String]) -> Failure? {
    guard let word = words.first, !FileManager.default.fileExists(atPath: word) else { return nil }
    let near = NearestNames.to(word, among: configuration.subcommands.map { $0._commandName })
    if !near.isEmpty, !word.hasPrefix("-") {
      let verbs = near.map { "quarry \($0)" }.joined(separator: " or ")
      return Failure(status: .cannotOpen, message: "There is no file “\(word)”. Did you mean \(verbs)?")
    }
    guard words.count > 1, word.wholeMatch(of: #/[a-z]+(-[a-z]+)*/#) != nil else { return nil }
    return Failure(status: .usage, message: "There is no verb “\(word)”, and no file of that name. `quarry --help` lists the verbs.")
  }
}

extension Quarry {
  /// Returns the failure for an option with a single dash that the parser reads as a request for help.
  ///
  /// The parser takes `-where` for short options, among them `-h`. Returns nil if the words really request help.
  static func misreadOption(_ words: [String]) -> Failure? {
    guard let last = words.indices.first(where: { requestsHelp(words[...$0]) }) else { return nil }
    let word = words[last]
    guard word.hasPrefix("-"), !word.hasPrefix("--"), !["-h", "-help"].contains(word) else { return nil }
    let near = NearestNames.to("-" + word.prefix { $0 != "=" }, among: options(words[...last]), limit: 1).map { " Did you mean '\($0)'?" }
    return .usage("Unknown option '\(word)'.\(near.first ?? "")")
  }

  private static func requestsHelp(_ words: ArraySlice<String>) -> Bool {
    (try? parseAsRoot(Array(words))).map(isHelp) ?? false
  }

  /// Returns whether a parsed command only prints help.
  static func isHelp(_ command: any ParsableCommand) -> Bool { type(of: command)._commandName == "help" }

  /// Returns the long options of the verb whose help the words request.
  private static func options(_ words: ArraySlice<String>) -> Set<String> {
    do {
      var command = try parseAsRoot(Array(words))
      // The parser's command prints the help by an error.
      if isHelp(command) { try command.run() }
      return []
    } catch {
      return Set(fullMessage(for: error).matches(of: #/--[a-z][a-z-]+/#).map { String($0.output) })
    }
  }
}

/// The output of `quarry --help`.
enum HelpText {
  /// Returns a message of the parser.
  ///
  /// The help of the whole program also includes the help of the full screen.
  static func complete(_ text: String) -> String {
    guard text == Quarry.helpMessage() else { return text }
    let screen = Quarry.helpMessage(for: Browse.self)
    guard let options = screen.firstRange(of: "ARGUMENTS:") else { return text }
    return text + "\nFULL SCREEN, with no verb\n\n" + screen[options.lowerBound...]
  }
}

/// The full screen, which is the default command.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Browse databases on a full screen. This is the default verb.",
    usage: "quarry [<file> ...] [<options>]")

  @Argument(
    help: """
      Databases to open: the first is main, others are attached. CSV, TSV, JSON and NDJSON files become tables. - is standard input, \
      host:path another machine.
      """, completion: .file(), transform: FileArgument.path)
  var files: [String] = []

  @Option(name: [.short, .long], help: "Open this table first.", completion: .tables)
  var table: String?

  @OptionGroup var view: ViewOptions

  @Option(
    help: ArgumentHelp("Show these columns, in this order. They can be values, as in quarry rows.", valueName: "a,b"),
    completion: .columnList)
  var columns: ColumnList?

  @Option(help: "Use this theme. `quarry themes` lists the themes.")
  var theme: String?

  @OptionGroup var data: DataFileOptions

  @OptionGroup var access: AccessOptions

  @OptionGroup var recording: RecordingOptions

  @Flag(help: "Open a sample database in memory.")
  var demo = false

  @Flag(help: "Do not use the mouse, so that the terminal can.")
  var noMouse = false

  @Flag(help: "Draw borders and marks in plain ASCII.")
  var ascii = false

  @Option(help: "Write a log to this file.", completion: .file())
  var log: String?

  func validate() throws {
    if demo, !files.isEmpty { throw ValidationError("--demo opens its own database: omit the files") }
  }

  func run() throws {
    if table == nil, !view.isPlain || columns != nil { throw Failure.usage("--where, --sort and --columns need a table: name one with -t") }
    if files.isEmpty, !demo, table != nil || !FullScreen.hasTerminal {
      throw Failure.usage("name a database to open, or try `quarry --demo`; `quarry --help` lists the options")
    }
    try run(after: FullScreen(self).run())
  }

  /// Opens what the user has chosen on the last screen, until the user quits.
  func run(after first: FullScreen.Outcome) throws {
    var outcome = first
    while case .other(let next) = outcome {
      if let elsewhere = try elsewhere(next) { throw PassedStatus(status: try elsewhere.run()) }
      outcome = try FullScreen(self, opening: next).run()
    }
    PrivateTables.release()
    if case .ended(let ending?) = outcome { FullScreen.passOn(ending) }
  }

  /// Returns the remote run if the chosen files are on another host, otherwise nil.
  private func elsewhere(_ next: Successor) throws -> SSHRun? {
    guard case .files(let files) = next else { return nil }
    let flags = [
      (noMouse, "--no-mouse"), (ascii, "--ascii"), (access.isReadOnly, "--read-only"), (access.isImmutable, "--immutable"),
      (recording.isOff, "--no-changes"),
    ]
    let words = files + (theme.map { ["--theme", $0] } ?? []) + flags.filter(\.0).map(\.1)
    return try SSHRun(Browse.parse(words), words: words)
  }
}
