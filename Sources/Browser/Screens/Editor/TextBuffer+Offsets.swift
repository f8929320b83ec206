extension TextBuffer {
  /// Returns the bytes before a place in the text.
  func offset(of place: TextPlace) -> Int {
    lines[..<place.line].reduce(place.offset) { $0 + $1.count + 1 }
  }

  /// Returns the place after so many bytes of the text, or after the character that they end in.
  func place(atOffset offset: Int) -> TextPlace {
    clamped(bytePlace(atOffset: offset))
  }

  /// Returns the place after so many bytes of the text, also where they end in a character.
  func bytePlace(atOffset offset: Int) -> TextPlace {
    var rest = max(0, offset)
    for (number, line) in lines.enumerated() {
      if rest <= line.count { return TextPlace(line: number, offset: rest) }
      rest -= line.count + 1
    }
    return end
  }

  /// Returns the place if it is one of the text and a character begins there, else the nearest one or the one after the character.
  func clamped(_ place: TextPlace) -> TextPlace {
    let line = min(max(0, place.line), lines.count - 1)
    return TextPlace(line: line, offset: lines[line].aligned(place.offset))
  }
}
