import QuarryChanges
import QuarryEngine
import QuarryFiles
import QuarryRows
import Terminal

extension KeyContext {
  static let merge = KeyContext("merge", place: "in a merge")
}

extension Command {
  static let renumber: Command = "renumber"
  static let mineForRest: Command = "mine-for-rest"
  static let theirsForRest: Command = "theirs-for-rest"
  static let nextConflict: Command = "next-conflict"
  static let previousConflict: Command = "previous-conflict"
  static let undoDecision: Command = "undo-decision"
  static let writeMerge: Command = "write-merge"
}

extension MergeScreen: Screen {
  func keyContext(in workspace: Workspace) -> KeyContext { .merge }
  func purpose(in workspace: Workspace) -> String {
    "Conflicts of a merge: both sides changed the same since the common ancestor (base). Decide each one, then write the result. Until "
      + "then, no file changes."
  }
  func backOutHint(in workspace: Workspace) -> String? { "leave" }
  func position(_ environment: ScreenEnvironment) -> String? {
    index.map { "\(Plural.grouped($0 + 1)) of \(Plural.grouped(conflicts.count))" }
  }

  static let commands: [CommandBinding<Self>] =
    (settling + resting).grouped("Deciding") + writing.grouped("Writing")
    + (moving + CommandBinding.lineMotions(in: .merge, count: \.lines.count) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: \.cursor.height) { screen, _, count in screen.move(by: count) }).grouped("Moving")

  static let hintedCommands: [CommandBinding<Self>] = commands.beginning(
    with: [.writeMerge, .resolveMine, .resolveTheirs, .editCell, .renumber, .openRecord, .undoDecision])

  private static let writing: [CommandBinding<Self>] = [
    CommandBinding(
      .writeMerge, "Write the result, once all conflicts are settled", keys: [.merge: ["ctrl-s", "w"]], hint: "write",
      hintedWhen: { screen, _ in screen.isSettled }, unless: { screen, _ in screen.writingObstacle }
    ) { screen, context, _ in
      screen.askToWrite(&context)
    }
  ]

  private static let settling: [CommandBinding<Self>] = [
    CommandBinding(.resolveMine, "Take mine", keys: [.merge: ["m"]], hint: "mine", unless: { $0.obstacle($1) }) { screen, context, _ in
      screen.decide(.side(.mine), &context)
    },
    CommandBinding(.resolveTheirs, "Take theirs", keys: [.merge: ["t"]], hint: "theirs", unless: { $0.obstacle($1) }) {
      screen, context, _ in
      screen.decide(.side(.theirs), &context)
    },
    CommandBinding(
      .editCell, "Enter a value of your own", keys: [.merge: ["e"]], hint: "edit",
      unless: { screen, environment in screen.current?.kind == .cell ? screen.obstacle(environment) : "only a cell can get a value" }
    ) { screen, context, _ in
      screen.edit(&context)
    },
    CommandBinding(
      .renumber, "Keep both new rows: give theirs another key", keys: [.merge: ["r"]], hint: "renumber",
      unless: { screen, environment in
        screen.current?.canRenumber == true
          ? screen.obstacle(environment) : "only a new row with an integer primary key can get another key"
      }
    ) { screen, context, _ in
      screen.decide(.renumber, &context)
    },
  ]

  private static let resting: [CommandBinding<Self>] = [
    CommandBinding(
      .undoDecision, "Undo the last decision", keys: [.merge: ["u"]], hint: "undo",
      hintedWhen: { screen, _ in screen.settledCount > 0 }, unless: { $0.obstacle($1) }
    ) { screen, context, _ in
      context.notify(screen.undo() ? "undone: \(screen.progress)" : "there is no decision to undo")
    },
    CommandBinding(
      .mineForRest, "Take mine for all open conflicts", keys: [.merge: ["M"]], hint: "all mine", unless: { $0.restObstacle($1) }
    ) {
      screen, context, _ in
      screen.decideRest(.mine, &context)
    },
    CommandBinding(
      .theirsForRest, "Take theirs for all open conflicts", keys: [.merge: ["T"]], hint: "all theirs", unless: { $0.restObstacle($1) }
    ) { screen, context, _ in
      screen.decideRest(.theirs, &context)
    },
  ]

  private static let moving: [CommandBinding<Self>] = [
    CommandBinding(
      .openRecord, "Show the whole row of base, mine and theirs", keys: [.merge: ["enter", "K"]], hint: "row",
      hintedWhen: { screen, _ in screen.current?.key.isEmpty == false }
    ) { screen, context, _ in
      screen.openRecord(&context)
    },
    CommandBinding(.nextConflict, "Go to the next open conflict", keys: [.merge: ["n"]], hint: "next") { screen, context, _ in
      screen.goToOpen(backwards: false, &context)
    },
    CommandBinding(.previousConflict, "Go to the previous open conflict", keys: [.merge: ["N"]]) { screen, context, _ in
      screen.goToOpen(backwards: true, &context)
    },
  ]

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    layOut(height: MergeLayout(self, in: area, context.environment).list.rows)
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { scroll(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let list = MergeLayout(self, in: area, context.environment).list
    if list.contains(point) { move(to: cursor.top + point.row - list.row) }
  }

  // MARK: Leaving

  mutating func prepareToClose(by command: Command, _ context: inout ScreenContext<Self>) -> Bool { prepareToLeave(&context) }

  mutating func prepareToEnd(_ context: inout ScreenContext<Self>) -> Bool { prepareToLeave(&context) }

  mutating func willClose(_ context: inout ScreenContext<Self>) { context.quit() }

  /// Returns whether the screen may be left; asks the first time.
  private mutating func prepareToLeave(_ context: inout ScreenContext<Self>) -> Bool {
    if mayLeave || merge.written != nil { return true }
    if isWriting {
      context.notify("\(merge.names.result) is being written: \(context.environment.stopHint)", .warning)
      return false
    }
    let leave = context.handler { screen, context in
      screen.mayLeave = true
      context.close()
    }
    let items = [
      PickerItem(label: "Stay"),
      PickerItem(label: "Leave", detail: "write nothing", perform: leave),
    ]
    let count = Plural.of(settledCount, "decision")
    let lost = settledCount > 0 ? " and lose \(count)" : ""
    let title = "Leave without writing \(PathText.shown(merge.names.result))\(lost)?"
    context.present(Picker(title: title, placeholder: "leave?", items: items))
    return false
  }

  // MARK: Deciding

  /// The number of settled conflicts: `3 of 12 settled`.
  var progress: String { "\(Plural.grouped(settledCount)) of \(Plural.grouped(conflicts.count)) settled" }

  fileprivate func obstacle(_ environment: ScreenEnvironment) -> String? {
    isWriting ? "the result is being written: \(environment.stopHint)" : nil
  }

  fileprivate func restObstacle(_ environment: ScreenEnvironment) -> String? {
    isSettled ? "all conflicts are settled" : obstacle(environment)
  }

  mutating func decide(_ decision: MergeDecision, _ context: inout ScreenContext<Self>) {
    decide(decision)
    notifyProgress(&context)
  }

  fileprivate mutating func decideRest(_ side: MergeSide, _ context: inout ScreenContext<Self>) {
    let count = decideRest(side)
    let keys = context.environment
    context.notify(
      "took \(side.rawValue) for \(Plural.of(count, "conflict")): \(keys.keyHint(.writeMerge)) writes, \(keys.keyHint(.undoDecision)) undoes",
      .success)
  }

  private func notifyProgress(_ context: inout ScreenContext<Self>) {
    let keys = context.environment
    guard isSettled else { return }
    context.notify("all settled: \(keys.keyHint(.writeMerge, in: .merge)) writes \(PathText.shown(merge.names.result))", .success)
  }

  fileprivate mutating func goToOpen(backwards: Bool, _ context: inout ScreenContext<Self>) {
    if !moveToOpen(backwards: backwards) { notifyProgress(&context) }
  }

  // MARK: Writing

  fileprivate var writingObstacle: String? {
    if isWriting { return "the result is already being written" }
    return isSettled ? nil : "\(Plural.of(conflicts.count - settledCount, "conflict")) to settle first: nothing is written before that"
  }

  private func askToWrite(_ context: inout ScreenContext<Self>) {
    let write = context.handler { screen, context in screen.write(&context) }
    let name = PathText.shown(merge.names.result)
    let items = [
      PickerItem(label: "Write \(name)", detail: merge.names.isReplacing ? "replaces the file" : "a new file", perform: write),
      PickerItem(label: "Go back"),
    ]
    context.present(Picker(title: "Write the result to \(name)?", placeholder: "write?", items: items))
  }

  private mutating func write(_ context: inout ScreenContext<Self>) {
    isWriting = true
    context.ask(WriteMerge(merge: merge, decisions: decisions)) { screen, context, result in
      screen.isWriting = false
      switch result {
      case .success(let open) where open.isEmpty: context.close()
      case .success(let open):
        screen.receive(open)
        context.notify("\(Plural.of(open.count, "conflict")) of the merged rows: nothing is written yet", .warning)
      case .failure(.stopped): context.notify("stopped: nothing was written", .warning)
      case .failure(let problem): context.notify("\(problem.text.withoutFullStop): nothing was written", .error)
      }
    }
  }
}
