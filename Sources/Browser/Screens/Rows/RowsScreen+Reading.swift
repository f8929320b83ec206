import QuarryRows

/// Answers to the grid's reads, external changes, and leaving a grid.
extension RowsScreen {
  mutating func receive(
    _ result: Result<ArrivedRows, Problem>, of request: PageRequest, in grid: GridID, _ context: inout ScreenContext<Self>
  ) {
    switch result {
    case .success(let rows):
      let pending = context.workspace[grid]?.pending
      let window = context.workspace[grid]?.window
      let demands = context.workspace.change(grid) { $0.receive(rows, for: request) } ?? []
      context.issue(demands, of: grid)
      if let pending, pending.request == request, pending.target == context.workspace[grid]?.followedTarget, let window {
        following.noteArrival(in: grid, since: window, &context)
      }
      if case .number(let number)? = pending?.target, pending?.request == request, !opening.isReplacing(grid),
        let sentence = context.workspace[grid]?.sentence(onNumber: number)
      {
        context.notify(sentence)
      }
      performPendingCommand(&context)
    case .failure(let problem):
      context.workspace.pendingCommand = nil
      guard let pending = context.workspace[grid]?.pending, pending.request == request else { return }
      context.workspace.change(grid) { $0.reading.drop() }
      guard problem != .stopped else { return context.call(StopReading(grid: grid)) }
      // The table has been dropped or replaced.
      if pending.target == .same || problem.isOutdated, opening.pending == nil, let pane = context.grid, pane.id == grid {
        return opening.openAgain(pane, &context)
      }
      context.notify(problem.text, .error)
    }
  }

  /// Performs the command that waits for the row under the cursor, after the row has arrived.
  private func performPendingCommand(_ context: inout ScreenContext<Self>) {
    guard let command = context.workspace.pendingCommand, context.grid?.obstacleUntilArrival == nil else { return }
    context.workspace.pendingCommand = nil
    context.send(BrowserIntent.perform(command))
  }

  // MARK: Counting

  func receive(_ number: RowNumber, isFinal: Bool, of grid: GridID, _ context: inout ScreenContext<Self>) {
    guard let pane = context.workspace[grid] else { return }
    if isFinal, number.isExact, case .table(let table) = pane.rowSet.source, pane.rowSet.matching.isEmpty, pane.view.filter.isBlank {
      context.workspace.note(number, of: table)
    }
    let isFollowed = following.isFollowing(grid)
    let demands = context.workspace.change(grid) { pane in
      let wasOrderStale = pane.freshness.isOrderStale
      let demands = pane.receive(total: number, isFinal: isFinal)
      return isFollowed && wasOrderStale && !pane.freshness.isOrderStale ? pane.rereadEnd() : demands
    }
    context.issue(demands ?? [], of: grid)
  }

  mutating func receive(_ problem: Problem, ofCounting grid: GridID, _ context: inout ScreenContext<Self>) {
    context.workspace.change(grid) { $0.tally.end() }
    guard problem != .stopped else { return context.call(StopReading(grid: grid)) }
    // A failure of rows that are being reread is reported with them, unless it has been resolved by then.
    if context.workspace[grid]?.pending?.target == .same || opening.isReplacing(grid) { return }
    if problem.isOutdated, opening.pending == nil, let pane = context.grid, pane.id == grid { return opening.openAgain(pane, &context) }
    context.notify(problem.text, .error)
  }

  /// Resumes the count of rows that remain visible, for another pane.
  func countAgain(_ context: inout ScreenContext<Self>) { context.countAgain() }

  // MARK: External changes

  /// Shows external changes since the rows were read, in place if the rows have keys.
  func catchUp(_ context: inout ScreenContext<Self>) {
    let changes = context.workspace.source.fileChanges
    guard let grid = context.grid, !grid.isSnapshot, grid.freshness.fileChanges != changes, !grid.isResult else { return }
    let isFollowed = following.isFollowing(grid.id)
    // Followed rows change often: large tables are counted after the changes have stopped, unless the rows are sorted again.
    if !isFollowed || context.workspace.hasFewRows(grid) || !grid.order.isEmpty { context.count(grid.id) }
    context.change(grid.id) { grid in
      grid.freshness.fileChanges = changes
      grid.search.hits = nil
      grid.freshness.isOrderStale = !grid.order.isEmpty
      grid.tally.noteChanges()
      return isFollowed ? grid.rereadEnd() : grid.refreshInPlace()
    }
  }

  /// Reopens rows that cannot be reread in place, because their files have been replaced.
  mutating func leaveOldFiles(_ context: inout ScreenContext<Self>) {
    if let grid = context.grid, grid.isSnapshot, !grid.isResult { opening.openAgain(grid, &context) }
  }

  /// Rereads the rows and all other visible data of the database.
  mutating func refresh(_ context: inout ScreenContext<Self>) {
    context.ask(CheckDatabaseFiles()) { _, _, _ in }
    guard let grid = context.grid else {
      opening.show(nil)
      return context.send(CatalogIntent.load)
    }
    if grid.isResult { return context.send(SQLIntent.runLast) }
    context.send(CatalogIntent.load)
    if grid.isSnapshot { return opening.openAgain(grid, &context) }
    context.count(grid.id)
    let isFollowed = following.isFollowing(grid.id)
    context.changeGrid { grid in
      grid.lens?.renew()
      return isFollowed ? grid.rereadEnd() : grid.refresh()
    }
  }

  // MARK: Leaving

  /// Moves the current grid to the history, or back to its tab.
  mutating func leaveGrid(_ context: inout ScreenContext<Self>) {
    results.index = nil
    filter.keepDraft(&context)
    guard let left = context.grid else { return }
    filter.close()
    context.stopReading(of: left.id)
    context.workspace.show(nil)
    find.cancel()
    context.supersede(PrepareCopy.slot)
    guard !left.isResult else { return }
    for dropped in opening.leave(left.id) { context.forget(dropped) }
  }

  mutating func goBack(_ context: inout ScreenContext<Self>) {
    if opening.returnsToHits(from: context.workspace.shownGrid) { opening.returnToHits(&context) }
    revisit(.back, &context)
  }

  mutating func goForward(_ context: inout ScreenContext<Self>) {
    revisit(.forward, &context)
  }

  private mutating func revisit(_ direction: OpeningSession.Direction, _ context: inout ScreenContext<Self>) {
    dropOpening(&context)
    let left = context.grid
    guard let id = opening.step(direction, from: left?.isResult == true ? nil : left?.id), let pane = context.workspace[id] else { return }
    if let left { context.stopReading(of: left.id) }
    results.index = nil
    context.workspace.show(id)
    opening.show(nil)
    find.cancel()
    context.supersede(PrepareCopy.slot)
    context.focus(.rows)
    layOut(in: area, &context)
    selectInCatalog(pane.rowSet, &context)
    if pane.partial?.isStopped == false { opening.openAgain(pane, &context) }
    if !(pane.total?.isExact ?? false) { context.count(id) }
    context.changeGrid { $0.prefetch() }
    catchUp(&context)
  }
}
