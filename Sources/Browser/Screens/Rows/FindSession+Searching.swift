import QuarryEngine
import QuarryRows

/// Searching the rows of the visible grid.
extension FindSession {
  /// Prompts for a text, and moves to the next matching row while the person types.
  func askForText(_ context: inout RowsContext) {
    guard let grid = context.grid else { return }
    let origin = Origin(grid)
    var prompt = PromptScreen(
      label: "find", placeholder: "part of a value",
      accept: context.handler { rows, context, text in
        if text.isEmpty { return rows.find.findAgain(backwards: false, &context) }
        if context.grid?.search.needle != .text(text) { rows.find.find(text, from: origin, &context) }
      })
    prompt.follow = context.handler { rows, context, text in rows.find.find(text, from: origin, &context) }
    prompt.cancel = context.handler { rows, context in rows.find.giveUp(&context, origin) }
    context.present(prompt)
  }

  /// Searches for the text typed so far, always from the same row.
  private mutating func find(_ text: String, from origin: Origin, _ context: inout RowsContext) {
    if text.isEmpty { return giveUp(&context, origin) }
    cancel()
    // Rows of another view may have arrived in the meantime.
    let row = context.workspace.shownGrid == origin.grid ? origin.row : context.grid?.currentRow?.key
    begin(.text(text), from: row, backwards: false, &context)
  }

  /// Restores the original position of the cursor.
  private mutating func giveUp(_ context: inout RowsContext, _ origin: Origin) {
    guard context.workspace.shownGrid == origin.grid else { return }
    cancel()
    context.supersede(FindRow.slot(origin.grid))
    context.supersede(CountHits.slot(origin.grid))
    context.changeGrid { grid in
      (grid.search, grid.column) = (GridSearch(needle: origin.needle), origin.column)
      return origin.row.flatMap { $0 == grid.currentRow?.key ? nil : grid.moveToRow($0) } ?? []
    }
  }

  mutating func findAgain(backwards: Bool, _ context: inout RowsContext) {
    guard let grid = context.grid, let needle = grid.search.needle, !addStep(for: needle, backwards: backwards) else { return }
    begin(needle, from: grid.currentRow?.key, backwards: backwards, &context)
  }

  /// Searches for the next row with the value under the cursor in the same column.
  mutating func findSameValue(_ context: inout RowsContext) {
    guard let grid = context.grid, let cell = grid.currentCell else { return }
    guard let value = cell.wholeValue else { return context.notify("this value is too long to search for", .warning) }
    begin(.value(value), from: grid.currentRow?.key, backwards: false, &context)
  }

  private mutating func begin(_ needle: Needle, from row: RowKey?, backwards: Bool, _ context: inout RowsContext) {
    guard let grid = context.grid else { return }
    context.workspace.changeGrid { $0.search.needle = needle }
    begin(FindRequest(needle, in: grid, from: row, backwards: backwards), in: grid.id, &context)
  }

  /// Resumes, in the new rows, a search that was interrupted by opening them.
  mutating func resume(_ context: inout RowsContext) {
    guard let grid = context.grid, let request = resumed(from: grid.currentRow?.key) else { return }
    begin(request, in: grid.id, &context)
  }

  private mutating func begin(_ request: FindRequest, in grid: GridID, _ context: inout RowsContext) {
    begin(request)
    // The search for the next hit does not wait for the count of all hits.
    context.supersede(CountHits.slot(grid))
    context.ask(FindRow(grid: grid, search: request)) { rows, context, result in
      rows.find.receive(result, of: request, isReplacing: rows.opening.pending != nil, &context)
    }
  }

  private mutating func receive(
    _ result: Result<RowMatch?, Problem>, of request: FindRequest, isReplacing: Bool, _ context: inout RowsContext
  ) {
    switch end(with: result, isReplacing: isReplacing) {
    case .interrupted, .stopped: break
    case .found(let match):
      if match.wrapped { context.notify(request.isBackwards ? "continued from the bottom" : "continued from the top") }
      context.changeGrid { grid in
        if grid.layout.hidden.contains(match.column) { grid.layout.show(match.column) }
        grid.column = match.column
        return grid.moveToRow(match.key)
      }
      count(request, to: match, &context)
      if let isBackwards = takeStep() { begin(request.needle, from: match.key, backwards: isBackwards, &context) }
    case .missing:
      context.workspace.changeGrid { $0.search.hits = HitCount(request, total: .exact(0)) }
      context.notify("\(request.needle.description) was not found", .warning)
    case .failed(let problem): context.notify(problem.text, .error)
    }
  }

  /// Counts the rows with hits in the background, unless the count is already known.
  private func count(_ request: FindRequest, to match: RowMatch, _ context: inout RowsContext) {
    guard let grid = context.grid else { return }
    if let known = grid.search.hits?.next(to: match, by: request) {
      context.workspace.changeGrid { $0.search.hits = known }
      return
    }
    let former = grid.search.hits.flatMap { $0.isSame(as: request) ? $0.total : nil }
    context.workspace.changeGrid { $0.search.hits = HitCount(request, total: former, key: match.key) }
    let id = grid.id
    context.ask(CountHits(grid: id, search: request, key: match.key)) { _, context, report in
      context.workspace.change(id) { $0.search.hits?.receive(report, of: match.key) }
    } then: { _, _, _ in
    }
  }
}
