import QuarryEngine

extension Command {
  static let followEnd: Command = "follow-end"
}

/// Staying at the end of the rows while others write.
extension RowsScreen {
  /// Goes to the end of the rows and stays there, or leaves it at that.
  mutating func toggleFollowing(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid else { return }
    if following?.grid == grid.id { return leaveEnd(&context) }
    following = EndFollowing(grid: grid.id)
    change(&context) { $0.rereadEnd() }
    let keys = context.environment
    context.notify("following: new rows come into sight; \(keys.keyHint(.backOut)), \(keys.keyHint(.followEnd)) or moving up ends it")
  }

  /// Ends the following, and says so.
  mutating func leaveEnd(_ context: inout ScreenContext<Self>) {
    endFollowing(&context)
    countAgain(&context)
    context.notify("no longer following")
  }

  private mutating func endFollowing(_ context: inout ScreenContext<Self>) {
    guard let grid = following?.grid else { return }
    following = nil
    context.supersede(CountArrivals.slot(grid))
    context.workspace.change(grid) { $0.glow = GridGlow() }
  }

  /// Ends the following where other rows are shown, or the cursor has left the last row.
  mutating func keepFollowing(_ context: inout ScreenContext<Self>) {
    guard let following else { return }
    guard let grid = context.grid, grid.id == following.grid else { return endFollowing(&context) }
    if grid.pending?.target != .bottom, grid.row < grid.rowCount - 1 { leaveEnd(&context) }
  }

  /// Marks what has come with a page of the end, and asks how many rows that are.
  ///
  /// - Parameter before: The rows that were shown until then.
  mutating func noteArrival(in grid: GridID, since before: GridWindow, _ context: inout ScreenContext<Self>) {
    guard var following, following.grid == grid, let window = context.workspace[grid]?.window, window.reachesEnd else { return }
    if following.hasArrived {
      let change = following.change + 1
      if context.workspace.change(grid, { $0.glow.mark(window, since: before, change: change) }) == true {
        following.mark(change)
        fade(change, of: grid, &context)
      } else {
        countAgain(&context)
      }
    } else {
      following.arrive(at: window.rows.last?.key)
    }
    self.following = following
    context.ask(CountArrivals(grid: grid, last: following.last)) { rows, context, result in
      guard rows.following?.grid == grid, case .success(let arrival) = result else { return }
      rows.following?.receive(arrival)
      context.workspace.change(grid) { pane in
        if case .estimated(let count)? = pane.total, !pane.isCounting { pane.total = .estimated(count + arrival.rows) }
      }
    }
  }

  private func fade(_ change: Int, of grid: GridID, _ context: inout ScreenContext<Self>) {
    context.ask(FadeChange(grid: grid, change: change)) { rows, context, _ in
      context.workspace.change(grid) { $0.glow.fade(through: change) }
      guard rows.following?.grid == grid, rows.following?.calm(after: change) == true else { return }
      rows.countAgain(&context)
    }
  }

  /// Returns why the end of the rows cannot be followed; nil where it can.
  static let needsEnd: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) { return obstacle }
    guard let grid = environment.grid, rows.following?.grid != grid.id else { return nil }
    if grid.isResult || grid.isSnapshot {
      let rows = grid.isResult || grid.schema == nil ? "a query" : grid.schema?.entry.kind == .view ? "a view" : "this table"
      return "the rows of \(rows) stay as they were read: \(environment.keyHint(.refresh)) reads them again"
    }
    guard grid.order.isEmpty else {
      return "new rows come last only in the natural order: \(environment.keyHint(.naturalOrder)) removes the sorting"
    }
    return nil
  }
}

extension GridPane {
  /// Reads the last rows again, and puts the cursor on the last.
  mutating func rereadEnd() -> [GridDemand] {
    isStale = false
    return request(.last, target: .bottom)
  }
}
