import QuarryRows
import Terminal

extension KeyContext {
  static let profile = KeyContext("profile", place: "in the profile")
}

extension Command {
  static let profile: Command = "profile"
  static let countExactly: Command = "count-exactly"
}

extension ProfileScreen: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .profile }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: columns.count) }
  var showsCopies: Bool { true }
  func purpose(in workspace: Workspace) -> String {
    "Summarizes each column: types, NULLs, distinct values, minimum, maximum, quartiles and distribution. ! marks a column that deserves a "
      + "second look; Enter counts the values of a column."
  }
  var placement: ScreenPlacement { .body }

  static let commands: [CommandBinding<Self>] =
    looking.grouped("Looking") + CommandBinding.searches("Find a column by its name", in: .profile).grouped("Finding")
    + moves.grouped("Moving")

  private static let needsColumn: CommandBinding<Self>.Obstacle = { screen, _ in screen.current == nil ? "there is no column here" : nil }

  private static let looking: [CommandBinding<Self>] = [
    CommandBinding(.countValues, "Count the values of this column", keys: [.profile: ["enter", "#"]], hint: "counts", unless: needsColumn) {
      screen, context, _ in
      screen.countValues(&context)
    },
    CommandBinding(
      .countExactly, "Count estimated numbers exactly", keys: [.profile: ["="]], hint: "exact",
      hintedWhen: { screen, _ in !screen.isExact && screen.columns.contains { $0.hasEstimates } },
      unless: { screen, _ in
        screen.isExact || screen.isComplete && !screen.columns.contains { $0.hasEstimates } ? "all numbers are exact" : nil
      }
    ) { screen, context, _ in
      screen.countExactly()
      screen.load(&context)
    },
    CommandBinding(.moveRight, "Scroll to the right", keys: [.profile: ["l", "right"]], hint: "right") { screen, _, count in
      screen.scrollFields(by: count ?? 1)
    },
    CommandBinding(.moveLeft, "Scroll to the left", keys: [.profile: ["h", "left"]]) { screen, _, count in
      screen.scrollFields(by: -(count ?? 1))
    },
    CommandBinding(.copy, "Copy this column's line", keys: [.profile: ["y"]], hint: "copy", unless: needsColumn) { screen, context, _ in
      guard let column = screen.current else { return }
      context.send(.copyToClipboard(CopyText(text: ProfileField.table(of: [column]), title: "the profile of \(column.name)")))
    },
    CommandBinding(.copyRow, "Copy all lines", keys: [.profile: ["Y"]], unless: needsColumn) { screen, context, _ in
      context.send(.copyToClipboard(CopyText(text: ProfileField.table(of: screen.columns), title: "the profile")))
    },
    .copyingCommandLine("Copy the command line that prints this profile", in: .profile) { _, grid, files throws(Problem) in
      try GridCommandLine(grid: grid).profile(files)
    },
    CommandBinding(.refresh, "Read again", keys: [.profile: ["R", "f5"]]) { screen, context, _ in screen.load(&context) },
  ]

  private static let moves: [CommandBinding<Self>] =
    CommandBinding.lineMotions(in: .profile, count: \.columns.count) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: \.height) { screen, _, count in screen.move(by: count) }

  mutating func start(_ context: inout ScreenContext<Self>) { load(&context) }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    context.supersede(LoadProfile.slot)
    context.supersede(Self.namesSlot)
  }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    layOut(height: ProfileLayout(in: area, columns: columns.count).list.rows)
  }

  /// Reads again if the grid shows other rows than the profiled rows, or if the rows have changed.
  mutating func follow(_ context: inout ScreenContext<Self>) {
    followGrid(&context)
    guard let request = nextNames(context.environment) else { return }
    context.ask(request) { screen, _, result in screen.receive(result, to: request) }
  }

  private mutating func followGrid(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let view = context.environment.pendingView else { return }
    let now = InsightSubject(grid, view: view, fileChanges: context.workspace.source.fileChanges)
    // Where somebody writes again and again, reading comes to an end nevertheless.
    guard now != subject, !(isReading && now.differsByWritesAlone(from: subject)) else { return }
    turn(to: now, title: grid.title)
    load(&context)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { scroll(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let list = ProfileLayout(in: area, columns: columns.count).list
    if list.contains(point) { move(to: cursor.top + point.row - list.row) }
  }

  private func load(_ context: inout ScreenContext<Self>) {
    context.ask(LoadProfile(subject: subject, isExact: isExact)) { screen, context, report in
      screen.receive(report.content, context.appearance)
    } then: { screen, context, result in
      switch result {
      case .success(let profile): screen.receive(profile, context.appearance)
      case .failure(let problem): screen.receive(problem)
      }
    }
  }

  private func countValues(_ context: inout ScreenContext<Self>) {
    guard let name = current?.name, let grid = context.grid, let index = grid.columns.firstIndex(where: { $0.name == name }),
      let column = grid.column(at: index)
    else { return }
    context.workspace.changeGrid { grid in
      grid.column = index
      grid.revealCursor()
    }
    context.send(CountsIntent.count(column, of: subject))
  }
}
