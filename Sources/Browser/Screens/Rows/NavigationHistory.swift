import QuarryRows
import QuarrySources

/// The grids to go back and forward to, by their numbers.
package struct NavigationHistory: Hashable, Sendable {
  static let limit = 50
  package private(set) var back: [GridID] = []
  private(set) var forward: [GridID] = []

  /// Records the grid that is left for a new one; returns the grids that can no longer be reached.
  mutating func leave(_ grid: GridID) -> [GridID] {
    var dropped = forward
    forward = []
    back.append(grid)
    if back.count > NavigationHistory.limit { dropped.append(back.removeFirst()) }
    return dropped
  }

  /// Returns what was last searched for in a set of rows.
  func needle(in rowSet: RowSet, _ workspace: Workspace) -> Needle? {
    (forward + back).reversed().lazy.compactMap { workspace[$0] }.first { $0.rowSet == rowSet && $0.search.needle != nil }?.search.needle
  }

  mutating func goBack(from grid: GridID?) -> GridID? {
    guard let previous = back.popLast() else { return nil }
    if let grid { forward.append(grid) }
    return previous
  }

  /// Takes out grids that are not to be gone to any more, and returns them.
  mutating func remove(where isGone: (GridID) -> Bool) -> [GridID] {
    let gone = (back + forward).filter(isGone)
    back.removeAll(where: isGone)
    forward.removeAll(where: isGone)
    return gone
  }

  mutating func goForward(from grid: GridID?) -> GridID? {
    guard let next = forward.popLast() else { return nil }
    if let grid { back.append(grid) }
    return next
  }
}
