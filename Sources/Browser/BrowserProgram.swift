package import QuarryEngine
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
  /// What the log has last of the command lines for the rows.
  private var lastCommandLine: String?

  /// Makes the main loop.
  ///
  /// - Parameter log: Receives a line for every message, intent and effect; nil for no log, which saves most of the cost of a key.
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

  /// The length at which a line of the log is cut, since a page of rows is long.
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

  /// How long keys that were typed ahead are handled before the screen is shown in between.
  private static let longestBlindness = Duration.milliseconds(50)

  /// Hands on what the terminal has sent: many keys that were typed ahead are shown in between, and an end goes before all of them.
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

  /// Hands messages to the browser and runs the effects that it returns.
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

  /// Writes to the log, where there is one: describing a page of rows takes longer than showing it.
  private func note(_ event: some Sendable) {
    log?("\(event)".prefix(BrowserProgram.logLimit).description)
  }

  /// Writes what screens wanted of each other to the log: `RowsIntent.open(…)`.
  private func noteIntents() {
    guard let log else { return }
    for intent in browser.sentIntents { log("\(type(of: intent)).\(intent)".prefix(BrowserProgram.logLimit).description) }
  }

  /// Writes the command line that prints the rows on the screen to the log, where they have become others; it can be pasted as it is.
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
      case .suspend: terminal.suspend()
      case .repaint: terminal.invalidate()
      case .quit: break
      default: session.run(effect)
      }
    }
  }
}

/// What the command line and the settings ask of a session.
package struct BrowserOptions: Hashable, Sendable {
  /// The file's name, for the title.
  package var title: String
  /// A badge of the title: `read-only`.
  package var badge: String?
  package var isASCII: Bool
  /// The width of the catalog, where the screen has room for it.
  package var catalogWidth: Int
  /// Whether cells leave out empty times at first.
  package var hidesEmptyTimes: Bool
  /// The table to open first.
  package var table: TableReference?
  /// The names of the columns to show, in order; empty for all.
  package var columns: [String]
  /// The filter and order to start with; a plain view leaves them to the memory.
  package var view: RowView
  /// The columns that the rows of tables are known by, where they are set: by the table's name in lowercase letters.
  package var labels: [String: [String]] = [:]
  /// Whether what is open is the sample database.
  package var isDemo = false
  /// The files that are open; none where what is open is no file.
  package var opened = OpenedFiles()
  /// The table that is shown first where none is asked for; nil for the first that is listed.
  package var firstTable: TableReference?
  /// Why the program cannot be suspended; nil where a shell would bring it back.
  package var suspensionRefusal: String?
  /// What is shown first.
  package var first = FirstScreen.tables

  /// What a session begins with.
  package enum FirstScreen: Hashable, Sendable {
    case tables
    /// What can be opened; nothing is open yet.
    case startScreen
    /// The tables, with the tour beside them.
    case tour
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
