import Browser
import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows
import QuarrySources
import Terminal
import TestSupport
import Testing

/// The program on a terminal without a screen, played key by key; everything asked for is done when a call returns.
///
/// A wait that does not end within its limit is a failure that names what is under way; nothing is waited for after it.
final class SessionDriver {
  let terminal: HeadlessTerminal
  let session: Session
  private let program: BrowserProgram
  private var isStuck = false

  /// How long each wait may take.
  var limit = Waiting.limit

  /// Starts on the database at `path`.
  ///
  /// - Parameters:
  ///   - refusal: why nothing may be written; nil where it may.
  ///   - changes: where what is committed is recorded; nil where it is not.
  ///   - watchInterval: how often it is looked whether others have written; nil for never, so that nothing comes unasked.
  ///   - isTimeless: whether everything takes no time, so that nothing depends on how busy the machine is.
  convenience init(
    path: String, columns: Int = 120, rows: Int = 36, refusal: String? = nil, changes: ChangeLogFolder? = nil,
    storage: Storage = Storage(), watchInterval: Duration? = nil,
    theme: Theme = .fallback, isASCII: Bool = false, isTimeless: Bool = true,
    externalEditor: ExternalEditor = ExternalEditor(environment: [:]), opened: OpenedFiles = OpenedFiles(),
    fileTables: FileTables? = nil, firstTable: TableReference? = nil, settings: Settings = Settings(), isDemo: Bool = false,
    log: ((String) -> Void)? = nil
  ) throws {
    let waits = LockWaits()
    @Sendable func watched(_ configuration: Configuration) throws -> DatabaseQueue {
      var configuration = configuration
      configuration.busyTimeout = .zero
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.withoutTransaction { $0.busyTimeout = .untilStopped }
      try waits.watch(queue, as: configuration.label ?? "")
      return queue
    }
    @Sendable func open(_ label: String) throws -> DatabaseQueue {
      var configuration = Configuration()
      configuration.isReadonly = true
      configuration.label = label
      return try watched(configuration)
    }
    @Sendable func openScript() throws -> DatabaseQueue {
      var configuration = Configuration()
      configuration.label = ScriptConnection.name
      return try watched(configuration)
    }
    @Sendable func connect() throws -> SQLiteDataSource {
      let script = ScriptConnection(refusal: refusal, changes: changes) { try openScript() }
      let rows = ReadConnections(
        foreground: try open("foreground"), background: try open("background"), secondReader: { try open("second reader") },
        views: { try open("views") }, exports: { try open("exports") })
      return SQLiteDataSource(
        rows: rows, background: try open("catalog"), script: script, lockWaits: waits, watchInterval: watchInterval,
        changes: changes, fileTables: fileTables, reopen: connect)
    }
    self.init(
      source: try connect(), columns: columns, rows: rows, storage: storage, theme: theme, isASCII: isASCII, isTimeless: isTimeless,
      externalEditor: externalEditor, opened: opened, firstTable: firstTable, settings: settings, isDemo: isDemo, log: log)
  }

  /// Plays on a database that has run the SQL, after some keys.
  static func play(
    on sql: [String], columns: Int = 120, rows: Int = 36, keys: String, _ body: @escaping @Sendable (SessionDriver) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "test.db").path
      try await DatabaseQueue(path: path).withoutTransaction { db in for sql in sql { try db.execute(sql: sql) } }
      try await onOwnThread {
        let driver = try SessionDriver(path: path, columns: columns, rows: rows)
        driver.play([keys])
        try body(driver)
      }
    }
  }

  /// Starts on any data source.
  init(
    source: any DataSource, columns: Int = 120, rows: Int = 36, storage: Storage = Storage(), theme: Theme = .fallback,
    isASCII: Bool = false, isTimeless: Bool = true, externalEditor: ExternalEditor = ExternalEditor(environment: [:]),
    keymap: Keymap = Keymap(), first: BrowserOptions.FirstScreen = .tables, opened: OpenedFiles = OpenedFiles(),
    firstTable: TableReference? = nil, settings: Settings = Settings(), isDemo: Bool = false,
    log: ((String) -> Void)? = nil
  ) {
    TestGate.expectPassed(toHold: "a session")
    terminal = HeadlessTerminal(size: Size(columns: columns, rows: rows))
    let start = ContinuousClock.now
    session = Session(
      source: source, waker: terminal.waker, storage: storage, saveDelay: .zero, now: { isTimeless ? start : .now })
    var options = BrowserOptions(title: "test.db", isASCII: isASCII)
    options.first = first
    options.opened = opened
    options.firstTable = firstTable
    options.settings = settings
    options.isDemo = isDemo
    let browser = Browser(
      options: options, size: terminal.size, themes: ThemeCatalog(), theme: theme,
      keymap: keymap,
      memory: storage.memory?.load() ?? SessionMemory())
    program = BrowserProgram(browser: browser, session: session, terminal: terminal, externalEditor: externalEditor, log: log)
    program.begin()
    settle()
  }

  deinit {
    session.cancelAll()
  }

  var browser: Browser { program.browser }

  /// What the screen shows.
  var screen: String { terminal.painted?.text ?? "" }

  /// Presses keys, in the notation of the keymap file.
  func press(_ notation: String, at place: SourceLocation = #_sourceLocation) {
    send(at: place, (Keymap.parse(notation) ?? []).map(Event.key))
  }

  /// Presses keys, and waits for nothing that they begin.
  func pressAtOnce(_ notation: String) {
    program.dispatch((Keymap.parse(notation) ?? []).map { Message.eventArrived(.key($0)) })
  }

  func type(_ text: String, at place: SourceLocation = #_sourceLocation) {
    send(at: place, text.map { .key(Key($0)) })
  }

  func send(at place: SourceLocation = #_sourceLocation, _ events: [Event]) {
    program.dispatch(Message.messages(of: events))
    settle(at: place)
  }

  /// Returns when no effect is under way and every message has been taken.
  func settle(at place: SourceLocation = #_sourceLocation) {
    program.dispatch(session.takeMessages())
    wait(for: "the end of what is under way", at: place) { session.isSettled }
    program.show()
  }

  /// Returns when the screen shows what is meant: something is on its way that will make it so.
  func wait(at place: SourceLocation = #_sourceLocation, until isShown: () -> Bool) {
    wait(for: "a screen", at: place, andThen: { settle(at: place) }, until: isShown)
  }

  /// Returns when the screen shows what is meant, whatever is still under way.
  func waitAtOnce(at place: SourceLocation = #_sourceLocation, until isShown: () -> Bool) {
    program.show()
    wait(for: "a screen", at: place, andThen: program.show, until: isShown)
  }

  /// Returns when no effect is under way; the screen is painted after every message before that.
  func settleAtOnce(at place: SourceLocation = #_sourceLocation) {
    program.show()
    wait(for: "the end of what is under way", at: place, andThen: program.show) { session.isSettled }
    settle(at: place)
  }

  /// Takes events and messages until `isOver`; after the limit records what is under way and what the screen shows.
  private func wait(
    for aim: String, at place: SourceLocation, andThen react: () -> Void = {}, until isOver: () -> Bool
  ) {
    let deadline = ContinuousClock.now + limit
    while !isStuck, !isOver() {
      if let events = terminal.waitForEvents(within: deadline - .now) {
        program.dispatch(events.map(Message.eventArrived))
        program.dispatch(session.takeMessages())
        react()
      }
      // Also where messages keep coming, none of which makes it so.
      guard .now >= deadline, !isStuck, !isOver() else { continue }
      isStuck = true
      program.show()
      let work = session.outstandingWork.joined(separator: ", ")
      Issue.record("waited \(limit) for \(aim); under way: \(work.isEmpty ? "nothing" : work)\n\(screen)", sourceLocation: place)
    }
  }

  /// Presses keys one after the other, each once the one before has been answered, and types what stands in quotes:
  /// `["tab &", "'id = 3'", "enter"]`.
  func play(_ steps: [String]) {
    for step in steps {
      if step.hasPrefix("'"), step.hasSuffix("'") {
        type(String(step.dropFirst().dropLast()))
      } else {
        for key in Keymap.parse(step) ?? [] { send([.key(key)]) }
      }
    }
  }

  /// Opens a table of the main database.
  func open(_ table: String) { open(TableReference(name: table)) }

  /// Opens a table by its name.
  func open(_ table: TableReference) {
    program.dispatch([.eventArrived(.key(Key("p", .control)))])
    type(table.name)
    press("enter")
  }
}

extension Session {
  /// Returns all that it tells until nothing is under way, for a test without a driver; blocks, on a thread of its own.
  func messagesUntilSettled(on terminal: HeadlessTerminal, at place: SourceLocation = #_sourceLocation) -> [Message] {
    var messages = takeMessages()
    while !isSettled {
      guard terminal.waitForEvents(within: Waiting.limit) != nil else {
        Issue.record("waited \(Waiting.limit); under way: \(outstandingWork)", sourceLocation: place)
        break
      }
      messages += takeMessages()
    }
    return messages
  }
}

/// Runs a played session, which blocks its thread: one that the gate has given to the test.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await TestGate.pass { try body() }
}
