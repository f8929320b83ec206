import QuarryEngine
package import QuarryRows

extension Command {
  static let followEnd: Command = "follow-end"
}

/// Staying where new rows come into sight while others write: at the end of the rows, in an order of the greatest first at their beginning.
///
///               begin                     arrive                     mark: something has come
///     off ────────────────▶ reading it ───────────▶ at the end ─────────────────────────────▶ lively
///      ▲                        │                    │  │   ▲                                  │
///      │ end: Esc, moving up,   │                    │  │   └───── calm: it is marked no more ─┘
///      └─ other rows are shown ─┴────────────────────┘  │ pass: other rows of the set replace them
///                               ▲                       │
///                               └───────────────────────┘
package struct FollowSession: Hashable, Sendable {
  /// What is followed; nil for nothing.
  package private(set) var end: EndFollowing?

  package init() {}

  /// Returns whether the end of a grid's rows is followed.
  package func isFollowing(_ grid: GridID) -> Bool { end?.grid == grid }

  package mutating func begin(in grid: GridID) { end = EndFollowing(grid: grid) }

  /// Ends the following; returns the grid whose rows were followed.
  package mutating func finish() -> GridID? {
    defer { end = nil }
    return end?.grid
  }

  /// Follows rows that replace others; returns whether these were followed.
  package mutating func pass(from replaced: GridID, to grid: GridID) -> Bool {
    guard isFollowing(replaced) else { return false }
    begin(in: grid)
    return true
  }

  /// Takes note that the end of a grid has been read.
  ///
  /// - Parameter mark: Marks the new rows and cells as a change of this number; returns whether there are any.
  /// - Returns: What has come.
  package mutating func arrive(in grid: GridID, at last: RowKey?, mark: (_ change: Int) -> Bool) -> Arrival {
    guard var end, end.grid == grid else { return .none }
    defer { self.end = end }
    guard end.hasArrived else {
      end.arrive(at: last)
      return .first
    }
    let change = end.change + 1
    guard mark(change) else { return .nothing }
    end.mark(change)
    return .marked(change)
  }

  package enum Arrival: Hashable, Sendable {
    /// The rows are not followed.
    case none
    /// The end is shown for the first time.
    case first
    /// Nothing has come.
    case nothing
    /// Something has come, and is marked as a change of this number.
    case marked(Int)
  }

  mutating func receive(_ arrival: EndFollowing.Arrival) { end?.receive(arrival) }

  /// Takes note that a change of a grid is marked no more; returns whether nothing has come for a while.
  package mutating func calm(after change: Int, in grid: GridID) -> Bool {
    isFollowing(grid) && end?.calm(after: change) == true
  }
}
