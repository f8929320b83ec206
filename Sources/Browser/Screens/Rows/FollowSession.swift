import QuarryEngine
package import QuarryRows

extension Command {
  static let followEnd: Command = "follow-end"
}

/// The mode that follows new rows from other programs: at the end of the rows, or at the beginning in a descending order.
///
///               begin                     arrive                     mark: rows have arrived
///     off ────────────────▶ reading it ───────────▶ at the end ─────────────────────────────▶ lively
///      ▲                        │                    │  │   ▲                                  │
///      │ end: Esc, moving up,   │                    │  │   └───── calm: no longer marked ─────┘
///      └─ other rows are shown ─┴────────────────────┘  │ pass: another view replaces the rows
///                               ▲                       │
///                               └───────────────────────┘
package struct FollowSession: Hashable, Sendable {
  /// The followed end of the rows; nil for none.
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

  /// Follows the rows of a grid that replaces another one; returns whether the former rows were followed.
  package mutating func pass(from replaced: GridID, to grid: GridID) -> Bool {
    guard isFollowing(replaced) else { return false }
    begin(in: grid)
    return true
  }

  /// Records that the end of a grid has been read.
  ///
  /// - Parameter mark: Marks the new rows and cells as a change with this number; returns whether there are any.
  /// - Returns: The kind of arrival.
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
    /// No rows have arrived.
    case nothing
    /// Rows have arrived, and are marked as a change with this number.
    case marked(Int)
  }

  mutating func receive(_ arrival: EndFollowing.Arrival) { end?.receive(arrival) }

  /// Records that a change of a grid is no longer marked; returns whether no rows have arrived for a while.
  package mutating func calm(after change: Int, in grid: GridID) -> Bool {
    isFollowing(grid) && end?.calm(after: change) == true
  }
}
