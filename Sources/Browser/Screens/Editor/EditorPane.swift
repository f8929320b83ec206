import Terminal

/// The SQL editor: a buffer, its place on the screen, and what is marked in it.
struct EditorPane: Hashable, Sendable {
  private(set) var buffer: TextBuffer
  /// What of the text is in sight.
  private(set) var sight = Viewport()
  /// The parenthesis at the caret and its pair; none without one.
  private(set) var parentheses: [TextPosition] = []
  /// Bytes of the text in which there is a fault, marked until the text changes.
  var errorRange: Range<Int>?
  /// The room for text, without the line numbers.
  var extent = GridExtent(rows: 1, columns: 1) {
    didSet { if extent != oldValue { follow() } }
  }

  /// Holds `text`, with the caret at its end.
  init(text: String = "") {
    buffer = TextBuffer(text)
    buffer.settle(through: 0)
  }

  /// The text, its line ends as line feeds.
  var text: String { buffer.text }

  var isEmpty: Bool { buffer.isEmpty }

  /// A number that is another one after each change of the text.
  var revision: Int { buffer.revision }

  /// The bytes of the text before the caret.
  var caretOffset: Int { buffer.offset(of: buffer.caret) }

  /// The bytes of the text that are selected; nil without a selection.
  var selectedRange: Range<Int>? {
    buffer.selection.range.map { buffer.offset(of: $0.lowerBound)..<buffer.offset(of: $0.upperBound) }
  }

  var hasSelection: Bool { buffer.selection.range != nil }

  /// Lets the caret stay where it is with nothing selected.
  mutating func clearSelection() {
    change { $0.move(to: $0.caret) }
  }

  /// Puts a text in the place of the selection, as one step.
  mutating func insert(_ text: String) {
    change { $0.insert(text) }
  }

  /// Types a text in the place of the selection; what of it is one step is as with its characters one by one.
  mutating func type(_ text: String) {
    change { buffer in
      var rest = text[...]
      while let first = rest.first {
        let run = rest.prefix { ($0 == " ") == (first == " ") }
        buffer.type(String(run))
        rest = rest[run.endIndex...]
      }
    }
  }

  /// Makes the whole text another one, as one step; the caret stays on its line as far as it can.
  mutating func replaceText(_ text: String) {
    change { $0.replaceText(text) }
  }

  /// Replaces bytes of the text, as one step, with the caret after what is new.
  mutating func replace(_ range: Range<Int>, with text: String) {
    change { buffer in
      let places = buffer.place(atOffset: range.lowerBound)..<buffer.place(atOffset: range.upperBound)
      buffer.edit(places, with: TextBuffer.normalized(text))
    }
  }

  /// Puts the caret after so many bytes of the text, with nothing selected.
  mutating func moveCaret(toUTF8Offset offset: Int) {
    change { $0.move(to: $0.place(atOffset: offset)) }
  }

  /// Puts `-- ` before the selected lines, or takes it away where all have it.
  mutating func comment() {
    change { $0.comment() }
  }

  /// Moves the selected lines two cells in.
  mutating func indent() {
    change { $0.indent() }
  }

  /// Moves the selected lines two cells out.
  mutating func unindent() {
    change { $0.unindent() }
  }

  /// - Returns: False where there is nothing to undo.
  @discardableResult
  mutating func undo() -> Bool {
    change { $0.undo() }
  }

  /// - Returns: False where there is nothing to do again.
  @discardableResult
  mutating func redo() -> Bool {
    change { $0.redo() }
  }

  /// Changes the buffer; what depends on it follows.
  ///
  /// - Parameter rows: What is in sight moves down by so many rows, as far as the caret stays in it.
  mutating func change<Result>(scrollingBy rows: Int = 0, _ body: (inout TextBuffer) -> Result) -> Result {
    let revision = buffer.revision
    let result = body(&buffer)
    if buffer.revision != revision { errorRange = nil }
    sight = sight.scrolled(by: rows, in: layout, height: extent.rows)
    follow()
    return result
  }

  /// Moves what is in sight by so many rows, and the caret with it where it would leave.
  mutating func scroll(by rows: Int) {
    let (layout, columns) = (layout, extent.columns)
    let caret = layout.row(of: buffer.caret)
    let top = sight.scrolled(by: rows, in: layout, height: extent.rows).topRow(in: layout)
    let step = layout.rows(from: caret, to: min(max(caret, top), layout.row(extent.rows - 1, below: top)))
    change(scrollingBy: rows) { if step != 0 { $0.move(.rows(step, columns: columns)) } }
  }

  private var layout: TextLayout { buffer.layout(columns: extent.columns) }

  private mutating func follow() {
    sight = sight.following(buffer.caret, in: layout, height: extent.rows)
    let seen = sight.top.line..<min(sight.top.line + extent.rows, buffer.lines.count)
    buffer.keepRows(ofLines: seen, columns: extent.columns)
    buffer.settle(through: max(buffer.caret.line, seen.upperBound))
    parentheses = buffer.matchingParentheses
  }
}

extension EditorPane {
  /// What is selected; nil without a selection.
  var selectedText: String? {
    selectedRange.map { String(decoding: text.utf8.dropFirst($0.lowerBound).prefix($0.count), as: UTF8.self) }
  }

  /// The bytes of the text.
  var byteCount: Int {
    buffer.offset(of: TextPosition(line: buffer.lines.count - 1, offset: buffer.lines.last?.count ?? 0))
  }
}

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
