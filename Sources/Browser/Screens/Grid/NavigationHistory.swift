import QuarryEngine

/// The grids that one came from, and those that one went back from, by their numbers.
struct NavigationHistory: Hashable, Sendable {
  static let limit = 50
  private(set) var back: [GridID] = []
  private(set) var forward: [GridID] = []

  /// Takes note of the grid that is left for a new one; returns the grids that nobody can reach any more.
  mutating func leave(_ grid: GridID) -> [GridID] {
    var dropped = forward
    forward = []
    back.append(grid)
    if back.count > NavigationHistory.limit { dropped.append(back.removeFirst()) }
    return dropped
  }

  /// Returns what was looked for last in a set of rows.
  func needle(in rowSet: RowSet, _ workspace: Workspace) -> Needle? {
    (forward + back).reversed().lazy.compactMap { workspace[$0] }.first { $0.rowSet == rowSet && $0.needle != nil }?.needle
  }

  mutating func goBack(from grid: GridID?) -> GridID? {
    guard let previous = back.popLast() else { return nil }
    if let grid { forward.append(grid) }
    return previous
  }

  mutating func goForward(from grid: GridID?) -> GridID? {
    guard let next = forward.popLast() else { return nil }
    if let grid { back.append(grid) }
    return next
  }
}
