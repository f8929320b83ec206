import QuarryEngine

extension TextLine {
  /// What lies further right in a line is not lexed: it is shown as text, and hands on the state in which the line began.
  private static let lexedBytes = 16_384

  /// Where the next line's lexing begins.
  var endState: SQLLineState {
    count > Self.lexedBytes ? state : SQLLineLexer.spans(of: text, from: state).end
  }

  /// Returns what the line consists of between two places, as much as is before them, and about a token after them that may be cut.
  func spans(from start: Int = 0, before end: Int = .max) -> [SQLSpan] {
    guard start < Self.lexedBytes else { return [] }
    // Most tokens that reach out of sight are no longer than this.
    let cut = min(end, Self.lexedBytes) + 1_024
    guard cut < count else { return SQLLineLexer.spans(of: text, from: state).spans }
    return SQLLineLexer.spans(of: String(text[..<index(aligned(cut))]), from: state).spans
  }
}

extension TextBuffer {
  /// Lines are lexed for as many bytes more than asked for, so that the states agree again mostly at once.
  private static let lexingBudget = 16_384

  /// Notes that lines have changed and that those after them have moved.
  mutating func unsettle(_ changed: ClosedRange<Int>, movedBy distance: Int) {
    let first = min(changed.lowerBound, unsettled?.lowerBound ?? .max)
    let last = max(changed.upperBound, (unsettled?.upperBound ?? -1) + distance)
    unsettled = first...min(last, lines.count - 1)
  }

  /// Sees to it that the lexing of all lines through `line` begins as it should.
  mutating func settle(through line: Int) {
    guard let unsettled else { return }
    var place = unsettled.lowerBound
    var budget = Self.lexingBudget
    while place < line || budget > 0 {
      let state = lines[place].endState
      budget -= 16 + lines[place].count
      place += 1
      guard place < lines.count, place <= unsettled.upperBound || lines[place].state != state else {
        self.unsettled = nil
        return
      }
      setState(state, ofLine: place)
    }
    self.unsettled = place...max(place, unsettled.upperBound)
  }
}
