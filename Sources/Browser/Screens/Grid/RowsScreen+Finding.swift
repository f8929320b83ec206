import QuarryEngine

/// Searching the rows for a text or a value.
extension RowsScreen {
  /// Prompts for a text to search the rows for.
  func askForText(_ context: inout ScreenContext<Self>) {
    context.prompt("find", placeholder: "part of a value") { rows, context, text in rows.find(text, &context) }
  }

  /// Searches for a text from the row under the cursor on; an empty one repeats the last search.
  mutating func find(_ text: String, _ context: inout ScreenContext<Self>) {
    if text.isEmpty { findAgain(backwards: false, &context) } else { find(.text(text), backwards: false, &context) }
  }

  mutating func findAgain(backwards: Bool, _ context: inout ScreenContext<Self>) {
    if let needle = context.grid?.needle { find(needle, backwards: backwards, &context) }
  }

  /// Searches for the next row that has the value under the cursor in its column.
  mutating func findSameValue(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let cell = grid.currentCell else { return }
    guard let value = cell.wholeValue else { return context.notify("this value is too long to search for", .warning) }
    find(.value(value), columns: [grid.column], backwards: false, &context)
  }

  private mutating func find(_ needle: Needle, columns: [Int]? = nil, backwards: Bool, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let isValue = if case .value = needle { true } else { false }
    let searched = columns ?? (isValue ? [grid.column] : grid.layout.shown)
    context.workspace.changeGrid { $0.needle = needle }
    begin(FindRequest(needle: needle, columns: searched, start: grid.currentRow?.key, isBackwards: backwards), in: grid.id, &context)
  }

  /// Resumes, in the new rows, a search that was interrupted by opening them.
  mutating func searchAgain(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, var request = search else { return }
    request.start = grid.currentRow?.key
    begin(request, in: grid.id, &context)
  }

  private mutating func begin(_ request: FindRequest, in grid: GridID, _ context: inout ScreenContext<Self>) {
    search = request
    context.ask(FindRow(grid: grid, search: request)) { rows, context, result in
      rows.receive(result, of: request, &context)
    }
  }

  private mutating func receive(_ result: Result<RowMatch?, Problem>, of request: FindRequest, _ context: inout ScreenContext<Self>) {
    // It was interrupted for the new rows, and resumes when they have arrived.
    if case .failure(.stopped) = result, opening != nil { return }
    search = nil
    switch result {
    case .success(let match?):
      if match.wrapped { context.notify(request.isBackwards ? "continued from the bottom" : "continued from the top") }
      change(&context) { grid in
        if grid.layout.hidden.contains(match.column) { grid.layout.show(match.column) }
        grid.column = match.column
        return grid.moveToRow(match.key)
      }
    case .success(nil): context.notify("\(request.needle.description) was not found", .warning)
    case .failure(.stopped): break
    case .failure(let problem): context.notify(problem.text, .error)
    }
  }
}

extension Needle {
  /// The needle in a sentence.
  var description: String {
    switch self {
    case .text(let text): "“\(text)”"
    case .value(let value): value.plainText
    }
  }
}
