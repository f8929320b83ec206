/// A screen row of a wrapped text: one of the rows of a line.
struct TextRow: Hashable, Comparable, Sendable {
  var line: Int
  /// The index of the row within its line.
  var row: Int

  static func < (left: TextRow, right: TextRow) -> Bool {
    (left.line, left.row) < (right.line, right.row)
  }
}

/// A text wrapped at a width: maps positions in the text to screen rows, and back.
///
/// Lines are wrapped on demand.
struct TextLayout: Sendable {
  let lines: [TextLine]
  let columns: Int

  func rows(ofLine line: Int) -> LineRows { lines[line].rows(columns: columns) }

  /// The last row of the text.
  var last: TextRow { TextRow(line: lines.count - 1, row: rows(ofLine: lines.count - 1).count - 1) }

  /// Returns the row of a position.
  func row(of position: TextPosition) -> TextRow {
    TextRow(line: position.line, row: rows(ofLine: position.line).row(of: position.offset))
  }

  /// Returns the number of columns before a position on its row.
  func column(of position: TextPosition) -> Int {
    let rows = rows(ofLine: position.line)
    return lines[position.line].columns(from: rows[rows.row(of: position.offset)].lowerBound, before: position.offset)
  }

  /// Returns the start of a row.
  func start(of row: TextRow) -> TextPosition {
    TextPosition(line: row.line, offset: rows(ofLine: row.line)[row.row].lowerBound)
  }

  /// Returns the last position on a row with at most `column` columns before it.
  func position(on row: TextRow, column: Int) -> TextPosition {
    let line = lines[row.line]
    let rows = rows(ofLine: row.line)
    let bytes = rows[row.row]
    // The position after the last character of a row belongs to the next row.
    let last = row.row < rows.count - 1 ? line.previous(before: bytes.upperBound) : bytes.upperBound
    let stop = line.stop(atColumn: column, from: TextLine.Stop(offset: bytes.lowerBound))
    return TextPosition(line: row.line, offset: min(stop.offset, last))
  }

  /// Returns the row `count` rows below another one, or above it if negative, within the text.
  func row(_ count: Int, below row: TextRow) -> TextRow {
    var (line, index) = (row.line, row.row + count)
    while index < 0 {
      guard line > 0 else { return TextRow(line: 0, row: 0) }
      line -= 1
      index += rows(ofLine: line).count
    }
    while true {
      let rows = rows(ofLine: line).count
      if index < rows { return TextRow(line: line, row: index) }
      guard line + 1 < lines.count else { return TextRow(line: line, row: rows - 1) }
      line += 1
      index -= rows
    }
  }

  /// Returns the number of rows from `start` down to `end`, negative if `end` is above.
  func rows(from start: TextRow, to end: TextRow) -> Int {
    guard start <= end else { return -rows(from: end, to: start) }
    return (start.line..<end.line).reduce(end.row - start.row) { $0 + rows(ofLine: $1).count }
  }
}

extension TextBuffer {
  /// Returns the text wrapped at a width.
  func layout(columns: Int) -> TextLayout { TextLayout(lines: lines, columns: columns) }
}

/// The visible part of a text.
package struct Viewport: Hashable, Sendable {
  /// The start of the first visible row at the former width; at any width its row is the first one.
  package var top = TextPosition(line: 0, offset: 0)

  /// Returns the first visible row.
  func topRow(in layout: TextLayout) -> TextRow {
    top.line < layout.lines.count ? layout.row(of: top) : layout.last
  }

  /// Returns the viewport scrolled down by `rows` rows, as long as the text fills its height.
  func scrolled(by rows: Int, in layout: TextLayout, height: Int) -> Viewport {
    guard rows != 0 else { return self }
    return Viewport(top: layout.start(of: filled(layout.row(rows, below: topRow(in: layout)), in: layout, height: height)))
  }

  /// Returns the nearest viewport that contains a position of the text and leaves no space unused.
  func following(_ caret: TextPosition, in layout: TextLayout, height: Int) -> Viewport {
    let caret = layout.row(of: caret)
    var top = min(topRow(in: layout), caret)
    if layout.row(height - 1, below: top) < caret { top = layout.row(1 - height, below: caret) }
    return Viewport(top: layout.start(of: filled(top, in: layout, height: height)))
  }

  /// Returns the row, or a row above it so that the text fills the height.
  private func filled(_ top: TextRow, in layout: TextLayout, height: Int) -> TextRow {
    // The end does not have to be computed if enough lines follow, with at least one row each.
    layout.lines.count - top.line >= height ? top : min(top, layout.row(1 - height, below: layout.last))
  }
}
