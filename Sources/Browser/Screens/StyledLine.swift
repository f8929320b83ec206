package import Terminal

/// A line of text in runs of different roles.
package struct StyledLine: Hashable, Sendable {
  package struct Run: Hashable, Sendable {
    package var text: String
    var role: Role
  }

  package var runs: [Run] = []

  init() {}

  init(_ runs: [Run]) { self.runs = runs }

  package init(_ text: String, _ role: Role = .text) {
    runs = [Run(text: text, role: role)]
  }

  /// Returns the line with another run.
  package func adding(_ text: String, _ role: Role = .text) -> StyledLine {
    var line = self
    line.runs.append(Run(text: text, role: role))
    return line
  }

  /// The line without its roles.
  package var text: String { runs.map(\.text).joined() }

  /// Returns the line with every occurrence of a text highlighted, regardless of case.
  func marking(_ needle: String) -> StyledLine {
    runs.reduce(into: StyledLine()) { line, run in
      let letters = Array(run.text)
      var end = 0
      for hit in LineSearch.hits(of: needle, in: letters) {
        line = line.adding(String(letters[end..<hit.lowerBound]), run.role).adding(String(letters[hit]), .match)
        end = hit.upperBound
      }
      line = line.adding(String(letters[end...]), run.role)
    }
  }

  /// The width in columns.
  var width: Int { runs.reduce(0) { $0 + TextWidth.columns(of: $1.text) } }

  /// Draws as much of the line as fits; an ellipsis marks the cut.
  package func draw(into surface: inout Surface, at point: Point, columns: Int, base: Role = .text, appearance: Appearance) {
    var column = point.column
    for (index, run) in runs.enumerated() {
      let room = point.column + columns - column
      guard room > 0 else { return }
      // A run that exactly fills the room also gets the mark if other runs follow.
      let isLast = TextWidth.columns(of: run.text) >= room
      let rest = isLast ? runs[(index + 1)...].map(\.text).joined() : ""
      let text = TextWidth.truncated(run.text + rest, to: room, ellipsis: appearance.glyphs.ellipsis)
      column += surface.write(
        text, at: Point(column: column, row: point.row), limit: room, style: appearance.theme.style(run.role, on: base))
    }
  }
}

extension [StyledLine] {
  /// Draws as many of the lines as an area has rows.
  func draw(into surface: inout Surface, area: Rect, appearance: Appearance) {
    for (offset, line) in prefix(area.rows).enumerated() {
      line.draw(
        into: &surface, at: Point(column: area.column, row: area.row + offset), columns: area.columns, appearance: appearance)
    }
  }
}

extension StyledLine {
  /// The least width of the text in a continued line.
  private static let leastContinued = 12

  /// Returns the line wrapped at spaces to a width.
  ///
  /// The last run continues below its own start if there is room. Otherwise it has a separate line.
  package func wrapped(to columns: Int) -> [StyledLine] {
    guard width > columns, columns > 0, let last = runs.last else { return [self] }
    let indentation = text.prefix { $0 == " " }.count + 2
    let lastColumns = TextWidth.columns(of: last.text)
    let canHang = runs.count > 1 && width - lastColumns + Self.leastContinued <= columns
    if !canHang, runs.count > 1, indentation + lastColumns <= columns {
      let own = StyledLine(String(repeating: " ", count: indentation)).adding(String(last.text.drop { $0 == " " }), last.role)
      return StyledLine(runs.dropLast()).wrapped(to: columns) + [own]
    }
    let hanging = canHang ? width - lastColumns : indentation
    let indent = hanging + Self.leastContinued <= columns ? hanging : 0
    var lines: [[(character: Character, role: Role)]] = []
    var rest = runs.flatMap { run in run.text.map { (character: $0, role: run.role) } }[...]
    while !rest.isEmpty {
      let start = lines.isEmpty ? 0 : indent
      let head = Self.head(of: rest.map(\.character), columns: columns - start, least: lines.isEmpty ? indentation : 0)
      lines.append(Array(repeating: (" ", .text), count: start) + rest.prefix(head))
      rest = rest.dropFirst(head).drop { $0.character == " " }
    }
    return lines.map(StyledLine.init(characters:))
  }

  /// Returns the number of characters that fit, up to the last space after the first `least` ones.
  ///
  /// Without such a space, it returns the number of all characters that fit.
  private static func head(of characters: [Character], columns: Int, least: Int) -> Int {
    var used = 0
    let fitting = characters.prefix { character in
      used += TextWidth.columns(of: TextWidth.glyph(for: character))
      return used <= columns
    }
    guard fitting.count < characters.count, characters[fitting.count] != " " else { return max(1, fitting.count) }
    guard let blank = fitting.lastIndex(of: " "), blank > least else { return max(1, fitting.count) }
    return blank
  }

  /// Joins characters of the same role into runs.
  private init(characters: [(character: Character, role: Role)]) {
    self.init()
    for (character, role) in characters {
      if let last = runs.indices.last, runs[last].role == role {
        runs[last].text.append(character)
      } else {
        runs.append(Run(text: String(character), role: role))
      }
    }
  }
}

/// The wrapping of text to a width.
enum WrappedText {
  /// Draws as much of a text as fits in the lines of an area.
  static func draw(_ text: String, _ role: Role, into surface: inout Surface, area: Rect, appearance: Appearance) {
    for (offset, line) in lines(text, columns: max(1, area.columns), rows: area.rows, appearance: appearance).enumerated() {
      surface.write(
        line, at: Point(column: area.column, row: area.row + offset), limit: area.columns, style: appearance.theme.style(role))
    }
  }

  /// Returns the lines of a text, wrapped at line endings and at spaces; words longer than a line are split.
  static func lines(_ text: String, columns: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapped($0, columns: max(1, columns)) }
  }

  /// Returns at most `rows` lines; an ellipsis marks the last one if there are more.
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

  /// Removes the last word of a full line for the start of the next line, and returns it.
  ///
  /// It removes nothing if the word is most of the line.
  private static func breakOff(_ line: inout [Character]) -> [Character] {
    guard let blank = line.lastIndex(of: " "), blank > line.count / 2 else { return [] }
    let rest = Array(line[(blank + 1)...])
    line.removeSubrange(blank...)
    return rest
  }
}

/// A search for a text in lines, regardless of case.
enum LineSearch {
  /// Returns the first line from `start` on that contains `needle`, wrapping around at the end, or at the start when going backwards.
  static func index(of needle: String, in lines: [String], from start: Int, backwards: Bool) -> Int? {
    let (count, wanted) = (lines.count, needle.lowercased())
    let order = (0..<count).lazy.map { ((backwards ? start - $0 : start + $0) % count + count) % count }
    return order.first { lines[$0].lowercased().contains(wanted) }
  }

  /// Returns the ranges of `needle` in the characters of a text.
  static func hits(of needle: String, in letters: [Character]) -> [Range<Int>] {
    let wanted = needle.map { $0.lowercased() }
    guard !wanted.isEmpty, letters.count >= wanted.count else { return [] }
    var hits: [Range<Int>] = []
    var index = 0
    while index <= letters.count - wanted.count {
      let isHit = wanted.indices.allSatisfy { letters[index + $0].lowercased() == wanted[$0] }
      if isHit { hits.append(index..<(index + wanted.count)) }
      index += isHit ? wanted.count : 1
    }
    return hits
  }
}
