package import QuarryEngine
package import QuarryFiles
package import QuarryRows
package import Terminal

/// The main loop: waits for an event or a message, updates the browser, draws it.
package final class BrowserProgram {
  package private(set) var browser: Browser
  private let session: Session
  private let terminal: any Terminal
  private let clipboard: Clipboard
  private let externalEditor: ExternalEditor
  private let log: ((String) -> Void)?
  /// The last command line for the rows of the grid in the log.
  private var lastCommandLine: String?

  /// Creates the main loop.
  ///
  /// - Parameter log: Receives a line for every message, intent and effect; nil for no log. Logging is most of the cost of a key.
  package init(
    browser: Browser, session: Session, terminal: any Terminal, clipboard: Clipboard = Clipboard(tools: []),
    externalEditor: ExternalEditor = ExternalEditor(environment: [:]),
    log: ((String) -> Void)? = nil
  ) {
    self.browser = browser
    self.browser.workspace.source.roles = session.roles
    self.browser.workspace.source.editRefusal = session.editRefusal
    self.browser.workspace.keepsStaged = session.keepsStaged
    self.session = session
    self.terminal = terminal
    self.clipboard = clipboard
    self.externalEditor = externalEditor
    self.log = log
  }

  /// The length at which a line of the log is truncated, because a page of rows is long.
  private static let logLimit = 400

  /// Runs until the browser has ended.
  package func run() {
    begin()
    while !browser.hasEnded {
      handle(Message.messages(of: terminal.waitForEvents()))
      dispatch(session.takeMessages())
      if !browser.hasEnded { show() }
    }
    session.finish(remembering: browser.memory)
  }

  /// The longest time of handling buffered keys before the screen is drawn.
  private static let longestBlindness = Duration.milliseconds(50)

  /// Handles messages from the terminal, drawing the screen from time to time; the end of the terminal precedes all other messages.
  private func handle(_ messages: [Message]) {
    var shown = ContinuousClock.now
    for (index, message) in messages.enumerated() {
      if index > 0, let ending = terminal.takeEnding() { return dispatch([.eventArrived(.ended(ending))]) }
      dispatch([message])
      if browser.hasEnded { return }
      guard index < messages.count - 1, ContinuousClock.now - shown > BrowserProgram.longestBlindness else { continue }
      dispatch(session.takeMessages())
      if browser.hasEnded { return }
      show()
      shown = .now
    }
  }

  /// Starts the browser and shows it for the first time.
  package func begin() {
    session.watch()
    let effects = browser.start()
    noteIntents()
    run(effects)
    show()
  }

  /// Passes messages to the browser and runs the effects that it returns.
  package func dispatch(_ messages: [Message]) {
    for message in messages {
      note(message)
      let effects = browser.update(message)
      noteIntents()
      run(effects)
    }
    noteCommandLine()
    run(browser.remember())
    session.noteHandled()
  }

  /// Draws the browser.
  package func show() {
    var surface = Surface(size: browser.size)
    browser.draw(into: &surface)
    terminal.paint(surface)
  }

  /// Writes an event to the log, if there is one: describing a page of rows takes longer than drawing it.
  private func note(_ event: some Sendable) {
    log?("\(event)".prefix(BrowserProgram.logLimit).description)
  }

  /// Writes the intents that screens have sent to the log: `RowsIntent.open(…)`.
  private func noteIntents() {
    guard let log else { return }
    for intent in browser.sentIntents { log("\(type(of: intent)).\(intent)".prefix(BrowserProgram.logLimit).description) }
  }

  /// Writes the command line that prints the rows of the grid to the log, if it has changed.
  ///
  /// It can be pasted into a shell.
  private func noteCommandLine() {
    guard let log, let text = browser.commandLine, text != lastCommandLine else { return }
    lastCommandLine = text
    for line in ("$ " + text).split(separator: "\n", omittingEmptySubsequences: false) { log(String(line)) }
  }

  private func run(_ effects: [Effect]) {
    for effect in effects {
      note(effect)
      switch effect {
      case .copyToClipboard(let text): session.copy(text, with: clipboard, isSentToTerminal: terminal.copyToClipboard(text.text))
      case .editExternally(let text, let id):
        dispatch([.answered(id, externalEditor.edit(text, on: terminal).map { $0 })])
      case .useMouse(let isOn): terminal.setMouse(isOn)
      case .suspend: terminal.suspend()
      case .repaint: terminal.invalidate()
      case .quit: break
      default: session.run(effect)
      }
    }
  }
}

/// The options of a session, from the command line and the settings.
package struct BrowserOptions: Hashable, Sendable {
  /// The file's name, for the title.
  package var title: String
  /// A badge of the title: `read-only`.
  package var badge: String?
  package var isASCII: Bool
  /// The width of the catalog, if the screen has room for it.
  package var catalogWidth: Int
  /// Whether cells initially omit empty times.
  package var hidesEmptyTimes: Bool
  /// Whether the program handles the mouse.
  package var usesMouse = true
  /// The settings, with their origins.
  package var settings = Settings()
  /// The table to open first.
  package var table: TableReference?
  /// The names of the columns to show, in order; empty for all.
  package var columns: [String]
  /// The initial filter and order; a plain view restores those of the memory.
  package var view: RowView
  /// The configured label columns of tables, by the table's name in lowercase.
  package var labels: [String: [String]] = [:]
  /// Whether the database is the sample database.
  package var isDemo = false
  /// The opened files; empty if the data source is not a file.
  package var opened = OpenedFiles()
  /// The table to show first if the command line names none; nil for the first listed table.
  package var firstTable: TableReference?
  /// The reason why the program cannot be suspended; nil if a shell can resume it.
  package var suspensionRefusal: String?
  /// The first screen.
  package var first = FirstScreen.tables

  /// The first screen of a session.
  package enum FirstScreen: Hashable, Sendable {
    case tables
    /// The start screen, which lists files to open; nothing is open yet.
    case startScreen
    /// The comparison of two databases; nothing else is open.
    case diff(DiffSubject)
    /// The tables, with the tour below them.
    case tour
    /// The tables of a new database, with the form of its first table above them.
    case newTable
    /// The conflicts of a merge; nothing is open below them.
    case merge(PendingMerge)

    /// Whether a database is open.
    var hasDatabase: Bool {
      switch self {
      case .tables, .tour, .newTable: true
      case .startScreen, .diff, .merge: false
      }
    }
  }

  package init(
    title: String, badge: String? = nil, isASCII: Bool = false, catalogWidth: Int = 60, hidesEmptyTimes: Bool = true,
    table: TableReference? = nil,
    columns: [String] = [],
    view: RowView = RowView()
  ) {
    self.title = title
    self.badge = badge
    self.isASCII = isASCII
    self.catalogWidth = catalogWidth
    self.hidesEmptyTimes = hidesEmptyTimes
    self.table = table
    self.columns = columns
    self.view = view
  }
}
