import QuarryEngine
import QuarryRows
import Terminal

/// Opening rows: those of a table, those of a relation, and the same rows in another view.
extension RowsScreen {
  /// Requests the rows of a set; the grid changes when they arrive, so that nothing flickers.
  ///
  /// - Parameter view: The view; nil takes the remembered one of the table.
  mutating func open(
    _ rowSet: RowSet, title: String, view: RowView? = nil, at place: OpeningPlace = .first, isFailureShown: Bool = true,
    _ context: inout ScreenContext<Self>
  ) {
    let kept = rowSet.rememberedTable.flatMap { context.workspace.memory[$0] }
    // What is computed stays beside the rows, also where others of them are gone to.
    let remembered = place == .first ? kept?.view : kept?.columns.map { RowView(columns: $0) }
    let id = context.workspace.makeGridID()
    begin(
      Opening(id: id, rowSet: rowSet, view: view ?? remembered ?? RowView(), title: title, isFailureShown: isFailureShown), at: place,
      &context)
  }

  /// Opens a table and moves the focus to it; where it is shown already, its rows stay.
  mutating func open(_ table: TableReference, _ context: inout ScreenContext<Self>) {
    context.focus(.rows)
    if context.grid?.rowSet.rememberedTable == table { return dropOtherOpening(&context) }
    open(RowSet(.table(table)), title: table.name, &context)
  }

  /// Shows the rows of a relation, unless they cannot be opened.
  mutating func go(to set: RowSet, title: String, at place: OpeningPlace, _ context: inout ScreenContext<Self>) {
    context.closeAll()
    context.focus(.rows)
    open(set, title: title, at: place, isFailureShown: false, &context)
  }

  /// Requests the rows of another view of the set; the grid stays until they arrive.
  mutating func show(_ view: RowView, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, view != pendingView(in: context.workspace) else { return }
    // Sorting moves to the top, unless the person has chosen a row.
    let showsTop = view.sort != grid.view.sort && grid.placement != .hand
    replace(grid, by: view, at: showsTop ? .first : place(of: grid.currentRow?.key, in: grid, context.workspace), &context)
  }

  /// Returns to a former view and to its row; where its rows are still loaded, pending ones are dropped.
  mutating func restore(_ origin: FilterBar.Origin, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, pendingView(in: context.workspace) != origin.view else { return }
    guard grid.view == origin.view else {
      return replace(grid, by: origin.view, at: place(of: origin.row, in: grid, context.workspace), &context)
    }
    dropOpening(&context)
  }

  /// Drops an opening that is under way: a later wish is for rows that are there already.
  mutating func dropOpening(_ context: inout ScreenContext<Self>) {
    guard opening != nil else { return }
    opening = nil
    context.supersede(OpenRows.slot)
    context.countAgain()
    find.resume(&context)
  }

  /// Drops the opening of rows that would replace those of the shown grid by others than its own.
  mutating func dropOtherOpening(_ context: inout ScreenContext<Self>) {
    if let opening, opening.replaced == nil || opening.replaced != context.workspace.shownGrid { dropOpening(&context) }
  }

  /// Reopens the rows of the grid: those of a snapshot, and those of a table that was recreated.
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

  /// Returns the opening place of a row, where its key identifies it in another view too.
  private func place(of row: RowKey?, in grid: GridPane, _ workspace: Workspace) -> OpeningPlace {
    switch row {
    case .rowID(let id): .kept(.rowID(id), amongFew: workspace.hasFewRows(grid))
    case .values(let values): .kept(.values(values), amongFew: workspace.hasFewRows(grid))
    case .position, nil: .first
    }
  }

  private mutating func begin(_ opening: Opening, at place: OpeningPlace, _ context: inout ScreenContext<Self>) {
    var opening = opening
    opening.fileChanges = context.workspace.source.fileChanges
    opening.row = context.grid?.currentRow?.key
    self.opening = opening
    if opening.replaced == nil { find.cancel() }
    let begun = opening
    let request = OpenRows(opening, at: place, limit: max(60, 2 * context.environment.size.rows))
    context.ask(request) { rows, _, progress in
      rows.opening?.progress = progress
    } then: { rows, context, result in
      rows.receive(result, of: begun, at: place, &context)
    }
    if let grid = context.workspace.shownGrid { preempt(grid, &context) }
  }

  /// Cancels what would delay the rows requested now: a search, and sorting.
  private func preempt(_ grid: GridID, _ context: inout ScreenContext<Self>) {
    context.supersede(FindRow.slot(grid))
    context.call(StopOrdering(grid: grid))
  }

  private mutating func receive(
    _ result: Result<OpenedRows, Problem>, of opening: Opening, at place: OpeningPlace, _ context: inout ScreenContext<Self>
  ) {
    // The opening as it is by now.
    let opening = self.opening ?? opening
    self.opening = nil
    switch result {
    case .success(let opened) where opening.replaced != nil && opening.replaced == context.workspace.shownGrid:
      replaceGrid(with: opened, as: opening, &context)
    case .success(let opened): show(opened, as: opening, &context)
    case .failure(let problem) where problem.isQuestion: ask(problem, about: opening, at: place, &context)
    case .failure(let problem) where opening.isFailureShown && problem != .stopped:
      leaveGrid(&context)
      failure = OpeningFailure(title: opening.title, problem: problem)
    case .failure(.stopped): find.cancel()
    case .failure(let problem):
      context.notify(problem.text, .warning)
      if found?.grid == opening.id { returnToHits(&context) }
      context.countAgain()
      find.resume(&context)
    }
    context.change(CatalogPane.self) { $0.countTables(&$1) }
  }

  /// Asks whether rows are to be read that take long; until then all stays as it is.
  private func ask(_ problem: Problem, about opening: Opening, at place: OpeningPlace, _ context: inout ScreenContext<Self>) {
    // What is shown while a filter is being written comes unasked.
    guard !isTyping(in: context.workspace) else { return }
    let items = [
      PickerItem(label: "No, leave it as it is") { _ in },
      PickerItem(
        label: "Yes, read the rows", detail: "it cannot be stopped meanwhile",
        perform: context.handler { rows, context in
          var opening = opening
          opening.id = context.workspace.makeGridID()
          opening.mayTakeLong = true
          rows.begin(opening, at: place, &context)
        }),
    ]
    context.present(Picker(title: problem.text, placeholder: "read them?", items: items))
  }

  private mutating func show(_ opened: OpenedRows, as opening: Opening, _ context: inout ScreenContext<Self>) {
    leaveGrid(&context)
    failure = nil
    var pane = GridPane(id: opening.id, rowSet: opening.rowSet, title: opening.title, opened: opened, glyphs: context.appearance.glyphs)
    pane.fileChanges = opening.fileChanges
    pane.restoreLayout(from: context.workspace.memory)
    pane.needle = history.needle(in: opening.rowSet, context.workspace)
    showFirstColumns(in: &pane, context.environment.options)
    showFound(in: &pane, opening, isThere: opened.cursor != nil, &context)
    context.workspace.keep(pane)
    context.workspace.show(pane.id)
    if let remark = opened.schema?.unreadableColumns ?? opened.loss { context.notify(remark, .warning) }
    layOut(in: area, &context)
    context.workspace.changeGrid { $0.centerCursor() }
    reportFormerView(of: pane, &context)
    selectInCatalog(opening.rowSet, &context)
    context.count(pane.id)
    context.changeGrid { $0.prefetch() }
    catchUp(&context)
  }

  /// Replaces the grid with the rows of another view, keeping the layout.
  private mutating func replaceGrid(with opened: OpenedRows, as opening: Opening, _ context: inout ScreenContext<Self>) {
    guard let before = context.grid else { return }
    var pane = GridPane(id: opening.id, rowSet: opening.rowSet, title: opening.title, opened: opened, glyphs: context.appearance.glyphs)
    pane.fileChanges = opening.fileChanges
    pane.inheritState(of: before, isKept: opened.cursor != nil)
    results.replace(before.id, by: pane.id)
    filter.move(from: before.id, to: pane.id)
    if found?.grid == before.id { found?.grid = pane.id }
    context.stopReading(of: before.id)
    context.forget(before.id)
    context.workspace.keep(pane)
    context.workspace.show(pane.id)
    context.supersede(PrepareCopy.slot)
    if let loss = opened.loss { context.notify(loss, .warning) }
    if !(pane.total?.isExact ?? false) { context.count(pane.id) }
    let isFollowed = following.pass(from: before.id, to: pane.id, &context)
    context.changeGrid { grid in
      isFollowed ? grid.rereadEnd() : opening.move.map { grid.move($0) } ?? grid.follow(before, from: opening.row)
    }
    if isTyping(in: context.workspace) { filter.check(&context) }
    if case .number(let number)? = opening.move, let sentence = context.grid?.sentence(onNumber: number) { context.notify(sentence) }
    let known = Set(before.columns.map(\.name))
    if let new = pane.columns.firstIndex(where: { !known.contains($0.name) }) { context.workspace.changeGrid { $0.reveal(column: new) } }
    find.resume(&context)
    catchUp(&context)
  }

  /// Shows only the first table's columns named on the command line, in that order.
  private func showFirstColumns(in pane: inout GridPane, _ options: BrowserOptions) {
    guard !options.columns.isEmpty, case .table(options.table) = pane.rowSet.source, history.back.isEmpty else { return }
    let wanted = options.columns.compactMap { name in pane.columns.firstIndex { $0.name.isSameIdentifier(as: name) } }
    guard let first = wanted.first else { return }
    pane.layout.show(only: wanted)
    pane.layout.putFirst(wanted)
    pane.column = first
  }

  func selectInCatalog(_ rowSet: RowSet, _ context: inout ScreenContext<Self>) {
    guard case .table(let table) = rowSet.source else { return }
    context.change(CatalogPane.self) { pane, _ in pane.select(table) }
  }

  /// Reports the remembered view of a table when it is shown for the first time in a session.
  private func reportFormerView(of pane: GridPane, _ context: inout ScreenContext<Self>) {
    guard let table = pane.rowSet.rememberedTable, let former = context.workspace.consumeFormerView(of: table), context.isSilent else {
      return
    }
    let filter = !former.filter.isBlank && pane.view.filter == former.filter
    let sort = !former.sort.isBlank && pane.view.sort == former.sort
    let restored: [(name: String, command: Command)] = [
      filter ? ("filter", .dropFilter) : nil, sort ? ("sort", .naturalOrder) : nil,
      pane.layout.hidden.isEmpty ? nil : ("columns", .showAllColumns),
    ].compactMap(\.self)
    guard !restored.isEmpty else { return }
    let keys = restored.map { context.environment.keyHint($0.command) }.joined(separator: restored.count == 2 ? " and " : ", ")
    let verb = restored.count > 1 ? "remove them" : filter || sort ? "removes it" : "shows them all"
    context.notify("remembered: \(restored.map(\.name).joined(separator: ", ")) \(context.appearance.glyphs.dot) \(keys) \(verb)")
  }
}

/// A table that is being opened.
struct Opening: Hashable, Sendable {
  var id: GridID
  var rowSet: RowSet
  var view = RowView()
  var title: String
  /// Whether the person has said that it may take long.
  var mayTakeLong = false
  /// Whether a failure replaces the grid, or is only reported.
  var isFailureShown: Bool
  /// The grid that other rows of the same set replace; nil for another set.
  var replaced: GridID?
  /// The row under the replaced grid's cursor at the beginning.
  var row: RowKey?
  /// The number of file changes seen at the beginning.
  var fileChanges = 0
  /// The progress of reading the first rows, where that takes long.
  var progress: RowProgress?
  /// The far move made meanwhile, which is meant in the new rows.
  var move: FarMove?
  /// The cell in which a search has found something.
  var sought: SearchPlace?
}

/// A move that does not depend on the row under the cursor.
enum FarMove: Hashable, Sendable {
  case top, bottom
  /// To the row with a number, from 0.
  case number(Int)
}

/// What is shown where a table could not be opened.
struct OpeningFailure: Hashable, Sendable {
  var title: String
  var problem: Problem
}

extension GridPane {
  /// Restores the hidden and frozen columns of the table's last view.
  fileprivate mutating func restoreLayout(from memory: SessionMemory) {
    guard let table = rowSet.rememberedTable, let kept = memory[table] else { return }
    let shown = columns.indices.filter { index in !kept.hidden.contains(columns[index].name) }
    if shown.count < columns.count, let first = shown.first {
      layout.show(only: shown)
      column = first
    }
    if kept.showsReferences == true { lens = ReferenceLabels(fileChanges: fileChanges) }
    if kept.frozen > 0, kept.frozen <= layout.shown.count { layout.toggleFreeze(upTo: layout.shown[kept.frozen - 1]) }
  }

  /// Inherits the appearance of a grid of the same rows.
  ///
  /// - Parameter isKept: Whether the cursor is still on its row.
  fileprivate mutating func inheritState(of before: GridPane, isKept: Bool) {
    (needle, extent, lens) = (before.needle, before.extent, before.lens)
    lens?.dropRequests()
    isResult = before.isResult
    readingTime = before.readingTime
    sourceTotal = before.view.filter.isBlank ? before.total : before.sourceTotal
    inheritLayout(of: before)
    if isKept { top = min(max(0, row - (before.row - before.top)), max(0, window.rows.count - extent.rows)) }
    inheritPlacement(of: before, isKept: isKept)
  }
}

extension GridPane {
  /// Keeps the layout, unless somebody has made the table anew.
  private mutating func inheritLayout(of before: GridPane) {
    if columns == before.columns { return (layout, column) = (before.layout, before.column) }
    let (own, former) = (columns.filter { $0.computed == nil }, before.columns.filter { $0.computed == nil })
    guard own == former else { return }
    layout.inherit(own.count, from: before.layout)
    placeComputedColumns()
    let name = before.currentColumn?.name
    column = before.column < own.count ? before.column : columns.firstIndex { $0.computed != nil && $0.name == name } ?? 0
  }
}

extension TableSchema {
  /// The columns that cannot be read, and why; nil for none.
  fileprivate var unreadableColumns: String? {
    let unreadable = columns.filter { $0.problem != nil }
    guard let problem = unreadable.first?.problem else { return nil }
    let names = unreadable.map { "“\($0.name)”" }.joined(separator: ", ")
    return "left out: \(names): \(problem)"
  }
}

extension RowSet {
  /// The table or view that the rows come from; nil for a query.
  var sourceTable: TableReference? {
    if case .table(let table) = source { table } else { nil }
  }

  /// The table or view of which these are all rows; nil for a part of them and for a query.
  var rememberedTable: TableReference? {
    matching.isEmpty ? sourceTable : nil
  }
}
