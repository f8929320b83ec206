/// A motion of the caret.
enum TextMotion: Hashable, Sendable {
  case left, right, wordLeft, wordRight
  /// To the first character that is not blank, or to the start of the line if the caret is already there.
  case home
  case lineStart, lineEnd, top, bottom
  /// A number of rows down, or up if negative, with lines wrapped at a width.
  case rows(Int, columns: Int)
}

extension TextBuffer {
  /// Moves the caret; extends or clears the selection.
  mutating func move(_ motion: TextMotion, selecting: Bool = false) {
    guard case .rows(_, let columns) = motion else {
      return move(to: selecting ? position(after: motion) : unselectedPosition(after: motion), selecting: selecting)
    }
    let column = wishedColumn ?? layout(columns: columns).column(of: caret)
    move(to: position(after: motion), selecting: selecting)
    wishedColumn = column
  }

  /// Selects the whole text, with the caret at its end.
  mutating func selectAll() {
    select(TextSelection(anchor: TextPosition(line: 0, offset: 0), caret: end))
  }

  package mutating func move(to position: TextPosition, selecting: Bool = false) {
    selection = TextSelection(anchor: selecting ? selection.anchor ?? caret : nil, caret: position)
    wishedColumn = nil
    history.endRun()
  }

  /// Returns the position of the caret after a motion without selecting: from a selection to one of its ends.
  private func unselectedPosition(after motion: TextMotion) -> TextPosition {
    switch (motion, selection.range) {
    case (.left, let range?): range.lowerBound
    case (.right, let range?): range.upperBound
    default: position(after: motion)
    }
  }

  /// Returns the position of the caret after a motion.
  func position(after motion: TextMotion) -> TextPosition {
    let line = lines[caret.line]
    switch motion {
    case .left: return caret.offset > 0 ? on(caret.line, line.previous(before: caret.offset)) : endOfLine(before: caret.line)
    case .right: return caret.offset < line.count ? on(caret.line, line.next(after: caret.offset)) : startOfLine(after: caret.line)
    case .wordLeft: return wordStart
    case .wordRight: return wordEnd
    case .home: return on(caret.line, caret.offset == line.indentation ? 0 : line.indentation)
    case .lineStart: return on(caret.line, 0)
    case .lineEnd: return on(caret.line, line.count)
    case .top: return on(0, 0)
    case .bottom: return end
    case .rows(let count, let columns):
      let layout = layout(columns: columns)
      let row = layout.row(count, below: layout.row(of: caret))
      return layout.position(on: row, column: wishedColumn ?? layout.column(of: caret))
    }
  }

  private func on(_ line: Int, _ offset: Int) -> TextPosition { TextPosition(line: line, offset: offset) }

  private func endOfLine(before line: Int) -> TextPosition { line > 0 ? on(line - 1, lines[line - 1].count) : on(0, 0) }

  private func startOfLine(after line: Int) -> TextPosition { line + 1 < lines.count ? on(line + 1, 0) : end }

  private var wordStart: TextPosition {
    for number in stride(from: caret.line, through: 0, by: -1) {
      let line = lines[number]
      if let start = line.wordStart(before: number == caret.line ? caret.offset : line.count) { return on(number, start) }
    }
    return on(0, 0)
  }

  private var wordEnd: TextPosition {
    for number in caret.line..<lines.count {
      if let end = lines[number].wordEnd(after: number == caret.line ? caret.offset : 0) { return on(number, end) }
    }
    return end
  }
}
