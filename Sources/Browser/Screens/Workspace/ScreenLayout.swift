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
  /// The line under the editor, for its results.
  var results: Rect
  var grid: Rect
  /// The filter bar under the grid; empty where there is no room or no grid.
  var bar: Rect
  var footer: Rect

  /// The grid with the bar under it.
  var gridWithBar: Rect {
    Rect(column: grid.column, row: grid.row, columns: grid.columns, rows: grid.rows + bar.rows)
  }

  /// Where the list of completions of the editor may lie.
  var editorWithGrid: Rect {
    Rect(column: editor.column, row: editor.row, columns: editor.columns, rows: editor.rows + results.rows + grid.rows + bar.rows)
  }

  /// Below this width catalog and grid take turns.
  static let narrow = 60

  init(_ browser: Browser) {
    var rest = Rect(browser.size)
    title = rest.removeTop(rest.rows > 2 ? 1 : 0)
    footer = rest.removeBottom(rest.rows > 1 ? 1 : 0)
    body = rest
    let isNarrow = rest.columns < ScreenLayout.narrow
    switch (browser.isCatalogShown || browser.focus == .catalog, isNarrow) {
    case (true, true) where browser.focus == .catalog:
      (catalog, border, grid) = (rest, .none, .none)
    case (true, false):
      catalog = rest.removeLeft(min(browser.options.catalogWidth, rest.columns * 2 / 5))
      border = rest.removeLeft(1)
      grid = rest
    default:
      (catalog, border, grid) = (.none, .none, rest)
    }
    let editorRows = browser.sql.isShown ? ScreenLayout.editorRows(of: grid.rows, hasFocus: browser.focus == .editor) : 0
    editor = grid.removeTop(editorRows)
    results = grid.removeTop(editorRows > 0 && grid.rows > 0 ? 1 : 0)
    bar = grid.removeBottom(browser.grid?.bar.height(in: grid, mendKey: browser.keyHint(.applyReplacement, in: .bar), look: browser.look) ?? 0)
  }

  /// Two fifths of the room, or all of it where that is too little for two panes.
  private static func editorRows(of rows: Int, hasFocus: Bool) -> Int {
    if rows < 8 { return hasFocus ? rows : 0 }
    return max(3, rows * 2 / 5)
  }
}

extension Rect {
  static let none = Rect(column: 0, row: 0, columns: 0, rows: 0)
}
