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

  /// The state that screens share where a grid is shown.
  static func workspace(_ grid: GridPane = RowsFixture.grid()) -> Workspace { context(grid).workspace }

  /// Writes a filter over all songs, and leaves it; returns the views that are checked meanwhile, and the filters that are remembered.
  static func write(_ text: String) -> (checked: [RowView], remembered: [String]) {
    var (filter, context) = (FilterSession(), context())
    filter.begin(.filter, of: RowView(), &context)
    filter.edit(&context) { $0.insert(text) == 0 }
    let checked = context.outstanding(CheckView.self).map(\.view)
    filter.keepDraft(&context)
    return (checked, context.workspace.memory.history(of: .filter, for: BrowserFixture.songs))
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

  /// The text of the notice that the screen shows.
  var noticeText: String? { notice?.text }
}

/// The end of a grid's rows, followed without a browser.
struct FollowedRows {
  private(set) var follow = FollowSession()
  private var context: RowsContext

  init(_ grid: GridPane) { context = RowsFixture.context(grid) }

  /// Begins to follow, or ends it.
  mutating func toggle() { follow.toggle(&context) }

  /// Follows on after something was done.
  mutating func keep() { follow.keep(&context) }

  /// Shows no grid.
  mutating func hide() { context.workspace.show(nil) }

  /// Moves the cursor to a row; no page is awaited then.
  mutating func move(toRow index: Int) {
    context.workspace.changeGrid { grid in
      grid.reading.drop()
      _ = grid.moveToRow(index: index)
    }
  }

  /// The pages that were asked for and have not come.
  var asked: [PageRequest.Position] { context.outstanding(LoadPage.self).map(\.request.position) }

  /// The text of the notice that the screen shows.
  var noticeText: String? { context.noticeText }
}
