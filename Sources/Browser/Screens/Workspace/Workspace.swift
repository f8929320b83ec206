package import QuarryChanges
package import QuarryEngine
import QuarryFiles
package import QuarryRows
import QuarrySources
package import Terminal

/// The state that the screens share: grids, memory, files and transaction.
package struct Workspace: Sendable {
  private var grids: [GridID: GridPane] = [:]
  /// The visible grid; nil if no rows are open.
  package private(set) var shownGrid: GridID?
  private var lastGrid = 0
  private var counts: [TableReference: RowNumber] = [:]
  /// The width of the longest of these numbers, in columns.
  private(set) var countColumns = 0
  /// Whether staged changes are saved for the next session.
  var keepsStaged = true
  /// The state of the data source.
  package var source = SourceState()
  /// The tables that are read from files.
  package var files = FileTablesState()
  package var memory: SessionMemory {
    get { store.memory }
    _modify { yield &store.memory }
  }
  private var store: MemoryStore
  /// The table under the cursor of the catalog; nil for none.
  var catalogTable: TableReference?
  /// The staged changes and their commit.
  package var edits = EditSession()
  /// The staged changes.
  package var staged: StagedChanges { edits.staged }
  /// The last chart settings of each row set, regardless of its filter.
  var charts: [RowSet: FormerChart] = [:]
  /// The design of a table that was left before it was written; nil for none.
  var design: TableChange?
  /// The most recently copied text; nil for none.
  package var copied: CopiedText?
  /// The command that waits for its row to arrive; any other input cancels it.
  var pendingCommand: Command?
  /// The revision of the staged changes with which the program may end; nil until the person has decided.
  var leftRevision: Int?
  /// Whether a file is being imported.
  var isImporting = false
  /// The name of the file that rows are being exported to; nil for none.
  var writtenFile: String?

  init(memory: SessionMemory = SessionMemory()) {
    store = MemoryStore(memory)
  }

  // MARK: Grids

  /// Returns a number for a new grid.
  mutating func makeGridID() -> GridID {
    lastGrid += 1
    return GridID(number: lastGrid)
  }

  subscript(id: GridID) -> GridPane? { grids[id] }

  /// The visible grid; nil if no rows are open.
  package var grid: GridPane? { shownGrid.flatMap { grids[$0] } }

  /// Stores a new or changed grid.
  mutating func keep(_ grid: GridPane) { grids[grid.id] = grid }

  /// Changes a grid in place; does nothing if it no longer exists.
  @discardableResult
  mutating func change<Result>(_ id: GridID, _ body: (inout GridPane) -> Result) -> Result? {
    guard let index = grids.index(forKey: id) else { return nil }
    return body(&grids.values[index])
  }

  /// Changes the visible grid.
  @discardableResult
  package mutating func changeGrid<Result>(_ body: (inout GridPane) -> Result) -> Result? {
    shownGrid.flatMap { change($0, body) }
  }

  /// Makes a grid visible; nil for none.
  package mutating func show(_ id: GridID?) { shownGrid = id }

  /// Removes a grid.
  mutating func remove(_ id: GridID) {
    grids[id] = nil
    if shownGrid == id { shownGrid = nil }
  }

  /// The row under the cursor of the visible grid.
  var currentRow: CurrentRow? {
    guard let grid, let row = grid.currentRow else { return nil }
    return CurrentRow(grid: grid.id, key: row.key)
  }

  struct CurrentRow: Hashable, Sendable {
    var grid: GridID
    var key: RowKey
  }

  // MARK: Tables

  /// Returns the number of rows in a table; nil if unknown.
  package func count(of table: TableReference) -> RowNumber? { counts[table] }

  package mutating func note(_ number: RowNumber, of table: TableReference) {
    counts[table] = number
    countColumns = max(countColumns, Plural.grouped(number.value).count + (number.isExact ? 0 : 2))
  }

  /// The largest number of rows of a table that is read while the person types.
  private static let cheapCount = 100_000

  /// The longest time of a statement that may run again while the person types.
  private static let cheapTime = Duration.milliseconds(500)

  /// Returns whether the source of a grid is small and fast enough to read all of its rows at any time.
  func hasFewRows(_ grid: GridPane) -> Bool {
    let known = grid.view.filter.isBlank ? grid.total : grid.tally.unfiltered
    guard let count = grid.rowSet.sourceTable.map({ counts[$0] }) ?? known else { return false }
    return count.isExact && count.value <= Self.cheapCount && grid.source.readingTime ?? .zero <= Self.cheapTime
  }

  /// Whether opening a table reads one page: it has no remembered filter or order, or only few rows.
  package func readsOnePage(of table: TableReference) -> Bool {
    guard let view = memory[table]?.view, !view.filter.isBlank || !view.sort.isBlank else { return true }
    return counts[table].map { $0.isExact && $0.value <= Self.cheapCount } ?? false
  }

  // MARK: Memory

  /// Returns a table's view from the previous session, only for the first call.
  mutating func consumeFormerView(of table: TableReference) -> SessionMemory.TableView? { store.consumeFormerView(of: table) }

  /// Returns the memory if it has changed since it was last saved.
  mutating func consumeUnsavedMemory() -> SessionMemory? { store.consumeUnsaved() }
}

/// The areas of the screen.
package struct ScreenLayout: Hashable, Sendable {
  var title: Rect
  /// The area between title and footer.
  package var body: Rect
  /// The catalog; empty if it is hidden.
  var catalog: Rect
  /// The line between catalog and grid; empty if one of them is hidden.
  var border: Rect
  /// The SQL editor above the grid; empty if it is closed.
  var editor: Rect
  /// The results, the grid and the filter bar.
  package var rows: Rect
  /// The grid within the rows; empty if no screen of the stack covers it.
  var grid = Rect.none
  /// The panel beside the rows; empty if there is no panel, or no room for it.
  var side = Rect.none
  var footer: Rect
  /// The area of the guide below the panes; empty if no guide is open.
  package var guide: Rect

  /// The width below which only one of catalog and grid is visible.
  static let narrow = 60
  /// The width below which the catalog is only visible while it has the focus, unless the person has opened it.
  package static let roomy = 100
  /// The minimum width that shows a record or the details of a table beside the rows.
  static let wide = 110
  /// The minimum width that shows facets beside the rows.
  static let railed = 72

  /// Returns the width of a panel beside the rows.
  ///
  /// - Parameter columns: The width of the rows and the panel together.
  private static func panelColumns(of placement: ScreenPlacement, besideRows columns: Int, on size: Size) -> Int {
    let wanted = placement == .rail ? min(max(32, size.columns * 3 / 10), 40) : min(max(44, size.columns * 2 / 5), 72)
    return min(wanted, columns * 3 / 5)
  }

  package init(_ browser: Browser) {
    var rest = Rect(browser.size)
    title = rest.removeTop(Self.titleRows(of: browser.size))
    footer = rest.removeBottom(rest.rows > 1 ? 1 : 0)
    guide = rest.removeBottom(browser.overlays.guide?.screen.guideRows(in: rest) ?? 0)
    body = rest
    let isNarrow = rest.columns < ScreenLayout.narrow
    let isCatalogShown = browser.focus == .catalog || browser.catalog.isWanted ?? (rest.columns >= ScreenLayout.roomy)
    switch (isCatalogShown, isNarrow) {
    case (true, true) where browser.focus == .catalog:
      (catalog, border, rows) = (rest, .none, .none)
    case (true, false):
      let title = TextWidth.columns(of: browser.options.title) + 2
      let wanted = max(browser.catalog.columns(in: browser.workspace), title)
      catalog = rest.removeLeft(min(wanted, browser.options.catalogWidth, rest.columns / 3))
      border = rest.removeLeft(1)
      rows = rest
    default:
      (catalog, border, rows) = (.none, .none, rest)
    }
    if let panel = browser.overlays.all.last(where: { $0.screen.placement.isBeside(columns: browser.size.columns) })?.screen.placement {
      let columns = Self.panelColumns(of: panel, besideRows: rows.columns, on: browser.size)
      side = Rect(column: rows.endColumn - columns, row: rows.row, columns: columns, rows: rows.rows)
      rows = Rect(column: rows.column, row: rows.row, columns: rows.columns - columns, rows: rows.rows)
    }
    editor = rows.removeTop(browser.sql.isShown ? Self.editorRows(of: rows.rows, hasFocus: browser.focus == .editor) : 0)
    if browser.overlays.all.contains(where: { $0.screen.placement.isOverGrid }) {
      grid = RowsLayout(rows, browser.rows.filter, browser.environment).grid
    }
  }

  /// Returns the area of a screen of the stack.
  func area(of screen: any Screen) -> Rect {
    switch screen.placement {
    case let placement where placement.isBeside(columns: body.columns) && !side.isEmpty: side
    case .grid(let wanted) where grid.rows >= wanted && grid.columns >= Self.narrow: grid
    case .body, .side, .rail, .grid, .lastLine, .guide: body
    }
  }

  private static func titleRows(of size: Size) -> Int { size.rows > 2 ? 1 : 0 }

  /// Returns the number of rows between title and footer.
  static func bodyRows(of size: Size) -> Int { max(0, size.rows - titleRows(of: size) - (size.rows > 1 ? 1 : 0)) }

  /// Returns the height of the editor: two fifths of the rows, or all of them if they are too few for two panes.
  static func editorRows(of rows: Int, hasFocus: Bool) -> Int {
    if rows < 8 { return hasFocus ? rows : 0 }
    return max(3, rows * 2 / 5)
  }
}

extension Rect {
  static let none = Rect(column: 0, row: 0, columns: 0, rows: 0)
}
