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
