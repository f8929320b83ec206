/// A position in a text in memory.
struct TextPosition {
  /// The offset from the beginning of the bytes.
  var offset: Int
  /// The line, counted from 1.
  var line: Int
  /// The offset of the line's start, which is negative if it is before the bytes.
  var lineStart: Int

  /// The position in the line, in bytes counted from 1.
  var column: Int { offset - lineStart + 1 }

  /// Adjusts the position after the first `count` bytes were removed.
  mutating func moveBack(by count: Int) {
    offset -= count
    lineStart -= count
  }
}
