package import QuarryEngine

extension TextBuffer {
  /// Comments out each selected line with `-- `, or uncomments the lines if all are commented.
  mutating func comment() {
    let numbers = editedLines
    let isCommented = numbers.allSatisfy { lines[$0].commentMark != nil }
    edit(numbers) { line in
      guard isCommented, let mark = line.commentMark else { return LineEdit(range: 0..<0, text: "-- ") }
      return LineEdit(range: mark, text: "")
    }
  }

  /// Indents the selected lines by two spaces.
  mutating func indent() {
    edit(editedLines) { _ in LineEdit(range: 0..<0, text: "  ") }
  }

  /// Unindents the selected lines by up to two spaces.
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

    /// Returns the new offset after the edit; an insertion at the offset moves it, except for the start of a selection.
    func moved(_ offset: Int, isKept: Bool) -> Int {
      if offset < range.lowerBound || isKept && offset == range.lowerBound { return offset }
      return max(range.lowerBound, offset - range.count) + text.utf8.count
    }
  }

  /// Changes lines one by one, as one undo step; the caret and the selection keep their positions in the text.
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
    let selection = moved { position in (first...last).contains(position.line) ? edits[position.line - first] : nil }
    let range = TextPosition(line: first, offset: 0)..<TextPosition(line: last, offset: lines[last].count)
    edit(range, with: text, selecting: selection)
  }

  private func moved(by edit: (TextPosition) -> LineEdit?) -> TextSelection {
    let start = selection.range?.lowerBound
    func moved(_ position: TextPosition) -> TextPosition {
      guard let edit = edit(position) else { return position }
      return TextPosition(line: position.line, offset: edit.moved(position.offset, isKept: position == start))
    }
    return TextSelection(anchor: selection.anchor.map(moved), caret: moved(selection.caret))
  }
}

extension TextLine {
  /// The `--` after the indentation, including a following space.
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
  /// The number of bytes of a line that are lexed.
  ///
  /// The rest is shown as plain text and passes on the line's initial state.
  private static let lexedBytes = 16_384

  /// The state in which lexing of the next line begins.
  package var endState: SQLLineState {
    count > Self.lexedBytes ? state : SQLLineLexer.end(of: text, from: state)
  }

  /// Returns the spans of a part of the line and of everything before it; a token at the end may be truncated.
  func spans(from start: Int = 0, before end: Int = .max) -> [SQLSpan] {
    guard start < Self.lexedBytes else { return [] }
    // Most tokens that extend beyond the visible part are no longer than this.
    let cut = min(end, Self.lexedBytes) + 1_024
    guard cut < count else { return SQLLineLexer.spans(of: text, from: state).spans }
    return SQLLineLexer.spans(of: String(text[..<index(aligned(cut))]), from: state).spans
  }
}

extension TextBuffer {
  /// The number of bytes lexed beyond the requested ones, so that the states usually agree again immediately.
  private static let lexingBudget = 16_384

  /// Records that lines have changed and that later lines have moved.
  mutating func unsettle(_ changed: ClosedRange<Int>, movedBy distance: Int) {
    let first = min(changed.lowerBound, unsettled?.lowerBound ?? .max)
    let last = max(changed.upperBound, (unsettled?.upperBound ?? -1) + distance)
    unsettled = first...min(last, lines.count - 1)
  }

  /// Ensures that the initial states of all lines through `line` are correct.
  mutating func settle(through line: Int) {
    guard let unsettled else { return }
    var number = unsettled.lowerBound
    var budget = Self.lexingBudget
    while number < line || budget > 0 {
      let state = lines[number].endState
      settledLines += 1
      budget -= 16 + lines[number].count
      number += 1
      guard number < lines.count, number <= unsettled.upperBound || lines[number].state != state else {
        self.unsettled = nil
        return
      }
      setState(state, ofLine: number)
    }
    self.unsettled = number...max(number, unsettled.upperBound)
  }
}
