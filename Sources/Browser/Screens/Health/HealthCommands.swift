import QuarryRows
import QuarrySources
import Terminal

extension KeyContext {
  static let health = KeyContext("health", place: "in the health report")
}

extension Command {
  static let health: Command = "health"
  static let mend: Command = "mend"
}

extension HealthScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .health, "Check the health of the database, and mend it", brief: "Health", aliases: ["check", "integrity check"],
      [.catalog: ["g H"]]
    ) { browser in
      if let obstacle = browser.environment.obstacleToHealth { return browser.notice = Notice(obstacle, .warning) }
      if browser.topScreen?.screen is HealthScreen { return }
      browser.present(HealthScreen())
    }
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { .health }
  func position(_ environment: ScreenEnvironment) -> String? { position }
  func purpose(in workspace: Workspace) -> String {
    "Checks the database, and lists what to mend first. Enter mends the finding under the cursor: it runs a statement after a question, or "
      + "shows the rows to correct. Then the checks run again."
  }

  static let commands: [CommandBinding<Self>] =
    mending.grouped("Mending") + CommandBinding.searches("Find a check, a table or an index", in: .health).grouped("Finding")
    + moves.grouped("Moving")

  private static let needsResult: CommandBinding<Self>.Obstacle = { screen, _ in screen.current == nil ? "there is no result here" : nil }

  private static let mending: [CommandBinding<Self>] = [
    CommandBinding(
      .mend, "Mend this: run its statement after a question, or show the rows to correct", keys: [.health: ["enter"]], hint: "mend",
      unless: { $0.obstacleToMending($1) }
    ) { screen, context, _ in
      screen.mend(&context)
    },
    CommandBinding(
      .editAsSQL, "Write its statement into the editor", keys: [.health: ["e"]], hint: "editor",
      unless: { screen, environment in screen.current?.remedy?.sql == nil ? "no statement mends this" : environment.needsStatements }
    ) { screen, context, _ in
      if let sql = screen.current?.remedy?.sql { context.send(SQLIntent.edit(sql)) }
    },
    CommandBinding(.copy, "Copy this line", keys: [.health: ["y"]], hint: "copy", unless: needsResult) { screen, context, _ in
      guard let result = screen.current else { return }
      context.send(.copyToClipboard(CopyText(text: Line.result(result).text, title: "the line")))
    },
    CommandBinding(.copyRow, "Copy all lines", keys: [.health: ["Y"]], unless: needsResult) { screen, context, _ in
      let text = screen.lines.filter { !$0.isHeading }.map(\.text).joined(separator: "\n")
      context.send(.copyToClipboard(CopyText(text: text, title: "the report")))
    },
    CommandBinding(
      .refresh, "Check again", keys: [.health: ["R", "f5"]], hint: "again", unless: { $0.mendingNotice($1) }
    ) { screen, context, _ in screen.load(&context) },
  ]

  private static let moves: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .health, count: \.lines.count) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: \.height) { screen, _, count in screen.move(by: count) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) { layOut(height: HealthLayout(in: area).list.rows) }
  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { scroll(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let list = HealthLayout(in: area).list
    if list.contains(point) { move(to: cursor.top + point.row - list.row) }
  }

  // MARK: Checking

  mutating func start(_ context: inout ScreenContext<Self>) { load(&context) }

  /// Stops the checks, or the statement.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    if maintenance != nil {
      context.stopChanges()
      return true
    }
    guard isChecking else { return false }
    context.supersede(CheckHealth.slot)
    stop()
    context.notify("stopped")
    return true
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) { context.supersede(CheckHealth.slot) }

  mutating func prepareToClose(by command: Command, _ context: inout ScreenContext<Self>) -> Bool { prepareToEnd(&context) }

  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool {
    guard let notice = mendingNotice(context.environment) else { return true }
    context.notify(notice, .warning)
    return false
  }

  /// Checks again after external changes, unless that takes long.
  mutating func follow(_ context: inout ScreenContext<Self>) {
    guard let report = compare(fileChanges: context.workspace.source.fileChanges) else { return }
    context.ask(CompareHealth(report: report)) { screen, context, result in
      guard screen.work == .none, (try? result.get()) != false else { return }
      if screen.elapsed < Self.shortCheck { screen.load(isAgain: true, &context) } else { screen.noteOutdated() }
    }
  }

  /// The duration up to which the checks run again by themselves.
  static let shortCheck = Duration.milliseconds(500)

  mutating func load(isAgain: Bool = false, _ context: inout ScreenContext<Self>) {
    begin(fileChanges: context.workspace.source.fileChanges, isAgain: isAgain)
    context.ask(CheckHealth()) { screen, _, report in
      screen.receive(report.report)
    } then: { screen, _, result in
      screen.end(result)
    }
  }
}

extension ScreenEnvironment {
  /// The reason why the database cannot be checked, with a way out; nil if it can.
  fileprivate var obstacleToHealth: String? {
    if !options.first.hasDatabase { return "no database is open here" }
    if workspace.files.isPrivate("main") { return "these tables were loaded from files: there is no database file to check" }
    return needs(\.health, "the files of this database are on other machines: run `quarry check` on a copy from `quarry backup`")
  }
}
