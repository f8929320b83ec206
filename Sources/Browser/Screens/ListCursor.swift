import QuarryEngine
import Terminal

/// The current line of a list, and the visible part of the list.
package struct ListCursor: Hashable, Sendable {
  /// The index of the current line.
  package private(set) var index = 0
  /// The index of the first visible line.
  package private(set) var top = 0
  /// The number of visible lines.
  private(set) var height = 1

  /// Returns the position of the current line in a list of `count` lines: `2 of 12`; nil for an empty list.
  func position(of count: Int) -> String? {
    count > 0 ? "\(Plural.grouped(index + 1)) of \(Plural.grouped(count))" : nil
  }

  /// Updates the number of visible lines and of all lines.
  mutating func layOut(height: Int, of count: Int) {
    self.height = max(1, height)
    move(by: 0, of: count)
  }

  /// Moves to another line and makes it visible.
  mutating func move(by step: Int, of count: Int) { move(to: index + step, of: count) }

  /// Moves to a line and makes it visible.
  mutating func move(to line: Int, of count: Int) {
    index = min(max(0, line), max(0, count - 1))
    top = max(min(top, index), index - height + 1)
    top = max(0, min(top, count - height))
  }

  /// Scrolls the visible part; the current line stays within it.
  mutating func scroll(by step: Int, of count: Int) {
    top = min(max(0, top + step), max(0, count - height))
    index = min(max(index, top), max(0, min(top + height, count) - 1))
  }
}

extension StyledLine {
  /// Draws the line in a list: the cursor precedes the current line, which is highlighted if the list has the focus.
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
