import QuarryRows
import QuarrySources

/// The numbers of the grids to go back and forward to.
package struct NavigationHistory: Hashable, Sendable {
  static let limit = 50
  package private(set) var back: [GridID] = []
  private(set) var forward: [GridID] = []

  /// Records a grid that a new one replaces; returns the grids that can no longer be reached.
  mutating func leave(_ grid: GridID) -> [GridID] {
    var dropped = forward
    forward = []
    back.append(grid)
    if back.count > NavigationHistory.limit { dropped.append(back.removeFirst()) }
    return dropped
  }

  /// Returns the last search in a set of rows.
  func needle(in rowSet: RowSet, _ workspace: Workspace) -> Needle? {
    (forward + back).reversed().lazy.compactMap { workspace[$0] }.first { $0.rowSet == rowSet && $0.search.needle != nil }?.search.needle
  }

  mutating func goBack(from grid: GridID?) -> GridID? {
    guard let previous = back.popLast() else { return nil }
    if let grid { forward.append(grid) }
    return previous
  }

  /// Removes the grids that can no longer be opened, and returns them.
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
