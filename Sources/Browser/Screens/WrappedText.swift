import Terminal

/// Text broken into lines of a width.
enum WrappedText {
  /// Breaks at line ends and, where a line is too long, at a blank if there is one near; words longer than a line are cut.
  static func lines(_ text: String, columns: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapped($0, columns: max(1, columns)) }
  }

  /// Returns as many lines as there are rows for; the last says so where there are more.
  static func lines(_ text: String, columns: Int, rows: Int, appearance: Appearance) -> [String] {
    let lines = lines(appearance.sentence(text), columns: columns)
    guard lines.count > rows, rows > 0 else { return Array(lines.prefix(max(0, rows))) }
    let last = lines[rows - 1]
    let isFull = TextWidth.columns(of: last) >= columns
    let cut =
      isFull ? TextWidth.truncated(last + " ", to: columns, ellipsis: appearance.glyphs.ellipsis) : last + appearance.glyphs.ellipsis
    return lines.prefix(rows - 1) + [cut]
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
