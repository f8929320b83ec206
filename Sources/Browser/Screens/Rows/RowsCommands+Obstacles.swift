import QuarryRows

/// Why commands for the rows are unavailable.
extension RowsCommands {
  static let needsGrid: Obstacle = { rows, environment in
    guard let obstacle = environment.needsGrid else { return nil }
    return switch rows.results.current?.content {
    case .failed?: "the statement failed, so there are no rows: \(environment.keyHint(.editSQL)) goes to it"
    case .done?, .read?: "this statement has returned no rows"
    case .rows?, nil: obstacle
    }
  }

  static let needsFilters: Obstacle = { needsGrid($0, $1) ?? $1.needsFilters }

  static let needsRows: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) { return obstacle }
    if environment.grid?.newRow != nil { return "this row is new: \(environment.keyHint(.changes)) commits it first" }
    return environment.grid?.currentRow == nil ? "there are no rows here" : nil
  }

  /// Returns why no row can be taken now: what is typed ahead would take the row that the cursor is about to leave.
  static let needsArrivedRows: Obstacle = { rows, environment in
    needsRows(rows, environment) ?? environment.grid?.obstacleUntilArrival
  }

  static let needsNeedle: Obstacle = { rows, environment in
    needsRows(rows, environment) ?? environment.needsNeedle(environment.grid?.search.needle.map { _ in "" })
  }

  static let needsBar: Obstacle = { rows, environment in
    rows.isTyping(in: environment.workspace) ? nil : "the filter bar is not open: \(environment.keyHint(.filter)) opens it"
  }

  /// Returns why SQLite cannot be asked how it finds the rows, or has done what the statement says; nil where it can.
  static let needsPlan: Obstacle = { rows, environment in
    if case .done? = rows.results.current?.content { return nil }
    return needsQuery(rows, environment)
  }

  /// Returns why there is no SELECT for the rows; nil where there is one.
  static let needsQuery: Obstacle = { rows, environment in
    if let obstacle = needsGrid(rows, environment) { return obstacle }
    guard case .returned? = environment.grid?.rowSet.source else { return nil }
    return "a statement with RETURNING gave these rows: no SELECT can read them again"
  }

  /// Returns an obstacle to a command where no grid is shown or a condition does not hold.
  static func needs(
    _ first: @escaping Obstacle, _ sentence: String, _ condition: @escaping @Sendable (RowsScreen, ScreenEnvironment) -> Bool
  ) -> Obstacle {
    { rows, environment in first(rows, environment) ?? (condition(rows, environment) ? nil : sentence) }
  }
}
