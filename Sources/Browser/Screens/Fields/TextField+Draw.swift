import Terminal

extension TextField {
  /// Draws the field on one row, scrolled so that the caret is in sight, and puts the terminal's cursor on it.
  func draw(into surface: inout Surface, at point: Point, columns: Int, style: Style, placeholder: String = "", placeholderStyle: Style = .plain) {
    let area = Rect(column: point.column, row: point.row, columns: columns, rows: 1)
    surface.fill(area, style: style)
    if isEmpty { surface.write(placeholder, at: point, limit: columns, style: placeholderStyle) }
    var first = 0
    var used = width(first..<caret)
    while used >= columns, first < caret {
      used -= width(first..<(first + 1))
      first += 1
    }
    surface.write(String(characters[first...]), at: point, limit: columns, style: style)
    surface.cursor = Point(column: point.column + used, row: point.row)
  }

  private func width(_ range: Range<Int>) -> Int {
    characters[range].reduce(0) { $0 + TextWidth.columns(of: TextWidth.glyph(for: $1)) }
  }
}
