import QuarryEngine

extension TextBuffer {
  /// Puts `-- ` before each selected line, or takes it away where all have it.
  mutating func comment() {
    let numbers = editedLines
    let isCommented = numbers.allSatisfy { lines[$0].commentMark != nil }
    edit(numbers) { line in
      guard isCommented, let mark = line.commentMark else { return LineEdit(range: 0..<0, text: "-- ") }
      return LineEdit(range: mark, text: "")
    }
  }

  /// Moves the selected lines two cells in.
  mutating func indent() {
    edit(editedLines) { _ in LineEdit(range: 0..<0, text: "  ") }
  }

  /// Moves the selected lines two cells out, as far as they are in.
  mutating func unindent() {
    edit(editedLines) { LineEdit(range: 0..<$0.unindentedBytes, text: "") }
  }

  /// The lines that the selection touches, or the caret's.
  private var selectedLines: ClosedRange<Int> {
    guard let range = selection.range else { return caret.line...caret.line }
    let endsAtStart = range.upperBound.offset == 0 && range.upperBound.line > range.lowerBound.line
    return range.lowerBound.line...(endsAtStart ? range.upperBound.line - 1 : range.upperBound.line)
  }

  /// The selected lines without the blank ones, unless all are blank.
  private var editedLines: [Int] {
    let written = selectedLines.filter { !lines[$0].isBlank }
    return written.isEmpty ? Array(selectedLines) : written
  }

  private struct LineEdit {
    var range: Range<Int>
    var text: String

    var isEmpty: Bool { range.isEmpty && text.isEmpty }

    func applied(to line: TextLine) -> String {
      line.text[..<line.index(range.lowerBound)] + text + line.text[line.index(range.upperBound)...]
    }

    /// Where a place in the line goes; one at which something is inserted goes along, but for the beginning of a selection.
    func moved(_ offset: Int, isKept: Bool) -> Int {
      if offset < range.lowerBound || isKept && offset == range.lowerBound { return offset }
      return max(range.lowerBound, offset - range.count) + text.utf8.count
    }
  }

  /// Changes a line at a time, as one step; the caret and the selection stay where they are in the text.
  private mutating func edit(_ numbers: [Int], _ change: (TextLine) -> LineEdit) {
    guard let first = numbers.first, let last = numbers.last else { return }
    var edits: [LineEdit?] = Array(repeating: nil, count: last - first + 1)
    for number in numbers { edits[number - first] = change(lines[number]) }
    guard edits.contains(where: { $0?.isEmpty == false }) else { return }
    var text = ""
    for (number, edit) in zip(first...last, edits) {
      if number > first { text += "\n" }
      text += edit?.applied(to: lines[number]) ?? lines[number].text
    }
    let selection = moved { place in (first...last).contains(place.line) ? edits[place.line - first] : nil }
    let range = TextPosition(line: first, offset: 0)..<TextPosition(line: last, offset: lines[last].count)
    edit(range, with: text, selecting: selection)
  }

  private func moved(by edit: (TextPosition) -> LineEdit?) -> TextSelection {
    let start = selection.range?.lowerBound
    func moved(_ place: TextPosition) -> TextPosition {
      guard let edit = edit(place) else { return place }
      return TextPosition(line: place.line, offset: edit.moved(place.offset, isKept: place == start))
    }
    return TextSelection(anchor: selection.anchor.map(moved), caret: moved(selection.caret))
  }
}

extension TextLine {
  /// The `--` after the indentation, with a blank if one follows.
  fileprivate var commentMark: Range<Int>? {
    let bytes = text.utf8.dropFirst(indentation)
    guard bytes.starts(with: "--".utf8) else { return nil }
    return indentation..<(indentation + (bytes.starts(with: "-- ".utf8) ? 3 : 2))
  }

  fileprivate var unindentedBytes: Int {
    text.utf8.first == 0x09 ? 1 : min(2, text.utf8.prefix { $0 == 0x20 }.count)
  }
}

extension TextLine {
  /// What lies further right in a line is not lexed: it is shown as text, and hands on the state in which the line began.
  private static let lexedBytes = 16_384

  /// Where the next line's lexing begins.
  var endState: SQLLineState {
    count > Self.lexedBytes ? state : SQLLineLexer.spans(of: text, from: state).end
  }

  /// Returns what the line consists of between two places, as much as is before them, and about a token after them that may be cut.
  func spans(from start: Int = 0, before end: Int = .max) -> [SQLSpan] {
    guard start < Self.lexedBytes else { return [] }
    // Most tokens that reach out of sight are no longer than this.
    let cut = min(end, Self.lexedBytes) + 1_024
    guard cut < count else { return SQLLineLexer.spans(of: text, from: state).spans }
    return SQLLineLexer.spans(of: String(text[..<index(aligned(cut))]), from: state).spans
  }
}

extension TextBuffer {
  /// Lines are lexed for as many bytes more than asked for, so that the states agree again mostly at once.
  private static let lexingBudget = 16_384

  /// Notes that lines have changed and that those after them have moved.
  mutating func unsettle(_ changed: ClosedRange<Int>, movedBy distance: Int) {
    let first = min(changed.lowerBound, unsettled?.lowerBound ?? .max)
    let last = max(changed.upperBound, (unsettled?.upperBound ?? -1) + distance)
    unsettled = first...min(last, lines.count - 1)
  }

  /// Sees to it that the lexing of all lines through `line` begins as it should.
  mutating func settle(through line: Int) {
    guard let unsettled else { return }
    var place = unsettled.lowerBound
    var budget = Self.lexingBudget
    while place < line || budget > 0 {
      let state = lines[place].endState
      budget -= 16 + lines[place].count
      place += 1
      guard place < lines.count, place <= unsettled.upperBound || lines[place].state != state else {
        self.unsettled = nil
        return
      }
      setState(state, ofLine: place)
    }
    self.unsettled = place...max(place, unsettled.upperBound)
  }
}
