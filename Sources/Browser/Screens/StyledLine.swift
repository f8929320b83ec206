import Terminal

/// One line of text in runs of different roles.
struct StyledLine: Hashable, Sendable {
  struct Run: Hashable, Sendable {
    var text: String
    var role: Role
  }

  var runs: [Run] = []

  init() {}

  init(_ text: String, _ role: Role = .text) {
    runs = [Run(text: text, role: role)]
  }

  /// Returns the line with a run more.
  func adding(_ text: String, _ role: Role = .text) -> StyledLine {
    var line = self
    line.runs.append(Run(text: text, role: role))
    return line
  }

  /// The line without its roles.
  var text: String { runs.map(\.text).joined() }

  /// Returns the line with a text marked wherever it stands in a run, in either case of its letters.
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

  /// The cells that it takes.
  var width: Int { runs.reduce(0) { $0 + TextWidth.columns(of: $1.text) } }

  /// Draws as much of it as there is room for; what is cut says so.
  func draw(into surface: inout Surface, at point: Point, columns: Int, base: Role = .text, appearance: Appearance) {
    var column = point.column
    for (index, run) in runs.enumerated() {
      let room = point.column + columns - column
      guard room > 0 else { return }
      // A run that fills the room to its end says so as well when others follow it.
      let isLast = TextWidth.columns(of: run.text) >= room
      let rest = isLast ? runs[(index + 1)...].map(\.text).joined() : ""
      let text = TextWidth.truncated(run.text + rest, to: room, ellipsis: appearance.glyphs.ellipsis)
      column += surface.write(
        text, at: Point(column: column, row: point.row), limit: room, style: appearance.theme.style(run.role, on: base))
    }
  }
}
