import QuarryEngine
package import QuarryRows

/// The rows that are being opened, the rows that failed to open, and the grids of the history.
///
///                begin                              end(rows)
///     showing ─────────────▶ pending ───────────────────────▶ showing them: the former grid is replaced, or moves to the history
///      ▲  ▲                  │ │ ▲ │
///      │  │ drop: the person │ │ │ │ end(failure)
///      │  │ requests rows    │ │ │ ├─▶ asks whether to read rows that take long ──▶ begin again, or showing
///      │  │ that are loaded  │ │ │ ├─▶ failed: shown in place of the grid
///      │  └──────────────────┘ │ │ └─▶ refused or stopped: the former rows stay
///      │                       │ │                                    │
///      │ goBack, goForward     └─┘ begin: only the latest one counts  │
///      └──────────────────────────────────────────────────────────────┘
package struct OpeningSession: Sendable {
  /// The current opening; nil for none.
  package private(set) var pending: Opening?
  /// The failure shown in place of the grid.
  private(set) var failure: OpeningFailure?
  package private(set) var history = NavigationHistory()
  /// The grid that is shown because the catalog's cursor rests on its table, and has not had the focus; nil for none.
  private(set) var previewed: GridID?
  /// The search hits that the rows were opened from; nil for none.
  private(set) var found: FoundRows?
  /// The shape of the groups that are being compiled; nil for none.
  var shape: GroupShape?

  /// The result of an opening.
  enum Outcome {
    /// The rows replace the visible grid, as another view of the same rows.
    case replaces(OpenedRows, Opening)
    case shows(OpenedRows, Opening)
    /// The person has to decide whether to read rows that take long.
    case asks(Problem, Opening)
    /// The failure is shown in place of the grid.
    case failed(OpeningFailure)
    /// The failure is reported, and the former rows stay.
    case refused(Problem, Opening)
    case stopped
  }

  /// Returns whether another view of a grid's rows is being opened, which will replace the grid.
  func isReplacing(_ grid: GridID?) -> Bool { pending?.replaced != nil && pending?.replaced == grid }

  /// Returns whether the rows that are being opened will move a grid to the history.
  func isLeaving(_ grid: GridID?) -> Bool { pending != nil && !isReplacing(grid) }

  /// Returns the view that a grid will have once the requested rows have arrived.
  func view(of grid: GridPane) -> RowView {
    guard let pending, pending.replaced == grid.id else { return grid.view }
    return pending.view
  }

  // MARK: Opening

  mutating func begin(_ opening: Opening) { pending = opening }

  /// Cancels the opening; returns whether there was one.
  mutating func drop() -> Bool {
    defer { pending = nil }
    return pending != nil
  }

  mutating func note(_ progress: RowProgress) { pending?.progress = progress }

  /// Records that the groups so far are shown as the grid that the rest of them will replace.
  mutating func notePartlyShown() {
    guard let id = pending?.id else { return }
    pending?.replaced = id
    pending?.column = nil
  }

  /// Records a far move to perform in the new rows; nil cancels it.
  mutating func note(_ move: FarMove?) { pending?.move = move }

  /// Ends an opening.
  ///
  /// - Parameters:
  ///   - opening: The opening at its beginning.
  ///   - shown: The visible grid.
  mutating func end(_ opening: Opening, with result: Result<OpenedRows, Problem>, shown: GridID?) -> Outcome {
    // The current state of the opening.
    let opening = pending ?? opening
    pending = nil
    return switch result {
    case .success(let opened) where opening.replaced != nil && opening.replaced == shown: .replaces(opened, opening)
    case .success(let opened): .shows(opened, opening)
    case .failure(let problem) where problem.isQuestion: .asks(problem, opening)
    case .failure(let problem) where opening.isFailureShown && problem != .stopped:
      .failed(OpeningFailure(title: opening.title, problem: problem))
    case .failure(.stopped): .stopped
    case .failure(let problem): .refused(problem, opening)
    }
  }

  /// Shows a failure in place of the grid; nil for none.
  mutating func show(_ failure: OpeningFailure?) { self.failure = failure }

  /// Records the column to which the cursor goes in the new rows; returns false if none are being opened.
  mutating func note(column: String) -> Bool {
    pending?.column = column
    return pending != nil
  }

  // MARK: History

  /// Records a grid that a new one replaces; returns the grids that can no longer be reached.
  mutating func leave(_ grid: GridID) -> [GridID] { history.leave(grid) }

  /// Returns the previewed grid, which new rows replace, if it is shown; the new rows may be a preview too.
  mutating func takePreview(of shown: GridID?, for opening: Opening) -> GridID? {
    defer { previewed = opening.isPreview ? opening.id : nil }
    return previewed == shown ? previewed : nil
  }

  /// Treats the previewed grid as one that the user has opened.
  mutating func keepPreview() { previewed = nil }

  /// Returns the previous or the next grid of the history; nil for none.
  ///
  /// - Parameter grid: The current grid; nil if the history should not return to it.
  mutating func step(_ direction: Direction, from grid: GridID?) -> GridID? {
    switch direction {
    case .back: history.goBack(from: grid)
    case .forward: history.goForward(from: grid)
    }
  }

  enum Direction: Hashable, Sendable {
    case back, forward
  }

  /// Removes the grids that can no longer be opened from the history, and returns them.
  mutating func forget(where isGone: (GridID) -> Bool) -> [GridID] { history.remove(where: isGone) }

  // MARK: Hits

  /// Records that the rows being opened come from the hits of a search.
  ///
  /// - Parameter place: The cell of the hit; nil for the first row.
  mutating func note(_ place: SearchPlace?, foundBy search: FormerSearch) {
    pending?.sought = place
    if let pending { found = FoundRows(grid: pending.id, search: search) }
  }

  /// Returns whether the step back from a grid leads to the hits of a search.
  func returnsToHits(from grid: GridID?) -> Bool { found.map { $0.grid == grid } ?? false }

  /// Returns the hits to go back to, and removes them.
  mutating func takeHits() -> FormerSearch? {
    defer { found = nil }
    return found?.search
  }

  /// Records that another view has replaced the rows of a grid.
  mutating func replace(_ grid: GridID, by other: GridID) {
    if found?.grid == grid { found?.grid = other }
  }
}

/// Rows that were opened from the hits of a search, and the search to go back to.
struct FoundRows: Sendable {
  var grid: GridID
  var search: FormerSearch
}

/// A table that is being opened.
package struct Opening: Hashable, Sendable {
  var id: GridID
  var rowSet: RowSet
  package var view = RowView()
  package var title: String
  /// Whether the person has confirmed that it may take long.
  var mayTakeLong = false
  /// Whether a failure replaces the grid; otherwise it is only reported.
  var isFailureShown: Bool
  /// Whether it shows the table under the catalog's cursor, unasked.
  var isPreview = false
  /// The grid that the new view replaces; nil for another row set.
  var replaced: GridID?
  /// The row under the cursor of the replaced grid at the beginning.
  var row: RowKey?
  /// The number of file changes at the beginning.
  var fileChanges = 0
  /// The progress of reading the first rows, if that takes long.
  var progress: RowProgress?
  /// The far move made in the meantime, to perform in the new rows.
  var move: FarMove?
  /// The cell of a search hit.
  var sought: SearchPlace?
  /// The groups that the rows are; nil for other rows.
  var grouping: Grouping?
  /// Whether the grid already shows the groups so far.
  var isPartlyShown: Bool { replaced == id }
  /// Whether the rows are those of a group.
  var isOfGroup = false
  /// The name of the column to which the cursor goes; nil for none.
  var column: String?
}

/// A move that does not depend on the row under the cursor.
enum FarMove: Hashable, Sendable {
  case top, bottom
  /// To the row with a number, from 0.
  case number(Int)
}

/// The failure shown in place of a table that could not be opened.
struct OpeningFailure: Hashable, Sendable {
  var title: String
  var problem: Problem
}
