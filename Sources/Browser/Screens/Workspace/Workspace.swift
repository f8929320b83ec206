import QuarryEngine
import Terminal

/// What the screens of a session share: the grids, what is remembered, and what is known of the files and the transaction.
struct Workspace: Sendable {
  private var grids: [GridID: GridPane] = [:]
  /// The grid that is shown; nil where none is.
  private(set) var shownGrid: GridID?
  private var lastGrid = 0
  private var counts: [TableReference: RowNumber] = [:]
  /// Whether it is known which tables there are.
  var hasCatalog = false
  /// What the data source can do.
  var capabilities = DataSourceCapabilities.all
  var memory: SessionMemory
  /// The memory as it was saved last.
  private var savedMemory: SessionMemory
  /// How tables were looked at in former starts, of those that have not been shown yet.
  private var formerViews: [String: SessionMemory.TableView]
  /// How often others have been seen to write to the files.
  var fileChanges = 0
  /// What the title says while the file on the screen is not the one that is there; nil where it is.
  var fileBadge: String?
  /// Whose lock is waited for; nil where none is.
  var lockWait: LockWait?
  /// The transaction that is open on the editor's connection; nil where none is.
  var transaction: OpenTransaction?

  init(memory: SessionMemory = SessionMemory()) {
    self.memory = memory
    savedMemory = memory
    formerViews = memory.views
  }

  // MARK: Grids

  /// Returns a number for a new grid.
  mutating func makeGridID() -> GridID {
    lastGrid += 1
    return GridID(number: lastGrid)
  }

  subscript(id: GridID) -> GridPane? { grids[id] }

  /// The grid that is shown; nil where none is.
  var grid: GridPane? { shownGrid.flatMap { grids[$0] } }

  /// Takes a grid in, or its new state.
  mutating func keep(_ grid: GridPane) { grids[grid.id] = grid }

  /// Changes a grid where it is; one that is gone is let be.
  @discardableResult
  mutating func change<Result>(_ id: GridID, _ body: (inout GridPane) -> Result) -> Result? {
    guard let index = grids.index(forKey: id) else { return nil }
    return body(&grids.values[index])
  }

  /// Changes the grid that is shown.
  @discardableResult
  mutating func changeGrid<Result>(_ body: (inout GridPane) -> Result) -> Result? {
    shownGrid.flatMap { change($0, body) }
  }

  /// Shows a grid; nil for none.
  mutating func show(_ id: GridID?) { shownGrid = id }

  /// Forgets a grid.
  mutating func remove(_ id: GridID) {
    grids[id] = nil
    if shownGrid == id { shownGrid = nil }
  }

  /// The row under the cursor of the grid that is shown.
  var currentRow: CurrentRow? {
    guard let grid, let row = grid.currentRow else { return nil }
    return CurrentRow(grid: grid.id, key: row.key)
  }

  struct CurrentRow: Hashable, Sendable {
    var grid: GridID
    var key: RowKey
  }

  // MARK: Tables

  /// Returns how many rows a table has, as far as it is known.
  func count(of table: TableReference) -> RowNumber? { counts[table] }

  mutating func note(_ number: RowNumber, of table: TableReference) { counts[table] = number }

  /// A table of so many rows is read while a key is on its way.
  private static let cheapCount = 100_000

  /// Whether the source of a set has so few rows that all may be read for what is seen next.
  func hasFewRows(_ rowSet: RowSet) -> Bool {
    guard case .table(let table) = rowSet.source, let count = counts[table] else { return false }
    return count.isExact && count.value <= Self.cheapCount
  }

  // MARK: Memory

  /// Returns how a table was looked at in a former start, the first time that it is asked for.
  mutating func takeFormerView(of table: TableReference) -> SessionMemory.TableView? {
    formerViews.removeValue(forKey: SessionMemory.key(table))
  }

  /// Returns the memory where it is to be saved: it has changed since it was.
  mutating func takeUnsavedMemory() -> SessionMemory? {
    guard memory != savedMemory else { return nil }
    savedMemory = memory
    return memory
  }
}

/// Where everything lies on the screen.
struct ScreenLayout: Hashable, Sendable {
  var title: Rect
  /// All between title and footer.
  var body: Rect
  /// Empty where the catalog is hidden.
  var catalog: Rect
  /// The line between catalog and grid; empty where one of them is hidden.
  var border: Rect
  /// The SQL editor over the grid; empty where it is closed.
  var editor: Rect
  /// The results, the grid and the filter bar.
  var rows: Rect
  var footer: Rect

  /// Below this width catalog and grid take turns.
  static let narrow = 60

  init(_ browser: Browser) {
    var rest = Rect(browser.size)
    title = rest.removeTop(Self.titleRows(of: browser.size))
    footer = rest.removeBottom(rest.rows > 1 ? 1 : 0)
    body = rest
    let isNarrow = rest.columns < ScreenLayout.narrow
    switch (browser.catalog.isShown || browser.focus == .catalog, isNarrow) {
    case (true, true) where browser.focus == .catalog:
      (catalog, border, rows) = (rest, .none, .none)
    case (true, false):
      catalog = rest.removeLeft(min(browser.options.catalogWidth, rest.columns * 2 / 5))
      border = rest.removeLeft(1)
      rows = rest
    default:
      (catalog, border, rows) = (.none, .none, rest)
    }
    editor = rows.removeTop(browser.sql.isShown ? Self.editorRows(of: rows.rows, hasFocus: browser.focus == .editor) : 0)
  }

  private static func titleRows(of size: Size) -> Int { size.rows > 2 ? 1 : 0 }

  /// The rows between title and footer.
  static func bodyRows(of size: Size) -> Int { max(0, size.rows - titleRows(of: size) - (size.rows > 1 ? 1 : 0)) }

  /// The rows of the editor: two fifths of the room, or all of it where that is too little for two panes.
  static func editorRows(of rows: Int, hasFocus: Bool) -> Int {
    if rows < 8 { return hasFocus ? rows : 0 }
    return max(3, rows * 2 / 5)
  }
}

extension Rect {
  static let none = Rect(column: 0, row: 0, columns: 0, rows: 0)
}
