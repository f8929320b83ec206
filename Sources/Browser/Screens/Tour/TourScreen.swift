import QuarryEngine
import Terminal

extension KeyContext {
  static let tour = KeyContext("tour", place: "in the tour")
}

extension Command {
  static let tour: Command = "tour"
}

/// The main features, one per step, in a panel below the panes: the person performs a command, and the tour continues.
struct TourScreen: Screen {
  /// Whether the database has the tables of the tour; otherwise the tour offers to open the demo.
  let fits: Bool
  /// The index of the current step; one more than there are at the end of the tour.
  private(set) var index = 0
  /// The number of performed commands of the step.
  private(set) var done = 0

  var step: TourStep? { fits && TourStep.all.indices.contains(index) ? TourStep.all[index] : nil }

  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .tour, "Show the main features in \(TourStep.count)", aliases: ["tutorial", "learn", "introduction", "getting started"]
    ) {
      $0.showTour()
    }
  ]

  // MARK: Keys

  func keyContext(in workspace: Workspace) -> KeyContext { .tour }
  var placement: ScreenPlacement { .guide }

  static let commands: [CommandBinding<Self>] = [
    CommandBinding("tour-next", "Go to the next step", keys: [.tour: ["space"]], hint: "next") { tour, context, _ in
      tour.goOn(&context)
    },
    CommandBinding(
      "tour-back", "Go to the previous step", keys: [.tour: ["backspace"]], hint: "back",
      unless: { tour, _ in
        tour.index == 0 ? "this is the first step" : tour.wants(.goBack) ? "this step uses the key" : nil
      }
    ) { tour, context, _ in
      tour.go(to: tour.index - 1, &context)
    },
    CommandBinding(
      "leave-tour", "Leave the tour", keys: [.tour: ["escape"]], hint: "leave",
      unless: { _, environment in environment.grid?.selection == nil ? nil : "end the selection first" }
    ) { _, context, _ in
      context.close()
      context.notify(":tour opens the tour again")
    },
  ]

  mutating func start(_ context: inout ScreenContext<Self>) { go(to: 0, &context) }

  /// Records a performed command; the last command of a step ends it.
  mutating func note(_ command: Command, _ context: inout ScreenContext<Self>) {
    guard let step, step.commands[done].contains(command) else { return }
    done += 1
    if done == step.commands.count { goOn(&context) }
  }

  private func wants(_ command: Command) -> Bool { step?.commands.contains { $0.contains(command) } ?? false }

  private mutating func goOn(_ context: inout ScreenContext<Self>) {
    guard fits else { return context.send(BrowserIntent.leaveFor(.demo(isTour: true))) }
    guard index + 1 < TourStep.all.count else {
      context.close()
      return context.notify("end of the tour; \(context.environment.keyHint(.help)) shows the keys that work in each place", .success)
    }
    go(to: index + 1, &context)
  }

  /// Goes to a step, and opens the table of the step.
  private mutating func go(to index: Int, _ context: inout ScreenContext<Self>) {
    (self.index, done) = (max(0, index), 0)
    if step?.table != nil { context.focus(.rows) }
    guard let table = step?.table, context.grid?.rowSet.sourceTable?.name != table else { return }
    context.send(RowsIntent.open(TableReference(name: table)))
  }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    guard let command = control(at: point, area: area, context.environment) else { return }
    context.send(BrowserIntent.perform(command))
  }
}

extension Browser {
  /// Begins the tour if the database has its tables; otherwise offers to open the demo.
  mutating func showTour() {
    closeAll()
    if let tour = overlays.guide { close(tour.id) }
    let tables = Set(catalog.tables.map(\.reference.name))
    present(TourScreen(fits: options.isDemo || TourStep.tables.isSubset(of: tables)))
  }
}
