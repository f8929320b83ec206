import Terminal

extension TextField {
  /// Draws the field on one row, scrolled so that the caret is in sight, and puts the terminal's cursor on it.
  ///
  /// - Parameter mark: Characters to lay a style over, as the fault in a filter; the place after the last counts as one.
  /// - Returns: The column at which the marked characters begin, as far as they are in sight; else the one of the caret.
  @discardableResult
  func draw(
    into surface: inout Surface, at point: Point, columns: Int, style: Style, placeholder: String = "", placeholderStyle: Style = .plain,
    mark: (characters: Range<Int>, style: Style)? = nil
  ) -> Int {
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
    let place = Point(column: point.column + used, row: point.row)
    surface.cursor = surface.clip.contains(place) ? place : nil
    guard let mark, mark.characters.upperBound >= first else { return point.column + used }
    let start = width(first..<max(first, mark.characters.lowerBound))
    let length = max(1, width(max(first, mark.characters.lowerBound)..<max(first, mark.characters.upperBound)))
    let marked = Rect(column: point.column + start, row: point.row, columns: min(length, max(0, columns - start)), rows: 1)
    surface.overlay(marked, style: mark.style)
    return point.column + min(start, columns)
  }

  private func width(_ range: Range<Int>) -> Int {
    characters[range].reduce(0) { $0 + TextWidth.columns(of: TextWidth.glyph(for: $1)) }
  }
}
