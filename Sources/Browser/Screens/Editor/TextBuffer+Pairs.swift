import QuarryEngine

extension TextBuffer {
  /// The limits of the search for a matching parenthesis, in lines, and in bytes of lines with parentheses.
  private static let pairLines = 2_000
  private static let pairBytes = 32_768

  /// The parenthesis at or before the caret and its match; empty in strings and comments, and without a match.
  var matchingParentheses: [TextPosition] {
    guard hasParenthesisAtCaret else { return [] }
    let here = lines[caret.line].parentheses
    guard let index = here.firstIndex(where: { $0.offset == caret.offset }) ?? here.firstIndex(where: { $0.offset == caret.offset - 1 })
    else { return [] }
    let pair = here[index].isOpening ? closing(after: here[(index + 1)...]) : opening(before: here[..<index])
    return pair.map { [TextPosition(line: caret.line, offset: here[index].offset), $0] } ?? []
  }

  /// Whether there is a parenthesis at the caret; this check avoids lexing the line.
  private var hasParenthesisAtCaret: Bool {
    let line = lines[caret.line]
    let bytes = line.text.utf8[line.index(caret.offset - 1)..<line.index(caret.offset + 1)]
    return bytes.contains { $0 == Parenthesis.opening || $0 == Parenthesis.closing }
  }

  private func closing(after rest: ArraySlice<Parenthesis>) -> TextPosition? {
    var depth = 1
    if let found = rest.first(where: { $0.closes(&depth) }) { return TextPosition(line: caret.line, offset: found.offset) }
    var line = lines[caret.line]
    var budget = Self.pairBytes
    for number in (caret.line + 1)..<max(caret.line + 1, min(lines.count, caret.line + Self.pairLines)) where budget > 0 {
      line = following(line, number, &budget)
      guard line.hasParentheses else { continue }
      budget -= line.count
      if let found = line.parentheses.first(where: { $0.closes(&depth) }) { return TextPosition(line: number, offset: found.offset) }
    }
    return nil
  }

  /// Returns a line with the initial state that follows from the previous line, which may not be settled outside of the visible part.
  private func following(_ line: TextLine, _ number: Int, _ budget: inout Int) -> TextLine {
    guard let unsettled, number > unsettled.lowerBound else { return lines[number] }
    budget -= line.count
    return TextLine(text: lines[number].text, state: line.endState)
  }

  private func opening(before rest: ArraySlice<Parenthesis>) -> TextPosition? {
    var depth = 1
    if let found = rest.last(where: { $0.opens(&depth) }) { return TextPosition(line: caret.line, offset: found.offset) }
    var budget = Self.pairBytes
    for number in stride(from: caret.line - 1, through: max(0, caret.line - Self.pairLines), by: -1) where budget > 0 {
      guard lines[number].hasParentheses else { continue }
      budget -= lines[number].count
      if let found = lines[number].parentheses.last(where: { $0.opens(&depth) }) { return TextPosition(line: number, offset: found.offset) }
    }
    return nil
  }
}

private struct Parenthesis {
  static let opening: UInt8 = 0x28
  static let closing: UInt8 = 0x29

  var offset: Int
  var isOpening: Bool

  /// Updates the depth in the forward direction; returns whether this is the match.
  func closes(_ depth: inout Int) -> Bool {
    depth += isOpening ? 1 : -1
    return depth == 0
  }

  /// Updates the depth in the backward direction; returns whether this is the match.
  func opens(_ depth: inout Int) -> Bool {
    depth += isOpening ? -1 : 1
    return depth == 0
  }
}

extension TextLine {
  /// Whether the line contains any parenthesis, including those in strings and comments.
  fileprivate var hasParentheses: Bool {
    let found = text.utf8.withContiguousStorageIfAvailable { $0.contains { $0 == Parenthesis.opening || $0 == Parenthesis.closing } }
    return found ?? true
  }

  /// The parentheses outside of strings, names and comments.
  fileprivate var parentheses: [Parenthesis] {
    guard hasParentheses else { return [] }
    return spans().lazy.filter { $0.kind == .symbol }.flatMap { span in
      zip(span.range, text.utf8[index(span.range.lowerBound)..<index(span.range.upperBound)])
        .filter { $1 == Parenthesis.opening || $1 == Parenthesis.closing }
        .map { Parenthesis(offset: $0, isOpening: $1 == Parenthesis.opening) }
    }
  }
}
