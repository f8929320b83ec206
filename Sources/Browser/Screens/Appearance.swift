import Terminal

/// The theme and the glyphs of the screen.
package struct Appearance: Sendable {
  package var theme: Theme
  var glyphs: Glyphs
  /// Whether cells omit times of 00:00:00 in columns without other times.
  var hidesEmptyTimes: Bool

  package init(theme: Theme, glyphs: Glyphs, hidesEmptyTimes: Bool = true) {
    self.theme = theme
    self.glyphs = glyphs
    self.hidesEmptyTimes = hidesEmptyTimes
  }

  /// Returns a message; with ASCII glyphs, its marks are converted to plain ASCII.
  func sentence(_ text: String) -> String {
    guard glyphs == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { $0 += Appearance.asciiMarks[$1] ?? String($1) }
  }

  private static let asciiMarks: [Character: String] = [
    "“": "\"", "”": "\"", "‘": "'", "’": "'", "…": "...", "·": "-", "×": "x", "→": "->", "–": "-", "—": "-", "≥": ">=", "≤": "<=",
    "≈": "~", "±": "+-", "⏎": "Enter", "−": "-", "≠": "!=",
  ]

  /// Returns the mark before a number of rows.
  ///
  /// - Parameters:
  ///   - isComplete: Whether all rows have been read.
  ///   - sawChanges: Whether other programs have changed the data in the meantime.
  func bound(isComplete: Bool, sawChanges: Bool) -> String {
    isComplete ? sawChanges ? sentence("≈ ") : "" : atLeast
  }

  /// The mark before a number that is a lower bound.
  var atLeast: String { glyphs == .ascii ? ">= " : "≥ " }
}

/// The marks on the screen, in Unicode or in plain ASCII.
package struct Glyphs: Hashable, Sendable {
  var vertical, horizontal, topLeft, topRight, bottomLeft, bottomRight: String
  var unfolded, folded, cursor, key, reference, referring, null, ellipsis, dot, frozen, scrollLeft, scrollRight, wrapped, bar, prompt,
    hiddenTime, computed, open: String
  var right, wrong, lamp, ascending, descending: String

  /// The text between two parts of a line.
  var separator: String { " \(dot) " }

  package static let unicode = Glyphs(
    vertical: "│", horizontal: "─", topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯",
    unfolded: "▾", folded: "▸", cursor: "▌", key: "◆", reference: "→", referring: "←", null: "∅", ellipsis: "…", dot: "·", frozen: "┃",
    scrollLeft: "‹", scrollRight: "›", wrapped: "↳", bar: "█", prompt: "›", hiddenTime: "◔", computed: "ƒ", open: "●",
    right: "✓", wrong: "✗", lamp: "●", ascending: "▲", descending: "▼")

  package static let ascii = Glyphs(
    vertical: "|", horizontal: "-", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
    unfolded: "-", folded: "+", cursor: ">", key: "*", reference: "->", referring: "<-", null: "NULL", ellipsis: "~", dot: "-", frozen: "#",
    scrollLeft: "<", scrollRight: ">", wrapped: "\\", bar: "#", prompt: ":", hiddenTime: "@", computed: "=", open: "*",
    right: "ok", wrong: "!!", lamp: "o", ascending: "+", descending: "-")
}

/// A framed area with a title.
enum Box {
  /// Returns a rectangle of at most this extent in the middle of `area`, nearer to its top.
  static func centered(in area: Rect, columns: Int, rows: Int) -> Rect {
    let columns = min(columns, area.columns)
    let rows = min(rows, area.rows)
    return Rect(
      column: area.column + (area.columns - columns) / 2, row: area.row + (area.rows - rows) / 3, columns: columns, rows: rows)
  }

  /// Clears `rect` and frames it, with the title in the upper edge and `footer` in the lower one.
  ///
  /// - Parameter hasFocus: Whether the title has the accent color of a focused screen.
  static func draw(
    into surface: inout Surface, rect: Rect, title: String, footer: String = "", hasFocus: Bool = true, appearance: Appearance
  ) {
    let border = appearance.theme.style(.border)
    let glyphs = appearance.glyphs
    surface.fill(rect, style: appearance.theme.style(.text))
    guard rect.columns >= 2, rect.rows >= 2 else { return }
    let line = String(repeating: glyphs.horizontal, count: rect.columns - 2)
    surface.write(glyphs.topLeft + line + glyphs.topRight, at: Point(column: rect.column, row: rect.row), style: border)
    surface.write(glyphs.bottomLeft + line + glyphs.bottomRight, at: Point(column: rect.column, row: rect.endRow - 1), style: border)
    for row in (rect.row + 1)..<max(rect.row + 1, rect.endRow - 1) {
      surface.write(glyphs.vertical, at: Point(column: rect.column, row: row), style: border)
      surface.write(glyphs.vertical, at: Point(column: rect.endColumn - 1, row: row), style: border)
    }
    let room = max(0, rect.columns - 6)
    if !title.isEmpty {
      let text = TextWidth.truncated(title, to: room, ellipsis: glyphs.ellipsis)
      let start = Point(column: rect.column + 2, row: rect.row)
      surface.fill(
        Rect(column: start.column, row: start.row, columns: TextWidth.columns(of: text) + 2, rows: 1), style: appearance.theme.style(.text))
      surface.write(
        text, at: Point(column: start.column + 1, row: start.row), limit: room, style: appearance.theme.style(hasFocus ? .accent : .muted))
    }
    if !footer.isEmpty {
      let text = " \(TextWidth.truncated(footer, to: room, ellipsis: glyphs.ellipsis)) "
      let start = max(rect.column + 2, rect.endColumn - 2 - TextWidth.columns(of: text))
      surface.write(text, at: Point(column: start, row: rect.endRow - 1), limit: room + 2, style: appearance.theme.style(.muted))
    }
  }

  /// Draws a line in the row above an area, which separates it from a list.
  static func drawRule(into surface: inout Surface, above area: Rect, appearance: Appearance) {
    surface.write(
      String(repeating: appearance.glyphs.horizontal, count: area.columns), at: Point(column: area.column, row: area.row - 1),
      style: appearance.theme.style(.border))
  }

  /// Draws marks at the right edge of a box whose list has more lines above or below.
  ///
  /// - Parameters:
  ///   - top: The first place of the list at the edge.
  ///   - bottom: The row of its last line.
  static func drawScrollMarks(
    into surface: inout Surface, top: Point, bottom: Int, isMoreAbove: Bool, isMoreBelow: Bool, appearance: Appearance
  ) {
    let style = appearance.theme.style(.accent)
    let isASCII = appearance.glyphs == .ascii
    if isMoreAbove { surface.write(isASCII ? "^" : "▲", at: top, style: style) }
    if isMoreBelow { surface.write(isASCII ? "v" : "▼", at: Point(column: top.column, row: bottom), style: style) }
  }
}
