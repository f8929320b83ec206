import Terminal

extension TextLine {
  /// A tab goes on to the next column that this divides.
  private static let tabStop = 4
  private static let tab: UInt8 = 0x09

  /// Returns the cells that the line takes before `offset`.
  func columns(before end: Int) -> Int {
    var offset = 0
    var column = 0
    while offset < end {
      let plain = plainEnd(from: offset, to: end)
      column += plain - offset
      guard plain < end else { break }
      column += columns(ofCharacterAt: plain, column: column)
      offset = next(after: plain)
    }
    return column
  }

  /// Returns the last place that has no more than so many cells before it, and the cells.
  func place(atColumn wanted: Int) -> (offset: Int, column: Int) {
    var offset = 0
    var column = 0
    while offset < count, column < wanted {
      let plain = plainEnd(from: offset, to: min(count, offset + wanted - column))
      column += plain - offset
      offset = plain
      guard offset < count, column < wanted else { break }
      let columns = columns(ofCharacterAt: offset, column: column)
      guard column + columns <= wanted else { break }
      column += columns
      offset = next(after: offset)
    }
    return (offset, column)
  }

  /// Returns the cells of the character at `offset` if it begins at `column`.
  func columns(ofCharacterAt offset: Int, column: Int) -> Int {
    if text.utf8[index(offset)] == Self.tab { return Self.tabStop - column % Self.tabStop }
    return isSingle(at: offset) ? 1 : TextWidth.columns(of: TextWidth.glyph(for: text[index(offset)]))
  }

  /// What is shown for the character at `offset` in so many cells.
  func glyph(at offset: Int, columns: Int) -> String {
    let character = text[index(offset)]
    return character == "\t" ? String(repeating: " ", count: columns) : String(TextWidth.glyph(for: character))
  }

  /// Returns the end of the characters from `start` on that are a byte and a cell each.
  private func plainEnd(from start: Int, to end: Int) -> Int {
    let place = text.utf8.withContiguousStorageIfAvailable { bytes in
      var place = start
      while place < end, bytes[place] < 0x80, bytes[place] != Self.tab { place += 1 }
      // What is not ASCII may be a mark on the character before it.
      return place > start && place < bytes.count && bytes[place] >= 0x80 ? place - 1 : place
    }
    return place ?? start
  }
}
