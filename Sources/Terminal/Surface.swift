/// One cell of the screen.
public struct Cell: Hashable, Sendable {
  /// A grapheme cluster, or empty in the second cell of a wide one.
  public var text: String
  public var style: Style

  public static let blank = Cell(text: " ", style: .plain)

  public init(text: String, style: Style) {
    self.text = text
    self.style = style
  }
}

/// An image of the screen: a grid of cells and the position of the cursor.
///
/// Drawing outside the surface or the clip has no effect. A wide cluster has two cells of the same style, and the second one has no text.
/// If only a part of it would be drawn or is overwritten, the rest is blank.
public struct Surface: Hashable, Sendable {
  public let size: Size
  /// The position of the visible cursor, or nil to hide it.
  public var cursor: Point?
  /// The rectangle to which drawing is limited.
  public private(set) var clip: Rect
  private var cells: [Cell]

  public init(size: Size) {
    let size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
    self.size = size
    clip = Rect(size)
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  public var bounds: Rect { Rect(size) }

  /// Returns the cell in `column` of `row`.
  ///
  /// A position outside the surface is blank.
  public subscript(column: Int, row: Int) -> Cell {
    bounds.contains(Point(column: column, row: row)) ? cells[row * size.columns + column] : .blank
  }

  /// Returns the cells of a row from left to right, or none for a row outside the surface.
  public func cells(inRow row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return cells[(row * size.columns)..<((row + 1) * size.columns)]
  }

  /// Limits drawing to `rect` within the current clip.
  ///
  /// Only the rest of a wide cluster that is overwritten may change outside it.
  public mutating func clipped(to rect: Rect, _ draw: (inout Surface) -> Void) {
    let outer = clip
    clip = outer.intersection(rect)
    draw(&self)
    clip = outer
  }

  /// Fills `rect` with spaces in `style`.
  public mutating func fill(_ rect: Rect, style: Style) {
    let area = rect.intersection(clip)
    guard !area.isEmpty else { return }
    let blank = Cell(text: " ", style: style)
    for row in area.row..<area.endRow {
      replace(from: area.column, to: area.endColumn, row: row) { _ in blank }
    }
  }

  /// Writes `text` on one row from `point` on, limited to `limit` columns, and returns the number of columns written.
  ///
  /// Control characters are shown as pictures (`␛`), so that no text can move the cursor or end its row.
  @discardableResult
  public mutating func write(_ text: String, at point: Point, limit: Int = .max, style: Style) -> Int {
    var used = 0
    var glyphs = GlyphIterator(text)
    while used < limit, point.column + used < clip.endColumn, let glyph = glyphs.next(), used + glyph.columns <= limit {
      put(glyph, column: point.column + used, row: point.row, style: style)
      used += glyph.columns
    }
    return used
  }

  /// Applies `style` to the cells of `rect` and keeps their text.
  ///
  /// A wide cluster that is only partly in `rect` keeps its style.
  public mutating func overlay(_ rect: Rect, style: Style) {
    let area = rect.intersection(clip)
    guard !area.isEmpty else { return }
    for row in area.row..<area.endRow {
      let start = row * size.columns
      let first = area.column + (isSecondHalf(area.column, row: row) ? 1 : 0)
      let end = area.endColumn - (isSecondHalf(area.endColumn, row: row) ? 1 : 0)
      for index in (start + first)..<max(start + first, start + end) {
        cells[index].style = cells[index].style.overlaid(by: style)
      }
    }
  }

  private mutating func put(_ glyph: GlyphIterator.Glyph, column: Int, row: Int, style: Style) {
    guard row >= clip.row, row < clip.endRow else { return }
    let first = max(column, clip.column)
    let end = min(column + glyph.columns, clip.endColumn)
    guard first < end else { return }
    let isWhole = end - first == glyph.columns
    replace(from: first, to: end, row: row) { Cell(text: !isWhole ? " " : $0 == column ? glyph.text : "", style: style) }
  }

  /// Sets the cells of `columns` in a row.
  ///
  /// The rest of a wide cluster at either end becomes blank.
  private mutating func replace(from first: Int, to end: Int, row: Int, with cell: (Int) -> Cell) {
    let start = row * size.columns
    if isSecondHalf(first, row: row) { cells[start + first - 1].text = " " }
    if isSecondHalf(end, row: row) { cells[start + end].text = " " }
    for column in first..<end { cells[start + column] = cell(column) }
  }

  private func isSecondHalf(_ column: Int, row: Int) -> Bool {
    column > 0 && column < size.columns && cells[row * size.columns + column].text.isEmpty
  }
}

extension Surface {
  /// Returns the part of the surface visible on a terminal of `size`, with spaces outside of it.
  ///
  /// A wide cluster cut by the edge becomes blank.
  package func cropped(to size: Size) -> Surface {
    guard size != self.size else { return self }
    var cropped = Surface(size: size)
    cropped.cursor = cursor.flatMap { cropped.bounds.contains($0) ? $0 : nil }
    for row in 0..<min(cropped.size.rows, self.size.rows) {
      for column in 0..<min(cropped.size.columns, self.size.columns) {
        let isCut = column + 1 == cropped.size.columns && isSecondHalf(column + 1, row: row)
        let cell = self[column, row]
        cropped.cells[row * size.columns + column] = isCut ? Cell(text: " ", style: cell.style) : cell
      }
    }
    return cropped
  }

  /// Returns the contents of a terminal after it has moved `scroll.region` by `scroll.lines`, with spaces of a style in incoming rows.
  package func scrolled(by scroll: Scroll, filling style: Style = .plain) -> Surface {
    var moved = self
    for row in scroll.region {
      let source = row + scroll.lines
      let cells =
        scroll.region.contains(source) ? Array(cells(inRow: source)) : Array(repeating: Cell(text: " ", style: style), count: size.columns)
      moved.cells.replaceSubrange((row * size.columns)..<((row + 1) * size.columns), with: cells)
    }
    return moved
  }
}

extension Surface {
  /// The rows as text, joined by line feeds, without trailing spaces.
  public var text: String {
    (0..<size.rows).map(text(ofRow:)).joined(separator: "\n")
  }

  /// Returns the text of a row without trailing spaces.
  public func text(ofRow row: Int) -> String {
    let cells = cells(inRow: row)
    let end = cells.lastIndex { $0.text != " " } ?? cells.startIndex - 1
    return cells[cells.startIndex..<(end + 1)].reduce(into: "") { $0 += $1.text }
  }
}
