import QuarryEngine
import Terminal

extension KeyContext {
  static let start = KeyContext("start", place: "on the start screen")
}

/// A list of databases to open: the recent files, a path to enter, a new database, the demo.
///
/// It is the first screen of `quarry` without arguments, and covers an open database to open another one.
struct StartScreen: PathWriting {
  /// Whether no database is open below it, so that closing it quits the program.
  let isAlone: Bool
  /// The recent files, most recent first; nil while they are being read.
  private(set) var recent: [RecentFile]?
  private(set) var cursor = 0
  var top = 0
  var height = 1
  var path = PathField()
  /// The purpose of the path that the person is typing; nil while no path is typed.
  private(set) var pathPurpose: PathPurpose?
  /// The reason why the selected files cannot be opened.
  private(set) var problem: String?
  private var isTaken = false

  /// What is done with a typed path.
  enum PathPurpose: Hashable, Sendable {
    case opening, creating
  }

  var isTyping: Bool { pathPurpose != nil }

  init(isAlone: Bool) {
    self.isAlone = isAlone
  }

  static let openers: [BrowserCommand] = [
    BrowserCommand(.openDatabase, "Open another database", aliases: ["recent", "recent files", "open file", "connect", "start"]) {
      $0.present(StartScreen(isAlone: false))
    }
  ]

  // MARK: Items

  enum Item: Hashable, Sendable {
    case recent(RecentFile)
    case path, new, demo, tour
  }

  var items: [Item] { (recent ?? []).map(Item.recent) + [.path, .new, .demo, .tour] }

  var current: Item? { items.indices.contains(cursor) ? items[cursor] : nil }

  private mutating func move(by count: Int) {
    cursor = min(max(cursor + count, 0), items.count - 1)
    problem = nil
  }

  // MARK: Keys

  func keyContext(in workspace: Workspace) -> KeyContext { isTyping ? .bar : .start }
  func helpTitle(in workspace: Workspace) -> String { isTyping ? "Keys in a line of text" : "Keys on the start screen" }
  func purpose(in workspace: Workspace) -> String {
    "Choose what to open: a recent file, a path, a new database, or the demo. Opening a database does not change it."
  }
  func word(for hint: String, of command: Command) -> String? { command == .accept && pathPurpose == .creating ? "create" : hint }
  func backOutHint(in workspace: Workspace) -> String? { isTyping ? "back" : isAlone ? "quit" : "back" }

  static let commands: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .start, count: \.items.count) { screen, _, count in screen.move(by: count) }.grouped("Moving")
    + choices.grouped("Opening") + typing.grouped("Writing a path")

  private static let choices: [CommandBinding<Self>] = [
    CommandBinding(.open, "Open the entry under the cursor", keys: [.start: ["enter", "l", "right"]], hint: "open") { screen, context, _ in
      screen.take(&context)
    },
    CommandBinding(.openFile, "Open a file by its path", keys: [.start: ["o", "/"]], hint: "path") { screen, _, _ in
      screen.beginTyping(.opening)
    },
    CommandBinding(.newDatabase, "Create an empty database, and open it", keys: [.start: ["n"]], hint: "new") { screen, _, _ in
      screen.beginTyping(.creating)
    },
    CommandBinding(.openDemo, "Open the demo: a sample database in memory", keys: [.start: ["d"]], hint: "demo") { screen, context, _ in
      screen.leave(for: .demo(isTour: false), &context)
    },
    CommandBinding(.tour, "Show the main features in \(TourStep.count)", keys: [.start: ["t"]], hint: "tour") { screen, context, _ in
      screen.leave(for: .demo(isTour: true), &context)
    },
    CommandBinding("forget-file", "Remove the file from the list", keys: [.start: ["delete", "x"]]) { screen, context, _ in
      screen.forget(&context)
    },
  ]

  private static let typing: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Open the path, or create the database", keys: [.bar: ["enter"]], hint: "open") { screen, context, _ in
      screen.acceptPath(&context)
    },
    CommandBinding(.complete, "Complete the path", keys: [.bar: ["tab"]], hint: "complete") { screen, context, _ in
      screen.completePath(&context)
    },
  ]

  mutating func start(_ context: inout ScreenContext<Self>) { load(&context) }

  private func load(_ context: inout ScreenContext<Self>) {
    context.ask(LoadRecentFiles()) { screen, context, result in
      screen.recent = (try? result.get()) ?? []
      if case .failure(let problem) = result { context.notify("the recent files cannot be listed: \(problem.text)", .warning) }
      screen.move(by: 0)
    }
  }

  private mutating func beginTyping(_ purpose: PathPurpose) {
    (pathPurpose, problem) = (purpose, nil)
    cursor = items.firstIndex(of: purpose == .opening ? .path : .new) ?? cursor
  }

  /// Ends the editing of a path; returns whether there was one.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    guard isTyping else { return false }
    (pathPurpose, problem) = (nil, nil)
    path.forgetCandidates()
    return true
  }

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    guard isTyping else { return false }
    problem = nil
    return path.handle(key)
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    guard isTyping else { return }
    problem = nil
    context.notifyLeftOut(path.insert(text))
  }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    guard let index = index(at: point, area: area) else { return }
    pathPurpose = nil
    cursor = index
    take(&context)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows.signum()) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    height = listHeight(in: area)
    top = max(min(top, cursor), cursor - height + 1, 0)
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    if isAlone, !isTaken { context.quit() }
  }

  // MARK: Opening

  private mutating func take(_ context: inout ScreenContext<Self>) {
    switch current {
    case .recent(let recent): open(recent.files, &context)
    case .path: beginTyping(.opening)
    case .new: beginTyping(.creating)
    case .demo: leave(for: .demo(isTour: false), &context)
    case .tour: leave(for: .demo(isTour: true), &context)
    case nil: break
    }
  }

  private mutating func acceptPath(_ context: inout ScreenContext<Self>) {
    let text = path.text
    if text.isBlank { return }
    if pathPurpose == .creating { create(text, &context) } else { open(text, &context) }
  }

  /// Creates a database at the entered path, and opens it.
  private mutating func create(_ text: String, _ context: inout ScreenContext<Self>) {
    problem = nil
    if Address.isElsewhere(text) {
      problem = "A database on another machine is created by a command: quarry new \(ShellWord.quoted(text))"
      return
    }
    let path = Storage.path(of: text)
    context.ask(CreateDatabase(path: path)) { screen, context, result in
      switch result {
      case .success: screen.leave(for: .created(path), &context)
      case .failure(let problem): screen.problem = problem.text
      }
    }
  }

  /// Opens the entered path or address.
  private mutating func open(_ text: String, _ context: inout ScreenContext<Self>) {
    do {
      if case .file(let path) = try Address(text) { open([Storage.path(of: path)], &context) } else { open([text], &context) }
    } catch {
      problem = error.description
    }
  }

  /// Opens files in place of the current ones after a check that they are databases; otherwise shows the reason and stays open.
  private mutating func open(_ files: [String], _ context: inout ScreenContext<Self>) {
    problem = nil
    // Files on another machine are checked there.
    context.ask(CheckDatabases(paths: files.filter { !Address.isElsewhere($0) })) { screen, context, result in
      switch result {
      case .success: screen.leave(for: .files(files), &context)
      case .failure(let problem): screen.problem = problem.text
      }
    }
  }

  private mutating func leave(for next: Successor, _ context: inout ScreenContext<Self>) {
    isTaken = true
    context.send(BrowserIntent.leaveFor(next))
  }

  private func forget(_ context: inout ScreenContext<Self>) {
    guard case .recent(let recent) = current else { return context.notify("only a file can be removed from the list") }
    context.ask(ForgetFile(files: recent.files)) { screen, context, result in
      if case .failure(let problem) = result { return context.notify(problem.text, .error) }
      screen.load(&context)
    }
  }
}

extension Command {
  static let openDatabase: Command = "open-database"
  static let newDatabase: Command = "new-database"
  static let openDemo: Command = "open-demo"
}
