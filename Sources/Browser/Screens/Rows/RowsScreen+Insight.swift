import QuarryRows
import Terminal

/// The commands that summarize the values of the rows.
extension RowsCommands {
  static let insightCommands: [Binding] = [
    Binding(
      .countValues, "Count the values of this column", brief: "Counts of the column",
      aliases: ["counts", "distribution", "group by"], keys: [.grid: ["#"]], hint: "counts",
      hintedWhen: { rows, environment in needsInsight(rows, environment) == nil && environment.grid?.currentRow != nil },
      unless: needsInsight
    ) { rows, context, _ in
      if let grid = context.grid { rows.countValues(ofColumn: grid.column, &context) }
    },
    Binding(
      .facets, "Filter by the most frequent values of every column", brief: "Facets", aliases: ["rail"],
      keys: [.grid: ["g f"]], unless: needsInsight
    ) { rows, context, _ in
      rows.showFacets(&context)
    },
    Binding(
      .profile, "Summarize the values of each column", brief: "Column profile", aliases: ["statistics"],
      keys: [.grid: ["g #"]], unless: needsInsight
    ) { rows, context, _ in
      guard let grid = context.grid, let subject = rows.insightSubject(context.workspace) else { return }
      context.send(ProfileIntent.profile(title: grid.title, of: subject))
    },
  ]

  /// Returns the reason why values cannot be counted; nil if they can.
  static let needsInsight: Obstacle = { rows, environment in
    needsGrid(rows, environment) ?? environment.needsInsight
  }
}

/// Analyzing the rows.
extension RowsScreen {
  /// Counts the values of a column of the grid, and moves its cursor to the column.
  func countValues(ofColumn index: Int, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let column = grid.column(at: index), let subject = insightSubject(context.workspace) else { return }
    context.workspace.changeGrid { grid in
      grid.column = index
      grid.revealCursor()
    }
    context.send(CountsIntent.count(column, of: subject))
  }

  /// Opens the facets beside the rows, or moves the focus to them if they are already open.
  fileprivate func showFacets(_ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, let subject = insightSubject(context.workspace) else { return }
    let columns = grid.layout.shown.compactMap { grid.column(at: $0)?.name }
    context.send(FacetsIntent.show(subject, columns: columns, current: grid.column(at: grid.column)?.name))
  }

  /// Returns the analyzed rows of the grid: the visible or the requested ones.
  func insightSubject(_ workspace: Workspace) -> InsightSubject? {
    guard let grid = workspace.grid, let view = pendingView(in: workspace) else { return nil }
    return InsightSubject(grid, view: view, fileChanges: workspace.source.fileChanges)
  }
}
