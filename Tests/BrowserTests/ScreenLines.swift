import Testing

extension String {
  /// Expects that a text of the screen is exactly `text`; a failure shows the screen.
  ///
  /// What stands in a line of a pane counts whole: only an edge, a border or two blanks may be beside the text.
  func expectLine(_ text: String, _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation) {
    expect(text, endsWithLine: true, comment, at: place)
  }

  /// Expects that a text of the screen begins with `start`; a failure shows the screen.
  func expectLine(beginning start: String, _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation) {
    expect(start, endsWithLine: false, comment, at: place)
  }

  private func expect(_ text: String, endsWithLine: Bool, _ comment: Comment?, at place: SourceLocation) {
    let isShown = split(separator: "\n").contains { line in
      line.ranges(of: text).contains { range in
        Self.isEdge(line[..<range.lowerBound].reversed())
          && (!endsWithLine || Self.isEdge(line[range.upperBound...]))
      }
    }
    if isShown { return }
    let wanted = endsWithLine ? "is" : "begins with"
    Issue.record("\(comment.map { "\($0.rawValue): " } ?? "")no line \(wanted) “\(text)”:\n\(self)", sourceLocation: place)
  }

  /// Whether nothing that belongs to a text follows: two blanks, or the end of the line or a border after any number of them.
  private static func isEdge(_ rest: some Sequence<Character>) -> Bool {
    var blanks = 0
    for character in rest {
      guard character == " " else { return borders.contains(character) }
      blanks += 1
      if blanks == 2 { return true }
    }
    return true
  }

  /// What panes are drawn with, and the mark of a cursor.
  private static let borders: Set<Character> = ["│", "╭", "╮", "╰", "╯", "─", "├", "┤", "▌"]
}
