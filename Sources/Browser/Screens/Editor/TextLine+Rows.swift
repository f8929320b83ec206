import Terminal

extension TextLine {
  /// Lines of more bytes than this keep their rows; to wrap a shorter one anew takes no time.
  private static let keptBytes = 1_024

  /// Returns the rows that the line is wrapped into.
  func rows(columns: Int) -> LineRows {
    if let keptRows, keptRows.columns == columns { return keptRows }
    return LineRows(self, columns: columns)
  }

  /// Whether the rows at a width are to be kept, and are not yet.
  func lacksRows(columns: Int) -> Bool {
    count > Self.keptBytes && keptRows?.columns != columns
  }

  /// Returns where the row that begins at `start` ends and the next one begins; nil if it is the last.
  ///
  /// A row ends after a blank, a comma or a semicolon, else at a bound of a word, else where it is full.
  func rowEnd(from start: Int, columns: Int) -> Int? {
    let full = stop(atColumn: max(1, columns - 1), from: Stop(offset: start)).offset
    guard full < count else { return nil }
    guard full > start else {
      // Not even one wide character fits.
      let next = next(after: start)
      return next < count ? next : nil
    }
    // There is a column for the blank after the last word.
    if isBlank(at: full), aligned(full + 1) == full + 1 { return full + 1 }
    return lastBreak(in: start..<full) ?? full
  }

  private func lastBreak(in row: Range<Int>) -> Int? {
    let found = text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      var wordBound: Int?
      for place in stride(from: row.upperBound, to: row.lowerBound, by: -1) {
        if LineBreak.isAllowed(in: bytes, at: place), aligned(place) == place { return place }
        if wordBound == nil, LineBreak.isWordBound(in: bytes, at: place), aligned(place) == place { wordBound = place }
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

/// Where a line may be broken between two bytes of UTF-8.
private enum LineBreak {
  /// Whether a blank, a comma, a semicolon or a wide letter, which needs no blank after it, is before a place.
  static func isAllowed(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    switch bytes[place - 1] {
    case 0x20, TextLine.tab, UInt8(ascii: ","), UInt8(ascii: ";"): true
    case 0x80...: PlainRun.isWide(before: place, in: bytes)
    default: false
    }
  }

  /// Whether a word begins or ends at a place; a quotation mark stays with what it quotes.
  static func isWordBound(in bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    let (before, after) = (bytes[place - 1], bytes[place])
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
  /// A tab goes on to the next column that this divides.
  private static let tabStop = 4

  /// A place in the line with the cells before it.
  struct Stop: Hashable, Sendable {
    var offset = 0
    var column = 0
  }

  /// Returns the cells that the line takes before `end`, from `start` on.
  func columns(from start: Int = 0, before end: Int) -> Int {
    stop(from: Stop(offset: start), beforeOffset: end, column: .max).column
  }

  /// Returns the last place that has no more than so many cells before it.
  ///
  /// - Parameter start: A place before it that is known.
  func stop(atColumn column: Int, from start: Stop = Stop()) -> Stop {
    stop(from: start, beforeOffset: count, column: column)
  }

  /// Returns the cells of a character that begins at `column`.
  static func columns(of character: Character, at column: Int) -> Int {
    // Characters are not compared, since that would normalize them.
    character.utf8.first == tab ? tabStop - column % tabStop : TextWidth.columns(of: TextWidth.glyph(for: character))
  }

  /// Goes as far as neither is exceeded.
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
        // The next one may be plain again.
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
