/// One cell of the screen.
public struct Cell: Hashable, Sendable {
  /// A grapheme cluster; empty in the second cell of a wide one.
  public var text: String
  public var style: Style

  public static let blank = Cell(text: " ", style: .plain)

  public init(text: String, style: Style) {
    self.text = text
    self.style = style
  }
}

/// A picture of the screen: a grid of cells and the place of the cursor.
///
/// Drawing outside of the surface, or of the clip, does nothing. A wide cluster that would be cut in half is drawn as a blank.
public struct Surface: Hashable, Sendable {
  public let size: Size
  /// Where the terminal's cursor is shown; nil hides it.
  public var cursor: Point?
  /// Nothing is drawn outside of it.
  public private(set) var clip: Rect
  private var cells: [Cell]

  public init(size: Size) {
    let size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
    self.size = size
    clip = Rect(size)
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  public var bounds: Rect { Rect(size) }

  /// The cell in `column` of `row`; a place outside reads as blank.
  public subscript(column: Int, row: Int) -> Cell {
    bounds.contains(Point(column: column, row: row)) ? cells[row * size.columns + column] : .blank
  }

  /// The cells of a row, from left to right; none for a row outside.
  public func cells(inRow row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return cells[(row * size.columns)..<((row + 1) * size.columns)]
  }

  /// Draws with nothing outside of `rect` (and of the present clip) being touched.
  public mutating func clipped(to rect: Rect, _ draw: (inout Surface) -> Void) {
    let outer = clip
    clip = outer.intersection(rect)
    draw(&self)
    clip = outer
  }

  /// Blanks `rect` in `style`.
  public mutating func fill(_ rect: Rect, style: Style) {
    let area = rect.intersection(clip)
    for row in area.row..<max(area.row, area.endRow) {
      for column in area.column..<max(area.column, area.endColumn) {
        put(Cell(text: " ", style: style), column: column, row: row)
      }
    }
  }

  /// Writes `text` on one row from `point` on, never past `limit` columns, and returns the number of columns it took.
  ///
  /// Control characters are shown as pictures (`␛`), so no text can move the cursor or end its row.
  @discardableResult
  public mutating func write(_ text: String, at point: Point, limit: Int = .max, style: Style) -> Int {
    var used = 0
    for character in text {
      let glyph = TextWidth.glyph(for: character)
      let width = TextWidth.columns(of: glyph)
      guard width > 0 else { continue }
      if used + width > limit || point.column + used >= clip.endColumn { break }
      put(glyph, width: width, column: point.column + used, row: point.row, style: style)
      used += width
    }
    return used
  }

  /// Lays `style` over the cells of `rect`, keeping their text.
  public mutating func overlay(_ rect: Rect, style: Style) {
    let area = rect.intersection(clip)
    for row in area.row..<max(area.row, area.endRow) {
      for column in area.column..<max(area.column, area.endColumn) {
        cells[row * size.columns + column].style = cells[row * size.columns + column].style.overlaid(by: style)
      }
    }
  }

  private mutating func put(_ glyph: Character, width: Int, column: Int, row: Int, style: Style) {
    guard row >= clip.row, row < clip.endRow else { return }
    let fits = column >= clip.column && column + width <= clip.endColumn
    for offset in 0..<width where column + offset >= clip.column && column + offset < clip.endColumn {
      let text = fits ? (offset == 0 ? String(glyph) : "") : " "
      put(Cell(text: text, style: style), column: column + offset, row: row)
    }
  }

  /// Sets one cell; the other half of a wide cluster that this cuts becomes a blank.
  private mutating func put(_ cell: Cell, column: Int, row: Int) {
    let index = row * size.columns + column
    if cells[index].text.isEmpty, !cell.text.isEmpty, column > 0 {
      cells[index - 1].text = " "
    }
    if !cell.text.isEmpty, column + 1 < size.columns, cells[index + 1].text.isEmpty {
      cells[index + 1].text = " "
    }
    cells[index] = cell
  }
}
