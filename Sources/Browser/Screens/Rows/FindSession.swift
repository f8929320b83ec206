import QuarryEngine
import QuarryRows

/// A search for a text or a value in the rows of the visible grid.
///
///               begin                 found, missing, stopped, failed
///     idle ───────────────▶ searching ───────────────────────────────▶ idle
///                             │  ▲  │
///      stopped, because other │  │  │ cancel: rows of another set are shown
///      rows of the set are    │  │  └────────────────────────────────▶ idle
///      being opened           ▼  │ resumed after they have arrived
///                         interrupted
///
/// The last search and the number of its matches belong to the grid.
struct FindSession: Hashable, Sendable {
  /// The search that is running or interrupted; nil for none.
  private(set) var request: FindRequest?
  /// The number of hits by which the cursor moves on after this search has found its hit; negative for backwards.
  private(set) var steps = 0

  /// The result of a search.
  enum Outcome: Hashable, Sendable {
    /// The search will be resumed in the rows that are being opened.
    case interrupted
    case found(RowMatch)
    case missing
    case stopped
    case failed(Problem)
  }

  mutating func begin(_ request: FindRequest) { self.request = request }

  /// Cancels the search; its answer is ignored.
  mutating func cancel() { (request, steps) = (nil, 0) }

  /// Requests one more hit if a search for the same needle is running.
  ///
  /// - Returns: Whether such a search is running.
  mutating func addStep(for needle: Needle, backwards: Bool) -> Bool {
    guard request?.needle == needle else { return false }
    steps += backwards ? -1 : 1
    return true
  }

  /// Takes one of the steps that were requested in the meantime.
  ///
  /// - Returns: Whether the step goes backwards; nil if there are no steps.
  mutating func takeStep() -> Bool? {
    guard steps != 0 else { return nil }
    let isBackwards = steps < 0
    steps += isBackwards ? 1 : -1
    return isBackwards
  }

  /// Returns the search to resume in the rows that replaced the former ones; nil for none.
  ///
  /// - Parameter row: The row under the cursor.
  func resumed(from row: RowKey?) -> FindRequest? {
    guard var request else { return nil }
    request.start = row
    return request
  }

  /// Ends the search.
  ///
  /// - Parameter isReplacing: Whether other rows of the set are being opened.
  mutating func end(with result: Result<RowMatch?, Problem>, isReplacing: Bool) -> Outcome {
    if case .failure(.stopped) = result, isReplacing { return .interrupted }
    request = nil
    if case .success(_?) = result {} else { steps = 0 }
    return switch result {
    case .success(let match?): .found(match)
    case .success(nil): .missing
    case .failure(.stopped): .stopped
    case .failure(let problem): .failed(problem)
    }
  }

  /// The position of the cursor when the search began, and the previous search.
  struct Origin: Hashable, Sendable {
    var grid: GridID
    var row: RowKey?
    var column: Int
    var needle: Needle?

    init(_ grid: GridPane) { (self.grid, row, column, needle) = (grid.id, grid.currentRow?.key, grid.column, grid.search.needle) }
  }
}

extension FindRequest {
  /// Creates a search for a text in all visible columns, or for a value in the column under the cursor.
  init(_ needle: Needle, in grid: GridPane, from row: RowKey?, backwards: Bool) {
    let isValue = if case .value = needle { true } else { false }
    self.init(needle: needle, columns: isValue ? [grid.column] : grid.layout.shown, start: row, isBackwards: backwards)
  }
}

extension Needle {
  /// The needle as a part of a sentence.
  var description: String {
    switch self {
    case .text(let text): "“\(text)”"
    case .value(let value): value.plainText
    }
  }
}
