import QuarryEngine
import QuarryRows

/// What others add while the end of the rows is followed.
extension FollowSession {
  /// Goes to the end of the rows and stays there, or leaves it at that.
  mutating func toggle(_ context: inout RowsContext) {
    guard let grid = context.grid else { return }
    if isFollowing(grid.id) { return leave(&context) }
    begin(in: grid.id)
    context.changeGrid { $0.rereadEnd() }
    let keys = context.environment
    let rows = grid.order.isEmpty ? "new rows come into" : "the \(grid.isFollowedAtTop ? "first" : "last") rows of this order stay in"
    context.notify("following: \(rows) sight; \(keys.keyHint(.backOut)), \(keys.keyHint(.followEnd)) or moving up ends it")
  }

  /// Ends the following, and says so.
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

  /// Ends the following where other rows are shown, or the cursor has left the last row.
  mutating func keep(_ context: inout RowsContext) {
    guard let end else { return }
    guard let grid = context.grid, grid.id == end.grid else { return finish(&context) }
    if grid.pending?.target != grid.followedTarget, !grid.isAtFollowedEnd { leave(&context) }
  }

  /// Follows the rows of another view in place of those that they replace.
  ///
  /// - Returns: Whether those were followed.
  mutating func pass(from replaced: GridID, to grid: GridID, _ context: inout RowsContext) -> Bool {
    guard pass(from: replaced, to: grid) else { return false }
    context.supersede(CountArrivals.slot(replaced))
    return true
  }

  /// Marks what has come with a page of the end, and asks how many rows that are.
  ///
  /// - Parameter before: The rows that were shown until then.
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
    // In another order a row that was there may come last.
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
  /// Returns why the end of the rows cannot be followed; nil where it can.
  static let needsEnd: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) { return obstacle }
    guard let grid = environment.grid, !rows.following.isFollowing(grid.id) else { return nil }
    if grid.isResult || grid.isSnapshot {
      let rows = grid.isResult || grid.schema == nil ? "a query" : grid.schema?.entry.kind == .view ? "a view" : "this table"
      return "the rows of \(rows) stay as they were read: \(environment.keyHint(.refresh)) reads them again"
    }
    return nil
  }
}

extension GridPane {
  /// Whether the rows with the greatest values come first, as new ones have in most orders.
  var isFollowedAtTop: Bool { order.first?.isDescending ?? false }

  /// What the cursor is on its way to when the rows are read again.
  var followedTarget: CursorTarget { isFollowedAtTop ? .top : .bottom }

  fileprivate var isAtFollowedEnd: Bool { isFollowedAtTop ? row == 0 : row >= rowCount - 1 }

  /// Whether the window has the rows that are followed.
  fileprivate var reachesFollowedEnd: Bool { isFollowedAtTop ? window.reachesStart : window.reachesEnd }

  /// Reads the rows at the end that is followed again, and puts the cursor on the outermost.
  mutating func rereadEnd() -> [GridRequest] {
    freshness.isStale = false
    return request(isFollowedAtTop ? .first : .last, target: followedTarget)
  }
}
