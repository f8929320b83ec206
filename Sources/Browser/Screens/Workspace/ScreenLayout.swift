import Terminal

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
