import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

extension Command {
  static let diff: Command = "diff"
  static let nextChange: Command = "next-change"
  static let previousChange: Command = "previous-change"
}

extension DiffScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .diff, "Compare the database with another one, such as a backup", brief: "Compare",
      aliases: ["compare", "compare with", "difference", "differences", "sqldiff", "changes since"]
    ) { $0.askForComparison() }
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { filters.bar.isTyping ? .bar : .diff }
  func helpTitle(in workspace: Workspace) -> String { filters.bar.isTyping ? "Keys in the filter bar" : "Keys in the comparison" }
  func purpose(in workspace: Workspace) -> String {
    "The differences between two databases. − marks what only the old one has, + what only the new one has, and ~ what has changed."
  }
  func backOutHint(in workspace: Workspace) -> String? { hasInnerState ? "back" : phase == .running ? "stop" : isAlone ? nil : "back" }
  func position(_ environment: ScreenEnvironment) -> String? {
    guard count > 0 else { return nil }
    let isExact = table?.isUnfinished != true
    return "change \(Plural.grouped(position + 1)) of \(isExact ? "" : environment.appearance.atLeast)\(Plural.grouped(count))"
  }

  static let commands: [CommandBinding<Self>] =
    changes.grouped("Changes") + filtering.grouped("Finding") + moves.grouped("Moving")

  static let hintedCommands: [CommandBinding<Self>] = commands.beginning(with: [
    .nextChange, .open, .sideBySide, .filter, .find, .copy, .export,
  ])

  private static let changes: [CommandBinding<Self>] =
    [
      CommandBinding(
        .nextChange, "Go to the next change", keys: [.diff: ["n", "]"]], hint: "next", hintedWhen: { screen, _ in !screen.isSame }
      ) { screen, context, _ in
        if !screen.goToChange(by: 1) { context.notify(screen.words(atEnd: "this is the last change")) }
      },
      CommandBinding(.previousChange, "Go to the previous change", keys: [.diff: ["N", "["]]) { screen, context, _ in
        if !screen.goToChange(by: -1) { context.notify(screen.words(atEnd: "this is the first change")) }
      },
      CommandBinding(.refresh, "Compare again", keys: [.diff: ["R", "f5", "ctrl-r"]]) { screen, context, _ in
        screen.restart()
        screen.start(&context)
      },
    ] + looking

  private func words(atEnd sentence: String) -> String {
    phase == .running ? "no more changes have been found yet" : count == 0 ? "there are no changes" : sentence
  }

  private static let moves: [CommandBinding<Self>] =
    [
      CommandBinding(.nextPane, "Go to the other pane", keys: [.diff: ["tab", "ctrl-w w"]], hint: "pane") { screen, _, _ in
        screen.pane = screen.pane == .list ? .changes : .list
      },
      CommandBinding(.previousPane, "Go to the other pane", keys: [.diff: ["shift-tab"]]) { screen, _, _ in
        screen.pane = screen.pane == .list ? .changes : .list
      },
      CommandBinding(.paneLeft, "Go to the list of tables", keys: [.diff: ["ctrl-w h", "ctrl-w left"]]) { screen, _, _ in
        screen.pane = .list
      },
      CommandBinding(.paneRight, "Go to the changes", keys: [.diff: ["ctrl-w l", "ctrl-w right"]]) { screen, _, _ in
        screen.pane = .changes
      },
      CommandBinding(.moveRight, "Scroll to the right, or go to the changes", keys: [.diff: ["l", "right"]]) { screen, _, count in
        screen.scroll(right: count ?? 1)
      },
      CommandBinding(.moveLeft, "Scroll to the left", keys: [.diff: ["h", "left"]]) { screen, _, count in
        screen.scroll(right: -(count ?? 1))
      },
    ]
    + CommandBinding.lineMotions(in: .diff, count: \.length) { screen, _, step in screen.move(by: step) }
    + CommandBinding.pageMotions(height: \.pageHeight) { screen, _, step in screen.move(by: step) }

  // MARK: Moving

  /// The number of lines of the pane with the focus.
  private var length: Int { pane == .list ? entries.count : entry == .schema || rows.record != nil ? .max / 2 : count }

  private var pageHeight: Int { pane == .list ? list.height : rows.height }

  mutating func move(by step: Int) {
    if pane == .list { return moveInList(by: step) }
    if entry == .schema { return schema.scroll(by: step) }
    if let record = rows.record { rows.record = max(0, record + step) } else { rows.move(by: step, of: count) }
  }

  private mutating func scroll(right step: Int) {
    guard pane == .changes else {
      if step > 0 { pane = .changes }
      return
    }
    rows.scroll = max(0, rows.scroll + step)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let layout = DiffLayout(self, in: area, context.environment)
    if layout.list.contains(point) {
      let index = list.top + point.row - layout.list.row
      pane = .list
      if entries.indices.contains(index) { select(entries[index]) }
    } else if layout.changes.contains(point) {
      pane = .changes
      guard tableIndex != nil, rows.record == nil else { return }
      if let position = rows.position(atLine: point.row - layout.changes.row - 1, of: count, isSideBySide) { rows.select(position) }
    }
  }

  // MARK: Work

  mutating func start(_ context: inout ScreenContext<Self>) {
    context.ask(CompareDatabases(subject: subject)) { screen, _, progress in
      screen.receive(progress)
    } then: { screen, context, result in
      screen.end(result)
      if case .failure(let problem) = result, problem != .stopped { context.notify(problem.text, .error) }
    }
    context.ask(AwaitWriting(subject: subject)) { screen, context, result in
      guard case .success = result else { return }
      screen.noteWriting()
      context.notify("the databases have changed since: \(context.environment.keyHint(.refresh)) compares again", .warning)
    }
  }

  mutating func follow(_ context: inout ScreenContext<Self>) {
    guard let store = progress?.store, let index = tableIndex else { return }
    followFilter(store, &context)
    guard let request = rows.wish(store, table: index, count: count, isFiltered: filters.isFiltered(index)) else { return }
    context.ask(request) { screen, context, result in
      switch result {
      case .success(let rows): screen.rows.receive(rows, request)
      case .failure(.stopped): break
      case .failure(let problem): context.notify(problem.text, .error)
      }
    }
  }

  /// Whether Esc closes a part of the screen.
  private var hasInnerState: Bool { rows.record != nil || filters.bar.isTyping }

  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    if filters.bar.isTyping {
      if filters.bar.completions != nil { filters.bar.closeList() } else { filters.close() }
      return true
    }
    if rows.record != nil {
      rows.record = nil
      return true
    }
    if phase == .running {
      context.send(BrowserIntent.stop(byEscape: true))
      return true
    }
    if isAlone { context.notify("\(context.environment.keyHint(.close)) quits") }
    return isAlone
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    for slot in [CompareDatabases.slot, AwaitWriting.slot, LoadDifferences.slot, FilterDifferences.slot] { context.supersede(slot) }
    if isAlone { context.quit() }
  }
}
