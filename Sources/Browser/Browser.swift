public import QuarryEngine
public import Terminal

/// The program less its terminal: one value, changed by messages, that says what is to be done and what is to be seen.
///
/// `update(_:)` does no input or output: it returns effects, and somebody else tells of their results by messages.
public struct Browser: Sendable {
  let options: BrowserOptions
  let themes: ThemeCatalog
  private(set) var keymap: Keymap
  var look: Look
  var size: Size

  var catalog = CatalogPane()
  var rows = RowsScreen()
  /// How often others have been seen to write to the files.
  var fileChanges = 0
  /// What the title says while the file on the screen is not the one that is there; nil where it is.
  var fileBadge: String?
  /// The tables that are to be counted for the catalog, once nothing is being opened.
  var uncounted: [TableReference] = []
  var sql = SQLPane()
  var focus = Focus.catalog
  var isCatalogShown = true
  /// What lies over catalog and grid, the last on top.
  var overlays: [StackedScreen] = []
  var memory: Memory
  /// How tables were looked at in former starts, of those that have not been shown yet.
  var formerViews: [String: Memory.TableView]
  /// Whether the texts in the editor are to be noted in the memory.
  var areTextsChanged = false
  /// The memory as it was saved last.
  var savedMemory: Memory

  /// Whose lock is waited for; nil where none is.
  var lockWait: LockWait?
  var pendingKeys: [Key] = []
  /// The column whose header the mouse's button was pressed on, until it moves.
  var pressedHeader: Int?
  var count: Int?
  var notice: Notice?
  private var nextGrid = 0
  /// What has been asked of the session and not been answered yet.
  var requests = RequestTable()
  /// What is to be done about the message that is being handled.
  var outbox: [Effect] = []
  var lastScreen = ScreenID.rows.number
  /// Whether the program ends once the transaction has, or what runs.
  var isLeaving = false
  /// Whether the program is to end.
  public internal(set) var hasEnded = false
  /// What made it end; nil while it runs, and where the person wanted it.
  public internal(set) var ending: Ending?

  enum Focus: Hashable, Sendable { case catalog, editor, grid }

  // What the pane of rows holds.
  var grid: GridPane? {
    get { rows.grid }
    _modify { yield &rows.grid }
  }
  var failure: OpeningFailure? {
    get { rows.failure }
    _modify { yield &rows.failure }
  }
  var opening: Opening? {
    get { rows.opening }
    _modify { yield &rows.opening }
  }
  var search: Search? {
    get { rows.search }
    _modify { yield &rows.search }
  }
  var copying: Copying? {
    get { rows.copying }
    _modify { yield &rows.copying }
  }

  public init(
    options: BrowserOptions, size: Size, themes: ThemeCatalog, theme: Theme, keymap: Keymap, memory: Memory = Memory(),
    warnings: [ConfigurationWarning] = []
  ) {
    self.options = options
    self.memory = memory
    savedMemory = memory
    formerViews = memory.views
    self.size = size
    self.themes = themes
    self.keymap = keymap
    self.keymap.isASCII = options.isASCII
    look = Look(theme: theme, glyphs: options.isASCII ? .ascii : .unicode)
    if let first = warnings.first {
      let more = warnings.count > 1 ? " (and \(warnings.count - 1) more: see quarry config)" : ""
      notice = Notice(first.description + more, .warning)
    }
    sql.restore(memory.buffers)
    applyLayout()
  }

  /// Returns what is to be done first.
  public mutating func start() -> [Effect] {
    guard let table = options.table else { return [.watchFiles, .loadCatalog] }
    focus = .grid
    return [.watchFiles, .loadCatalog] + open(RowSet(.table(table)), title: table.name, view: options.view.isPlain ? nil : options.view)
  }

  /// Returns a number for a new grid.
  mutating func makeGridID() -> GridID {
    nextGrid += 1
    return GridID(number: nextGrid)
  }

  /// Gives every pane the room that the screen has for it.
  mutating func applyLayout() {
    let layout = ScreenLayout(self)
    catalog.height = max(1, layout.catalog.rows - (catalog.filter == nil ? 0 : 1))
    let glyphs = look.glyphs
    grid?.extent = GridPane.extent(in: layout.grid)
    grid?.revealCursor()
    grid?.growColumns(glyphs: glyphs)
    grid?.revealCursor()
    sql.editor.extent = sql.editor.extent(in: layout.editor)
    let environment = environment
    for index in overlays.indices { overlays[index].screen.layOut(in: layout.body, environment) }
  }
}

/// What the command line and the settings say of a session.
public struct BrowserOptions: Hashable, Sendable {
  /// What the title says is open: the file's name.
  public var title: String
  /// What the title says besides: `read-only`.
  public var badge: String?
  public var isASCII: Bool
  /// The columns of the catalog, where the screen has room for them.
  public var catalogWidth: Int
  /// The table to open first.
  public var table: TableReference?
  /// The names of the columns to show of it, in their order; all where it is empty.
  public var columns: [String]
  /// How its rows are seen first; a plain view leaves it to what is remembered.
  public var view: RowView

  public init(
    title: String, badge: String? = nil, isASCII: Bool = false, catalogWidth: Int = 30, table: TableReference? = nil, columns: [String] = [],
    view: RowView = RowView()
  ) {
    self.title = title
    self.badge = badge
    self.isASCII = isASCII
    self.catalogWidth = catalogWidth
    self.table = table
    self.columns = columns
    self.view = view
  }
}

/// A sentence for the person at the screen; the next key takes it away.
struct Notice: Hashable, Sendable {
  var text: String
  /// `success`, `warning`, `error` or `muted`.
  var role: Role

  init(_ text: String, _ role: Role = .muted) {
    self.text = text
    self.role = role
  }
}

/// A table that is being opened.
struct Opening: Hashable, Sendable {
  var id: GridID
  var rowSet: RowSet
  var view = RowView()
  var title: String
  /// Whether a failure is shown in the grid's place, or only told of.
  var isFailureShown: Bool
  /// The grid whose rows these are in another view; nil for other rows.
  var replaced: GridID?
  /// The row under the cursor when it began, of the grid that is replaced.
  var row: RowKey?
  /// The changes of the files that had been seen when it began.
  var fileChanges = 0
  /// How far the reading is that the first rows need, where that takes long.
  var progress: RowProgress?
}

/// What is shown where a table could not be opened.
struct OpeningFailure: Hashable, Sendable {
  var title: String
  var problem: Problem
}

/// A screen that lies over catalog and grid, with the number that answers come back by.
struct StackedScreen: Sendable {
  let id: ScreenID
  var screen: any Screen
}
