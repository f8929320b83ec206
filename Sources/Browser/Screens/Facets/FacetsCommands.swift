import QuarryRows
import Terminal

extension KeyContext {
  static let facets = KeyContext("facets", place: "in the facets")
}

extension Command {
  static let facets: Command = "facets"
  static let toggleValue: Command = "toggle-value"
  static let clearChoice: Command = "clear-choice"
  static let moreValues: Command = "more-values"
  static let fewerValues: Command = "fewer-values"
}

extension FacetsScreen: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .facets }
  var showsCopies: Bool { true }
  func purpose(in workspace: Workspace) -> String {
    "The columns, each with its most frequent values or the distribution of its numbers. Space adds a value to the filter, or removes it; "
      + "the rows and the counts of the other columns follow."
  }
  var placement: ScreenPlacement { .rail }

  func generalHints(_ environment: ScreenEnvironment) -> [GeneralHint] {
    environment.hasSidePanel ? [GeneralHint(command: .nextPane, word: "rows", before: .moreValues)] : []
  }

  static let commands: [CommandBinding<Self>] =
    choosing.grouped("Choosing") + looking.grouped("Looking and finding") + moves.grouped("Moving")

  private static let choosing: [CommandBinding<Self>] = [
    CommandBinding(
      .toggleValue, "Choose this value, or drop it", keys: [.facets: ["space", "enter"]], hint: "choose", unless: needsFilter
    ) { screen, context, _ in
      guard let column = screen.list.currentColumn, let value = screen.list.currentValue else { return }
      context.send(RowsIntent.filter(.toggle(value, of: column)))
    },
    CommandBinding(
      .excludeValue, "Exclude rows with this value, or include them", keys: [.facets: ["!"]], hint: "exclude", unless: needsFilter
    ) { screen, context, _ in
      guard let column = screen.list.currentColumn, let value = screen.list.currentValue else { return }
      context.send(RowsIntent.filter(.toggleExclusion(value, of: column)))
    },
    CommandBinding(
      .clearChoice, "Drop all chosen and excluded values of this column", keys: [.facets: ["x", "delete"]],
      unless: { screen, environment in
        let isChosen = screen.list.currentColumn.map { !screen.chosen(of: $0).isEmpty || !screen.leftOut(of: $0).isEmpty } ?? false
        return isChosen ? environment.needsFilters : "no value of this column is chosen"
      }
    ) { screen, context, _ in
      guard let column = screen.list.currentColumn else { return }
      context.send(RowsIntent.filter(.clear(column, admitting: screen.leftOut(of: column))))
    },
    CommandBinding(
      .dropLastFilter, "Remove the last condition of the filter", keys: [.facets: ["F"]], hint: "unfilter", unless: needsCondition
    ) { _, context, _ in
      context.send(RowsIntent.filter(.removeLast))
    },
    CommandBinding(.dropFilter, "Remove the filter", keys: [.facets: ["g F"]], unless: needsCondition) { _, context, _ in
      context.send(RowsIntent.filter(.removeAll))
    },
  ]

  private static let looking: [CommandBinding<Self>] = [
    CommandBinding(
      .countValues, "Show all values of this column with their counts", keys: [.facets: ["#"]], hint: "counts", unless: needsColumn
    ) {
      screen, context, _ in
      screen.countValues(&context)
    },
    CommandBinding(.moreValues, "Show more values, or go to the next range", keys: [.facets: ["l", "right"]], hint: "more") {
      screen, context, count in
      screen.change(&context) { $0.moveAcross(by: count ?? 1) }
    },
    CommandBinding(.fewerValues, "Show fewer values, or go to the previous range", keys: [.facets: ["h", "left"]]) {
      screen, context, count in
      screen.change(&context) { $0.moveAcross(by: -(count ?? 1)) }
    },
    CommandBinding(.find, "Find a column while you type", keys: [.facets: ["/", "f3"]], hint: "find") { screen, context, _ in
      screen.askForText(&context)
    },
    CommandBinding(.findNext, "Go to the next match", keys: [.facets: ["n"]], unless: { $1.needsNeedle($0.needle) }) { screen, context, _ in
      screen.findNext(&context)
    },
    CommandBinding(.refresh, "Count again", keys: [.facets: ["R", "f5"]]) { screen, context, _ in
      screen.change(&context) { $0.countAgain() }
    },
    CommandBinding(.facets, "Close the facets", keys: [.facets: ["g f"]]) { _, context, _ in context.close() },
  ]

  private static let moves: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .facets, count: \.list.lines.count) { screen, context, count in
      screen.change(&context) { $0.change { $0.move(by: count) } }
    }
    + CommandBinding.pageMotions(height: \.list.cursor.height) { screen, context, count in
      screen.change(&context) { $0.change { $0.move(by: count) } }
    } + [
      CommandBinding(.nextColumn, "Go to the next column", keys: [.facets: ["]"]]) { screen, context, count in
        screen.change(&context) { $0.moveColumn(by: count ?? 1) }
      },
      CommandBinding(.previousColumn, "Go to the previous column", keys: [.facets: ["["]]) { screen, context, count in
        screen.change(&context) { $0.moveColumn(by: -(count ?? 1)) }
      },
    ]

  private static let needsColumn: CommandBinding<Self>.Obstacle = { screen, _ in
    screen.list.currentColumn == nil ? "there is no column here" : nil
  }
  private static let needsFilter: CommandBinding<Self>.Obstacle = { screen, environment in
    screen.list.currentValue == nil ? "there is no value here" : environment.needsFilters
  }
  private static let needsCondition: CommandBinding<Self>.Obstacle = { _, environment in
    environment.pendingView?.filter.isBlank == false ? nil : "there is no filter"
  }

  func word(for hint: String, of command: Command) -> String? {
    guard command == .toggleValue, let column = list.currentColumn, let value = list.currentValue else { return hint }
    return chosen(of: column).contains { $0.isSame(as: value) } ? "drop" : hint
  }

  // MARK: Following

  mutating func start(_ context: inout ScreenContext<Self>) { change(&context) { _ in } }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    for slot in [LoadFacets.slot, Self.namesSlot] { context.supersede(slot) }
  }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    let height = layout(in: area).list.rows
    change(&context) { $0.change { $0.layOut(height: height) } }
  }

  /// Turns to the rows that are shown, or are on their way: the filter's text decides what is chosen.
  mutating func follow(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let view = context.environment.pendingView else { return }
    let now = InsightSubject(grid, view: view, fileChanges: context.workspace.source.fileChanges)
    let columns = grid.layout.shown.compactMap { grid.column(at: $0)?.name }
    guard now != subject || columns != self.columns else { return }
    // Where somebody writes again and again, counting comes to an end nevertheless.
    if isCounting, now.differsByWritesAlone(from: subject) { return }
    change(&context) { $0.turn(to: now, columns: columns) }
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { change(&context) { $0.change { $0.scroll(by: rows) } } }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let rows = layout(in: area).list
    guard rows.contains(point) else { return }
    let index = list.cursor.top + point.row - rows.row
    change(&context) { screen in
      screen.change { list in
        guard list.select(index) else { return }
        if case .histogram(let bins)? = list.currentLine?.content {
          list.select(bin: FacetHistogram(bins.count, columns: rows.columns).bin(at: point.column - rows.column))
        }
      }
    }
  }

  /// Changes the visible lines, and requests the visible columns that have not been counted and the names of the values.
  private mutating func change(_ context: inout ScreenContext<Self>, _ body: (inout Self) -> Void) {
    body(&self)
    askForNames(&context)
    guard let request = nextRequest() else { return }
    context.ask(request) { screen, context, report in
      switch report {
      case .late: screen.noteLate()
      case .counted(let facets):
        screen.receive(facets)
        screen.askForNames(&context)
      }
    } then: { screen, context, result in
      screen.change(&context) { screen in
        switch result {
        case .success(let facets):
          screen.finish()
          screen.receive(facets)
        case .failure(let problem): screen.receive(problem)
        }
      }
    }
  }

  private mutating func askForNames(_ context: inout ScreenContext<Self>) {
    guard let request = nextNames(context.environment) else { return }
    context.ask(request) { screen, context, result in
      screen.receive(result, to: request)
      screen.askForNames(&context)
    }
  }

  private func countValues(_ context: inout ScreenContext<Self>) {
    guard let name = list.currentColumn, let column = context.grid?.columns.first(where: { $0.name == name }) else { return }
    context.send(CountsIntent.count(column, of: subject))
  }

  private func askForText(_ context: inout ScreenContext<Self>) {
    let start = list.currentColumn
    let find = context.handler { (screen: inout Self, context: inout ScreenContext<Self>, text: String) in
      guard !text.isEmpty else { return }
      var isFound = false
      screen.change(&context) { isFound = $0.find(text, from: start) }
      context.notifyNotFound(text, isFound: isFound)
    }
    var prompt = PromptScreen(label: "find", placeholder: "part of a column's name", accept: find)
    prompt.follow = find
    prompt.cancel = context.handler { screen, context in screen.change(&context) { $0.change { $0.goToFirst(of: start) } } }
    context.present(prompt)
  }

  private mutating func findNext(_ context: inout ScreenContext<Self>) {
    guard let needle, let column = list.currentColumn, let index = columns.firstIndex(of: column) else { return }
    let next = columns[(index + 1) % columns.count]
    change(&context) { _ = $0.find(needle, from: next) }
  }
}
