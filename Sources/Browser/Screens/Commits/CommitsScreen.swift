import QuarryChanges
import QuarrySources
import Terminal

extension KeyContext {
  static let commits = KeyContext("commits", place: "in the commits")
}

extension Command {
  static let undoCommit: Command = "undo-commit"
}

/// The recorded commits of the program, latest first, and their undo.
struct CommitsScreen: Sendable {
  private(set) var commits: [RecordedCommit]?
  private(set) var problem: Problem?
  private var cursor = ListCursor()
  /// The number of file changes when the list was read.
  private var fileChanges = 0
  var height: Int { cursor.height }

  var current: RecordedCommit? {
    guard let commits, commits.indices.contains(cursor.index) else { return nil }
    return commits[cursor.index]
  }

  mutating func move(by count: Int) { cursor.move(by: count, of: commits?.count ?? 0) }

  fileprivate mutating func receive(_ result: Result<[RecordedCommit], Problem>) {
    switch result {
    case .success(let commits): (self.commits, problem) = (commits, nil)
    case .failure(let problem): self.problem = problem
    }
    move(by: 0)
  }
}

extension CommitsScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .commits, "Show commits, and undo them", brief: "Commits", aliases: ["undo commit", "restore", "recover"],
      [.grid: ["g u"], .catalog: ["g u"], .record: ["g u"]]
    ) { browser in
      if let obstacle = browser.environment.obstacleToCommits {
        return browser.notice = Notice(obstacle, .warning)
      }
      browser.present(CommitsScreen())
    }
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { .commits }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: commits?.count ?? 0) }
  func purpose(in workspace: Workspace) -> String {
    "Commits to this database through Quarry, the latest first. Enter shows the rows of a commit, old and new; u undoes it "
      + "in all rows that have not changed since."
  }

  static let commands: [CommandBinding<Self>] =
    [
      CommandBinding(.open, "Show the rows of the commit", keys: [.commits: ["enter"]], hint: "rows", unless: { $0.needsCommit($1) }) {
        screen, context, _ in
        screen.showRows(&context)
      },
      CommandBinding(.undoCommit, "Undo the commit", keys: [.commits: ["u"]], hint: "undo", unless: { $0.undoObstacle($1) }) {
        screen, context, _ in
        if let commit = screen.current { screen.undo(commit, UndoChoices(), &context) }
      },
      CommandBinding(.copy, "Copy the statement", keys: [.commits: ["y"]], hint: "copy", unless: { $0.needsCommit($1) }) {
        screen, context, _ in
        guard let commit = screen.current else { return }
        context.send(.copyToClipboard(CopyText(text: commit.statement, title: "the statement of commit \(commit.id.number)")))
      },
    ] + CommandBinding.lineMotions(in: .commits, count: { $0.commits?.count ?? 0 }) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: \.height) { screen, _, count in screen.move(by: count) }

  mutating func start(_ context: inout ScreenContext<Self>) { load(&context) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    cursor.layOut(height: area.inset(columns: 2, rows: 1).rows - 1, of: commits?.count ?? 0)
  }

  /// Reads the list again after data has been written.
  mutating func follow(_ context: inout ScreenContext<Self>) {
    if fileChanges != context.workspace.source.fileChanges { load(&context) }
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = area.inset(columns: 2, rows: 1)
    if inside.contains(point) { cursor.move(to: cursor.top + point.row - inside.row - 1, of: commits?.count ?? 0) }
  }

  private mutating func load(_ context: inout ScreenContext<Self>) {
    fileChanges = context.workspace.source.fileChanges
    context.ask(LoadCommits()) { screen, _, result in screen.receive(result) }
  }

  private func needsCommit(_ environment: ScreenEnvironment) -> String? {
    if current != nil { return nil }
    return commits == nil && problem == nil ? "the commits are still being read" : problem?.text ?? "no commits through Quarry yet"
  }

  private func undoObstacle(_ environment: ScreenEnvironment) -> String? {
    if let obstacle = needsCommit(environment) ?? environment.workspace.source.editRefusal { return obstacle }
    if environment.workspace.source.transaction != nil {
      return "a transaction is open in the editor: end it first with :commit or :rollback"
    }
    guard let commit = current, case .undone(let number) = commit.state else { return nil }
    if number == commit.id.number { return commit.alreadyUndone }
    return "commit \(number) undid this one: undo commit \(number) to restore it"
  }

  // MARK: Rows

  private func showRows(_ context: inout ScreenContext<Self>) {
    guard let commit = current else { return }
    context.ask(LoadCommitRows(id: commit.id)) { _, context, result in
      switch result {
      case .success(let rows):
        let lines = CommitText(commit: commit, rows: rows, limit: LoadCommitRows.limit, appearance: context.appearance).lines
        context.send(DetailsIntent.lines(title: "Commit \(commit.id.number)", lines, isOverList: true))
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  // MARK: Undo

  /// Undoes a commit; if rows have been changed since, shows them with a choice for each.
  func undo(_ commit: RecordedCommit, _ choices: UndoChoices, _ context: inout ScreenContext<Self>) {
    context.supersede(CountTables.slot)
    context.ask(UndoCommit(id: commit.id, choices: choices)) { screen, context, result in
      switch result {
      case .success(.done(let undo)):
        context.send(RowsIntent.showTables(after: undo))
        context.noteWriting()
        let done = "undone: \(undo.changeAndTableWords); this is commit \(undo.id.number), which can be undone too"
        context.notify(undo.id == commit.id ? commit.alreadyUndone : done, .success)
      case .success(.conflicts(let conflicts)):
        if let sentence = conflicts.sentence(onKeepingBy: choices) { return context.notify(sentence, .warning) }
        let apply = context.handler { (screen: inout CommitsScreen, context: inout ScreenContext<Self>, choices: UndoChoices) in
          screen.undo(commit, choices, &context)
        }
        context.present(UndoConflictsScreen(number: commit.id.number, conflicts: conflicts, apply: apply))
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }
}

extension CommitsScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(into: &surface, rect: area, title: "Commits", hasFocus: environment.hasFocus, appearance: appearance)
    let inside = area.inset(columns: 2, rows: 1)
    guard let commits, !commits.isEmpty, problem == nil else {
      let text = problem?.text ?? (commits == nil ? "reading\(appearance.glyphs.ellipsis)" : "No commits through Quarry yet.")
      return WrappedText.draw(text, problem == nil ? .muted : .error, into: &surface, area: inside, appearance: appearance)
    }
    let widths = CommitColumns(commits, columns: inside.columns)
    widths.heading.draw(
      into: &surface, at: Point(column: inside.column + 2, row: inside.row), columns: inside.columns - 2, appearance: appearance)
    for (offset, commit) in commits.dropFirst(cursor.top).prefix(inside.rows - 1).enumerated() {
      let row = Rect(column: inside.column, row: inside.row + 1 + offset, columns: inside.columns, rows: 1)
      widths.line(of: commit, appearance).drawListed(
        into: &surface, row: row, isCurrent: cursor.top + offset == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
  }
}

extension RecordedCommit {
  /// A sentence about an undo that found nothing to write.
  package var alreadyUndone: String { "commit \(id.number) had already been undone: its rows have their former values" }
}

extension ScreenEnvironment {
  /// The reason why commits are not recorded, with a way out; nil if they are recorded.
  fileprivate var obstacleToCommits: String? {
    guard needs(\.commits, "") != nil else { return nil }
    let setting = options.settings[.recordChanges]
    if options.isDemo {
      return "commits to the demo are not recorded, since it is gone when you quit: "
        + ":\(Command.openDatabase.rawValue) opens a file of yours, "
        + "\(keyHint(.undoChange, in: .grid)) undoes changes that are not committed"
    }
    if case .commandLine(let option) = setting.origin, setting.value == .flag(false) {
      return "commits are not recorded because of \(option): start without it"
    }
    if setting.value == .flag(false) {
      return "commits are not recorded, because the setting changes.record is off: :\(Command.settings.rawValue) changes it"
    }
    if workspace.files.isPrivate("main") {
      return "commits to tables of files are not recorded, since these tables are gone when you quit: "
        + "\(keyHint(.export, in: .grid)) writes one to a file"
    }
    return "commits are not recorded in this session, so none can be undone"
  }
}
