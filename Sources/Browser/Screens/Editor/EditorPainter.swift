import QuarryEngine
import Terminal

/// Draws what is in sight of an editor.
struct EditorPainter {
  private let buffer: TextBuffer
  private let parentheses: [TextPlace]
  private let fault: Range<Int>?
  private let statement: Range<Int>?
  private let sight: EditorSight
  private let gutter: Rect
  /// Where the text is.
  let area: Rect
  /// The cell of the caret.
  let caret: Point
  private let look: Look

  init(pane: EditorPane, area: Rect, gutter: Int, statement: Range<Int>?, look: Look) {
    var text = area
    self.gutter = text.removeLeft(gutter)
    self.area = text
    buffer = pane.buffer
    parentheses = pane.parentheses
    fault = pane.errorRange
    sight = pane.sight.following(pane.caret, of: pane.buffer, extent: GridExtent(rows: text.rows, columns: text.columns))
    caret = Point(column: text.column + pane.caret.column - sight.left, row: text.row + buffer.caret.line - sight.top)
    self.statement = statement
    self.look = look
  }

  func draw(into surface: inout Surface) {
    var start = buffer.offset(of: TextPlace(line: sight.top, offset: 0))
    for (number, row) in zip(sight.top..<buffer.lines.count, area.row..<area.endRow) {
      let bytes = start..<(start + buffer.lines[number].count + 1)
      drawGutter(ofLine: number, bytes: bytes, into: &surface, row: row)
      let line = Rect(column: area.column, row: row, columns: area.columns, rows: 1)
      surface.clipped(to: line) { drawLine(number, bytes: bytes, into: &$0, row: row) }
      start = bytes.upperBound
    }
  }

  private func drawGutter(ofLine number: Int, bytes: Range<Int>, into surface: inout Surface, row: Int) {
    guard gutter.columns > 0 else { return }
    if let statement, statement.overlaps(bytes) {
      surface.write(look.glyphs.vertical, at: Point(column: gutter.column, row: row), limit: 1, style: look.theme.style(.accent))
    }
    let text = String(number + 1)
    let style = look.theme.style(number == buffer.caret.line ? .accent : .muted)
    surface.write(text, at: Point(column: gutter.endColumn - 1 - text.utf8.count, row: row), style: style)
  }

  private func drawLine(_ number: Int, bytes: Range<Int>, into surface: inout Surface, row: Int) {
    let line = buffer.lines[number]
    let left = sight.left(ofLine: number, in: buffer)
    var stop = line.stop(atColumn: left)
    let end = line.stop(atColumn: left + area.columns, from: stop).offset
    let marks = marks(ofLine: number, from: bytes.lowerBound)
    var spans = line.spans(from: stop.offset, before: end)[...]
    for character in line.text[line.index(stop.offset)...] {
      guard stop.column < left + area.columns else { break }
      spans = spans.drop { $0.range.upperBound <= stop.offset }
      let role = spans.first.map { $0.range.contains(stop.offset) ? $0.kind.role : .text } ?? .text
      let columns = TextLine.columns(of: character, at: stop.column)
      let text = character.utf8.first == 0x09 ? String(repeating: " ", count: columns) : String(character)
      let point = Point(column: area.column + stop.column - left, row: row)
      surface.write(text, at: point, limit: columns, style: marks.style(role, at: stop.offset, look: look))
      stop.column += columns
      stop.offset += character.utf8.count
    }
    // The end of the line shows that it is selected, or that something is missing.
    if stop.offset == line.count, marks.isMarked(stop.offset) {
      let point = Point(column: area.column + stop.column - left, row: row)
      surface.write(" ", at: point, style: marks.style(.text, at: stop.offset, look: look))
    }
    if left > 0 { drawMark(look.glyphs.scrollLeft, at: Point(column: area.column, row: row), into: &surface) }
    if stop.offset < line.count || stop.column > left + area.columns {
      drawMark(look.glyphs.scrollRight, at: Point(column: area.endColumn - 1, row: row), into: &surface)
    }
  }

  /// Tells that a line goes on beyond an edge, but where the caret is.
  private func drawMark(_ glyph: String, at point: Point, into surface: inout Surface) {
    if point != caret { surface.write(glyph, at: point, limit: 1, style: look.theme.style(.muted)) }
  }

  /// What is marked in a line that begins after so many bytes of the text.
  private func marks(ofLine number: Int, from start: Int) -> LineMarks {
    // The place after the last character can be wrong too.
    let wrong = fault.map { ($0.lowerBound - start)..<(max($0.upperBound, $0.lowerBound + 1) - start) }
    let pair = parentheses.filter { $0.line == number }.map(\.offset)
    return LineMarks(selected: selectedBytes(ofLine: number), fault: wrong, parentheses: pair)
  }

  private func selectedBytes(ofLine number: Int) -> Range<Int> {
    guard let range = buffer.selection.range, range.lowerBound.line <= number, number <= range.upperBound.line else { return 0..<0 }
    let start = range.lowerBound.line == number ? range.lowerBound.offset : 0
    return start..<(range.upperBound.line == number ? range.upperBound.offset : buffer.lines[number].count + 1)
  }
}
