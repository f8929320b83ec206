import QuarryEngine

/// Lines of text with a caret, a selection, undo and redo.
struct TextBuffer: Hashable, Sendable {
  /// There is always one.
  private(set) var lines: [TextLine]
  /// The lines whose lexing may not begin as the end of the line before says; until the first of them all is right.
  var unsettled: ClosedRange<Int>?
  var selection: TextSelection
  /// The column that up and down keep to; nil takes the caret's.
  var wishedColumn: Int?
  var history = TextHistory()
  /// What was killed last; ^Y brings it back.
  var killed = ""
  /// Grows with each change of the text.
  private(set) var revision = 0

  /// Holds `text`, its line ends of any kind, with the caret at its end.
  init(_ text: String = "") {
    lines = TextLine.lines(of: Self.normalized(text))
    unsettled = 0...(lines.count - 1)
    selection = TextSelection(caret: TextPosition(line: 0, offset: 0))
    selection.caret = end
  }

  var caret: TextPosition { selection.caret }

  var end: TextPosition { TextPosition(line: lines.count - 1, offset: lines[lines.count - 1].count) }

  var isEmpty: Bool { lines.count == 1 && lines[0].count == 0 }

  /// The lines, each but the last with its end, which is a line feed.
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

  /// Puts `text`, whose line ends are line feeds, in the place of a range, and returns where it ends.
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

  /// Sees to it that long lines are not wrapped again and again.
  mutating func keepRows(ofLines numbers: Range<Int>, columns: Int) {
    for number in numbers where lines[number].lacksRows(columns: columns) { lines[number].keepRows(columns: columns) }
  }

  /// Notes where the lexing of a line begins.
  mutating func setState(_ state: SQLLineState, ofLine line: Int) {
    lines[line].state = state
  }
}

/// A place in a text: so many bytes of UTF-8 after the beginning of a line.
struct TextPosition: Hashable, Comparable, Sendable {
  var line: Int
  var offset: Int

  static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.offset) < (right.line, right.offset)
  }

  /// The place at which `text` ends if it begins here.
  func end(of text: String) -> TextPosition {
    var text = text
    return text.withUTF8 { bytes in
      guard let last = bytes.lastIndex(of: TextLine.end) else { return TextPosition(line: line, offset: offset + bytes.count) }
      let ends = bytes.reduce(0) { $1 == TextLine.end ? $0 + 1 : $0 }
      return TextPosition(line: line + ends, offset: bytes.count - last - 1)
    }
  }
}

/// The caret, and the place at which the selection began that it ends.
struct TextSelection: Hashable, Sendable {
  var anchor: TextPosition?
  var caret: TextPosition

  /// What is selected; nil where that is nothing.
  var range: Range<TextPosition>? {
    guard let anchor, anchor != caret else { return nil }
    return min(anchor, caret)..<max(anchor, caret)
  }
}

extension TextBuffer {
  /// Returns the bytes before a place in the text.
  func offset(of place: TextPosition) -> Int {
    var bytes = place.offset + place.line
    for line in 0..<place.line { bytes += lines[line].count }
    return bytes
  }

  /// Returns the place after so many bytes of the text, or after the character that they end in.
  func place(atOffset offset: Int) -> TextPosition {
    clamped(bytePlace(atOffset: offset))
  }

  /// Returns the place after so many bytes of the text, also where they end in a character.
  func bytePlace(atOffset offset: Int) -> TextPosition {
    var rest = max(0, offset)
    var line = 0
    while line < lines.count, rest > lines[line].count {
      rest -= lines[line].count + 1
      line += 1
    }
    return line < lines.count ? TextPosition(line: line, offset: rest) : end
  }

  /// Returns the place if it is one of the text and a character begins there, else the nearest one or the one after the character.
  func clamped(_ place: TextPosition) -> TextPosition {
    let line = min(max(0, place.line), lines.count - 1)
    return TextPosition(line: line, offset: lines[line].aligned(place.offset))
  }
}

extension TextBuffer {
  /// Returns `text` with every line end as a line feed.
  static func normalized(_ text: String) -> String {
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
  /// Returns the lines of a text whose line ends are line feeds; there is always one.
  static func lines(of text: String) -> [TextLine] {
    var text = text
    return text.withUTF8 { bytes in
      bytes.split(separator: end, omittingEmptySubsequences: false).map { TextLine(text: String(decoding: $0, as: UTF8.self)) }
    }
  }
}
