import QuarryEngine
import Terminal

/// The current line of a list, and the part of the list that is in sight.
package struct ListCursor: Hashable, Sendable {
  /// The index of the current line.
  package private(set) var index = 0
  /// The index of the first line in sight.
  package private(set) var top = 0
  /// The number of lines in sight.
  private(set) var height = 1

  /// Returns the number of the current line among so many, as the last line shows it: `2 of 12`; nil for an empty list.
  func position(of count: Int) -> String? {
    count > 0 ? "\(Plural.grouped(index + 1)) of \(Plural.grouped(count))" : nil
  }

  /// Takes note of how many lines are in sight, and of how many there are.
  mutating func layOut(height: Int, of count: Int) {
    self.height = max(1, height)
    move(by: 0, of: count)
  }

  /// Moves to another line, and brings it into sight.
  mutating func move(by step: Int, of count: Int) { move(to: index + step, of: count) }

  /// Moves to a line, and brings it into sight.
  mutating func move(to line: Int, of count: Int) {
    index = min(max(0, line), max(0, count - 1))
    top = max(min(top, index), index - height + 1)
    top = max(0, min(top, count - height))
  }

  /// Moves the part in sight; the current line stays in it.
  mutating func scroll(by step: Int, of count: Int) {
    top = min(max(0, top + step), max(0, count - height))
    index = min(max(index, top), max(0, min(top + height, count) - 1))
  }
}

extension StyledLine {
  /// Draws the line as one of a list: the current one has the cursor before it, and is marked where the list has the focus.
  func drawListed(into surface: inout Surface, row: Rect, isCurrent: Bool, hasFocus: Bool, appearance: Appearance) {
    let base: Role = isCurrent && hasFocus ? .selection : .text
    surface.fill(row, style: appearance.theme.style(base))
    if isCurrent {
      surface.write(
        appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), limit: 1, style: appearance.theme.style(.accent, on: base))
    }
    draw(into: &surface, at: Point(column: row.column + 2, row: row.row), columns: row.columns - 2, base: base, appearance: appearance)
  }
}
