internal import Browser
internal import CursesTerminal
internal import Essentials
internal import Libc
internal import QuarryChanges
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows
internal import QuarrySources
internal import Terminal

/// The full screen, from the command line to the last key.
struct FullScreen {
  let command: Browse
  /// The databases to open, or nil for the start screen.
  private let opening: Successor?
  /// Whether the command line names the databases, so that its view options apply.
  private let isFirst: Bool
  /// The merge whose conflicts are shown, or nil for databases.
  private let merge: PendingMerge?

  /// The result of the screen.
  enum Outcome {
    /// The user has quit, or a signal has ended the screen.
    case ended(Ending?)
    /// The user wants to open something else.
    case other(Successor)
  }

  /// Creates the screen for the databases on the command line.
  init(_ command: Browse) {
    self.command = command
    opening = command.demo ? .demo(isTour: false) : command.files.isEmpty ? nil : .files(command.files)
    isFirst = true
    merge = nil
  }

  /// Creates the screen for the conflicts of a merge.
  init(_ command: Browse, merging merge: PendingMerge) {
    (self.command, opening, isFirst, self.merge) = (command, nil, true, merge)
  }

  /// Creates the screen for databases chosen on the previous one.
  init(_ command: Browse, opening: Successor) {
    self.command = command
    self.opening = opening
    isFirst = false
    merge = nil
  }

  /// Whether the program can ask the user: standard input and output are a terminal.
  static var hasTerminal: Bool { StandardOutput.isTerminal && StandardInput.isTerminal }

  /// Whether a verb can show the full screen: on a terminal, which a verb that ssh has started without one lacks.
  static var isAvailable: Bool { hasTerminal && (SSHSession.current == nil || SSHSession.hasScreen) }

  var files: [String] {
    switch opening {
    case .files(let files)?: files
    case .created(let path)?: [path]
    case .demo?, nil: []
    }
  }

  private var isDemo: Bool {
    if case .demo = opening { true } else { false }
  }

  /// Opens the databases, takes over the terminal, and restores it when the browser has ended.
  ///
  /// All steps that can fail are tried before the terminal is changed.
  func run() throws -> Outcome {
    try SystemLimits.checkForFullScreen()
    let demo = isDemo ? try DemoDatabase() : nil
    defer { withExtendedLifetime(demo) {} }
    let person = Preferences.ofThisPerson(arguments: arguments)
    let recording = command.recording.folder(person.settings)
    let remote = try openRemote(recording)
    defer { remote?.close() }
    let sources = try SourceFiles(remote == nil ? files : [], options: isFirst ? command.data : nil)
    let database = opening == nil || remote != nil ? nil : try openSource(sources, recording)
    let source: any DataSource = if let remote { remote } else if let database { database } else { NoDatabase() }
    if let theme = command.theme, person.themes.origin(of: theme) == nil { throw Failure.usage(person.themes.complaint(about: theme)) }
    var options = try browserOptions(person.settings, sources, remote?.waitForSchema() ?? database?.foreground)
    if let path = sources.paths.first, sources.dataPaths.contains(path) {
      options.firstTable = database?.fileTables?.tables.first.map { TableReference(name: $0.name) }
    }
    var storage = storage(sources)
    let current = database?.fileTables?.path ?? (isDemo ? DemoDatabase.path : sources.databasePaths.first)
    let compared = DiffFiles(current: current, remote: remote, isImmutable: command.access.isImmutable && !sources.hasData)
    storage.comparing = compared.opener
    let log = try command.log.map { try SessionLog(path: $0, databases: files) }
    if let path = command.log { FatalSignals.setAdvice(CrashAdvice.text(log: path)) }
    let terminal = try Self.startTerminal(usesMouse: person.settings.mouse)
    defer { terminal.stop() }
    var warnings = person.warnings + Self.warnings(of: terminal)
    let memory = memory(in: storage, &warnings)
    let browser = Browser(
      options: options, size: terminal.size, themes: person.themes, theme: person.theme, keymap: person.keymap,
      memory: memory, warnings: warnings)
    let session = Session(source: source, waker: terminal.waker, storage: storage)
    let program = BrowserProgram(
      browser: browser, session: session, terminal: terminal,
      clipboard: Clipboard(environment: ProcessInfo.processInfo.environment),
      externalEditor: ExternalEditor(environment: ProcessInfo.processInfo.environment), log: log.map { log in { log.write($0) } })
    program.run()
    return program.browser.successor.map(Outcome.other) ?? .ended(program.browser.ending)
  }

  /// Opens the database if it is in a cluster.
  ///
  /// Returns nil for files.
  private func openRemote(_ recording: ChangeLogFolder?) throws -> RemoteDataSource? {
    guard let first = files.first else { return nil }
    let access = command.access
    let refusal = access.isWriting && !access.refusesWriting ? nil : RemoteOpening.refusalOnScreen
    guard let remote = try RemoteOpening.source(first, refusal: refusal, changes: recording) else { return nil }
    if files.count > 1 { throw Failure.usage("a connection to a cluster has one database: open no other files with it") }
    return remote
  }

  private var arguments: [SettingName: SettingValue] {
    var arguments: [SettingName: SettingValue] = [:]
    if let theme = command.theme { arguments[.theme] = .text(theme) }
    if command.noMouse { arguments[.mouse] = .flag(false) }
    if command.ascii { arguments[.ascii] = .flag(true) }
    if command.recording.isOff { arguments[.recordChanges] = .flag(false) }
    return arguments
  }

  /// Opens the connections of the screen.
  ///
  /// - Parameter recording: The folder in which commits are recorded, or nil if they are not recorded.
  private func openSource(_ sources: SourceFiles, _ recording: ChangeLogFolder?) throws -> SQLiteDataSource {
    let access = command.access
    let tables = sources.hasData ? try openTables(sources) : nil
    let paths = (tables.map { [$0.path] } ?? []) + sources.databasePaths
    let files = DatabaseFiles(
      paths: isDemo ? [DemoDatabase.path] : paths, isReadOnly: true, isImmutable: access.isImmutable && tables == nil)
    // Once the screen is visible, the program cannot ask on the terminal.
    var firstFiles = files
    firstFiles.recovery = access.refusesWriting ? .refused : .asked
    let waits = LockWaits()
    let foreground = try firstFiles.open(label: "foreground", isLater: false, watchedBy: waits)
    // Changes of a private database cannot be undone after it is deleted.
    let changes = isDemo || sources.databasePaths.isEmpty ? nil : recording
    return try Self.connect(
      files, tables, refusal: refusal, changes: changes, foreground: foreground, isLater: false, watchedBy: waits)
  }

  static let noTerminal =
    "the full screen needs a terminal for standard input and output; `quarry --help` lists the verbs for scripts"

  /// Opens read-only connections, so that visible rows do not wait for counts.
  ///
  /// The writing connection is opened on demand.
  private static func connect(
    _ files: DatabaseFiles, _ tables: FileTables?, refusal: String?, changes: ChangeLogFolder?, foreground: DatabaseQueue, isLater: Bool,
    watchedBy waits: LockWaits
  ) throws -> SQLiteDataSource {
    @Sendable func open(_ label: String, runsAtLowPriority: Bool = false, isLater: Bool) throws -> DatabaseQueue {
      try files.open(label: label, runsAtLowPriority: runsAtLowPriority, isLater: isLater, watchedBy: waits)
    }
    let rows = ReadConnections(
      foreground: foreground, background: try open("background", runsAtLowPriority: true, isLater: isLater),
      secondReader: { try files.open(label: "second reader", busyTimeout: .zero, runsAtLowPriority: true) },
      views: { try open("views", isLater: true) }, exports: { try open("exports", isLater: true) })
    return SQLiteDataSource(
      rows: rows, background: try open("catalog", runsAtLowPriority: true, isLater: isLater),
      insight: { label in
        ReadConnections(
          try open(label, runsAtLowPriority: true, isLater: true),
          secondReader: { try files.open(label: "second \(label)", busyTimeout: .zero, runsAtLowPriority: true) })
      },
      script: script(files, refusal: refusal, changes: changes, watchedBy: waits),
      lockWaits: waits,
      changes: changes,
      fileTables: tables,
      reopen: {
        try connect(
          files, tables, refusal: refusal, changes: changes, foreground: open("foreground", isLater: true), isLater: true,
          watchedBy: waits)
      })
  }

  /// The reason why the files are read-only, or nil if they are writable.
  private var refusal: String? {
    let access = command.access
    if access.isImmutable { return "the file was opened as immutable, so nothing can be written: start without --immutable" }
    return access.isReadOnly ? "this session is read-only, so nothing can be written: start without --read-only" : nil
  }

  /// Creates the connection for the user's SQL, which is the only one that may write.
  private static func script(
    _ files: DatabaseFiles, refusal: String?, changes: ChangeLogFolder?, watchedBy waits: LockWaits
  ) -> ScriptConnection {
    ScriptConnection(refusal: refusal, changes: changes) {
      var files = files
      files.isReadOnly = refusal != nil
      return try files.open(label: ScriptConnection.name, isLater: true, watchedBy: waits)
    }
  }

  /// The reason why ^Z does not suspend the program, or nil if it does.
  static var suspensionRefusal: String? {
    SSHSession.current.map { "quarry runs on \($0.host.name), where no shell can resume it: ⏎ ~ ^Z suspends ssh" }
  }

  private func browserOptions(_ settings: Settings, _ sources: SourceFiles, _ queue: DatabaseQueue?) throws -> BrowserOptions {
    let name = files.first.map(Self.title) ?? merge.map { Self.title($0.names.result) } ?? (isDemo ? "demo" : "quarry")
    let title = files.count > 1 ? "\(name) and \(files.count - 1) more" : name
    let badge = command.access.isImmutable ? "immutable: rows may be stale" : command.access.isReadOnly ? "read-only" : nil
    var options = BrowserOptions(
      title: title, badge: badge, isASCII: settings.ascii, catalogWidth: settings.catalogWidth,
      hidesEmptyTimes: settings.hidesEmptyTimes)
    options.usesMouse = settings.mouse
    options.settings = settings
    options.isDemo = isDemo
    options.suspensionRefusal = Self.suspensionRefusal
    options.opened = openedFiles(sources)
    options.labels = settings.labelColumns
    options.first = first
    guard isFirst, let queue, let table = try command.table.map({ try reference(to: $0, queue) }) else { return options }
    let (schema, filterColumns) = try queue.read { db in
      let schema = try db.tableSchema(table)
      return (schema, FilterColumns(of: schema, in: db))
    }
    options.table = table
    options.columns = try command.columns?.resultNames(in: schema, filterColumns) ?? []
    options.view = try command.view.compile(filterColumns, computed: command.columns?.computed(in: schema) ?? []).view
    return options
  }

  private var first: BrowserOptions.FirstScreen {
    if let merge { return .merge(merge) }
    return switch opening {
    case nil: .startScreen
    case .demo(isTour: true)?: .tour
    case .created?: .newTable
    case .demo?, .files?: .tables
    }
  }

  /// Finds a table by its name, in `main` before the attached databases, or by its qualified name: `archive.Track`.
  private func reference(to name: String, _ queue: DatabaseQueue) throws -> TableReference {
    try queue.read { db in
      let tables = try db.catalog().databases.flatMap(\.entries).map(\.reference)
      let named = tables.first { $0.name.lowercased() == name.lowercased() }
      guard let table = named ?? tables.first(where: { "\($0.database).\($0.name)".lowercased() == name.lowercased() }) else {
        throw try NoSuchTable.failure(name, db)
      }
      return table
    }
  }

  static func startTerminal(usesMouse: Bool) throws -> CursesTerminal {
    do {
      return try CursesTerminal(usesMouse: usesMouse)
    } catch .notATerminal {
      throw Failure.usage(Self.noTerminal)
    } catch {
      throw Failure.usage(error.description)
    }
  }

  static func warnings(of terminal: CursesTerminal) -> [ConfigurationWarning] {
    terminal.warning.map { [ConfigurationWarning(file: "TERM", line: nil, message: $0)] } ?? []
  }

  /// Ends the program by the signal that it received, so that its parent process sees this.
  static func passOn(_ ending: Ending) {
    let number =
      switch ending {
      case .hangup: SIGHUP
      case .signal(let number): number
      }
    signal(number, SIG_DFL)
    raise(number)
  }
}
