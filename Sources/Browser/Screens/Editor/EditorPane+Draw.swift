import Terminal

extension EditorPane {
  /// Less room than this for the text and there are no line numbers.
  private static let leastTextColumns = 8

  /// The cells at the left for the mark of the statement and the line numbers, with a blank after them.
  private func gutter(in area: Rect) -> Int {
    let gutter = max(2, String(buffer.lines.count).utf8.count) + 2
    return area.columns < gutter + Self.leastTextColumns ? 0 : gutter
  }

  /// The room for text in `area`.
  func extent(in area: Rect) -> GridExtent {
    // An editor that is not shown stays as it is.
    guard !area.isEmpty else { return extent }
    return GridExtent(rows: max(1, area.rows), columns: max(1, area.columns - gutter(in: area)))
  }

  /// Puts the caret at a point of the screen, or as near as there is text.
  mutating func moveCaret(to point: Point, area: Rect, selecting: Bool = false) {
    let extent = extent(in: area)
    let layout = buffer.layout(columns: extent.columns)
    let sight = sight.following(buffer.caret, in: layout, height: extent.rows)
    let row = layout.row(point.row - area.row, below: sight.topRow(in: layout))
    let place = layout.place(on: row, column: max(0, point.column - area.column - gutter(in: area)))
    change { $0.move(to: place, selecting: selecting) }
  }

  /// Draws the lines in sight with their numbers, and puts the terminal's cursor on the caret.
  ///
  /// - Parameters:
  ///   - statement: The bytes of the statement that would run, marked beside the line numbers.
  ///   - placeholder: Stands where there is no text.
  func draw(
    into surface: inout Surface, area: Rect, hasFocus: Bool, statement: Range<Int>?, placeholder: String = "", appearance: Appearance
  ) {
    surface.fill(area, style: appearance.theme.style(.text))
    guard !area.isEmpty else { return }
    let painter = EditorPainter(pane: self, area: area, gutter: gutter(in: area), statement: statement, appearance: appearance)
    surface.clipped(to: area) { painter.draw(into: &$0) }
    if isEmpty {
      let text = TextWidth.truncated(placeholder, to: painter.area.columns, ellipsis: appearance.glyphs.ellipsis)
      surface.write(text, at: Point(column: painter.area.column, row: area.row), style: appearance.theme.style(.muted))
    }
    if hasFocus { surface.cursor = painter.caret }
  }
}
