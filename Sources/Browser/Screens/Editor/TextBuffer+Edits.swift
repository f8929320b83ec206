extension TextBuffer {
  /// Replaces a range by `text`, whose line ends are line feeds, as one step or as more of a run.
  ///
  /// - Parameter after: What is selected then; nil puts the caret after the text.
  mutating func edit(_ range: Range<TextPosition>, with text: String, run: TextHistory.Run? = nil, selecting after: TextSelection? = nil) {
    guard !range.isEmpty || !text.isEmpty else { return }
    let removed = self.text(in: range)
    let before = selection
    let end = splice(range, with: text)
    select(TextSelection(anchor: after?.anchor.map(clamped), caret: clamped(after?.caret ?? end)))
    let edit = TextEdit(start: range.lowerBound, end: end, removed: removed, inserted: text, before: before, after: selection)
    history.record(edit, run: run)
  }

  /// Types a character, a word or some blanks in the place of the selection.
  mutating func type(_ text: String) {
    edit(selection.range ?? caret..<caret, with: Self.normalized(text), run: .typing)
  }

  /// Begins a line as far in as the one that the caret is on.
  mutating func breakLine() {
    let start = selection.range?.lowerBound ?? caret
    let line = lines[start.line]
    let indentation = line.text[..<line.index(min(start.offset, line.indentation))]
    edit(selection.range ?? caret..<caret, with: "\n" + indentation)
  }

  /// Puts a text in the place of the selection, as one step.
  mutating func insert(_ text: String) {
    edit(selection.range ?? caret..<caret, with: Self.normalized(text))
  }

  /// Deletes the selection, or from the caret to where a motion takes it.
  mutating func erase(_ motion: TextMotion) {
    let range = selection.range ?? range(to: place(after: motion))
    let isInLine = range.lowerBound.line == range.upperBound.line
    edit(range, with: "", run: isInLine && selection.range == nil ? .erasing : nil)
  }

  /// Kills the selection, or from the caret to where a motion takes it within the line; at its ends the line end.
  ///
  /// What is killed in a row is brought back as one.
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

  /// Makes the whole text another one, changing no more than what differs; the caret stays where it is as far as it can.
  mutating func replaceText(_ text: String) {
    let (old, new) = (Array(self.text.utf8), Array(Self.normalized(text).utf8))
    let changed = old.difference(to: new)
    let caret = caret
    let start = bytePlace(atOffset: changed.lowerBound)
    let inserted = String(decoding: new[changed.lowerBound..<(changed.upperBound + new.count - old.count)], as: UTF8.self)
    edit(start..<bytePlace(atOffset: changed.upperBound), with: inserted)
    move(to: clamped(caret))
  }

  /// - Returns: False where there is nothing to undo.
  mutating func undo() -> Bool {
    guard let edit = history.undo() else { return false }
    splice(edit.start..<edit.end, with: edit.removed)
    select(edit.before)
    return true
  }

  /// - Returns: False where there is nothing to do again.
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

  private func range(to place: TextPosition) -> Range<TextPosition> { min(place, caret)..<max(place, caret) }

  private func killEnd(_ motion: TextMotion) -> TextPosition {
    let line = TextPosition(line: caret.line, offset: 0)..<TextPosition(line: caret.line, offset: lines[caret.line].count)
    switch motion {
    case .wordLeft where caret == line.lowerBound: return place(after: .left)
    case .wordRight where caret == line.upperBound, .lineEnd where caret == line.upperBound: return place(after: .right)
    default: return min(max(place(after: motion), line.lowerBound), line.upperBound)
    }
  }
}

extension [UInt8] {
  /// The bytes of this text that are not as in another one, by whole scalars.
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

  /// Whether the byte at a place goes on with the scalar of the one before.
  private func isInScalar(_ place: Int) -> Bool { place < count && self[place] & 0xC0 == 0x80 }
}
