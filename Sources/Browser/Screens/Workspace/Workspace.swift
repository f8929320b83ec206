package import QuarryChanges
package import QuarryEngine
import QuarryFiles
package import QuarryRows
import QuarrySources
package import Terminal

/// The state that the screens share: grids, memory, files and transaction.
package struct Workspace: Sendable {
  private var grids: [GridID: GridPane] = [:]
  /// The grid that is shown; nil where none is.
  package private(set) var shownGrid: GridID?
  private var lastGrid = 0
  private var counts: [TableReference: RowNumber] = [:]
  /// The columns of the longest of these numbers.
  private(set) var countColumns = 0
  /// Whether what is staged outlives the program.
  var keepsStaged = true
  /// What is known of the data source.
  package var source = SourceState()
  /// The tables that are made of files.
  package var files = FileTablesState()
  package var memory: SessionMemory {
    get { store.memory }
    _modify { yield &store.memory }
  }
  private var store: MemoryStore
  /// The table under the cursor of the catalog; nil where there is none.
  var catalogTable: TableReference?
  /// What is staged, and the commit of it.
  package var edits = EditSession()
  /// What is to be written and has not been.
  package var staged: StagedChanges { edits.staged }
  /// How rows were drawn as a chart the last time, by the rows that no filter has narrowed.
  var charts: [RowSet: FormerChart] = [:]
  /// What was copied last; nil for nothing.
  package var copied: CopiedText?
  /// The command that was given before the row had come that it is meant for; any other input takes it back.
  var pendingCommand: Command?
  /// The revision of what is staged with which the program is to end; nil while the person has not chosen that.
  var leftRevision: Int?
  /// Whether a file is being imported.
  var isImporting = false
  /// The name of the file that rows are being written to; nil for none.
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

  /// The grid that is shown; nil where none is.
  package var grid: GridPane? { shownGrid.flatMap { grids[$0] } }

  /// Stores a grid or its new state.
  mutating func keep(_ grid: GridPane) { grids[grid.id] = grid }

  /// Changes a grid in place; does nothing where it is gone.
  @discardableResult
  mutating func change<Result>(_ id: GridID, _ body: (inout GridPane) -> Result) -> Result? {
    guard let index = grids.index(forKey: id) else { return nil }
    return body(&grids.values[index])
  }

  /// Changes the grid that is shown.
  @discardableResult
  package mutating func changeGrid<Result>(_ body: (inout GridPane) -> Result) -> Result? {
    shownGrid.flatMap { change($0, body) }
  }

  /// Shows a grid; nil for none.
  package mutating func show(_ id: GridID?) { shownGrid = id }

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

  /// Returns the number of a table's rows, as far as it is known.
  package func count(of table: TableReference) -> RowNumber? { counts[table] }

  package mutating func note(_ number: RowNumber, of table: TableReference) {
    counts[table] = number
    countColumns = max(countColumns, Plural.grouped(number.value).count + (number.isExact ? 0 : 2))
  }

  /// The number of rows up to which a table is read while the person types.
  private static let cheapCount = 100_000

  /// A statement that took longer is not run again while a key is on its way.
  private static let cheapTime = Duration.milliseconds(500)

  /// Whether the source of a grid has so few rows, and gives them so soon, that all may be read for what is seen next.
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

  /// Returns a table's view from an earlier start, the first time that it is asked for.
  mutating func consumeFormerView(of table: TableReference) -> SessionMemory.TableView? { store.consumeFormerView(of: table) }

  /// Returns the memory if it has changed since it was last saved.
  mutating func consumeUnsavedMemory() -> SessionMemory? { store.consumeUnsaved() }
}

/// The areas of the screen.
package struct ScreenLayout: Hashable, Sendable {
  var title: Rect
  /// The area between title and footer.
  package var body: Rect
  /// The catalog; empty where it is hidden.
  var catalog: Rect
  /// The line between catalog and grid; empty where one of them is hidden.
  var border: Rect
  /// The SQL editor over the grid; empty where it is closed.
  var editor: Rect
  /// The results, the grid and the filter bar.
  package var rows: Rect
  /// The grid within the rows; empty where no screen of the stack lies over it.
  var grid = Rect.none
  /// The panel beside the rows; empty where there is none, or no room for it.
  var side = Rect.none
  var footer: Rect
  /// The room of the screen that stands beside the others; empty where none does.
  package var guide: Rect

  /// The width below which catalog and grid take turns.
  static let narrow = 60
  /// Below this width the catalog is only shown while it has the keys, unless a person wants it.
  package static let roomy = 100
  /// The width from which a record or the details of a table are shown beside the rows.
  static let wide = 110
  /// The width from which facets are shown beside the rows.
  static let railed = 72

  /// Returns the width of a panel beside the rows, which have so many columns with it.
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

  /// Returns the height of the editor: two fifths of the room, or all of it where that is too little for two panes.
  static func editorRows(of rows: Int, hasFocus: Bool) -> Int {
    if rows < 8 { return hasFocus ? rows : 0 }
    return max(3, rows * 2 / 5)
  }
}

extension Rect {
  static let none = Rect(column: 0, row: 0, columns: 0, rows: 0)
}
