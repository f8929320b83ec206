import QuarryEngine
package import QuarryRows

/// The rows that are being opened, those that could not be opened, and the grids to go back and forward to.
///
///                begin                              end(rows)
///     showing ─────────────▶ pending ───────────────────────▶ showing them: the former grid is replaced, or goes to the history
///      ▲  ▲                  │ │ ▲ │
///      │  │ drop: a later    │ │ │ │ end(failure)
///      │  │ wish is for rows │ │ │ ├─▶ asked whether rows are read that take long ──▶ begin again, or showing
///      │  │ that are there   │ │ │ ├─▶ failed: shown in the grid's place
///      │  └──────────────────┘ │ │ └─▶ refused or stopped: the former rows stay
///      │                       │ │                                    │
///      │ goBack, goForward     └─┘ begin: only the latest one counts  │
///      └──────────────────────────────────────────────────────────────┘
package struct OpeningSession: Sendable {
  /// What is being opened; nil for nothing.
  package private(set) var pending: Opening?
  /// What could not be opened, shown in the grid's place.
  private(set) var failure: OpeningFailure?
  package private(set) var history = NavigationHistory()
  /// The grid that is shown because the catalog's cursor rests on its table, and has not had the focus; nil for none.
  private(set) var previewed: GridID?
  /// The hits that the rows were opened from; nil where they were not.
  private(set) var found: FoundRows?

  /// How an opening has ended.
  enum Outcome {
    /// The rows replace those of the grid that is shown, as another view of them.
    case replaces(OpenedRows, Opening)
    case shows(OpenedRows, Opening)
    /// The person has to say whether rows are read that take long.
    case asks(Problem, Opening)
    /// It is shown in the grid's place.
    case failed(OpeningFailure)
    /// It is reported, and the former rows stay.
    case refused(Problem, Opening)
    case stopped
  }

  /// Returns whether other rows of the set of a grid are being opened, which will replace it.
  func isReplacing(_ grid: GridID?) -> Bool { pending?.replaced != nil && pending?.replaced == grid }

  /// Returns whether the rows that are being opened will leave a grid for the history.
  func isLeaving(_ grid: GridID?) -> Bool { pending != nil && !isReplacing(grid) }

  /// Returns the view that a grid will have once the requested rows have arrived.
  func view(of grid: GridPane) -> RowView {
    guard let pending, pending.replaced == grid.id else { return grid.view }
    return pending.view
  }

  // MARK: Opening

  mutating func begin(_ opening: Opening) { pending = opening }

  /// Drops the opening; returns whether there was one.
  mutating func drop() -> Bool {
    defer { pending = nil }
    return pending != nil
  }

  mutating func note(_ progress: RowProgress) { pending?.progress = progress }

  /// Takes note of a far move that is meant in the new rows; nil takes it back.
  mutating func note(_ move: FarMove?) { pending?.move = move }

  /// Ends an opening.
  ///
  /// - Parameters:
  ///   - opening: The opening as it was begun.
  ///   - shown: The grid that is shown.
  mutating func end(_ opening: Opening, with result: Result<OpenedRows, Problem>, shown: GridID?) -> Outcome {
    // The opening as it is by now.
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

  /// Shows a failure in the grid's place; nil for none.
  mutating func show(_ failure: OpeningFailure?) { self.failure = failure }

  // MARK: History

  /// Records the grid that is left for a new one; returns the grids that can no longer be reached.
  mutating func leave(_ grid: GridID) -> [GridID] { history.leave(grid) }

  /// Returns the previewed grid where it is shown, which new rows replace; the new rows may be a preview in turn.
  mutating func takePreview(of shown: GridID?, for opening: Opening) -> GridID? {
    defer { previewed = opening.isPreview ? opening.id : nil }
    return previewed == shown ? previewed : nil
  }

  /// Treats the previewed grid as one that a person has opened.
  mutating func keepPreview() { previewed = nil }

  /// Returns the grid to go back to, or forward; nil for none.
  ///
  /// - Parameter grid: The grid that is left; nil for one that cannot be gone back to.
  mutating func step(_ direction: Direction, from grid: GridID?) -> GridID? {
    switch direction {
    case .back: history.goBack(from: grid)
    case .forward: history.goForward(from: grid)
    }
  }

  enum Direction: Hashable, Sendable {
    case back, forward
  }

  /// Takes out grids that are not to be gone to any more, and returns them.
  mutating func forget(where isGone: (GridID) -> Bool) -> [GridID] { history.remove(where: isGone) }

  // MARK: Hits

  /// Takes note that the rows which are being opened come from the hits of a search.
  ///
  /// - Parameter place: The cell of the hit; nil for the first row.
  mutating func note(_ place: SearchPlace?, foundBy search: FormerSearch) {
    pending?.sought = place
    if let pending { found = FoundRows(grid: pending.id, search: search) }
  }

  /// Returns whether going back from a grid leads to the hits of a search.
  func returnsToHits(from grid: GridID?) -> Bool { found.map { $0.grid == grid } ?? false }

  /// Returns the hits to go back to, and forgets them.
  mutating func takeHits() -> FormerSearch? {
    defer { found = nil }
    return found?.search
  }

  /// Takes note that rows have been replaced by another view of them.
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
  /// Whether the person has said that it may take long.
  var mayTakeLong = false
  /// Whether a failure replaces the grid, or is only reported.
  var isFailureShown: Bool
  /// Whether it shows the table under the catalog's cursor, unasked.
  var isPreview = false
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
