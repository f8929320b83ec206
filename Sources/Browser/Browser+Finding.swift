import QuarryEngine

/// A search that has not come to its end.
struct Search: Hashable, Sendable {
  var request: FindRequest
  var progress: RowProgress?
}

extension Browser {
  /// Asks what to look for in the rows.
  mutating func askForText() {
    present(PromptScreen(label: "find", placeholder: "a part of a value") { $0.outbox += $0.find($1) })
  }

  /// Looks for a text from the row under the cursor on; an empty one looks again for the last.
  mutating func find(_ text: String) -> [Effect] {
    guard !text.isEmpty else { return grid?.needle == nil ? [] : findAgain(backwards: false) }
    return find(.text(text), backwards: false)
  }

  mutating func findAgain(backwards: Bool) -> [Effect] {
    grid?.needle.map { find($0, backwards: backwards) } ?? []
  }

  /// Looks for the next row that has the value under the cursor in its column.
  mutating func findSameValue() -> [Effect] {
    guard let grid, let cell = grid.currentCell else { return [] }
    guard let value = cell.wholeValue else {
      notice = Notice("this value is too long to be looked for", .warning)
      return []
    }
    return find(.value(value), columns: [grid.column], backwards: false)
  }

  private mutating func find(_ needle: Needle, columns: [Int]? = nil, backwards: Bool) -> [Effect] {
    guard var grid else { return [] }
    let isValue = if case .value = needle { true } else { false }
    let places = columns ?? (isValue ? [grid.column] : grid.layout.shown)
    let request = FindRequest(needle: needle, columns: places, start: grid.currentRow?.key, isBackwards: backwards)
    grid.needle = needle
    self.grid = grid
    search = Search(request: request)
    return [.find(grid.id, request)]
  }

  mutating func takeProgress(_ progress: RowProgress, of request: FindRequest, _ id: GridID) {
    guard grid?.id == id, search?.request == request else { return }
    search?.progress = progress
  }

  /// Goes on with a search that has made way for rows that were asked for, in those that are here now.
  mutating func searchAgain() -> [Effect] {
    guard let grid, var request = search?.request else { return [] }
    request.start = grid.currentRow?.key
    search = Search(request: request)
    return [.find(grid.id, request)]
  }

  mutating func takeFound(_ id: GridID, _ request: FindRequest, _ result: Result<RowMatch?, Problem>) -> [Effect] {
    guard grid?.id == id, search?.request == request else { return [] }
    // It has made way, and goes on when the rows are here.
    if case .failure(.stopped) = result, opening != nil { return [] }
    search = nil
    switch result {
    case .success(let match?):
      if match.wrapped { notice = Notice(request.isBackwards ? "went on from the bottom" : "went on from the top") }
      return changeGrid { grid in
        if grid.layout.hidden.contains(match.column) { grid.layout.show(match.column) }
        grid.column = match.column
        return grid.moveToRow(match.key)
      }
    case .success(nil):
      notice = Notice("\(request.needle.description) is in no row here", .warning)
    case .failure(let problem):
      notice = Notice(problem.text, .error)
    }
    return []
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
