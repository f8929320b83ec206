import Terminal

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
