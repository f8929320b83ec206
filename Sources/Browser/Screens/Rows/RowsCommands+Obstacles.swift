import QuarryRows

/// The reasons why commands for the rows are not available.
extension RowsCommands {
  static let needsGrid: Obstacle = { rows, environment in
    guard let obstacle = environment.needsGrid else { return nil }
    return switch rows.results.current?.content {
    case .failed?: "the statement failed, so there are no rows: \(environment.keyHint(.editSQL)) goes to it"
    case .done?, .read?: "this statement returned no rows"
    case .rows?, nil: obstacle
    }
  }

  static let needsFilters: Obstacle = { needsGrid($0, $1) ?? $1.needsFilters }

  static let needsRows: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) { return obstacle }
    if environment.grid?.newRow != nil { return "this row is new: \(environment.keyHint(.changes)) commits it first" }
    return environment.grid?.currentRow == nil ? "there are no rows here" : nil
  }

  /// Returns the reason why no row can be used yet.
  ///
  /// A command typed ahead would affect the row that the cursor is about to leave.
  static let needsArrivedRows: Obstacle = { rows, environment in
    needsRows(rows, environment) ?? environment.grid?.obstacleUntilArrival
  }

  static let needsNeedle: Obstacle = { rows, environment in
    needsRows(rows, environment) ?? environment.needsNeedle(environment.grid?.search.needle.map { _ in "" })
  }

  static let needsBar: Obstacle = { rows, environment in
    rows.isTyping(in: environment.workspace) ? nil : "the filter bar is not open: \(environment.keyHint(.filter)) opens it"
  }

  /// Returns the reason why there is no query plan; nil if there is one, also for a statement that has changed data.
  static let needsPlan: Obstacle = { rows, environment in
    if case .done? = rows.results.current?.content { return nil }
    return needsQuery(rows, environment)
  }

  /// Returns the reason why there is no SELECT for the rows; nil if there is one.
  static let needsQuery: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) { return obstacle }
    guard case .returned? = environment.grid?.rowSet.source else { return nil }
    return "these rows come from a RETURNING clause: no SELECT can read them again"
  }

  /// Returns an obstacle that combines another obstacle with a condition.
  static func needs(
    _ first: @escaping Obstacle, _ sentence: String, _ condition: @escaping @Sendable (RowsScreen, ScreenEnvironment) -> Bool
  ) -> Obstacle {
    { rows, environment in first(rows, environment) ?? (condition(rows, environment) ? nil : sentence) }
  }
}
