import QuarryChanges
import QuarryEngine
import QuarrySources
import Terminal

extension KeyContext {
  static let design = KeyContext("design", place: "in the design")
}

extension Command {
  static let design: Command = "design"
  static let createTable: Command = "create-table"
  static let runDesign: Command = "run-design"
  static let addLine: Command = "add-line"
  static let duplicateLine: Command = "duplicate-line"
  static let removeLine: Command = "remove-line"
  static let lineDown: Command = "line-down"
  static let lineUp: Command = "line-up"
  static let stepBack: Command = "step-back"
  static let toggleNotNull: Command = "toggle-not-null"
  static let setDefault: Command = "set-default"
  static let setForeignKey: Command = "set-foreign-key"
}

extension DesignScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .design, "Change the columns, keys and indexes of a table", brief: "Design the table", aliases: ["alter"], [.catalog: ["g d"]]
    ) { $0.showDesign() },
    BrowserCommand(.createTable, "Create a table with a form", brief: "Create a table", aliases: ["new-table"]) { $0.showNewTable() },
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { .design }
  func purpose(in workspace: Workspace) -> String {
    "Creates a table, or changes its columns, keys and indexes. The plan shows the statements, and the rows that would not fit are counted. "
      + "Nothing is written before you confirm it."
  }
  func position(_ environment: ScreenEnvironment) -> String? { cursor.position(of: lines.count) }

  func word(for hint: String, of command: Command) -> String? {
    guard command == .accept else { return hint }
    if case .finding? = line { return "show the rows" }
    return hint
  }

  static let commands: [CommandBinding<Self>] =
    (run + lines).grouped("Designing") + columns.grouped("A column")
    + (CommandBinding.lineMotions(in: .design, count: \.lines.count) { screen, _, count in screen.move(by: count) }
    + CommandBinding.pageMotions(height: \.height) { screen, _, count in screen.move(by: count) }).grouped("Moving")

  private static let run: [CommandBinding<Self>] = [
    CommandBinding(.accept, "Change this line, or show the rows", keys: [.design: ["enter", "space"]], hint: "change") {
      screen, context, _ in
      screen.accept(&context)
    },
    CommandBinding(
      .runDesign, "Write the change after a question", keys: [.design: ["f5", "ctrl-s"]], hint: "write",
      hintedWhen: { screen, _ in screen.counted?.isPossible == true && screen.hasChanges }, unless: { $0.obstacleToRun($1) }
    ) { screen, context, _ in
      screen.confirm(&context)
    },
    CommandBinding(.addLine, "Add a column, a key or an index here", keys: [.design: ["a", "o", "insert"]], hint: "add") {
      screen, context, _ in
      screen.addLine(&context)
    },
  ]

  private static let needsItem: @Sendable (Self, ScreenEnvironment) -> String? = { screen, _ in
    screen.isOnItem ? nil : "this line cannot be moved or removed"
  }

  private static let lines: [CommandBinding<Self>] = [
    CommandBinding(.removeLine, "Remove the line", keys: [.design: ["-", "delete", "d d"]], hint: "remove", unless: needsItem) {
      screen, context, _ in
      if screen.removeLine() { screen.replan(&context) }
    },
    CommandBinding(.duplicateLine, "Duplicate the line", keys: [.design: ["O", "y y"]], unless: needsItem) { screen, context, _ in
      if screen.duplicateLine() { screen.replan(&context) }
    },
    CommandBinding(.lineDown, "Move the line down", keys: [.design: ["J", "shift-down"]], hint: "move", unless: needsItem) {
      screen, context, count in
      if screen.moveLine(by: count ?? 1) { screen.replan(&context) }
    },
    CommandBinding(.lineUp, "Move the line up", keys: [.design: ["K", "shift-up"]], unless: needsItem) { screen, context, count in
      if screen.moveLine(by: -(count ?? 1)) { screen.replan(&context) }
    },
    CommandBinding(
      .stepBack, "Undo the last change of the form", keys: [.design: ["u", "ctrl-z"]],
      unless: { screen, _ in screen.canStepBack ? nil : "nothing was changed in the form" }
    ) { screen, context, _ in
      screen.stepBack()
      screen.replan(&context)
    },
    CommandBinding(.editAsSQL, "Write the plan into the editor", keys: [.design: ["e"]]) { screen, context, _ in
      let statements = screen.shownStatements
      if !statements.isEmpty { context.send(SQLIntent.edit(statements.map { $0 + ";" }.joined(separator: "\n"))) }
    },
    CommandBinding(.refresh, "Read the table again, and drop the design", keys: [.design: ["R"]]) { screen, context, _ in
      context.workspace.design = nil
      screen.load(&context)
    },
  ]

  private static let needsColumn: @Sendable (Self, ScreenEnvironment) -> String? = { screen, _ in
    screen.currentColumn == nil ? "this line is not a column" : nil
  }

  private static let columns: [CommandBinding<Self>] = [
    CommandBinding(.renameColumn, "Rename the column", keys: [.design: ["r", "f2"]], unless: needsColumn) { screen, context, _ in
      screen.askForName(&context)
    },
    CommandBinding(.changeType, "Choose the type of the column", keys: [.design: ["t"]], hint: "type", unless: needsColumn) {
      screen, context, _ in
      screen.showTypes(&context)
    },
    CommandBinding(.toggleNotNull, "Refuse NULL, or allow it", keys: [.design: ["n"]], hint: "NOT NULL", unless: needsColumn) {
      screen, context, _ in
      screen.toggle(.notNull, .notNull(onConflict: nil), &context)
    },
    CommandBinding(.setDefault, "Set the default of the column", keys: [.design: ["="]], hint: "default", unless: needsColumn) {
      screen, context, _ in
      screen.askForDefault(&context)
    },
    CommandBinding(
      .setForeignKey, "Choose the table that the column refers to", keys: [.design: ["f"]], hint: "foreign key", unless: needsColumn
    ) { screen, context, _ in
      screen.showParents(&context)
    },
  ]

  mutating func start(_ context: inout ScreenContext<Self>) { load(&context) }
  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    layOut(height: DesignLayout(self, in: area, context.environment).list.rows)
  }
  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { move(by: rows.signum()) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let list = DesignLayout(self, in: area, context.environment).list
    let index = cursor.top + point.row - list.row
    guard list.contains(point), lines.indices.contains(index) else { return }
    if case .heading = lines[index] { return }
    let isAgain = lines[index] == line
    select(lines[index])
    if isAgain { accept(&context) }
  }

  /// Stops the writing of a change, or the making of a plan; returns whether there was one.
  mutating func backOut(_ context: inout ScreenContext<Self>) -> Bool {
    guard isRunning || isPlanning else { return false }
    context.send(BrowserIntent.stop(byEscape: true))
    return true
  }

  mutating func prepareToClose(by command: Command, _ context: inout ScreenContext<Self>) -> Bool {
    if isRunning {
      context.notify("the table is being changed: \(context.environment.keyHint(.stop)) stops it", .warning)
      return false
    }
    return true
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    if let change, hasChanges, table != nil || canStepBack { context.workspace.design = change }
  }

  // MARK: Running

  func obstacleToRun(_ environment: ScreenEnvironment) -> String? {
    if let obstacle = environment.obstacleToDesign { return obstacle }
    if isRunning { return "the table is being changed: \(environment.keyHint(.stop)) stops it" }
    if isPlanning { return "the plan is still being made" }
    if let fault { return fault.text }
    guard hasChanges, let counted else { return "nothing is changed yet" }
    return counted.plan.problems.first
  }

  /// Asks before the change is written.
  private mutating func confirm(_ context: inout ScreenContext<Self>) {
    guard let counted else { return }
    if let refused = counted.findings.firstIndex(where: { $0.check.effect == .refused }) {
      select(.finding(refused))
      let sentence = counted.findings[refused].sentence
      return context.notify("\(sentence): \(context.environment.keyHint(.accept)) shows them; change them or the design first", .warning)
    }
    let plan = counted.plan
    let write = context.handler { (screen: inout Self, context: inout ScreenContext<Self>) in
      screen.write(RunDesign(plan: plan), &context)
    }
    let losses = counted.findings.map { $0.sentence }
    let way = plan.method == .rebuild ? "copies every row into a new table" : "\(Plural.of(plan.steps.count, "statement"))"
    let preview = ([way] + losses + plan.remarks).joined(separator: "; ")
    let verb = plan.method == .create ? "Create" : "Change"
    let items = [
      PickerItem(label: "Write nothing", preview: preview),
      PickerItem(label: "\(verb) the table", detail: way, preview: preview, perform: write),
    ]
    context.present(Picker(title: "\(verb) the table \(plan.change.new.name)?", placeholder: "write?", items: items))
  }

  private mutating func write(_ request: RunDesign, _ context: inout ScreenContext<Self>) {
    beginRunning()
    let plan = request.plan
    context.ask(request) { screen, context, result in
      screen.endRunning()
      switch result {
      case .success(.changed(let result)): screen.finish(plan.change, result, &context)
      case .success(.refused(let fault)):
        screen.replan(&context)
        context.notify(fault.text, .error)
      case .success(.unrecorded(let reason)): screen.askAboutRecord(plan, because: reason, &context)
      case .failure(.stopped): context.notify("stopped: nothing was written", .warning)
      case .failure(let problem): context.notify("\(problem.text.withoutFullStop): nothing was written", .error)
      }
    }
  }

  private func askAboutRecord(_ plan: TableChangePlan, because reason: String, _ context: inout ScreenContext<Self>) {
    let write = context.handler { (screen: inout Self, context: inout ScreenContext<Self>) in
      screen.write(RunDesign(plan: plan, isRecorded: false), &context)
    }
    let items = [
      PickerItem(label: "Write nothing", preview: reason),
      PickerItem(label: "Write it without a record", detail: "it cannot be undone afterwards", preview: reason, perform: write),
    ]
    context.present(Picker(title: "This change cannot be recorded", placeholder: "write?", items: items))
  }
}
