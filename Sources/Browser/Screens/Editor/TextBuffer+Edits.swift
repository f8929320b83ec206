extension TextBuffer {
  /// Replaces a range with `text`, whose line endings are line feeds, as one undo step or as part of a run.
  ///
  /// - Parameter after: The selection afterwards; nil moves the caret to the end of the text.
  mutating func edit(_ range: Range<TextPosition>, with text: String, run: TextHistory.Run? = nil, selecting after: TextSelection? = nil) {
    guard !range.isEmpty || !text.isEmpty else { return }
    let removed = self.text(in: range)
    let before = selection
    let end = splice(range, with: text)
    select(TextSelection(anchor: after?.anchor.map(clamped), caret: clamped(after?.caret ?? end)))
    let edit = TextEdit(start: range.lowerBound, end: end, removed: removed, inserted: text, before: before, after: selection)
    history.record(edit, run: run)
  }

  /// Replaces the selection with a typed character, word or spaces.
  mutating func type(_ text: String) {
    edit(selection.range ?? caret..<caret, with: Self.normalized(text), run: .typing)
  }

  /// Breaks the line, and indents the new line like the current one.
  mutating func breakLine() {
    let start = selection.range?.lowerBound ?? caret
    let line = lines[start.line]
    let indentation = line.text[..<line.index(min(start.offset, line.indentation))]
    edit(selection.range ?? caret..<caret, with: "\n" + indentation)
  }

  /// Replaces the selection with a text, as one undo step.
  mutating func insert(_ text: String) {
    edit(selection.range ?? caret..<caret, with: Self.normalized(text))
  }

  /// Deletes the selection, or the text from the caret to the end of a motion.
  mutating func erase(_ motion: TextMotion) {
    let range = selection.range ?? range(to: position(after: motion))
    let isInLine = range.lowerBound.line == range.upperBound.line
    edit(range, with: "", run: isInLine && selection.range == nil ? .erasing : nil)
  }

  /// Kills the selection, or the text from the caret to the end of a motion within the line.
  ///
  /// At the end of the line, it kills the line ending.
  ///
  /// Successive kills are inserted together by a yank.
  mutating func kill(_ motion: TextMotion) {
    let target = killEnd(motion)
    let range = selection.range ?? range(to: target)
    guard !range.isEmpty else { return }
    let text = self.text(in: range)
    let isForward = target > caret
    killed = history.run != .killing ? text : isForward ? killed + text : text + killed
    edit(range, with: "", run: .killing)
  }

  mutating func yank() {
    insert(killed)
  }

  /// Replaces the whole text, editing only the differences; the caret keeps its position if possible.
  mutating func replaceText(_ text: String) {
    let (old, new) = (Array(self.text.utf8), Array(Self.normalized(text).utf8))
    let changed = old.difference(to: new)
    let caret = caret
    let start = bytePosition(atOffset: changed.lowerBound)
    let inserted = String(decoding: new[changed.lowerBound..<(changed.upperBound + new.count - old.count)], as: UTF8.self)
    edit(start..<bytePosition(atOffset: changed.upperBound), with: inserted)
    move(to: clamped(caret))
  }

  /// Undoes the last step.
  ///
  /// - Returns: False if there is nothing to undo.
  mutating func undo() -> Bool {
    guard let edit = history.undo() else { return false }
    splice(edit.start..<edit.end, with: edit.removed)
    select(edit.before)
    return true
  }

  /// Redoes the last undone step.
  ///
  /// - Returns: False if there is nothing to redo.
  mutating func redo() -> Bool {
    guard let edit = history.redo() else { return false }
    splice(edit.start..<edit.start.end(of: edit.removed), with: edit.inserted)
    select(edit.after)
    return true
  }

  mutating func select(_ selection: TextSelection) {
    self.selection = selection
    wishedColumn = nil
  }

  private func range(to position: TextPosition) -> Range<TextPosition> { min(position, caret)..<max(position, caret) }

  private func killEnd(_ motion: TextMotion) -> TextPosition {
    let line = TextPosition(line: caret.line, offset: 0)..<TextPosition(line: caret.line, offset: lines[caret.line].count)
    switch motion {
    case .wordLeft where caret == line.lowerBound: return position(after: .left)
    case .wordRight where caret == line.upperBound, .lineEnd where caret == line.upperBound: return position(after: .right)
    default: return min(max(position(after: motion), line.lowerBound), line.upperBound)
    }
  }
}

extension [UInt8] {
  /// Returns the range of bytes in this text that differs from another text, in whole scalars.
  fileprivate func difference(to other: [UInt8]) -> Range<Int> {
    let shorter = Swift.min(count, other.count)
    var start = 0
    while start < shorter, self[start] == other[start] { start += 1 }
    while start > 0, isInScalar(start) || other.isInScalar(start) { start -= 1 }
    var kept = 0
    while kept < shorter - start, self[count - kept - 1] == other[other.count - kept - 1] { kept += 1 }
    while kept > 0, isInScalar(count - kept) { kept -= 1 }
    return start..<(count - kept)
  }

  /// Returns whether the byte at an offset continues the scalar before it.
  private func isInScalar(_ offset: Int) -> Bool { offset < count && self[offset] & 0xC0 == 0x80 }
}
