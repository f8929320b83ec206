import QuarryEngine
import QuarryRows
import Terminal

extension RowsCommands {
  static let resultCommands: [Binding] = [
    Binding(.nextResult, "Go to the next result", brief: "Next result", keys: [.grid: ["g t"]], unless: needsResult) { rows, context, _ in
      rows.moveResult(by: 1, &context)
    },
    Binding(.previousResult, "Go to the previous result", brief: "Previous result", keys: [.grid: ["g T"]], unless: needsResult) {
      rows, context, _ in
      rows.moveResult(by: -1, &context)
    },
  ]

  private static let needsResult: Obstacle = { rows, _ in rows.results.tabs.isEmpty ? "nothing has been run yet" : nil }
}

/// The results of statements, as tabs above the rows.
extension RowsScreen {
  /// Adds a result and shows it.
  mutating func add(_ part: SQLRequest.Part, _ outcome: StatementOutcome, _ context: inout ScreenContext<Self>) {
    let tab = ResultTabs.Tab(part, outcome)
    if case .rows(let set, let opened) = outcome.content {
      var pane = GridPane(id: part.grid, rowSet: set, title: tab.title, opened: opened, glyphs: context.appearance.glyphs)
      pane.becomeResult(after: outcome.elapsed)
      context.workspace.keep(pane)
    }
    leaveGrid(&context)
    if let dropped = results.add(tab) { context.forget(dropped) }
    showResult(results.tabs.count - 1, &context)
  }

  /// Removes the tabs of the last run and their grids, including the visible one.
  mutating func clearResults(_ context: inout ScreenContext<Self>) {
    for id in results.removeAll() {
      context.stopReading(of: id)
      context.forget(id)
    }
  }

  mutating func moveResult(by step: Int, _ context: inout ScreenContext<Self>) {
    let count = results.tabs.count
    guard count > 0 else { return }
    dropOpening(&context)
    showResult(((results.index ?? (step > 0 ? -1 : 0)) + step + count) % count, &context)
  }

  /// Returns to the table that was visible before the results.
  mutating func leaveResults(_ context: inout ScreenContext<Self>) {
    if results.index != nil { goBack(&context) }
  }

  /// Shows a tab.
  private mutating func showResult(_ index: Int, _ context: inout ScreenContext<Self>) {
    leaveGrid(&context)
    opening.show(nil)
    results.index = index
    guard let id = results.current?.grid, let pane = context.workspace[id] else { return }
    let isNew = pane.total == nil && !pane.tally.isCounting
    context.workspace.show(id)
    layOut(in: area, &context)
    if isNew || !(pane.total?.isExact ?? false) { context.count(id) }
    context.changeGrid { $0.prefetch() }
  }

  /// Reports the outcome of the current tab; a fault appears in place of the rows if there is room.
  func reportResult(_ context: inout ScreenContext<Self>) {
    guard let tab = results.current else { return }
    if case .failed = tab.content, RowsLayout(area, filter, context.environment).grid.rows > 2 { return }
    var sentence = tab.sentence()
    if let id = tab.grid, let pane = context.workspace[id] { sentence = tab.sentence(of: pane) }
    if results.earlierCount > 0 { sentence += "; only the last \(Plural.of(results.tabs.count, "result")) are available" }
    // The sentence replaces the hint for the key that leaves the editor.
    if context.environment.focus == .editor { sentence += "; \(context.environment.keyHint(.backOut, in: .editor)) goes to the results" }
    context.notify(sentence, tab.role)
  }
}

/// The outcomes of the last run, one tab each; only the last ones of a long script.
package struct ResultTabs: Hashable, Sendable {
  /// The largest number of tabs, each of which holds rows.
  package static let limit = 200

  package struct Tab: Hashable, Sendable {
    /// The beginning of the statement.
    package var title: String
    var sql: String
    package var content: Content
    var elapsed: Duration
  }

  package enum Content: Hashable, Sendable {
    /// The rows of a grid.
    case rows(GridID)
    /// The number of rows read, or a lower bound; the rows are not stored.
    case read(count: Int, isAll: Bool)
    case done(changes: Int, lastRowID: Int64?)
    case failed(SQLFault)
  }

  package private(set) var tabs: [Tab] = []
  /// The number of earlier results that were dropped.
  package private(set) var earlierCount = 0
  /// The index of the current tab; nil while a table is visible.
  var index: Int?

  package var current: Tab? { index.flatMap { tabs.indices.contains($0) ? tabs[$0] : nil } }

  /// Adds a tab without showing it; returns the grid of the tab that is dropped in exchange, if any.
  mutating func add(_ tab: Tab) -> GridID? {
    tabs.append(tab)
    guard tabs.count > Self.limit else { return nil }
    earlierCount += 1
    return tabs.removeFirst().grid
  }

  /// Removes all tabs; returns their grids.
  mutating func removeAll() -> [GridID] {
    defer { (tabs, index, earlierCount) = ([], nil, 0) }
    return tabs.compactMap(\.grid)
  }

  /// Replaces a grid with another one.
  mutating func replace(_ grid: GridID, by other: GridID) {
    guard let index = tabs.firstIndex(where: { $0.grid == grid }) else { return }
    tabs[index].content = .rows(other)
  }
}

extension ResultTabs.Tab {
  var grid: GridID? {
    if case .rows(let grid) = content { grid } else { nil }
  }

  init(_ part: SQLRequest.Part, _ outcome: StatementOutcome) {
    sql = part.sql
    title = part.sql.summary
    elapsed = outcome.elapsed
    switch outcome.content {
    case .rows: content = .rows(part.grid)
    case .read(let count, let isAll): content = .read(count: count, isAll: isAll)
    case .done(let changes, let lastRowID): content = .done(changes: changes, lastRowID: lastRowID)
    case .failed(let fault): content = .failed(fault)
    }
  }

  var role: Role {
    switch content {
    case .rows, .read: .muted
    case .done: .success
    case .failed: .error
    }
  }

  /// Returns the outcome as a sentence.
  func sentence(of pane: GridPane? = nil) -> String {
    switch content {
    case .rows:
      guard let window = pane?.window, window.reachesStart, window.reachesEnd else { return "the first rows after \(elapsed.words)" }
      return "\(Plural.of(window.rows.count, "row")) in \(elapsed.words)"
    case .read(let count, let isAll):
      return "\(isAll ? "" : "more than ")\(Plural.of(count, "row")) in \(elapsed.words); run this statement alone to see them"
    case .done(let changes, let lastRowID):
      return [Plural.of(changes, "row") + " changed", lastRowID.map { "last rowid \($0)" }, elapsed.words].compactMap(\.self)
        .joined(separator: ", ")
    case .failed(let fault): return fault.sentence
    }
  }

  /// Returns the text shown if there are no rows: the outcome of the statement, and its SQL or the position of the fault.
  ///
  /// - Parameter mendKey: The key that inserts the fix in the editor.
  func report(mendKey: String) -> [(text: String, role: Role)] {
    switch content {
    case .rows: return []
    case .read, .done: return [(sentence(), role), ("\n\(sql)", .muted)]
    case .failed(let fault):
      let mend = fault.place == nil ? nil : fault.mend.map { "; in the editor \(mendKey) writes \($0.text)" }
      return [(fault.sentence, .error)] + (fault.place.map { [($0.words + (mend ?? ""), .muted)] } ?? [])
    }
  }
}

extension Duration {
  /// The duration in words: `4 ms`, `1.3 s`, `2 min 5 s`.
  var words: String {
    let milliseconds = Int(self / .milliseconds(1))
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    if milliseconds < 60_000 { return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s" }
    return "\(milliseconds / 60_000) min \(milliseconds / 1_000 % 60) s"
  }

  /// The duration in whole seconds: `4 s`, `2 min 5 s`.
  var wholeWords: String { components.seconds < 60 ? "\(components.seconds) s" : words }
}
