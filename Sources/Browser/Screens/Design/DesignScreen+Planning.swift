import QuarryChanges
import QuarryEngine
import QuarrySources

/// Reading a table, planning its change, and the end of both.
extension DesignScreen {
  /// Reads the table, and takes up a design of it that was left.
  func load(_ context: inout ScreenContext<Self>) {
    context.ask(LoadDesign(table: table)) { screen, context, result in
      switch result {
      case .success(let stored):
        screen.receive(stored, draft: context.workspace.design)
        screen.replan(&context)
      case .failure(let problem): screen.fail(DesignFault(problem.text))
      }
    }
  }

  /// Makes the plan of the current design.
  mutating func replan(_ context: inout ScreenContext<Self>) {
    guard let change else { return }
    beginPlanning()
    context.ask(PlanDesign(change: change)) { screen, _, result in
      switch result {
      case .success(let plan): screen.receive(plan)
      case .failure(.stopped): screen.receive(nil)
      case .failure(let problem): screen.receive(.failure(DesignFault(problem.text)))
      }
    }
  }

  /// The statements beside the form: the plan, or the definition of a new table that has no plan.
  var shownStatements: [String] {
    guard let change else { return [] }
    if let counted { return counted.plan.statements }
    return change.old == nil ? change.new.statements : []
  }

  /// Shows the changed table, and what was counted.
  func finish(_ change: TableChange, _ result: TableChangeResult, _ context: inout ScreenContext<Self>) {
    context.workspace.design = nil
    // The visible grid has the former columns: it is replaced below, and not reread.
    context.workspace.source.fileChanges += 1
    context.send(CatalogIntent.load)
    let keys = [context.environment.keyHint(.commits, in: .grid), context.environment.keyHint(.undoCommit, in: .commits)]
    let undo = result.isRecorded ? "\(keys.joined(separator: " ")) undoes it" : "it was not recorded"
    let rows = "\(Plural.of(result.rows, "row")) counted"
    let done = result.method == .create ? "created \(change.new.name)" : "changed \(change.new.name)"
    context.closeAll()
    context.send(RowsIntent.show(TableReference(name: change.new.name)))
    context.focus(.rows)
    context.notifyLast(result.method == .create ? "\(done): \(undo)" : "\(done), \(rows): \(undo)", .success)
  }

  /// Shows the rows of a finding as the result of a statement.
  func showRows(_ check: RowCheck, _ context: inout ScreenContext<Self>) {
    context.send(SQLIntent.run(check.select))
    context.notifyLast(":\(Command.design.rawValue) continues the design of \(change?.new.name ?? "the table")")
  }
}

extension ScreenEnvironment {
  /// The reason why no table can be designed; nil if it is possible.
  var obstacleToDesign: String? {
    let wayOut = "tables cannot be designed here: write CREATE TABLE or ALTER TABLE in the editor"
    if let obstacle = needs(\.designs, wayOut) ?? workspace.source.editRefusal { return obstacle }
    if workspace.isImporting { return "a file is being imported: \(keyHint(.stop)) stops it" }
    return workspace.source.transaction == nil ? nil : "a transaction is open in the editor: end it first with :commit or :rollback"
  }
}

extension Browser {
  /// Shows the design of the table under the cursor of the catalog, or of the visible one.
  mutating func showDesign() {
    if let obstacle = environment.obstacleToDesign { return notice = Notice(obstacle, .warning) }
    let shown = focus == .catalog ? workspace.catalogTable : workspace.grid?.rowSet.sourceTable
    // The rows of a finding are no table: the design that showed them continues.
    let left = workspace.design?.old.map { TableReference(name: $0.name) }
    guard let table = shown ?? left else {
      return notice = Notice("no table is open: :\(Command.createTable.rawValue) creates one", .warning)
    }
    let entry = catalog.tables.first { $0.reference == table }
    guard entry?.kind == .table else { return notice = Notice("“\(table.name)” is not a table: only tables can be designed", .warning) }
    guard table.database == "main" else {
      return notice = Notice("only tables of the first database can be designed: open the file of \(table.database) alone", .warning)
    }
    present(DesignScreen(table: table.name))
  }

  /// Shows the form of a new table.
  mutating func showNewTable() {
    if let obstacle = environment.obstacleToDesign { return notice = Notice(obstacle, .warning) }
    present(DesignScreen(table: nil))
  }
}
