public import QuarryEngine
public import Terminal

/// The main loop: blocks for an event or a message, updates the browser, shows it.
public final class BrowserProgram {
  public private(set) var browser: Browser
  private let session: Session
  private let terminal: any Terminal
  private let clipboard: Clipboard
  private let externalEditor: ExternalEditor
  private let log: ((String) -> Void)?

  /// - Parameter log: Is told of every message and every effect, a line each; nil for no log, which saves most of what a key costs.
  public init(
    browser: Browser, session: Session, terminal: any Terminal, clipboard: Clipboard = Clipboard(tools: []),
    externalEditor: ExternalEditor = ExternalEditor(environment: [:]),
    log: ((String) -> Void)? = nil
  ) {
    self.browser = browser
    self.browser.workspace.capabilities = session.capabilities
    self.session = session
    self.terminal = terminal
    self.clipboard = clipboard
    self.externalEditor = externalEditor
    self.log = log
  }

  /// A line of the log is cut after so many characters: a page of rows is long.
  private static let logLimit = 400

  /// Runs until the browser has ended.
  public func run() {
    begin()
    while !browser.hasEnded {
      dispatch(Message.messages(of: terminal.waitForEvents()))
      dispatch(session.takeMessages())
      if !browser.hasEnded { show() }
    }
    session.finish(remembering: browser.memory)
  }

  /// Starts the browser and shows it for the first time.
  public func begin() {
    session.watch()
    run(browser.start())
    show()
  }

  /// Lets the browser take messages and runs what it wants done.
  public func dispatch(_ messages: [Message]) {
    for message in messages {
      note(message)
      run(browser.update(message))
    }
    run(browser.remember())
    session.noteHandled()
  }

  /// Paints the browser as it is.
  public func show() {
    var surface = Surface(size: browser.size)
    browser.draw(into: &surface)
    terminal.paint(surface)
  }

  /// Writes to the log, where there is one: to put a page of rows into words takes longer than to show it.
  private func note(_ event: some Sendable) {
    log?("\(event)".prefix(BrowserProgram.logLimit).description)
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

/// What the command line and the settings say of a session.
public struct BrowserOptions: Hashable, Sendable {
  /// What the title says is open: the file's name.
  public var title: String
  /// What the title says besides: `read-only`.
  public var badge: String?
  public var isASCII: Bool
  /// The columns of the catalog, where the screen has room for them.
  public var catalogWidth: Int
  /// The table to open first.
  public var table: TableReference?
  /// The names of the columns to show of it, in their order; all where it is empty.
  public var columns: [String]
  /// How its rows are seen first; a plain view leaves it to what is remembered.
  public var view: RowView

  public init(
    title: String, badge: String? = nil, isASCII: Bool = false, catalogWidth: Int = 30, table: TableReference? = nil,
    columns: [String] = [],
    view: RowView = RowView()
  ) {
    self.title = title
    self.badge = badge
    self.isASCII = isASCII
    self.catalogWidth = catalogWidth
    self.table = table
    self.columns = columns
    self.view = view
  }
}
