/// A place in a text that lies in memory.
struct TextPosition {
  /// Its offset from the beginning of the bytes.
  var offset: Int
  /// Its line, from 1.
  var line: Int
  /// Where that line begins, as an offset; below 0 if before the bytes.
  var lineStart: Int

  /// The place in its line, in bytes from 1.
  var column: Int { offset - lineStart + 1 }

  /// Takes it that the first `count` bytes have gone.
  mutating func moveBack(by count: Int) {
    offset -= count
    lineStart -= count
  }
}
