import Terminal

/// Text broken into lines of a width.
enum WrappedText {
  /// Breaks at line ends and, where a line is too long, at a blank if there is one near; words longer than a line are cut.
  static func lines(_ text: String, columns: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapped($0, columns: max(1, columns)) }
  }

  private static func wrapped(_ line: Substring, columns: Int) -> [String] {
    var lines: [String] = []
    var current: [Character] = []
    var used = 0
    for character in line {
      let width = TextWidth.columns(of: TextWidth.glyph(for: character))
      if used + width > columns {
        let rest = breakOff(&current)
        lines.append(String(current))
        current = rest
        used = rest.reduce(0) { $0 + TextWidth.columns(of: TextWidth.glyph(for: $1)) }
      }
      current.append(character)
      used += width
    }
    return lines + [String(current)]
  }

  /// Takes the last word off a full line, so that it starts the next, and returns it; nothing where the word is most of the line.
  private static func breakOff(_ line: inout [Character]) -> [Character] {
    guard let blank = line.lastIndex(of: " "), blank > line.count / 2 else { return [] }
    let rest = Array(line[(blank + 1)...])
    line.removeSubrange(blank...)
    return rest
  }
}
