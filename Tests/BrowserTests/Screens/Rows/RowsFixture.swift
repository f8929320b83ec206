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

/// Groups of songs, which are answered without a database.
extension Browser {
  /// The opening under way; nil for none.
  var opening: Opening? { rows.opening.pending }

  /// Answers the request that compiles groups.
  mutating func answerGroups() throws {
    guard let request = outstanding(CompileGroups.self).last?.request else { return }
    let groups = try request.shape.compiled(of: request.source.rowSet, columns: request.source.columns)
    answer(CompileGroups.self, .success(.success(groups)))
  }

  /// Reports groups so far: albums, and how many songs they have.
  mutating func report(groups: [(album: Int64, songs: Int64)], count: Int? = nil, read: Int) {
    var soFar = opened(groups.map { .position(Int($0.album)) }, groups, of: groups.count)
    soFar.partial = PartialGroups(count: count ?? groups.count, read: read)
    report(OpenRows.self, OpeningReport(progress: RowProgress(rows: read, total: 1_000), soFar: soFar))
    applyLayout()
  }

  /// Answers the request for groups.
  mutating func openGroups(_ groups: [(album: Int64, songs: Int64)], of total: Int? = nil) {
    var opened = opened(groups.indices.map { .position($0) }, groups, of: total ?? groups.count)
    opened.order = [OrderMark(column: 1, name: "count", isDescending: true)]
    open(opened)
    applyLayout()
  }

  /// Answers the request for the place of a group.
  mutating func answerGroup(_ groups: [(album: Int64, songs: Int64)], from first: Int, cursor: Int) {
    var page = opened(groups.indices.map { .position(first + $0) }, groups, of: 1_000_000).page
    (page.firstNumber, page.reachesStart) = (.exact(first), false)
    answer(FindGroup.self, .success(FindGroup.Place(page: page, key: .position(cursor))))
  }

  private func opened(_ keys: [RowKey], _ groups: [(album: Int64, songs: Int64)], of total: Int) -> OpenedRows {
    let rows = zip(keys, groups).map { WindowRow(key: $0, cells: [.integer($1.album), .integer($1.songs)]) }
    let page = RowPage(rows: rows, firstNumber: .exact(0), reachesStart: true, reachesEnd: total == groups.count)
    var opened = OpenedRows(
      columns: ["album_id", "count"].map { RowSetColumn(name: $0, schema: nil) }, schema: nil, page: page,
      view: RowView(sort: "-count, album_id"))
    opened.isSnapshot = true
    opened.grid = outstanding(OpenRows.self).last?.request.grid ?? opened.grid
    return opened
  }

  /// The style of a text on the screen; nil if it is not there.
  func style(of text: String) -> Style? {
    var surface = Surface(size: size)
    draw(into: &surface)
    for row in 0..<size.rows {
      let cells = Array(surface.cells(inRow: row))
      let start = cells.indices.first { cells[$0...].prefix(text.count).map(\.text).joined() == text }
      if let start { return cells[start].style }
    }
    return nil
  }
}

extension OpenedRows {
  /// Songs, as they are opened.
  static func songs(_ numbers: Range<Int>) -> OpenedRows {
    OpenedRows(schema: BrowserFixture.schema, page: BrowserFixture.page(numbers, of: numbers.count))
  }
}
