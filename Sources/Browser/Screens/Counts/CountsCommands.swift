import QuarryRows
import Terminal

extension KeyContext {
  static let counts = KeyContext("counts", place: "in the counts")
}

extension Command {
  static let countValues: Command = "count-values"
  static let binValues: Command = "bin-values"
  static let sortCounts: Command = "sort-counts"
  static let markValue: Command = "mark-value"
  static let nextColumn: Command = "next-column"
  static let previousColumn: Command = "previous-column"
}

extension CountsScreen: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .counts }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: count) }
  func helpTitle(in workspace: Workspace) -> String { "Keys in the counts of \(column.name)" }
  var showsCopies: Bool { true }
  func purpose(in workspace: Workspace) -> String {
    "The values of a column, with the number of rows that have each. Enter filters by the value under the cursor. Space "
      + "marks several values, b counts numbers and dates in ranges."
  }
  var placement: ScreenPlacement { .grid(rows: 8) }

  static let commands: [CommandBinding<Self>] =
    values.grouped("Values") + list.grouped("List") + searches.grouped("Finding") + moves.grouped("Moving")

  private static let values: [CommandBinding<Self>] = [
    CommandBinding(
      .includeValue, "Show only rows with this value, or the marked values", keys: [.counts: ["enter", "="]], hint: "include",
      unless: needsFilter
    ) { screen, context, _ in
      screen.filter(isExcluded: false, &context)
    },
    CommandBinding(
      .excludeValue, "Exclude rows with this value, or the marked values", keys: [.counts: ["!"]], hint: "exclude",
      unless: needsFilter
    ) { screen, context, _ in
      screen.filter(isExcluded: true, &context)
    },
    CommandBinding(
      .markValue, "Mark this value, to filter by several", keys: [.counts: ["space"]], hint: "mark", unless: needsValue
    ) {
      screen, context, _ in
      screen.change(&context) { $0.toggleMark() }
    },
    CommandBinding(.copy, "Copy the value", keys: [.counts: ["y"]], hint: "copy", unless: needsValue) { screen, context, _ in
      guard let value = screen.current?.value else { return }
      context.send(.copyToClipboard(CopyText(text: CountedText.plain(value), title: "the value", value: value.value)))
    },
    CommandBinding(.copyRow, "Copy all values with their counts", keys: [.counts: ["Y"]], unless: needsValue) { screen, context, _ in
      guard let counted = screen.counted else { return }
      context.ask(WriteCounts(source: counted, order: screen.order)) { _, context, result in
        if case .success(let text) = result { context.send(.copyToClipboard(text)) }
      }
    },
    .copyingCommandLine("Copy the command line that prints these counts", in: .counts) { screen, grid, files throws(Problem) in
      try GridCommandLine(grid: grid).counts(screen.column, files)
    },
  ]

  private static let list: [CommandBinding<Self>] = [
    CommandBinding(.sortCounts, "Sort by value or count, in either direction", keys: [.counts: ["s"]], hint: "sort") {
      screen, context, _ in
      screen.change(&context) { $0.nextOrder() }
    },
    CommandBinding(
      .binValues, "Count numbers and dates in ranges, or each value on its own", brief: "Count in ranges", keys: [.counts: ["b"]],
      hint: "ranges"
    ) { screen, context, _ in
      screen.toggleBins()
      screen.load(&context)
    },
    CommandBinding(.nextColumn, "Count the next column", keys: [.counts: ["]", "l", "right"]]) { screen, context, count in
      screen.moveColumn(by: count ?? 1, &context)
    },
    CommandBinding(.previousColumn, "Count the previous column", keys: [.counts: ["[", "h", "left"]]) { screen, context, count in
      screen.moveColumn(by: -(count ?? 1), &context)
    },
    CommandBinding(.refresh, "Count again", keys: [.counts: ["R", "f5"]]) { screen, context, _ in screen.load(&context) },
  ]

  private static let needsNeedle: CommandBinding<Self>.Obstacle = { screen, environment in environment.needsNeedle(screen.needle) }

  private static let searches: [CommandBinding<Self>] = [
    CommandBinding(
      .find, "Find a value, or its name, while you type", keys: [.counts: ["/", "f3"]], hint: "find", unless: needsValue
    ) { screen, context, _ in
      screen.askForText(&context)
    },
    CommandBinding(.findNext, "Go to the next match", keys: [.counts: ["n"]], unless: needsNeedle) { screen, context, _ in
      screen.find(from: screen.cursor.index + 1, &context)
    },
    CommandBinding(.findPrevious, "Go to the previous match", keys: [.counts: ["N", "shift-f3"]], unless: needsNeedle) {
      screen, context, _ in
      screen.find(from: screen.cursor.index - 1, isBackwards: true, &context)
    },
  ]

  private static let moves: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .counts, count: \.count) { screen, context, count in screen.change(&context) { $0.move(by: count) } }
    + CommandBinding.pageMotions(height: \.height) { screen, context, count in screen.change(&context) { $0.move(by: count) } }

  private static let needsValue: CommandBinding<Self>.Obstacle = { screen, _ in screen.current == nil ? "there is no value here" : nil }
  private static let needsFilter: CommandBinding<Self>.Obstacle = { needsValue($0, $1) ?? $1.needsFilters }

  /// Says how many are marked, which Enter and `!` take.
  func word(for hint: String, of command: Command) -> String? {
    guard !marked.isEmpty, command == .includeValue || command == .excludeValue else { return hint }
    return "\(hint) \(marked.count)"
  }

  // MARK: Following

  mutating func start(_ context: inout ScreenContext<Self>) { load(&context) }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    for slot in [CountValues.slot, FindCountLine.slot, Self.namesSlot] { context.supersede(slot) }
  }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    change(&context) { $0.layOut(height: CountsLayout(in: area).list.rows) }
  }

  /// Counts again if the grid shows other rows than the counted rows, or if the rows have changed.
  mutating func follow(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let view = context.environment.pendingView else { return }
    let now = InsightSubject(grid, view: view, fileChanges: context.workspace.source.fileChanges)
    // Where somebody writes again and again, counting comes to an end nevertheless.
    guard now != subject, !(isCounting && now.differsByWritesAlone(from: subject)) else { return }
    guard now.set == subject.set, grid.columns.contains(where: { $0.name == column.name }) else { return context.close() }
    turn(to: now)
    load(&context)
  }

  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    guard !marked.isEmpty else { return false }
    clearMarks()
    return true
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { change(&context) { $0.scroll(by: rows) } }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let list = CountsLayout(in: area).list
    if list.contains(point) { change(&context) { $0.move(to: $0.cursor.top + point.row - list.row) } }
  }

  /// Changes the visible lines, and requests missing lines and the names of their values.
  private mutating func change(_ context: inout ScreenContext<Self>, _ body: (inout Self) -> Void) {
    body(&self)
    if let request = nextLines() {
      context.ask(request) { screen, context, result in
        let glyphs = context.appearance.glyphs
        if case .success(let lines) = result { screen.change(&context) { $0.receive(lines, glyphs: glyphs) } }
      }
    }
    guard let request = nextNames(context.environment) else { return }
    context.ask(request) { screen, context, result in
      let glyphs = context.appearance.glyphs
      screen.change(&context) { $0.receive(result, to: request, glyphs: glyphs) }
    }
  }

  private mutating func load(_ context: inout ScreenContext<Self>) {
    context.ask(CountValues(subject: subject, column: column, binning: isBinned ? .automatic : .none)) { screen, context, report in
      screen.change(&context) { $0.receive(report.content) }
    } then: { screen, context, result in
      screen.change(&context) { screen in
        switch result {
        case .success(let counts): screen.receive(counts)
        case .failure(let problem): screen.receive(problem)
        }
      }
      if screen.hasNothingToBin {
        context.notify("\(screen.column.name) has too few numbers or dates (2024-05-01) to count in ranges")
      }
    }
  }

  private mutating func moveColumn(by step: Int, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let shown = grid.layout.shown
    guard let index = shown.firstIndex(where: { grid.column(at: $0)?.name == column.name }) else { return }
    let next = shown[min(max(0, index + step), shown.count - 1)]
    guard let nextColumn = grid.column(at: next), nextColumn.name != column.name else {
      return context.notify(step > 0 ? "this is the last column" : "this is the first column")
    }
    context.workspace.changeGrid { grid in
      grid.column = next
      grid.revealCursor()
    }
    turn(to: nextColumn)
    load(&context)
  }

  // MARK: Filtering

  private func filter(isExcluded: Bool, _ context: inout ScreenContext<Self>) {
    context.closeAll()
    context.send(RowsIntent.filter(.narrow(chosen, of: column.name, isExcluded: isExcluded)))
  }

  // MARK: Finding

  private func askForText(_ context: inout ScreenContext<Self>) {
    let start = cursor.index
    var prompt = PromptScreen(
      label: "find", placeholder: foreignKey == nil ? "part of a value" : "part of a value or a name",
      accept: context.handler { screen, context, text in
        screen.search(for: text)
        screen.find(from: start, &context)
      })
    prompt.follow = context.handler { screen, context, text in
      screen.search(for: text)
      if !text.isEmpty { screen.find(from: start, &context) }
    }
    prompt.cancel = context.handler { screen, context in screen.change(&context) { $0.move(to: start) } }
    context.present(prompt)
  }

  private func find(from start: Int, isBackwards: Bool = false, _ context: inout ScreenContext<Self>) {
    guard let needle, let counted else { return }
    let names = foreignKey.map { FindCountLine.Names(key: $0, labels: context.environment.options.labels) }
    let request = FindCountLine(
      source: counted, order: order, needle: needle, start: start, isBackwards: isBackwards, names: names)
    context.ask(request) { screen, context, result in
      guard case .success(let place) = result else { return }
      guard let place else { return context.notifyNotFound(needle, isFound: false) }
      screen.change(&context) { $0.move(to: place) }
    }
  }
}
