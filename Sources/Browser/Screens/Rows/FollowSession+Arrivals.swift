import QuarryEngine
import QuarryRows

/// The arrival of rows that other programs add while the end of the rows is followed.
extension FollowSession {
  /// Begins to follow the end of the rows, or ends the following.
  mutating func toggle(_ context: inout RowsContext) {
    guard let grid = context.grid else { return }
    if isFollowing(grid.id) { return leave(&context) }
    begin(in: grid.id)
    context.changeGrid { $0.rereadEnd() }
    let keys = context.environment
    let rows = grid.order.isEmpty ? "new rows appear" : "the \(grid.isFollowedAtTop ? "first" : "last") rows in this order stay visible"
    context.notify("following: \(rows); \(keys.keyHint(.backOut)), \(keys.keyHint(.followEnd)) or moving up stops it")
  }

  /// Ends the following with a notice.
  mutating func leave(_ context: inout RowsContext) {
    finish(&context)
    context.countAgain()
    context.notify("no longer following")
  }

  private mutating func finish(_ context: inout RowsContext) {
    guard let grid = finish() else { return }
    context.supersede(CountArrivals.slot(grid))
    context.workspace.change(grid) { $0.glow = RecentChangeHighlight() }
  }

  /// Ends the following if other rows are shown, or the cursor has left the last row.
  mutating func keep(_ context: inout RowsContext) {
    guard let end else { return }
    guard let grid = context.grid, grid.id == end.grid else { return finish(&context) }
    if grid.pending?.target != grid.followedTarget, !grid.isAtFollowedEnd { leave(&context) }
  }

  /// Follows the rows of another view that replaces the former one.
  ///
  /// - Returns: Whether the former rows were followed.
  mutating func pass(from replaced: GridID, to grid: GridID, _ context: inout RowsContext) -> Bool {
    guard pass(from: replaced, to: grid) else { return false }
    context.supersede(CountArrivals.slot(replaced))
    return true
  }

  /// Marks the rows that have arrived at the end, and requests their number.
  ///
  /// - Parameter before: The rows shown before.
  mutating func noteArrival(in grid: GridID, since before: GridWindow, _ context: inout RowsContext) {
    guard isFollowing(grid), let pane = context.workspace[grid], pane.reachesFollowedEnd else { return }
    let window = pane.window
    let arrival = arrive(in: grid, at: window.rows.last?.key) { change in
      context.workspace.change(grid) { $0.glow.mark(window, since: before, isNewFirst: pane.isFollowedAtTop, change: change) } == true
    }
    switch arrival {
    case .marked(let change): fade(change, of: grid, &context)
    case .nothing: context.countAgain()
    case .none, .first: break
    }
    // In another order the last row may be an old one.
    guard pane.order.isEmpty else { return }
    context.ask(CountArrivals(grid: grid, last: end?.last)) { rows, context, result in
      guard rows.following.isFollowing(grid), case .success(let arrival) = result else { return }
      rows.following.receive(arrival)
      context.workspace.change(grid) { $0.tally.add(arrival.rows) }
    }
  }

  private func fade(_ change: Int, of grid: GridID, _ context: inout RowsContext) {
    context.ask(FadeChange(grid: grid, change: change)) { rows, context, _ in
      context.workspace.change(grid) { $0.glow.fade(through: change) }
      if rows.following.calm(after: change, in: grid) { context.countAgain() }
    }
  }
}

extension RowsCommands {
  /// Returns the reason why the end of the rows cannot be followed; nil if it can.
  static let needsEnd: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) { return obstacle }
    guard let grid = environment.grid, !rows.following.isFollowing(grid.id) else { return nil }
    if grid.isResult || grid.isSnapshot {
      let rows = grid.isResult || grid.schema == nil ? "a query" : grid.schema?.entry.kind == .view ? "a view" : "this table"
      return "\(rows) cannot be followed: \(environment.keyHint(.refresh)) reads its rows again"
    }
    return nil
  }
}

extension GridPane {
  /// Whether the rows with the greatest values are at the top; in most orders, new rows have the greatest values.
  var isFollowedAtTop: Bool { order.first?.isDescending ?? false }

  /// The target of the cursor when the rows are read again.
  var followedTarget: CursorTarget { isFollowedAtTop ? .top : .bottom }

  fileprivate var isAtFollowedEnd: Bool { isFollowedAtTop ? row == 0 : row >= rowCount - 1 }

  /// Whether the window has the followed end of the rows.
  fileprivate var reachesFollowedEnd: Bool { isFollowedAtTop ? window.reachesStart : window.reachesEnd }

  /// Reads the rows at the followed end again, and moves the cursor to the outermost row.
  mutating func rereadEnd() -> [GridRequest] {
    freshness.isStale = false
    return request(isFollowedAtTop ? .first : .last, target: followedTarget)
  }
}
