import QuarryEngine
import QuarryRows
import Terminal

/// Opening rows: the rows of a table, of a relation, and of another view of the same set.
extension RowsScreen {
  /// Requests the rows of a set; the grid changes when they arrive.
  ///
  /// - Parameter view: The view; nil for the remembered view of the table.
  mutating func open(
    _ rowSet: RowSet, title: String, view: RowView? = nil, at place: OpeningPlace = .first, isFailureShown: Bool = true,
    _ context: inout ScreenContext<Self>
  ) {
    find.cancel()
    opening.open(rowSet, title: title, view: view, at: place, isFailureShown: isFailureShown, &context)
  }

  /// Opens a table and moves the focus to it; if the table is already visible, its rows stay.
  mutating func open(_ table: TableReference, _ context: inout ScreenContext<Self>) {
    context.focus(.rows)
    if context.grid?.rowSet.rememberedTable == table { return dropOtherOpening(&context) }
    open(RowSet(.table(table)), title: table.name, &context)
  }

  /// Shows a table in place of the previously previewed one, which is not recorded in the history.
  ///
  /// Does nothing if results are shown, if requested rows are being loaded, or if many rows would have to be read because of the remembered
  /// filter or sort order of the table.
  mutating func preview(_ table: TableReference, _ context: inout ScreenContext<Self>) {
    guard context.grid?.isResult != true, !context.environment.isEditorShown, opening.pending?.isPreview ?? true,
      context.workspace.readsOnePage(of: table)
    else { return }
    if context.grid?.rowSet.rememberedTable == table { return dropOtherOpening(&context) }
    find.cancel()
    opening.open(RowSet(.table(table)), title: table.name, view: nil, at: .first, isFailureShown: false, isPreview: true, &context)
  }

  /// Shows the rows of a relation, unless they cannot be opened.
  mutating func go(to set: RowSet, title: String, at place: OpeningPlace, _ context: inout ScreenContext<Self>) {
    context.closeAll()
    context.focus(.rows)
    open(set, title: title, at: place, isFailureShown: false, &context)
  }

  /// Requests the rows of another view of the set; the grid stays until they arrive.
  mutating func show(_ view: RowView, _ context: inout ScreenContext<Self>) { opening.show(view, &context) }

  /// Cancels the current opening, because the person has since requested rows that are already loaded.
  mutating func dropOpening(_ context: inout ScreenContext<Self>) {
    guard opening.drop() else { return }
    context.supersede(OpenRows.slot)
    context.countAgain()
    find.resume(&context)
  }

  /// Cancels the opening of rows that would move the visible grid to the history.
  mutating func dropOtherOpening(_ context: inout ScreenContext<Self>) {
    if opening.isLeaving(context.workspace.shownGrid) { dropOpening(&context) }
  }

  mutating func receive(
    _ result: Result<OpenedRows, Problem>, of begun: Opening, at place: OpeningPlace, _ context: inout ScreenContext<Self>
  ) {
    if case .failure = result { context.workspace.change(begun.id) { $0.stopGroups() } }
    switch opening.end(begun, with: result, shown: context.workspace.shownGrid) {
    case .replaces(let opened, let opening): complete(opened, as: opening, &context)
    case .shows(let opened, let opening) where opening.isPartlyShown: finish(opened, as: opening, &context)
    case .shows(let opened, let opening): show(opened, as: opening, &context)
    case .asks(let problem, let asked):
      // What is shown while a filter is being written, or the catalog's cursor moves, comes unasked.
      if !asked.isPreview, !isTyping(in: context.workspace) { opening.ask(problem, about: asked, at: place, &context) }
    case .failed(let failure):
      leaveGrid(&context)
      opening.show(failure)
    case .stopped: find.cancel()
    case .refused(let problem, let refused):
      context.notify(problem.text, .warning)
      if opening.returnsToHits(from: refused.id) { opening.returnToHits(&context) }
      context.countAgain()
      find.resume(&context)
    }
    context.send(CatalogIntent.countTables)
  }

  /// Shows rows that were not shown before; the visible grid moves to the history.
  mutating func show(_ opened: OpenedRows, as opening: Opening, _ context: inout ScreenContext<Self>) {
    let preview = self.opening.takePreview(of: context.workspace.shownGrid, for: opening)
    leaveGrid(&context)
    if let preview { for grid in self.opening.forget(where: { $0 == preview }) { context.forget(grid) } }
    self.opening.show(nil)
    var pane = GridPane(opening, opened, context.workspace.memory, glyphs: context.appearance.glyphs)
    pane.search.needle = self.opening.history.needle(in: opening.rowSet, context.workspace)
    let options = context.environment.options
    if case .table(options.table) = pane.rowSet.source, self.opening.history.back.isEmpty { pane.show(onlyNamed: options.columns) }
    self.opening.showFound(in: &pane, opening, isThere: opened.cursor != nil, &context)
    context.workspace.keep(pane)
    context.workspace.show(pane.id)
    if let remark = opened.schema?.unreadableColumns ?? opened.loss { context.notify(remark, .warning) }
    layOut(in: area, &context)
    context.workspace.changeGrid { $0.centerCursor() }
    reportFormerView(of: pane, &context)
    // The cursor of the catalog may have moved on.
    if !opening.isPreview { selectInCatalog(opening.rowSet, &context) }
    context.count(pane.id)
    if !opening.isPreview { context.changeGrid { $0.prefetch() } }
    catchUp(&context)
  }

  /// Replaces the grid with the rows of another view, keeping the layout.
  mutating func replaceGrid(with opened: OpenedRows, as opening: Opening, _ context: inout ScreenContext<Self>) {
    guard let before = context.grid else { return }
    let pane = GridPane(opening, opened, replacing: before, glyphs: context.appearance.glyphs)
    results.replace(before.id, by: pane.id)
    filter.move(from: before.id, to: pane.id)
    self.opening.replace(before.id, by: pane.id)
    context.stopReading(of: before.id)
    if pane.id != before.id { context.forget(before.id) }
    context.workspace.keep(pane)
    context.workspace.show(pane.id)
    context.supersede(PrepareCopy.slot)
    if let loss = opened.loss { context.notify(loss, .warning) }
    if !(pane.total?.isExact ?? false) { context.count(pane.id) }
    let isFollowed = following.pass(from: before.id, to: pane.id, &context)
    context.changeGrid { grid in
      isFollowed ? grid.rereadEnd() : opening.move.map { grid.move($0) } ?? grid.follow(before, from: opening.row)
    }
    if let name = opening.column { context.workspace.changeGrid { $0.moveToColumn(named: name) } }
    if isTyping(in: context.workspace) {
      filter.check(&context)
      filter.resumeCompletion(&context)
    }
    if case .number(let number)? = opening.move, let sentence = context.grid?.sentence(onNumber: number) { context.notify(sentence) }
    let known = Set(before.columns.map(\.name))
    if let new = pane.columns.firstIndex(where: { !known.contains($0.name) }) { context.workspace.changeGrid { $0.reveal(column: new) } }
    find.resume(&context)
    catchUp(&context)
  }

  func selectInCatalog(_ rowSet: RowSet, _ context: inout ScreenContext<Self>) {
    guard case .table(let table) = rowSet.source else { return }
    context.send(CatalogIntent.select(table))
  }

  /// Reports the remembered view of a table when it is shown for the first time in a session.
  private func reportFormerView(of pane: GridPane, _ context: inout ScreenContext<Self>) {
    guard let table = pane.rowSet.rememberedTable, let former = context.workspace.consumeFormerView(of: table), context.isSilent,
      let sentence = former.restored(in: pane, context.environment)
    else { return }
    context.notify(sentence)
  }
}
