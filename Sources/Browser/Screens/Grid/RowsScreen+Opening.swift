import QuarryEngine
import Terminal

/// Opening rows: those of a table, of a relation, and the same rows in another view.
extension RowsScreen {
  /// Asks for the rows of a set; the grid changes when they are here, so nothing flickers.
  ///
  /// - Parameter view: nil takes what is remembered of the table.
  mutating func open(
    _ rowSet: RowSet, title: String, view: RowView? = nil, at place: OpeningPlace = .first, isFailureShown: Bool = true,
    _ context: inout ScreenContext<Self>
  ) {
    let remembered = place == .first ? rowSet.rememberedTable.flatMap { context.workspace.memory[$0]?.view } : nil
    let id = context.workspace.makeGridID()
    begin(
      Opening(id: id, rowSet: rowSet, view: view ?? remembered ?? RowView(), title: title, isFailureShown: isFailureShown), at: place,
      &context)
  }

  /// Opens a table and turns to it; the one that is open already is only turned to.
  mutating func open(_ table: TableReference, _ context: inout ScreenContext<Self>) {
    context.focus(.rows)
    if context.grid?.rowSet == RowSet(.table(table)) { return }
    open(RowSet(.table(table)), title: table.name, &context)
  }

  /// Shows the rows that a relation leads to, unless they cannot be opened.
  mutating func go(to set: RowSet, title: String, at place: OpeningPlace, _ context: inout ScreenContext<Self>) {
    context.closeAll()
    context.focus(.rows)
    open(set, title: title, at: place, isFailureShown: false, &context)
  }

  /// Asks for other rows of the set in the grid, which stays as it is until they are here.
  mutating func show(_ view: RowView, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, view != awaitedView(in: context.workspace) else { return }
    // Who sorts wants to see the top, unless they have gone to a row.
    let showsTop = view.sort != grid.view.sort && grid.placement != .hand
    replace(grid, by: view, at: showsTop ? .first : place(of: grid.currentRow?.key, in: grid, context.workspace), &context)
  }

  /// Goes back to a view that was left for another, and to the row in it; where its rows are still here, those on their way are given up.
  mutating func restore(_ origin: FilterBar.Origin, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, awaitedView(in: context.workspace) != origin.view else { return }
    guard grid.view == origin.view else {
      return replace(grid, by: origin.view, at: place(of: origin.row, in: grid, context.workspace), &context)
    }
    opening = nil
    context.supersede(OpenRows.slot)
    countAgain(&context)
    searchAgain(&context)
  }

  /// Opens the rows of the grid anew: those of a snapshot, and those whose table has been made anew.
  mutating func openAgain(_ grid: GridPane, _ context: inout ScreenContext<Self>) {
    let number = grid.window.number(at: grid.row)?.value ?? 0
    let place = grid.isSnapshot ? .number(number) : place(of: grid.currentRow?.key, in: grid, context.workspace)
    replace(grid, by: grid.view, at: place, &context)
  }

  private mutating func replace(_ grid: GridPane, by view: RowView, at place: OpeningPlace, _ context: inout ScreenContext<Self>) {
    let id = context.workspace.makeGridID()
    begin(
      Opening(id: id, rowSet: grid.rowSet, view: view, title: grid.title, isFailureShown: false, replaced: grid.id), at: place, &context)
  }

  /// Returns the place of a row, where its key says which it is in another view too.
  private func place(of row: RowKey?, in grid: GridPane, _ workspace: Workspace) -> OpeningPlace {
    switch row {
    case .rowID(let id): .kept(.rowID(id), amongFew: workspace.hasFewRows(grid.rowSet))
    case .values(let values): .kept(.values(values), amongFew: workspace.hasFewRows(grid.rowSet))
    case .position, nil: .first
    }
  }

  private mutating func begin(_ opening: Opening, at place: OpeningPlace, _ context: inout ScreenContext<Self>) {
    var opening = opening
    opening.fileChanges = context.workspace.fileChanges
    opening.row = context.grid?.currentRow?.key
    self.opening = opening
    if opening.replaced == nil { search = nil }
    let begun = opening
    let request = OpenRows(opening, at: place, limit: max(60, 2 * context.environment.size.rows))
    context.ask(request) { rows, _, progress in
      rows.opening?.progress = progress
    } then: { rows, context, result in
      rows.receive(result, of: begun, &context)
    }
    if let grid = context.workspace.shownGrid { makeWay(of: grid, &context) }
  }

  /// Ends what rows that are asked for now would wait for: a search, and the making of an order.
  private func makeWay(of grid: GridID, _ context: inout ScreenContext<Self>) {
    context.supersede(FindRow.slot(grid))
    context.call(StopOrdering(grid: grid))
  }

  private mutating func receive(_ result: Result<OpenedRows, Problem>, of opening: Opening, _ context: inout ScreenContext<Self>) {
    // As it is by now.
    let opening = self.opening ?? opening
    self.opening = nil
    switch result {
    case .success(let opened) where opening.replaced != nil && opening.replaced == context.workspace.shownGrid:
      replaceGrid(with: opened, as: opening, &context)
    case .success(let opened): show(opened, as: opening, &context)
    case .failure(let problem) where opening.isFailureShown && problem != .stopped:
      leaveGrid(&context)
      failure = OpeningFailure(title: opening.title, problem: problem)
    case .failure(.stopped): search = nil
    case .failure(let problem):
      context.notify(problem.text, .warning)
      countAgain(&context)
      searchAgain(&context)
    }
    context.change(CatalogPane.self) { $0.countTables(&$1) }
  }

  private mutating func show(_ opened: OpenedRows, as opening: Opening, _ context: inout ScreenContext<Self>) {
    leaveGrid(&context)
    failure = nil
    var pane = GridPane(id: opening.id, rowSet: opening.rowSet, title: opening.title, opened: opened, glyphs: context.appearance.glyphs)
    pane.fileChanges = opening.fileChanges
    pane.restoreLayout(from: context.workspace.memory)
    pane.needle = history.needle(in: opening.rowSet, context.workspace)
    showFirstColumns(in: &pane, context.environment.options)
    context.workspace.keep(pane)
    context.workspace.show(pane.id)
    if let remark = opened.schema?.unreadableColumns { context.notify(remark, .warning) }
    layOut(in: area, &context)
    let glyphs = context.appearance.glyphs
    context.workspace.changeGrid { grid in
      grid.useSpareRoom(glyphs: glyphs)
      grid.centerCursor()
    }
    tellOfFormerView(of: pane, &context)
    selectInCatalog(opening.rowSet, &context)
    count(pane.id, &context)
    change(&context) { $0.prefetch() }
    catchUp(&context)
  }

  /// Shows the rows of another view in the grid's place, laid out as before.
  private mutating func replaceGrid(with opened: OpenedRows, as opening: Opening, _ context: inout ScreenContext<Self>) {
    guard let before = context.grid else { return }
    var pane = GridPane(id: opening.id, rowSet: opening.rowSet, title: opening.title, opened: opened, glyphs: context.appearance.glyphs)
    pane.fileChanges = opening.fileChanges
    pane.takeState(of: before, isKept: opened.cursor != nil)
    results.replace(before.id, by: pane.id)
    stopReading(of: before.id, &context)
    forget(before.id, &context)
    context.workspace.keep(pane)
    context.workspace.show(pane.id)
    context.supersede(PrepareCopy.slot)
    if opened.view != opening.view {
      context.notify("what these rows were filtered or sorted by is not there any more: all of them are shown", .warning)
    }
    if !(pane.total?.isExact ?? false) { count(pane.id, &context) }
    change(&context) { $0.follow(before, from: opening.row) + ($0.bar.isTyping ? $0.checkDraft() : []) }
    searchAgain(&context)
    catchUp(&context)
  }

  /// Shows of the first table only the columns that the command line names, in its order.
  private func showFirstColumns(in pane: inout GridPane, _ options: BrowserOptions) {
    guard !options.columns.isEmpty, case .table(options.table) = pane.rowSet.source, history.back.isEmpty else { return }
    let wanted = options.columns.compactMap { name in pane.columns.firstIndex { $0.name.isSameName(as: name) } }
    guard let first = wanted.first else { return }
    pane.layout.show(only: wanted)
    pane.layout.putFirst(wanted)
    pane.column = first
  }

  func selectInCatalog(_ rowSet: RowSet, _ context: inout ScreenContext<Self>) {
    guard case .table(let table) = rowSet.source else { return }
    context.change(CatalogPane.self) { pane, _ in pane.select(table) }
  }

  /// Says what a table is shown with that is remembered from a former start, the first time that it is shown.
  private func tellOfFormerView(of pane: GridPane, _ context: inout ScreenContext<Self>) {
    guard let table = pane.rowSet.rememberedTable, let former = context.workspace.takeFormerView(of: table), context.isSilent else {
      return
    }
    let filter = !former.filter.isBlank && pane.view.filter == former.filter
    let sort = !former.sort.isBlank && pane.view.sort == former.sort
    let told: [(name: String, command: Command)] = [
      filter ? ("filter", .dropFilter) : nil, sort ? ("sort", .naturalOrder) : nil,
      pane.layout.hidden.isEmpty ? nil : ("columns", .showAllColumns),
    ].compactMap(\.self)
    guard !told.isEmpty else { return }
    let keys = told.map { context.environment.keyHint($0.command) }.joined(separator: told.count == 2 ? " and " : ", ")
    let verb = told.count > 1 ? "drop them" : filter || sort ? "drops it" : "shows them all"
    context.notify("remembered: \(told.map(\.name).joined(separator: ", ")) \(context.appearance.glyphs.dot) \(keys) \(verb)")
  }
}

/// A table that is being opened.
struct Opening: Hashable, Sendable {
  var id: GridID
  var rowSet: RowSet
  var view = RowView()
  var title: String
  /// Whether a failure is shown in the grid's place, or only told of.
  var isFailureShown: Bool
  /// The grid whose rows these are in another view; nil for other rows.
  var replaced: GridID?
  /// The row under the cursor when it began, of the grid that is replaced.
  var row: RowKey?
  /// The changes of the files that had been seen when it began.
  var fileChanges = 0
  /// How far the reading is that the first rows need, where that takes long.
  var progress: RowProgress?
}

/// What is shown where a table could not be opened.
struct OpeningFailure: Hashable, Sendable {
  var title: String
  var problem: Problem
}

extension GridPane {
  /// Hides and freezes the columns as they were when the table was left.
  fileprivate mutating func restoreLayout(from memory: SessionMemory) {
    guard let table = rowSet.rememberedTable, let kept = memory[table] else { return }
    let shown = columns.indices.filter { !kept.hidden.contains(columns[$0].name) }
    if shown.count < columns.count, let first = shown.first {
      layout.show(only: shown)
      column = first
    }
    if kept.frozen > 0, kept.frozen <= layout.shown.count { layout.toggleFreeze(upTo: layout.shown[kept.frozen - 1]) }
  }

  /// Takes over what a grid of the same rows looked like.
  ///
  /// - Parameter isKept: Whether the cursor has stayed on its row.
  fileprivate mutating func takeState(of before: GridPane, isKept: Bool) {
    (needle, bar, extent) = (before.needle, before.bar, before.extent)
    isResult = before.isResult
    // Unless somebody has made the table anew.
    if columns == before.columns { (layout, column) = (before.layout, before.column) }
    if isKept { top = min(max(0, row - (before.row - before.top)), max(0, window.rows.count - extent.rows)) }
    takePlacement(of: before, isKept: isKept)
  }
}

extension TableSchema {
  /// Which columns are left out of the rows, and why; nil where none is.
  fileprivate var unreadableColumns: String? {
    let unreadable = columns.filter { $0.problem != nil }
    guard let problem = unreadable.first?.problem else { return nil }
    let names = unreadable.map { "“\($0.name)”" }.joined(separator: ", ")
    return "left out: \(names): \(problem)"
  }
}

extension RowSet {
  /// The table or view that the rows belong to; nil for a query.
  var sourceTable: TableReference? {
    if case .table(let table) = source { table } else { nil }
  }

  /// The table or view whose rows these all are; nil for a part of them and for a query.
  var rememberedTable: TableReference? {
    matching.isEmpty ? sourceTable : nil
  }
}
