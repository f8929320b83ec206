/// The cells of the caret on its line: as many as the character that it is on.
struct EditorCaret: Hashable, Sendable {
  var column = 0
  var columns = 1

  init() {}

  init(_ buffer: TextBuffer) {
    let line = buffer.lines[buffer.caret.line]
    column = buffer.caretColumn
    guard buffer.caret.offset < line.count else { return }
    columns = TextLine.columns(of: line.text[line.index(buffer.caret.offset)], at: column)
  }
}

/// The first line of a text that is in sight, and the first column of the caret's line; other lines are seen from their beginning.
struct EditorSight: Hashable, Sendable {
  var top = 0
  var left = 0

  /// Returns the first column of a line that is in sight.
  func left(ofLine line: Int, in buffer: TextBuffer) -> Int {
    line == buffer.caret.line ? left : 0
  }

  /// Returns the nearest sight that has the caret in it, with some of what is before it, and that wastes no room.
  func following(_ caret: EditorCaret, of buffer: TextBuffer, extent: GridExtent) -> EditorSight {
    let line = buffer.caret.line
    // Where the line goes on after the caret there is a mark for that.
    let goesOn = extent.columns > 3 && buffer.lines[line].next(after: buffer.caret.offset) < buffer.lines[line].count
    let end = caret.column + min(caret.columns, extent.columns) + (goesOn ? 1 : 0)
    return EditorSight(
      top: max(line - extent.rows + 1, min(top, line, max(0, buffer.lines.count - extent.rows)), 0),
      left: end <= extent.columns ? 0 : max(end - extent.columns, min(left, max(0, caret.column - extent.columns / 4))))
  }
}
