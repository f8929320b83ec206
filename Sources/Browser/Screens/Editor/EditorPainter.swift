import QuarryEngine
import Terminal

/// The painter of the visible part of an editor.
struct EditorPainter {
  private let buffer: TextBuffer
  private let layout: TextLayout
  private let parentheses: [TextPosition]
  private let fault: Range<Int>?
  private let statement: Range<Int>?
  /// The first visible row.
  private let top: TextRow
  private let gutter: Rect
  /// The area of the text.
  let area: Rect
  /// The position of the caret on the screen.
  let caret: Point
  /// The base role of the text: SQL is highlighted on the base `text`, any other text is not highlighted.
  private let base: Role
  private let appearance: Appearance

  init(
    pane: EditorPane, area: Rect, gutter: Int = 0, statement: Range<Int>? = nil, base: Role = .text, appearance: Appearance
  ) {
    self.base = base
    var text = area
    self.gutter = text.removeLeft(gutter)
    self.area = text
    buffer = pane.buffer
    layout = buffer.layout(columns: text.columns)
    parentheses = pane.parentheses
    fault = pane.errorRange
    top = pane.sight.following(buffer.caret, in: layout, height: text.rows).topRow(in: layout)
    let column = min(layout.column(of: buffer.caret), max(0, text.columns - 1))
    caret = Point(column: text.column + column, row: text.row + layout.rows(from: top, to: layout.row(of: buffer.caret)))
    self.statement = statement
    self.appearance = appearance
  }

  private var isHighlighted: Bool { base == .text }

  func draw(into surface: inout Surface) {
    var start = buffer.offset(of: TextPosition(line: top.line, offset: 0))
    var (number, first, row) = (top.line, top.row, area.row)
    while number < buffer.lines.count, row < area.endRow {
      let rows = layout.rows(ofLine: number)
      let seen = first..<min(rows.count, first + area.endRow - row)
      drawLine(number, from: start, rows: rows, seen: seen, into: &surface, row: row)
      start += buffer.lines[number].count + 1
      (number, first, row) = (number + 1, 0, row + seen.count)
    }
  }

  /// Draws rows of a line that begins at an offset in the text.
  private func drawLine(_ number: Int, from start: Int, rows: LineRows, seen: Range<Int>, into surface: inout Surface, row: Int) {
    let line = buffer.lines[number]
    let end = rows[seen.upperBound - 1].upperBound
    var spans = line.spans(from: rows[seen.lowerBound].lowerBound, before: end)[...]
    let marks = marks(ofLine: number, from: start)
    for index in seen {
      let bytes = rows[index]
      let row = row + index - seen.lowerBound
      // The last row includes the line ending.
      let reported = (start + bytes.lowerBound)..<(start + bytes.upperBound + (index == rows.count - 1 ? 1 : 0))
      drawGutter(ofLine: number, isContinuation: index > 0, bytes: reported, into: &surface, row: row)
      let room = Rect(column: area.column, row: row, columns: area.columns, rows: 1)
      surface.clipped(to: room) { drawRow(bytes, of: line, spans: &spans, marks: marks, into: &$0, row: row) }
    }
  }

  private func drawGutter(ofLine number: Int, isContinuation: Bool, bytes: Range<Int>, into surface: inout Surface, row: Int) {
    guard gutter.columns > 0 else { return }
    if let statement, statement.overlaps(bytes) {
      surface.write(
        appearance.glyphs.vertical, at: Point(column: gutter.column, row: row), limit: 1, style: appearance.theme.style(.accent))
    }
    let text = isContinuation ? appearance.glyphs.wrapped : String(number + 1)
    let style = appearance.theme.style(number == buffer.caret.line ? .accent : .muted)
    surface.write(text, at: Point(column: gutter.endColumn - 1 - text.count, row: row), style: style)
  }

  private func drawRow(
    _ bytes: Range<Int>, of line: TextLine, spans: inout ArraySlice<SQLSpan>, marks: LineMarks, into surface: inout Surface, row: Int
  ) {
    var stop = TextLine.Stop(offset: bytes.lowerBound)
    for character in line.text[line.index(bytes.lowerBound)..<line.index(bytes.upperBound)] {
      spans = spans.drop { $0.range.upperBound <= stop.offset }
      let role = isHighlighted ? spans.first.map { $0.range.contains(stop.offset) ? $0.kind.role : .text } ?? .text : .text
      let columns = TextLine.columns(of: character, at: stop.column)
      let text = character.utf8.first == TextLine.tab ? String(repeating: " ", count: columns) : String(character)
      let point = Point(column: area.column + stop.column, row: row)
      surface.write(text, at: point, limit: columns, style: marks.style(role, at: stop.offset, on: base, appearance: appearance))
      stop.column += columns
      stop.offset += character.utf8.count
    }
    // The line ending is drawn if it is selected, or if the fault is a missing token at this position.
    if stop.offset == line.count, marks.isMarked(stop.offset) {
      let point = Point(column: area.column + stop.column, row: row)
      surface.write(" ", at: point, style: marks.style(.text, at: stop.offset, on: base, appearance: appearance))
    }
  }

  /// Returns the marks in a line that begins at an offset in the text.
  private func marks(ofLine number: Int, from start: Int) -> LineMarks {
    // The fault can also be at the position after the last character.
    let wrong = fault.map { ($0.lowerBound - start)..<(max($0.upperBound, $0.lowerBound + 1) - start) }
    let pair = isHighlighted ? parentheses.filter { $0.line == number }.map(\.offset) : []
    return LineMarks(selected: selectedBytes(ofLine: number), fault: wrong, parentheses: pair)
  }

  private func selectedBytes(ofLine number: Int) -> Range<Int> {
    guard let range = buffer.selection.range, range.lowerBound.line <= number, number <= range.upperBound.line else { return 0..<0 }
    let start = range.lowerBound.line == number ? range.lowerBound.offset : 0
    return start..<(range.upperBound.line == number ? range.upperBound.offset : buffer.lines[number].count + 1)
  }
}

/// The marks in a line of an editor, by bytes of the line.
struct LineMarks {
  var selected: Range<Int>
  var fault: Range<Int>?
  var parentheses: [Int]

  /// Returns whether a byte is selected or part of a fault.
  func isMarked(_ offset: Int) -> Bool {
    selected.contains(offset) || fault?.contains(offset) == true
  }

  /// Returns the style of the character at `offset`, given its role.
  func style(_ role: Role, at offset: Int, on base: Role, appearance: Appearance) -> Style {
    let role = parentheses.contains(offset) ? .match : role
    let style = appearance.theme.style(role, on: selected.contains(offset) ? .selection : base)
    guard let fault, fault.contains(offset) else { return style }
    // A theme may underline errors itself.
    let attribute: Attributes = style.attributes.contains(.underline) ? .reverse : .underline
    let error = appearance.theme.style(.error)
    return style.overlaid(by: Style(foreground: error.foreground, background: error.background, attributes: attribute))
  }
}

extension SQLSpan.Kind {
  /// The role of the span in the editor.
  var role: Role {
    switch self {
    case .keyword: .keyword
    case .text: .string
    case .number: .number
    case .blob: .blob
    case .comment: .comment
    case .parameter: .parameter
    case .name, .quotedName, .symbol: .text
    }
  }
}
