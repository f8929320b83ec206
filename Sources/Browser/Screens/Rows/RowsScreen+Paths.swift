import QuarryEngine
import QuarryRows
import QuarrySources
import Terminal

/// Columns that show the values at JSON paths.
extension RowsScreen {
  /// Shows the values at paths as columns after a column of JSON, in place of the former path columns.
  mutating func show(_ paths: [JSONPath], of column: String, _ context: inout ScreenContext<Self>) {
    guard let grid = context.grid, var view = pendingView(in: context.workspace) else { return }
    if let path = paths.first(where: { !$0.isReachable }) {
      return context.notifyUnreachable(path)
    }
    let former = grid.columns.filter { $0.path(in: column) != nil }.map(\.name)
    view.columns = view.columns.filter { !former.contains($0) } + paths.map { $0.filterText(in: column) }
    show(view, &context)
  }
}
