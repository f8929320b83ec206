import Terminal

extension TextLine {
  /// The size above which lines store their rows, in bytes; wrapping a shorter line takes no time.
  private static let keptBytes = 1_024

  /// Returns the rows that the line is wrapped into.
  package func rows(columns: Int) -> LineRows {
    if let keptRows, keptRows.columns == columns { return keptRows }
    return LineRows(self, columns: columns)
  }

  /// Returns whether the rows for a width should be stored but are not yet.
  func lacksRows(columns: Int) -> Bool {
    count > Self.keptBytes && keptRows?.columns != columns
  }

  /// Returns the end of the row that begins at `start`; nil if it is the last row.
  ///
  /// A row ends after a space, a comma or a semicolon; otherwise at a word boundary, or at its full width.
  func rowEnd(from start: Int, columns: Int) -> Int? {
    let full = stop(atColumn: max(1, columns - 1), from: Stop(offset: start)).offset
    guard full < count else { return nil }
    guard full > start else {
      // Not even one wide character fits.
      let next = next(after: start)
      return next < count ? next : nil
    }
    // The last column is reserved for the space after a word.
    if isBlank(at: full), aligned(full + 1) == full + 1 { return full + 1 }
    return lastBreak(in: start..<full) ?? full
  }

  private func lastBreak(in row: Range<Int>) -> Int? {
    let found = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      var wordBound: Int?
      for offset in stride(from: row.upperBound, to: row.lowerBound, by: -1) {
        if LineBreak.isAllowed(in: bytes, at: offset), aligned(offset) == offset { return offset }
        if wordBound == nil, LineBreak.isWordBound(in: bytes, at: offset), aligned(offset) == offset { wordBound = offset }
      }
      return wordBound
    }
    return found ?? nil
  }

  private func isBlank(at offset: Int) -> Bool {
    let byte = text.utf8[index(offset)]
    return byte == 0x20 || byte == Self.tab
  }
}

/// The positions between two bytes of UTF-8 where a line may be wrapped.
private enum LineBreak {
  /// Returns whether a line may be wrapped at an offset: after a space, a comma, a semicolon or a wide letter.
  ///
  /// Wide letters need no space.
  static func isAllowed(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    switch bytes[offset - 1] {
    case 0x20, TextLine.tab, UInt8(ascii: ","), UInt8(ascii: ";"): true
    case 0x80...: PlainRun.isWide(before: offset, in: bytes)
    default: false
    }
  }

  /// Returns whether an offset is a word boundary; a quotation mark stays with the quoted text.
  static func isWordBound(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    let (before, after) = (bytes[offset - 1], bytes[offset])
    return isWordPart(before) != isWordPart(after) && !isQuotation(before) && !isQuotation(after)
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }

  private static func isQuotation(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "`")
  }
}

extension TextLine {
  static let tab: UInt8 = 0x09
  /// The tab width.
  private static let tabStop = 4

  /// An offset in the line, with the number of columns before it.
  package struct Stop: Hashable, Sendable {
    package var offset = 0
    package var column = 0
  }

  /// Returns the number of columns of the line from `start` to `end`.
  package func columns(from start: Int = 0, before end: Int) -> Int {
    stop(from: Stop(offset: start), beforeOffset: end, column: .max).column
  }

  /// Returns the last stop with at most `column` columns before it.
  ///
  /// - Parameter start: A known stop before it.
  package func stop(atColumn column: Int, from start: Stop = Stop()) -> Stop {
    stop(from: start, beforeOffset: count, column: column)
  }

  /// Returns the number of columns of a character that begins at `column`.
  package static func columns(of character: Character, at column: Int) -> Int {
    // Comparing characters would normalize them.
    character.utf8.first == tab ? tabStop - column % tabStop : TextWidth.columns(of: TextWidth.glyph(for: character))
  }

  /// Advances from a stop within both limits.
  private func stop(from start: Stop, beforeOffset end: Int, column limit: Int) -> Stop {
    var stop = start
    while stop.offset < end, stop.column < limit {
      stop = plainStop(from: stop, beforeOffset: end, column: limit)
      guard stop.offset < end, stop.column < limit else { break }
      for character in text[index(stop.offset)...] {
        let columns = Self.columns(of: character, at: stop.column)
        guard stop.offset < end, columns <= limit - stop.column else { return stop }
        stop.column += columns
        stop.offset += character.utf8.count
        // The next character may be plain again.
        if character.utf8.count <= 3 { break }
      }
    }
    return stop
  }

  private func plainStop(from start: Stop, beforeOffset end: Int, column limit: Int) -> Stop {
    let stop = text.utf8.withContiguousStorageIfAvailable { bytes in
      var run = PlainRun(bytes: bytes, stop: start)
      run.advance(untilOffset: end, column: limit)
      return run.stop
    }
    return stop ?? start
  }
}
