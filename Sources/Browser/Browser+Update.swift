import Terminal
import QuarryEngine

extension Browser {
  /// Takes note of what happened, and returns what is to be done about it.
  public mutating func update(_ message: Message) -> [Effect] {
    var effects = take(message)
    effects += abandonForsakenBar()
    applyLayout()
    if let top = overlays.last?.id { run(ScreenOperations.Follow(), on: top) }
    noteView()
    defer { outbox = [] }
    return effects + outbox
  }

  private mutating func take(_ message: Message) -> [Effect] {
    switch message {
    case .eventArrived(let event): return take(event)
    case .reported(let id, let value): deliver(.report(value), of: id)
    case .answered(let id, let result): deliver(.answer(result), of: id)
    case .typed(let text): return takeTyped(text)
    case .filesChanged: return takeFileChange()
    case .lockWaitChanged(let wait): lockWait = wait
    case .filesMoved(let move): return take(move)
    case .catalogLoaded(let result): return takeCatalog(result)
    case .tableCounted(let table, let number): catalog.take(number, of: table)
    case .openingProgressed(let id, let progress): if opening?.id == id { opening?.progress = progress }
    case .rowsOpened(let id, let result): return takeOpened(id, result)
    case .viewChecked(let id, let draft, let report): return takeReport(id, draft, report)
    case .completed(let id, let draft, let items): return takeCompletions(id, draft, items)
    case .memoryUnsaved(let problem): notice = Notice(problem.text, .warning)
    case .pageLoaded(let id, let request, let result): return takePage(id, request, result)
    case .pageProgressed(let id, let request, let progress): changeGrid(id) { $0.take(progress, of: request) }
    case .rowsCounted(let id, let number, let isFinal): return takeCount(id, number, isFinal: isFinal)
    case .countProgressed(let id, let progress): changeGrid(id) { $0.counted = progress }
    case .countFailed(let id, let problem): takeCountFailure(id, problem)
    case .rowLocated(let id, let key, let number): return takeNumber(number, of: key, id)
    case .findProgressed(let id, let request, let progress): takeProgress(progress, of: request, id)
    case .rowFound(let id, let request, let result): return takeFound(id, request, result)
    case .referencesLoaded(let id, let result): return takeReferences(id, result)
    case .runPrepared(let request, let result): return takePrepared(request, result)
    case .runProgressed(let number, let elapsed): takeProgress(number, elapsed)
    case .statementRan(let number, let index, let outcome): return takeOutcome(number, index, outcome)
    case .runEnded(let number, let transaction): return takeEnd(number, transaction)
    case .transactionEnded(let isCommitted, let problem, let left): return takeTransactionEnd(isCommitted: isCommitted, problem, left: left)
    case .planExplained(let statement, let result): takePlan(statement, result)
    case .sqlCompleted(let text, let caret, let items): return takeSQLCompletions(text, caret: caret, items)
    case .historyUnsaved(let problem): notice = Notice(problem.text, .warning)
    case .editedExternally(let result): return takeExternal(result)
    case .sqlPrepared(let text): edit(text)
    case .copyProgressed(let request, let progress): takeProgress(progress, of: request)
    case .copyPrepared(let request, let result): return takeCopy(request, result)
    case .copyFailed(let problem): notice = Notice(problem.text, .error)
    case .copied(let text, let places): notice = Notice("copied \(text.title) to \(places)", .success)
    }
    return []
  }

  private mutating func take(_ event: Event) -> [Effect] {
    switch event {
    case .key(let key): return press(key)
    case .paste(let text): return paste(text)
    case .mouse(let mouse): return take(mouse)
    case .resized(let size):
      self.size = size
      applyLayout()
      return changeGrid { $0.prefetch() }
    case .resumed: return [.repaint]
    case .ended(let ending):
      hasEnded = true
      self.ending = ending
      return [.quit]
    }
  }

  /// Changes the grid of this number, wherever it is; one that is forgotten is let be.
  mutating func changeGrid(_ id: GridID, _ change: (inout GridPane) -> Void) {
    guard var grid, grid.id == id else { return }
    change(&grid)
    self.grid = grid
  }

  /// Changes the grid on the screen and returns what it wants done.
  mutating func changeGrid(_ change: (inout GridPane) -> [Effect]) -> [Effect] {
    guard var grid else { return [] }
    let effects = change(&grid)
    self.grid = grid
    return effects
  }

  private mutating func takePage(_ id: GridID, _ request: PageRequest, _ result: Result<RowPage, Problem>) -> [Effect] {
    guard grid?.id == id else { return [] }
    switch result {
    case .success(let page):
      let pending = grid?.pending
      let effects = changeGrid { $0.take(page, for: request) }
      if case .number(let number)? = pending?.landing, pending?.request == request, let sentence = grid?.sentence(onNumber: number) {
        notice = Notice(sentence)
      }
      return effects
    case .failure(let problem):
      guard grid?.pending?.request == request else { return [] }
      let isReadAgain = grid?.pending?.landing == .same
      changeGrid(id) { grid in
        grid.pending = nil
        grid.debt = 0
      }
      if problem == .stopped { return [] }
      // What was there before is known to be another table now, or none.
      if isReadAgain, opening == nil, let grid { return openAgain(grid) }
      notice = Notice(problem.text, .error)
      return []
    }
  }

  private mutating func takeNumber(_ number: RowNumber?, of key: RowKey, _ id: GridID) -> [Effect] {
    guard let number, grid?.id == id else { return [] }
    return changeGrid { $0.take(number, of: key) }
  }

  private mutating func takeCount(_ id: GridID, _ number: RowNumber, isFinal: Bool) -> [Effect] {
    guard grid?.id == id else { return [] }
    if isFinal, number.isExact, let grid, case .table(let table) = grid.rowSet.source, grid.rowSet.matching.isEmpty, grid.view.filter.isBlank {
      catalog.take(number, of: table)
    }
    return changeGrid { $0.take(total: number, isFinal: isFinal) }
  }

  private mutating func takeCountFailure(_ id: GridID, _ problem: Problem) {
    guard grid?.id == id else { return }
    changeGrid(id) { $0.isCounting = false }
    // What is wrong with rows that are being read again is told by those, if it is not mended by then.
    if problem == .stopped || grid?.pending?.landing == .same || opening?.replaced == id { return }
    notice = Notice(problem.text, .error)
  }

  /// Shows what others have written: in place, where rows have keys by which they are known again.
  mutating func takeFileChange() -> [Effect] {
    fileChanges += 1
    return [.loadCatalog] + catchUp()
  }

  /// Says that files are not where they were opened, and reads anew from those that have taken their places.
  private mutating func take(_ move: FileMove?) -> [Effect] {
    fileBadge = move?.badge
    guard let move else { return takeFileChange() }
    notice = Notice(move.sentence, .warning)
    guard move.isReopened else { return [] }
    let effects = takeFileChange()
    guard let grid, grid.isSnapshot, !sql.results.holds(grid.id) else { return effects }
    return effects + openAgain(grid)
  }

  /// Shows in the grid what has been written since its rows were read.
  mutating func catchUp() -> [Effect] {
    guard var grid, !grid.isSnapshot, grid.fileChanges != fileChanges, !sql.results.holds(grid.id) else { return [] }
    grid.fileChanges = fileChanges
    grid.isOrderStale = !grid.order.isEmpty
    // There may be more or fewer rows by now.
    if case .exact(let count)? = grid.total { grid.total = .estimated(count) }
    let effects = [.count(grid.id)] + grid.refreshInPlace()
    self.grid = grid
    return effects
  }

  /// Whether others have written since rows were read that stay what they are.
  func isOutdated(_ grid: GridPane) -> Bool {
    grid.isSnapshot && grid.fileChanges != fileChanges && !sql.results.holds(grid.id)
  }

  /// Whether the rows are of a table, and as they were before what the open transaction has changed, which its own queries alone see.
  func isBeforeTransaction(_ grid: GridPane) -> Bool {
    sql.transaction?.isEmpty == false && !sql.results.holds(grid.id)
  }

  private mutating func takeCatalog(_ result: Result<Catalog, Problem>) -> [Effect] {
    catalog.take(result)
    if case .failure(let problem) = result { notice = Notice(problem.text, .error) }
    let counted = catalog.tables.filter { entry in
      switch entry.kind {
      case .table, .shadow: true
      case .view, .virtual, .system: false
      }
    }
    uncounted = counted.map(\.reference)
    if let grid, case .table(let table) = grid.rowSet.source { catalog.select(table) }
    if let opening, case .table(let table) = opening.rowSet.source { catalog.select(table) }
    guard grid == nil, opening == nil, failure == nil, let table = catalog.currentTable else { return countTables() }
    return open(RowSet(.table(table)), title: table.name)
  }

  /// Has the tables of the catalog counted, once the rows that are being opened are here: those go first, and so does their count.
  mutating func countTables() -> [Effect] {
    guard opening == nil, !uncounted.isEmpty else { return [] }
    defer { uncounted = [] }
    return [.countTables(uncounted)]
  }
}
