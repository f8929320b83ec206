/// A row of the screen in a text that is wrapped: one of the rows of a line.
struct TextRow: Hashable, Comparable, Sendable {
  var line: Int
  /// The rows of the line before it.
  var row: Int

  static func < (left: TextRow, right: TextRow) -> Bool {
    (left.line, left.row) < (right.line, right.row)
  }
}

/// A text wrapped at a width: takes places in the text to rows of the screen, and back.
///
/// Only the lines that are asked about are wrapped.
struct TextLayout: Sendable {
  let lines: [TextLine]
  let columns: Int

  func rows(ofLine line: Int) -> LineRows { lines[line].rows(columns: columns) }

  /// The last row of the text.
  var last: TextRow { TextRow(line: lines.count - 1, row: rows(ofLine: lines.count - 1).count - 1) }

  /// Returns the row that a place is on.
  func row(of place: TextPosition) -> TextRow {
    TextRow(line: place.line, row: rows(ofLine: place.line).row(of: place.offset))
  }

  /// Returns the cells before a place on its row.
  func column(of place: TextPosition) -> Int {
    let rows = rows(ofLine: place.line)
    return lines[place.line].columns(from: rows[rows.row(of: place.offset)].lowerBound, before: place.offset)
  }

  /// Returns where a row begins.
  func start(of row: TextRow) -> TextPosition {
    TextPosition(line: row.line, offset: rows(ofLine: row.line)[row.row].lowerBound)
  }

  /// Returns the last place on a row that has no more than so many cells before it.
  func place(on row: TextRow, column: Int) -> TextPosition {
    let line = lines[row.line]
    let rows = rows(ofLine: row.line)
    let bytes = rows[row.row]
    // The place after the last character of a row is on the next one.
    let last = row.row < rows.count - 1 ? line.previous(before: bytes.upperBound) : bytes.upperBound
    let stop = line.stop(atColumn: column, from: TextLine.Stop(offset: bytes.lowerBound))
    return TextPosition(line: row.line, offset: min(stop.offset, last))
  }

  /// Returns the row so many rows below another one, or above it if negative, or the nearest one that there is.
  func row(_ count: Int, below row: TextRow) -> TextRow {
    var (line, place) = (row.line, row.row + count)
    while place < 0 {
      guard line > 0 else { return TextRow(line: 0, row: 0) }
      line -= 1
      place += rows(ofLine: line).count
    }
    while true {
      let rows = rows(ofLine: line).count
      if place < rows { return TextRow(line: line, row: place) }
      guard line + 1 < lines.count else { return TextRow(line: line, row: rows - 1) }
      line += 1
      place -= rows
    }
  }

  /// Returns how many rows `end` is below `start`, negative if it is above.
  func rows(from start: TextRow, to end: TextRow) -> Int {
    guard start <= end else { return -rows(from: end, to: start) }
    return (start.line..<end.line).reduce(end.row - start.row) { $0 + rows(ofLine: $1).count }
  }
}

extension TextBuffer {
  /// Returns the text wrapped into rows of so many columns.
  func layout(columns: Int) -> TextLayout { TextLayout(lines: lines, columns: columns) }
}

/// What of a text is in sight.
struct Viewport: Hashable, Sendable {
  /// Where the first row in sight begins, at the width that the text had; at any width the row that it is on is the first.
  var top = TextPosition(line: 0, offset: 0)

  /// Returns the first row in sight.
  func topRow(in layout: TextLayout) -> TextRow {
    top.line < layout.lines.count ? layout.row(of: top) : layout.last
  }

  /// Returns the sight moved down by so many rows, as far as there is text for all of its height.
  func scrolled(by rows: Int, in layout: TextLayout, height: Int) -> Viewport {
    guard rows != 0 else { return self }
    return Viewport(top: layout.start(of: filled(layout.row(rows, below: topRow(in: layout)), in: layout, height: height)))
  }

  /// Returns the nearest sight that has a place of the text in it, and that wastes no room.
  func following(_ caret: TextPosition, in layout: TextLayout, height: Int) -> Viewport {
    let caret = layout.row(of: caret)
    var top = min(topRow(in: layout), caret)
    if layout.row(height - 1, below: top) < caret { top = layout.row(1 - height, below: caret) }
    return Viewport(top: layout.start(of: filled(top, in: layout, height: height)))
  }

  /// Returns the row, or the one above it from which on there are as many rows as there is room for.
  private func filled(_ top: TextRow, in layout: TextLayout, height: Int) -> TextRow {
    // Where so many lines follow, with a row each at least, there is no need to look for the end.
    layout.lines.count - top.line >= height ? top : min(top, layout.row(1 - height, below: layout.last))
  }
}
