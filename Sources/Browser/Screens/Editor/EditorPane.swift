package import Terminal

/// An editor: a text buffer, its visible part, and its marks.
package struct EditorPane: Hashable, Sendable {
  /// Whether the text is SQL with highlighted syntax.
  private let isSQL: Bool
  package private(set) var buffer: TextBuffer
  /// The visible part of the text.
  package private(set) var sight = Viewport()
  /// The parenthesis at the caret and its match; empty for none.
  package private(set) var parentheses: [TextPosition] = []
  /// The bytes of the text with an error, marked until the text changes.
  package var errorRange: Range<Int>?
  /// The size of the text area, without the line numbers.
  package var extent = GridExtent(rows: 1, columns: 1) {
    didSet { if extent != oldValue { follow() } }
  }

  /// Creates an editor with `text` and the caret at its end.
  ///
  /// - Parameter isSQL: Whether the text is SQL.
  package init(text: String = "", isSQL: Bool = true) {
    buffer = TextBuffer(text)
    self.isSQL = isSQL
    if isSQL { buffer.settle(through: 0) }
  }

  /// The text, with line feeds as line endings.
  package var text: String { buffer.text }

  var isEmpty: Bool { buffer.isEmpty }

  /// A number that is different after each change of the text.
  package var revision: Int { buffer.revision }

  /// The offset of the caret in the text, in bytes.
  package var caretOffset: Int { buffer.offset(of: buffer.caret) }

  /// The selected range of the text, in bytes; nil without a selection.
  package var selectedRange: Range<Int>? {
    buffer.selection.range.map { buffer.offset(of: $0.lowerBound)..<buffer.offset(of: $0.upperBound) }
  }

  var hasSelection: Bool { buffer.selection.range != nil }

  /// Clears the selection; the caret stays.
  package mutating func clearSelection() {
    change { $0.move(to: $0.caret) }
  }

  /// Replaces the selection with a text, as one undo step.
  package mutating func insert(_ text: String) {
    change { $0.insert(text) }
  }

  /// Replaces the selection with typed text, with the same undo steps as typing its characters one by one.
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

  /// Replaces the whole text, as one undo step; the caret stays on its line if possible.
  package mutating func replaceText(_ text: String) {
    change { $0.replaceText(text) }
  }

  /// Replaces a range of bytes, as one undo step, with the caret after the new text.
  package mutating func replace(_ range: Range<Int>, with text: String) {
    change { buffer in
      let positions = buffer.position(atOffset: range.lowerBound)..<buffer.position(atOffset: range.upperBound)
      buffer.edit(positions, with: TextBuffer.normalized(text))
    }
  }

  /// Moves the caret to a byte offset and clears the selection.
  package mutating func moveCaret(toUTF8Offset offset: Int) {
    change { $0.move(to: $0.position(atOffset: offset)) }
  }

  /// Comments out the selected lines with `-- `, or uncomments them if all are commented.
  package mutating func comment() {
    change { $0.comment() }
  }

  /// Indents the selected lines by two spaces.
  package mutating func indent() {
    change { $0.indent() }
  }

  /// Unindents the selected lines by two spaces.
  package mutating func unindent() {
    change { $0.unindent() }
  }

  /// Undoes the last step.
  ///
  /// - Returns: False if there is nothing to undo.
  @discardableResult
  package mutating func undo() -> Bool {
    change { $0.undo() }
  }

  /// Redoes the last undone step.
  ///
  /// - Returns: False if there is nothing to redo.
  @discardableResult
  package mutating func redo() -> Bool {
    change { $0.redo() }
  }

  /// Changes the buffer, and updates the marks and the visible part.
  ///
  /// - Parameter rows: The number of rows to scroll down by, as long as the caret remains visible.
  package mutating func change<Result>(scrollingBy rows: Int = 0, _ body: (inout TextBuffer) -> Result) -> Result {
    let revision = buffer.revision
    let result = body(&buffer)
    if buffer.revision != revision { errorRange = nil }
    sight = sight.scrolled(by: rows, in: layout, height: extent.rows)
    follow()
    return result
  }

  /// Scrolls by rows, moving the caret only to keep it visible.
  package mutating func scroll(by rows: Int) {
    let (layout, columns) = (layout, extent.columns)
    let caret = layout.row(of: buffer.caret)
    let top = sight.scrolled(by: rows, in: layout, height: extent.rows).topRow(in: layout)
    let step = layout.rows(from: caret, to: min(max(caret, top), layout.row(extent.rows - 1, below: top)))
    change(scrollingBy: rows) { if step != 0 { $0.move(.rows(step, columns: columns)) } }
  }

  private var layout: TextLayout { buffer.layout(columns: extent.columns) }

  /// Returns the number of rows of the text in a given width, up to `limit`.
  func rows(columns: Int, limit: Int) -> Int {
    let layout = buffer.layout(columns: columns)
    var rows = 0
    for line in buffer.lines.indices {
      rows += layout.rows(ofLine: line).count
      if rows >= limit { return limit }
    }
    return rows
  }

  private mutating func follow() {
    sight = sight.following(buffer.caret, in: layout, height: extent.rows)
    let seen = sight.top.line..<min(sight.top.line + extent.rows, buffer.lines.count)
    buffer.keepRows(ofLines: seen, columns: extent.columns)
    if isSQL { buffer.settle(through: max(buffer.caret.line, seen.upperBound)) }
    parentheses = buffer.matchingParentheses
  }
}

extension EditorPane {
  /// The selected text; nil without a selection.
  var selectedText: String? {
    selectedRange.map { String(decoding: text.utf8.dropFirst($0.lowerBound).prefix($0.count), as: UTF8.self) }
  }

  /// The size of the text in bytes.
  var byteCount: Int {
    buffer.offset(of: TextPosition(line: buffer.lines.count - 1, offset: buffer.lines.last?.count ?? 0))
  }
}

extension EditorPane {
  /// The number of lines.
  var lineCount: Int { buffer.lines.count }

  /// Returns the length of the longest of the first lines, in bytes.
  func longestLine(amongFirst count: Int) -> Int { buffer.lines.prefix(count).map(\.count).max() ?? 0 }

  /// The least width of the text area that still shows line numbers.
  private static let leastTextColumns = 8

  /// Returns the width of the statement mark, the line numbers and a space.
  private func gutter(in area: Rect) -> Int {
    let gutter = max(2, String(buffer.lines.count).utf8.count) + 2
    return area.columns < gutter + Self.leastTextColumns ? 0 : gutter
  }

  /// Returns the size of the text area in `area`.
  package func extent(in area: Rect) -> GridExtent {
    // A hidden editor keeps its extent.
    guard !area.isEmpty else { return extent }
    return GridExtent(rows: max(1, area.rows), columns: max(1, area.columns - gutter(in: area)))
  }

  /// Moves the caret to the text nearest to a point of the screen.
  package mutating func moveCaret(to point: Point, area: Rect, selecting: Bool = false) {
    let extent = extent(in: area)
    let layout = buffer.layout(columns: extent.columns)
    let sight = sight.following(buffer.caret, in: layout, height: extent.rows)
    let row = layout.row(point.row - area.row, below: sight.topRow(in: layout))
    let position = layout.position(on: row, column: max(0, point.column - area.column - gutter(in: area)))
    change { $0.move(to: position, selecting: selecting) }
  }

  /// Draws the visible lines with their numbers, and moves the terminal's cursor to the caret.
  ///
  /// - Parameters:
  ///   - statement: The bytes of the statement that would run, marked beside the line numbers.
  ///   - placeholder: The text shown in an empty editor.
  package func draw(
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
