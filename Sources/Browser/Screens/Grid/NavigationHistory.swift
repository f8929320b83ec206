import QuarryEngine

/// The grids that one came from, and those that one went back from.
struct NavigationHistory: Hashable, Sendable {
  static let limit = 50
  private(set) var back: [GridPane] = []
  private(set) var forward: [GridPane] = []

  /// Keeps the grid that is left for a new one; returns the grids that nobody can reach any more.
  mutating func leave(_ grid: GridPane) -> [GridID] {
    var dropped = forward.map(\.id)
    forward = []
    back.append(grid)
    if back.count > NavigationHistory.limit { dropped.append(back.removeFirst().id) }
    return dropped
  }

  /// What was looked for last in a set of rows.
  func needle(in rowSet: RowSet) -> Needle? {
    (forward + back).last { $0.rowSet == rowSet && $0.needle != nil }?.needle
  }

  mutating func goBack(from grid: GridPane?) -> GridPane? {
    guard let previous = back.popLast() else { return nil }
    if let grid { forward.append(grid) }
    return previous
  }

  mutating func goForward(from grid: GridPane?) -> GridPane? {
    guard let next = forward.popLast() else { return nil }
    if let grid { back.append(grid) }
    return next
  }
}
