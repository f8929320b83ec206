import QuarryEngine

/// Lines of text with a caret, a selection, undo and redo.
package struct TextBuffer: Hashable, Sendable {
  /// The lines; there is at least one.
  package private(set) var lines: [TextLine]
  /// The lines whose initial lexing state may be outdated.
  package var unsettled: ClosedRange<Int>?
  var selection: TextSelection
  /// The target column of vertical moves; nil for the caret's column.
  var wishedColumn: Int?
  package var history = TextHistory()
  /// The number of lines that have been lexed for the state of the next one.
  package var settledLines = 0
  /// The most recently killed text; ^Y inserts it again.
  var killed = ""
  /// A number that grows with each change of the text.
  private(set) var revision = 0

  /// Creates a buffer with `text`, which may have any line endings, and the caret at its end.
  init(_ text: String = "") {
    lines = TextLine.lines(of: Self.normalized(text))
    unsettled = 0...(lines.count - 1)
    selection = TextSelection(caret: TextPosition(line: 0, offset: 0))
    selection.caret = end
  }

  package var caret: TextPosition { selection.caret }

  var end: TextPosition { TextPosition(line: lines.count - 1, offset: lines[lines.count - 1].count) }

  var isEmpty: Bool { lines.count == 1 && lines[0].count == 0 }

  /// The text, with line feeds as line endings.
  var text: String { text(in: TextPosition(line: 0, offset: 0)..<end) }

  func text(in range: Range<TextPosition>) -> String {
    let first = lines[range.lowerBound.line]
    let last = lines[range.upperBound.line]
    if range.lowerBound.line == range.upperBound.line {
      return String(first.text[first.index(range.lowerBound.offset)..<first.index(range.upperBound.offset)])
    }
    let between = lines[(range.lowerBound.line + 1)..<range.upperBound.line]
    var text = String(first.text[first.index(range.lowerBound.offset)...])
    text.reserveCapacity(between.reduce(text.utf8.count + range.upperBound.offset + 1) { $0 + $1.count + 1 })
    for line in between {
      text += "\n"
      text += line.text
    }
    return text + "\n" + last.text[..<last.index(range.upperBound.offset)]
  }

  /// Replaces a range with `text`, whose line endings are line feeds; returns the end of the new text.
  @discardableResult
  mutating func splice(_ range: Range<TextPosition>, with text: String) -> TextPosition {
    let (first, last) = (range.lowerBound.line, range.upperBound.line)
    let end = range.lowerBound.end(of: text)
    if first == last, end.line == first {
      lines[first].replace(range.lowerBound.offset..<range.upperBound.offset, with: text)
    } else {
      let (head, tail) = (lines[first].index(range.lowerBound.offset), lines[last].index(range.upperBound.offset))
      var inserted = TextLine.lines(of: text)
      inserted[0] = TextLine(text: lines[first].text[..<head] + inserted[0].text, state: lines[first].state)
      inserted[inserted.count - 1].text += lines[last].text[tail...]
      lines.replaceSubrange(first...last, with: inserted)
    }
    revision += 1
    unsettle(first...end.line, movedBy: end.line - last)
    return end
  }

  /// Stores the rows of long lines, so that they are not wrapped each time.
  mutating func keepRows(ofLines numbers: Range<Int>, columns: Int) {
    for number in numbers where lines[number].lacksRows(columns: columns) { lines[number].keepRows(columns: columns) }
  }

  /// Sets the initial lexing state of a line.
  mutating func setState(_ state: SQLLineState, ofLine line: Int) {
    lines[line].state = state
  }
}

/// A position in a text: a line and an offset within it, in bytes of UTF-8.
package struct TextPosition: Hashable, Comparable, Sendable {
  package var line: Int
  package var offset: Int

  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.offset) < (right.line, right.offset)
  }

  /// Returns the end of `text` if it begins at this position.
  func end(of text: String) -> TextPosition {
    var text = text
    return text.withUTF8 { bytes in
      guard let last = bytes.lastIndex(of: TextLine.end) else { return TextPosition(line: line, offset: offset + bytes.count) }
      let ends = bytes.reduce(0) { $1 == TextLine.end ? $0 + 1 : $0 }
      return TextPosition(line: line + ends, offset: bytes.count - last - 1)
    }
  }
}

/// The caret, and the anchor where the selection began.
struct TextSelection: Hashable, Sendable {
  var anchor: TextPosition?
  var caret: TextPosition

  /// The selected range; nil if it is empty.
  var range: Range<TextPosition>? {
    guard let anchor, anchor != caret else { return nil }
    return min(anchor, caret)..<max(anchor, caret)
  }
}

extension TextBuffer {
  /// Returns the byte offset of a position.
  package func offset(of position: TextPosition) -> Int {
    var bytes = position.offset + position.line
    for line in 0..<position.line { bytes += lines[line].count }
    return bytes
  }

  /// Returns the position at a byte offset, or after the character that contains the offset.
  package func position(atOffset offset: Int) -> TextPosition {
    clamped(bytePosition(atOffset: offset))
  }

  /// Returns the position at a byte offset, even within a character.
  func bytePosition(atOffset offset: Int) -> TextPosition {
    var rest = max(0, offset)
    var line = 0
    while line < lines.count, rest > lines[line].count {
      rest -= lines[line].count + 1
      line += 1
    }
    return line < lines.count ? TextPosition(line: line, offset: rest) : end
  }

  /// Returns the nearest valid position: within the text, and at the start of a character.
  func clamped(_ position: TextPosition) -> TextPosition {
    let line = min(max(0, position.line), lines.count - 1)
    return TextPosition(line: line, offset: lines[line].aligned(position.offset))
  }
}

extension TextBuffer {
  /// Returns `text` with line feeds as line endings.
  package static func normalized(_ text: String) -> String {
    var text = text
    let bytes = text.withUTF8 { $0.contains(carriageReturn) ? withLineFeeds($0) : nil }
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private static let carriageReturn: UInt8 = 0x0D

  private static func withLineFeeds(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var isAfterReturn = false
    for byte in text {
      if byte != TextLine.end || !isAfterReturn { bytes.append(byte == carriageReturn ? TextLine.end : byte) }
      isAfterReturn = byte == carriageReturn
    }
    return bytes
  }
}

extension TextLine {
  /// Returns the lines of a text whose line endings are line feeds; there is at least one.
  static func lines(of text: String) -> [TextLine] {
    var text = text
    return text.withUTF8 { bytes in
      bytes.split(separator: end, omittingEmptySubsequences: false).map { TextLine(text: String(decoding: $0, as: UTF8.self)) }
    }
  }
}
