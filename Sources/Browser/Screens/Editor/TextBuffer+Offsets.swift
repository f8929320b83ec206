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
