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
  var grid: GridPane?
  /// A table that could not be opened, shown in the grid's place.
  var failure: OpeningFailure?
  /// How often others have been seen to write to the files.
  var fileChanges = 0
  /// What the title says while the file on the screen is not the one that is there; nil where it is.
  var fileBadge: String?
  var opening: Opening?
  /// The tables that are to be counted for the catalog, once nothing is being opened.
  var uncounted: [TableReference] = []
  var trail = Trail()
  var sql = SQLPane()
  var focus = Focus.catalog
  var isCatalogShown = true
  /// What lies over catalog and grid, the last on top.
  var overlays: [Overlay] = []
  var prompt: Prompt?
  var search: Search?
  var copying: Copying?
  var memory: Memory
  /// How tables were looked at in former starts, of those that have not been shown yet.
  var formerViews: [String: Memory.TableView]
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
  /// Whether the program ends once the transaction has, or what runs.
  var isLeaving = false
  /// Whether the program is to end.
  public internal(set) var hasEnded = false
  /// What made it end; nil while it runs, and where the person wanted it.
  public internal(set) var ending: Ending?

  enum Focus: Hashable, Sendable { case catalog, editor, grid }

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
    grid?.extent = GridPane.extent(in: layout.grid)
    grid?.revealCursor()
    grid?.growColumns(glyphs: look.glyphs)
    grid?.revealCursor()
    sql.editor.extent = sql.editor.extent(in: layout.editor)
    for index in overlays.indices { overlays[index].applyLayout(layout) }
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

/// A line of text asked for at the foot of the screen.
struct Prompt: Hashable, Sendable {
  /// What the text is for.
  enum Purpose: Hashable, Sendable {
    case find
    case filterName
    case openFile
    case saveText
  }

  var purpose: Purpose
  var label: String
  var placeholder: String
  /// How many screens lie under it: with one more over it, that one has the keys.
  var depth = 0
  var field = TextField()
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

/// The grids that one came from, and those that one went back from.
struct Trail: Hashable, Sendable {
  static let limit = 50
  private(set) var back: [GridPane] = []
  private(set) var forward: [GridPane] = []

  /// Keeps the grid that is left for a new one; returns the grids that nobody can reach any more.
  mutating func leave(_ grid: GridPane) -> [GridID] {
    var dropped = forward.map(\.id)
    forward = []
    back.append(grid)
    if back.count > Trail.limit { dropped.append(back.removeFirst().id) }
    return dropped
  }

  /// What was looked for last in a set of rows.
  func needle(in rowSet: RowSet) -> Needle? {
    (forward + back).last { $0.rowSet == rowSet && $0.needle != nil }?.needle
  }

  mutating func goBack(from grid: GridPane?) -> GridPane? {
    guard let previous = back.popLast() else { return nil }
    if let grid { forward.append(grid) }
    return previous
  }

  mutating func goForward(from grid: GridPane?) -> GridPane? {
    guard let next = forward.popLast() else { return nil }
    if let grid { back.append(grid) }
    return next
  }
}

/// A screen that lies over catalog and grid.
enum Overlay: Hashable, Sendable {
  case record(RecordScreen)
  case details(DetailsScreen)
  case picker(Picker)
  /// The themes, and the one to return to where none is taken.
  case themes(Picker, before: String)
  /// The parameters of what is to run.
  case form(ParameterForm)

  mutating func applyLayout(_ layout: ScreenLayout) {
    switch self {
    case .record(var screen):
      let inside = layout.body.inset(columns: 2, rows: 1)
      screen.room = GridExtent(rows: max(1, inside.rows), columns: inside.columns)
      self = .record(screen)
    case .details(var screen):
      screen.height = max(1, layout.body.rows - 2)
      self = .details(screen)
    case .picker(var picker):
      picker.height = picker.listHeight(in: layout.body)
      self = .picker(picker)
    case .themes(var picker, let before):
      picker.height = picker.listHeight(in: layout.body)
      self = .themes(picker, before: before)
    case .form: break
    }
  }

  /// The list in it; nil for a screen without one.
  var picker: Picker? {
    switch self {
    case .picker(let picker), .themes(let picker, _): picker
    case .record, .details, .form: nil
    }
  }

  /// Returns the overlay with another state of its list.
  func replacing(_ picker: Picker) -> Overlay {
    switch self {
    case .picker: .picker(picker)
    case .themes(_, let before): .themes(picker, before: before)
    case .record, .details, .form: self
    }
  }
}
