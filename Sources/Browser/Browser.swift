import QuarryEngine
import QuarryRows
import QuarrySources
package import Terminal

/// The program without its terminal: a value that messages change, and that returns the effects to run and the surface to draw.
///
/// It holds the stack of screens, the focus, the layout and the last line. The content of each screen and its behavior belong to the
/// screen. `update(_:)` does no input or output: it returns effects, whose results arrive as messages.
package struct Browser: Sendable {
  package internal(set) var options: BrowserOptions
  package let themes: ThemeCatalog
  var keymap: Keymap
  package var appearance: Appearance
  package var size: Size

  // The panes, which are always open.
  package var catalog = CatalogPane()
  package var sql = SQLPane()
  package var rows = RowsScreen()
  /// The pane that has the focus when the stack is empty.
  package var focus = ScreenID.catalog
  /// The screens above the panes; the last one is on top.
  package var overlays = ScreenStack()
  /// The state that the screens share.
  package var workspace: Workspace
  /// The unanswered requests.
  var requests = RequestTable()
  /// The intents that screens have sent during the last message, in order.
  var sentIntents: [any ScreenIntent] = []
  package var lastLine = LastLine()
  /// The input that waits for the result of Enter in the filter bar, which decides what receives it.
  var typedAhead: [Message] = []
  package var life = Life.running
  /// The database to open after this browser has ended; nil for none.
  package internal(set) var successor: Successor?

  package enum Life: Hashable, Sendable {
    case running
    /// The program has to end; the reason is nil if the person quit.
    case ended(Ending?)
  }

  package init(
    options: BrowserOptions, size: Size, themes: ThemeCatalog, theme: Theme, keymap: Keymap, memory: SessionMemory = SessionMemory(),
    warnings: [ConfigurationWarning] = []
  ) {
    self.options = options
    workspace = Workspace(memory: memory)
    self.size = size
    self.themes = themes
    self.keymap = keymap
    self.keymap.isASCII = options.isASCII
    appearance = Appearance(theme: theme, glyphs: options.isASCII ? .ascii : .unicode, hidesEmptyTimes: options.hidesEmptyTimes)
    if let first = warnings.first {
      let more = warnings.count > 1 ? " (and \(warnings.count - 1) more: see quarry config)" : ""
      notice = Notice(first.description + more, .warning)
    }
    sql.restore(memory.buffers)
    applyLayout()
  }

  /// Whether the program has to end.
  package var hasEnded: Bool { life != .running }

  /// The reason why the program ended; nil while it runs, or if the person quit.
  package var ending: Ending? {
    if case .ended(let ending) = life { ending } else { nil }
  }

  /// The state that the next session restores.
  package var memory: SessionMemory { workspace.memory }

  /// The command line that prints the rows of the visible grid; nil without a grid, or if no command prints them.
  var commandLine: String? { workspace.grid.flatMap { try? GridCommandLine(grid: $0).rows(options.opened) } }

  /// A message to the person; the next key removes it.
  package var notice: Notice? {
    get { lastLine.notice }
    set { lastLine.notice = newValue }
  }

  // MARK: Messages

  /// Returns the first effects.
  package mutating func start() -> [Effect] {
    if options.first.hasDatabase { openFirstRows() } else { (catalog.isWanted, focus) = (false, .rows) }
    switch options.first {
    case .tables: break
    case .newTable: showNewTable()
    case .tour: present(TourScreen(fits: options.isDemo))
    case .startScreen: present(StartScreen(isAlone: true))
    case .diff(let subject): present(DiffScreen(subject, isAlone: true))
    case .merge(let merge): present(MergeScreen(merge))
    }
    return requests.takeEffects()
  }

  /// Loads the catalog, and shows the table named on the command line.
  private mutating func openFirstRows() {
    send(CatalogIntent.load)
    send(CatalogIntent.followFiles)
    send(RowsIntent.offerAbandoned)
    guard let table = options.table else { return }
    focus = .rows
    send(RowsIntent.show(table, options.view.isPlain ? nil : options.view))
  }

  /// Handles a message and returns the resulting effects.
  ///
  /// Input waits until the filter bar has applied or refused its text. A key that leaves the bar is handled at once, and drops it.
  package mutating func update(_ message: Message) -> [Effect] {
    sentIntents = []
    if !rows.filter.isApplying || !message.isInput {
      handle(message)
    } else if leavesBar(message) {
      typedAhead = []
      handle(message)
    } else {
      typedAhead.append(message)
    }
    while !rows.filter.isApplying, !typedAhead.isEmpty { handle(typedAhead.removeFirst()) }
    return requests.takeEffects()
  }

  private mutating func handle(_ message: Message) {
    receive(message)
    run(ScreenOperations.Follow(), on: .rows)
    applyLayout()
    if let top = overlays.top?.id { run(ScreenOperations.Follow(), on: top) }
    lastLine.showFollowing()
  }

  /// Updates the memory from all screens, and returns the effect that saves it.
  ///
  /// This happens once for messages that arrive together: saving a long text after each key would take longer than handling the keys.
  package mutating func remember() -> [Effect] {
    for id in ScreenID.panes { run(ScreenOperations.Remember(), on: id) }
    if let memory = workspace.consumeUnsavedMemory() { requests.send(.saveMemory(memory)) }
    return requests.takeEffects()
  }

  private mutating func receive(_ message: Message) {
    switch message {
    case .eventArrived(let event):
      workspace.pendingCommand = nil
      receive(event)
    case .typed(let text): enter(text)
    case .reported(let id, let value): deliver(.report(value), of: id)
    case .answered(let id, let result): deliver(.answer(result), of: id)
    case .filesChanged: noteWriting()
    case .filesMoved(let move): receive(move)
    case .connectionChanged(let connection):
      // The former warning is obsolete.
      if let told = workspace.source.connection?.warning, notice?.text == told { notice = nil }
      workspace.source.connection = connection
      if let warning = connection.warning { notice = Notice(warning, .warning) }
    case .transactionLost(let problem):
      workspace.source.transaction = nil
      notice = Notice(problem.text, .error)
      noteWriting()
    case .copyChanged(let copy): workspace.source.copy = copy
    case .lockWaitChanged(let wait): send(RowsIntent.noteLockWait(wait))
    case .memoryUnsaved(let problem): lastLine.announce(Notice(problem.text, .warning))
    case .copied(let text, .success(let places)):
      workspace.copied = CopiedText(text)
      notice = Notice("copied \(text.title) to \(places)", .success)
    case .copied(let text, .failure(let problem)):
      workspace.copied = CopiedText(text)
      notice = Notice(problem.text, .error)
    }
  }

  private mutating func receive(_ event: Event) {
    switch event {
    case .key(let key): press(key)
    case .paste(let text): paste(text)
    case .mouse(let mouse): receive(mouse)
    case .resized(let size):
      self.size = size
      applyLayout()
      send(RowsIntent.prefetch)
    case .resumed: requests.send(.repaint)
    case .ended(let ending):
      life = .ended(ending)
      requests.send(.quit)
    }
  }

  /// Shows external or committed changes; rows with keys are read again in place.
  mutating func noteWriting() {
    workspace.source.fileChanges += 1
    send(CatalogIntent.load)
    send(RowsIntent.catchUp)
  }

  /// Reports that the opened files have been moved, and rereads the data from their replacements.
  private mutating func receive(_ move: FileMove?) {
    workspace.source.fileBadge = move?.badge
    guard let move else { return noteWriting() }
    lastLine.announce(Notice(move.sentence, .warning))
    guard move.isReopened else { return }
    noteWriting()
    send(RowsIntent.leaveOldFiles)
  }

  /// Assigns an area to every screen.
  mutating func applyLayout() {
    let layout = ScreenLayout(self)
    run(ScreenOperations.LayOut(area: layout.catalog), on: .catalog)
    run(ScreenOperations.LayOut(area: layout.editor), on: .editor)
    run(ScreenOperations.LayOut(area: layout.rows), on: .rows)
    for open in overlays.all { run(ScreenOperations.LayOut(area: layout.area(of: open.screen)), on: open.id) }
  }
}
