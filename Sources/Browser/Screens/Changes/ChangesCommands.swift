import QuarryChanges
import QuarryEngine
import Terminal

extension KeyContext {
  static let changes = KeyContext("changes", place: "in the changes")
}

extension Command {
  static let changes: Command = "changes"
  static let commits: Command = "commits"
  static let commitChanges: Command = "commit-changes"
  static let takeOut: Command = "take-out"
  static let discardChanges: Command = "discard-changes"
  static let resolveMine: Command = "keep-mine"
  static let resolveTheirs: Command = "keep-theirs"
}

extension ChangesScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .changes, "Show the staged changes, and commit them", brief: "Changes", aliases: ["save", "write", "commit changes"],
      [.grid: ["ctrl-s", "g z"], .catalog: ["ctrl-s"], .record: ["ctrl-s"]]
    ) { $0.showChanges() }
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { .changes }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: lines.count) }
  func purpose(in workspace: Workspace) -> String {
    "Staged changes, not committed yet. Enter commits all of them in one transaction; Space discards the change under the cursor."
  }
  var placement: ScreenPlacement { .body }

  static let commands: [CommandBinding<Self>] =
    [
      CommandBinding(
        .commitChanges, "Commit all changes in one transaction", keys: [.changes: ["enter", "ctrl-s"]], hint: "commit",
        unless: { $0.commitObstacle($1) }
      ) { screen, context, _ in
        screen.commit(&context)
      },
      CommandBinding(
        .takeOut, "Discard the change under the cursor", keys: [.changes: ["space", "d d", "delete"]], hint: "discard",
        unless: { $1.takingBackObstacle }
      ) { screen, context, _ in
        screen.takeOut(&context)
      },
      CommandBinding(
        .resolveMine, "Keep mine: overwrite the row's current values", keys: [.changes: ["m"]], hint: "mine",
        hintedWhen: { screen, _ in !screen.conflicts.isEmpty }, unless: { $1.takingBackObstacle ?? $0.mineObstacle($1) }
      ) { screen, context, _ in
        screen.resolve(.mine, &context)
      },
      CommandBinding(
        .resolveTheirs, "Keep theirs: discard my change", keys: [.changes: ["t"]], hint: "theirs",
        hintedWhen: { screen, _ in !screen.conflicts.isEmpty }, unless: { $1.takingBackObstacle ?? $0.conflictObstacle($1) }
      ) { screen, context, _ in
        screen.resolve(.theirs, &context)
      },
      CommandBinding(
        .discardChanges, "Discard all changes", keys: [.changes: ["D"]], hint: "discard all",
        unless: { $1.takingBackObstacle }
      ) { screen, context, _ in
        screen.discardAll(&context)
      },
      CommandBinding(
        .undoChange, "Undo the last staged change", keys: [.changes: ["u"]], unless: { $1.takingBackObstacle }
      ) { screen, context, _ in
        screen.forgetRefusal()
        context.undoStaged()
      },
      CommandBinding(
        .redoChange, "Redo the last undone change", keys: [.changes: ["ctrl-r"]], unless: { $1.takingBackObstacle }
      ) { screen, context, _ in
        screen.forgetRefusal()
        context.redoStaged()
      },
      CommandBinding(.open, "Go to the row", keys: [.changes: ["g d"]]) { screen, context, _ in screen.goToRow(&context) },
    ] + CommandBinding.lineMotions(in: .changes, count: \.lines.count) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: \.height) { screen, _, count in screen.scroll(by: count) }

  mutating func start(_ context: inout ScreenContext<Self>) {
    show(context.workspace.staged, revision: context.workspace.edits.revision)
    context.ask(LoadRowNames(changes: context.workspace.staged)) { screen, _, result in
      if case .success(let names) = result { screen.receive(names) }
    }
  }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    show(context.workspace.staged, revision: context.workspace.edits.revision)
    layOut(height: ChangesLayout(self, in: area, context.environment).list.rows)
  }

  mutating func follow(_ context: inout ScreenContext<Self>) {
    if context.workspace.staged.isEmpty, context.workspace.edits.sent == nil { return context.close() }
    guard context.workspace.edits.sent == nil, needsForecast(revision: context.workspace.edits.revision) else { return }
    context.ask(LoadForecast(changes: context.workspace.staged)) { screen, _, result in
      screen.receive((try? result.get()) ?? CommitForecast())
    }
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { scroll(by: rows) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let list = ChangesLayout(self, in: area, context.environment).list
    if list.contains(point) { move(to: cursor.top + point.row - list.row) }
  }

  // MARK: Commit

  private func commitObstacle(_ environment: ScreenEnvironment) -> String? {
    if let obstacle = environment.takingBackObstacle ?? environment.needsStagedRows { return obstacle }
    if environment.workspace.source.transaction != nil {
      return "a transaction is open in the editor: end it first with :commit or :rollback"
    }
    return nil
  }

  /// Returns the reason why the change cannot overwrite the current values of the row; nil if it can.
  private func mineObstacle(_ environment: ScreenEnvironment) -> String? {
    let isGone = conflicts.contains(where: \.isRowGone)
    return isGone ? "the row has been deleted: \(environment.keyHint(.resolveTheirs)) discards your change" : conflictObstacle(environment)
  }

  private func conflictObstacle(_ environment: ScreenEnvironment) -> String? {
    conflicts.isEmpty ? "this row has no conflict" : nil
  }

  private mutating func commit(_ context: inout ScreenContext<Self>) {
    if let refusal, !refusal.conflicts.isEmpty {
      receive(refusal)
      let (mine, theirs) = (context.environment.keyHint(.resolveMine), context.environment.keyHint(.resolveTheirs))
      let count = Plural.of(refusal.conflicts.count, "conflict")
      return context.notify("\(count) to resolve first: \(mine) writes your value, \(theirs) keeps theirs", .warning)
    }
    forgetRefusal()
    context.send(RowsIntent.commit(thenQuits: false))
  }

  private mutating func resolve(_ choice: Conflict.Resolution, _ context: inout ScreenContext<Self>) {
    let conflicts = conflicts
    guard context.changeStaged({ edits throws(StagingRefusal) in try edits.resolve(conflicts, choice) }) else { return }
    let rest = settle(conflicts)
    context.notify(
      rest == 0 ? "all conflicts resolved: \(context.environment.keyHint(.commitChanges)) commits" : "\(Plural.of(rest, "conflict")) left")
  }

  // MARK: Taking out

  private mutating func takeOut(_ context: inout ScreenContext<Self>) {
    guard let current else { return }
    let isDone = context.changeStaged { edits throws(StagingRefusal) in
      switch current {
      case .table(let table): try edits.discard(table)
      case .row(let table, let row): try edits.discard(row, of: table)
      case .cell(let table, let row, let column): try edits.discard(column: column, of: row, in: table)
      }
    }
    guard isDone else { return }
    if refusal?.concerns(current) == true { forgetRefusal() }
    context.notify("discarded: \(context.environment.keyHint(.undoChange)) restores it")
  }

  private func discardAll(_ context: inout ScreenContext<Self>) {
    let count = Plural.of(context.workspace.staged.counts.changes, "change")
    let discard = context.handler { _, context in
      if context.changeStaged({ edits throws(StagingRefusal) in try edits.discardAll() }) { context.notify("discarded: \(count)") }
    }
    let items = [
      PickerItem(label: "Keep them"),
      PickerItem(label: "Discard all", detail: "\(context.environment.keyHint(.undoChange)) restores them", perform: discard),
    ]
    context.present(Picker(title: "Discard \(count)?", placeholder: "discard?", items: items))
  }

  private func goToRow(_ context: inout ScreenContext<Self>) {
    guard let current else { return }
    let (table, row) = (current.table, current.row)
    context.close()
    context.focus(.rows)
    context.send(RowsIntent.goTo(table, row: row))
  }
}

extension ScreenContext {
  /// Undoes the last staged change.
  mutating func undoStaged() {
    var step: String?
    guard changeStaged({ edits throws(StagingRefusal) in step = try edits.undo() }) else { return }
    notify(step.map { "undone: \($0)" } ?? environment.nothingToUndo)
  }

  /// Redoes the last undone change.
  mutating func redoStaged() {
    var step: String?
    guard changeStaged({ edits throws(StagingRefusal) in step = try edits.redo() }) else { return }
    notify(step.map { "redone: \($0)" } ?? "there is nothing to redo")
  }

  /// Modifies the staged changes, or reports the reason for a refusal.
  ///
  /// - Returns: Whether the changes were modified.
  @discardableResult
  mutating func changeStaged(_ change: (inout EditSession) throws(StagingRefusal) -> Void) -> Bool {
    do throws(StagingRefusal) {
      try change(&workspace.edits)
      return true
    } catch {
      notify(error.description, .warning)
      return false
    }
  }
}

extension Browser {
  /// Shows the staged changes; without any, explains how to stage a change.
  mutating func showChanges() {
    if let obstacle = environment.needsStagedRows { return notice = Notice(obstacle, .warning) }
    guard !workspace.staged.isEmpty else {
      let edit = keyHint(.editCell)
      return notice = Notice("nothing is staged: \(edit) changes a value, \(keyHint(.commits)) shows commits")
    }
    present(ChangesScreen())
  }
}
