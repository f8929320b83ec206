import QuarryEngine
import QuarryRows
import Terminal

@testable import Browser

/// Grids, and the context of the pane of rows, without a browser.
enum RowsFixture {
  /// A grid of the first songs.
  static func grid(_ number: Int = 1, view: RowView = RowView(), rows: Range<Int> = 0..<60, of total: Int = 1_000) -> GridPane {
    GridPane(
      id: GridID(number: number), rowSet: RowSet(.table(BrowserFixture.songs)), title: "songs",
      opened: OpenedRows(page: BrowserFixture.page(rows, of: total), view: view), glyphs: .unicode)
  }

  /// What the pane may read and ask for where a grid is shown.
  static func context(_ grid: GridPane? = RowsFixture.grid()) -> RowsContext {
    var workspace = Workspace()
    if let grid {
      workspace.keep(grid)
      workspace.show(grid.id)
    }
    let environment = ScreenEnvironment(
      appearance: Appearance(theme: .fallback, glyphs: .unicode), keymap: Keymap(), keyContext: .grid, size: Size(columns: 80, rows: 24),
      focus: .rows, options: BrowserOptions(title: "music.db"), workspace: workspace)
    return RowsContext(id: .rows, core: ScreenContextCore(environment: environment, requests: RequestTable()))
  }
}

extension RowsContext {
  /// Returns the requests of a type that were issued and are not answered.
  func outstanding<R: Request>(_: R.Type) -> [R] { core.requests.outstanding(R.self).map(\.request) }
}
