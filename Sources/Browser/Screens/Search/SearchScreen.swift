import QuarryRows
import QuarrySources
import Terminal

extension KeyContext {
  static let search = KeyContext("search", place: "in the hits")
}

extension Command {
  static let searchEverywhere: Command = "search-everywhere"
  static let editSearch: Command = "edit-search"
}

/// A text that is searched for in all tables while the person types, and the hits by table.
struct SearchScreen: Sendable {
  private(set) var field = TextField()
  /// Whether the text has the focus; otherwise the list has it.
  private(set) var isTyping = true
  /// The visible results: those of the former text, until something is found for the new one.
  private(set) var shown: SearchResults?
  /// The running search, while the results of another one are visible.
  private(set) var awaited: SearchResults?
  private(set) var cursor = ListCursor()
  /// Whether the first hit is opened as soon as there is one: Enter was pressed in the list before.
  private var opensFirstHit = false

  /// The running search, or the last one.
  var latest: SearchResults? { awaited ?? shown }

  var currentLine: SearchResults.Line? {
    guard let lines = shown?.lines, lines.indices.contains(cursor.index) else { return nil }
    return lines[cursor.index]
  }

  private var lineCount: Int { shown?.lines.count ?? 0 }

  init() {}

  /// Restores a search.
  init(_ former: FormerSearch) {
    (field, isTyping, shown, awaited, cursor) = (former.field, former.isTyping, former.shown, former.awaited, former.cursor)
  }

  /// The current search, to return to later.
  private var former: FormerSearch {
    FormerSearch(field: field, isTyping: isTyping, shown: shown, awaited: awaited, cursor: cursor)
  }

  // MARK: Searching

  /// Searches for the current text, unless this is already the latest search.
  private mutating func search(_ context: inout ScreenContext<Self>) {
    let results = SearchResults(text: EverywhereSearch(field.text).isEmpty ? "" : field.text)
    guard results.text != latest?.text ?? "" else { return }
    guard !results.text.isEmpty else {
      context.supersede(SearchEverywhere.slot)
      (shown, awaited) = (nil, nil)
      return
    }
    awaited = results
    ask(SearchEverywhere(text: results.text), &context)
  }

  private func ask(_ request: SearchEverywhere, _ context: inout ScreenContext<Self>) {
    context.ask(request) { screen, context, report in
      screen.changeLatest { $0.receive(report) }
      if screen.awaited?.isEmpty == false { screen.showAwaited() }
      screen.openFirstHit(&context)
    } then: { screen, context, result in
      screen.changeLatest { results in
        switch result {
        case .success: results.isComplete = true
        case .failure(let problem): results.problem = problem
        }
      }
      screen.showAwaited()
      screen.openFirstHit(&context)
    }
  }

  /// Opens the first hit if Enter was pressed before there was one.
  private mutating func openFirstHit(_ context: inout ScreenContext<Self>) {
    guard opensFirstHit, currentLine != nil else { return }
    open(&context)
  }

  private mutating func changeLatest(_ change: (inout SearchResults) -> Void) {
    func changed(_ results: SearchResults) -> SearchResults {
      var results = results
      change(&results)
      return results
    }
    if awaited == nil { shown = shown.map(changed) } else { awaited = awaited.map(changed) }
    cursor.move(by: 0, of: lineCount)
  }

  /// Shows the results of the running search, with the cursor on the first hit.
  private mutating func showAwaited() {
    guard let awaited else { return }
    if awaited.isEmpty, awaited.isComplete || awaited.problem != nil { (isTyping, opensFirstHit) = (true, false) }
    (shown, self.awaited) = (awaited, nil)
    cursor = ListCursor(height: cursor.height)
    cursor.move(to: awaited.lines.count > 1 ? 1 : 0, of: lineCount)
  }

  // MARK: Hits

  /// Opens the table of the current line, at the cell of a hit.
  private mutating func open(_ context: inout ScreenContext<Self>) {
    guard !isSearching, let line = currentLine, let results = shown else { return opensFirstHit = isSearching }
    opensFirstHit = false
    let table = results.tables[line.table]
    let place =
      switch line {
      case .hit(let table, let hit): SearchPlace(results.hits[table][hit])
      case .table, .more: nil as SearchPlace?
      }
    let filter = if case .more = line, !table.isFullText { "~ '\(results.text.replacing("'", with: "''"))'" } else { "" }
    // The search resumes here when the person returns.
    context.send(RowsIntent.openFound(table.table, at: place, filter: filter, of: former))
  }

  private mutating func toggleFold() {
    guard let line = currentLine, let index = shown?.toggleFold(line.table) else { return }
    cursor.move(to: index, of: lineCount)
  }
}

extension SearchScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .searchEverywhere, "Search all tables for a text", brief: "Search all tables", aliases: ["search", "grep", "find everywhere"],
      [.grid: ["g /"], .catalog: ["g /"], .record: ["g /"]]
    ) { browser in
      if let obstacle = browser.environment.needs(\.insight, "this data source does not search all tables") {
        return browser.notice = Notice(obstacle, .warning)
      }
      browser.present(SearchScreen())
    }
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { isTyping ? .bar : .search }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: lineCount) }
  func helpTitle(in workspace: Workspace) -> String { isTyping ? "Keys in a line of text" : "Keys \(KeyContext.search.place)" }
  var showsCopies: Bool { true }
  func purpose(in workspace: Workspace) -> String {
    isTyping
      ? "Searches all tables while you type. Enter or Down goes to the hits, Esc closes the search."
      : "The hits, by table. Enter opens the table at the hit; going back from there returns to the hits."
  }
  func backOutHint(in workspace: Workspace) -> String? { "leave" }

  static let commands: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .search, count: \.lineCount) { screen, _, count in screen.move(by: count) }.grouped("Moving")
    + CommandBinding.pageMotions(height: \.cursor.height) { screen, _, count in screen.move(by: count) }.grouped("Moving") + hits + typing

  private static let hits: [CommandBinding<Self>] = [
    CommandBinding(
      .open, "Open the table at this hit", keys: [.search: ["enter", "l", "right"]], hint: "open",
      unless: { $0.isSearching ? nil : $0.needsHits($1) }
    ) {
      screen, context, _ in
      screen.open(&context)
    },
    CommandBinding(
      .fold, "Fold the hits of this table, or unfold them", keys: [.search: ["space", "h", "left"]], hint: "fold",
      unless: { $0.needsHits($1) }
    ) {
      screen, _, _ in
      screen.toggleFold()
    },
    CommandBinding(.editSearch, "Change the text", keys: [.search: ["f", "/", "f3"]], hint: "text") { screen, _, _ in
      screen.isTyping = true
    },
    CommandBinding(
      .copyCommandLine, "Copy the command line that prints these hits", keys: [.search: ["g C"]], unless: { $0.needsHits($1) }
    ) { screen, context, _ in
      guard let text = screen.shown?.text else { return }
      context.copyCommandLine { files throws(Problem) in try CommandLineText("search", of: files, subject: text).text(files) }
    },
  ]

  /// The commands while the person types the text.
  private static let typing: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Accept the selected item or the text", keys: [.bar: ["enter"]], hint: "to the hits") { screen, _, _ in
      screen.leaveField()
    },
    CommandBinding(.historyNewer, "Go to a newer text, or down in a list", keys: [.bar: ["down"]]) { screen, _, _ in screen.leaveField() },
  ]

  private func needsHits(_ environment: ScreenEnvironment) -> String? { currentLine == nil ? "nothing has been found" : nil }

  mutating func start(_ context: inout ScreenContext<Self>) {
    // The search was left before it was complete.
    guard let latest, !latest.isComplete, latest.problem == nil else { return }
    ask(SearchEverywhere(text: latest.text, tables: latest.rest), &context)
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) { context.supersede(SearchEverywhere.slot) }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    cursor.layOut(height: SearchLayout(area).list.rows, of: lineCount)
  }

  mutating func press(_ key: Key, _ context: inout ScreenContext<Self>) -> Bool {
    if isTyping { opensFirstHit = false }
    guard isTyping, field.handle(key) else { return false }
    search(&context)
    return true
  }

  mutating func insert(_ text: String, isTyped: Bool, _ context: inout ScreenContext<Self>) {
    guard isTyping else { return }
    context.notifyLeftOut(field.insert(text))
    search(&context)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { cursor.scroll(by: rows, of: lineCount) }

  /// Selects a line; a second click opens it.
  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let layout = SearchLayout(area)
    if layout.field.contains(point) { return isTyping = true }
    let index = cursor.top + point.row - layout.list.row
    guard layout.list.contains(point), index < lineCount else { return }
    if !isTyping, index == cursor.index { return open(&context) }
    isTyping = false
    cursor.move(to: index, of: lineCount)
  }

  private mutating func move(by count: Int) {
    opensFirstHit = false
    cursor.move(by: count, of: lineCount)
  }

  /// Moves the focus to the hits, even if they have not arrived yet.
  private mutating func leaveField() { isTyping = lineCount == 0 && !isSearching }

  /// Whether a search is running that has no hit so far; the list may still show the hits of an earlier text.
  private var isSearching: Bool {
    guard awaited != nil || currentLine == nil, let latest else { return false }
    return !latest.isComplete && latest.problem == nil
  }
}

/// A search that was left to open one of its hits.
struct FormerSearch: Hashable, Sendable {
  var field: TextField
  var isTyping: Bool
  var shown: SearchResults?
  var awaited: SearchResults?
  var cursor: ListCursor

  /// The text of the search; nil for none.
  var text: String? { (awaited ?? shown)?.text }
}

/// The cell at which to open a table.
struct SearchPlace: Hashable, Sendable {
  var key: RowKey
  var column: String?

  init(_ hit: SearchHit) {
    (key, column) = (hit.key, hit.column)
  }
}
