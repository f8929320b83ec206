import QuarryEngine

/// Looking for a text or a value in the rows.
extension RowsScreen {
  /// Asks what to look for in the rows.
  func askForText(_ context: inout ScreenContext<Self>) {
    context.prompt("find", placeholder: "a part of a value") { rows, context, text in rows.find(text, &context) }
  }

  /// Looks for a text from the row under the cursor on; an empty one looks again for the last.
  mutating func find(_ text: String, _ context: inout ScreenContext<Self>) {
    if text.isEmpty { findAgain(backwards: false, &context) } else { find(.text(text), backwards: false, &context) }
  }

  mutating func findAgain(backwards: Bool, _ context: inout ScreenContext<Self>) {
    if let needle = context.grid?.needle { find(needle, backwards: backwards, &context) }
  }

  /// Looks for the next row that has the value under the cursor in its column.
  mutating func findSameValue(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let cell = grid.currentCell else { return }
    guard let value = cell.wholeValue else { return context.notify("this value is too long to be looked for", .warning) }
    find(.value(value), columns: [grid.column], backwards: false, &context)
  }

  private mutating func find(_ needle: Needle, columns: [Int]? = nil, backwards: Bool, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    let isValue = if case .value = needle { true } else { false }
    let places = columns ?? (isValue ? [grid.column] : grid.layout.shown)
    context.workspace.changeGrid { $0.needle = needle }
    begin(FindRequest(needle: needle, columns: places, start: grid.currentRow?.key, isBackwards: backwards), in: grid.id, &context)
  }

  /// Goes on with a search that has made way for rows that were asked for, in those that are here now.
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
    // It has made way, and goes on when the rows are here.
    if case .failure(.stopped) = result, opening != nil { return }
    search = nil
    switch result {
    case .success(let match?):
      if match.wrapped { context.notify(request.isBackwards ? "went on from the bottom" : "went on from the top") }
      change(&context) { grid in
        if grid.layout.hidden.contains(match.column) { grid.layout.show(match.column) }
        grid.column = match.column
        return grid.moveToRow(match.key)
      }
    case .success(nil): context.notify("\(request.needle.description) is in no row here", .warning)
    case .failure(.stopped): break
    case .failure(let problem): context.notify(problem.text, .error)
    }
  }
}

extension Needle {
  /// The needle for a sentence.
  var description: String {
    switch self {
    case .text(let text): "“\(text)”"
    case .value(let value): value.plainText
    }
  }
}
