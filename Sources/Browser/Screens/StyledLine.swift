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

  /// The cells that it takes.
  var width: Int { runs.reduce(0) { $0 + TextWidth.columns(of: $1.text) } }

  /// Draws as much of it as there is room for; what is cut says so.
  func draw(into surface: inout Surface, at point: Point, columns: Int, base: Role = .text, look: Look) {
    var column = point.column
    for run in runs {
      let room = max(0, point.column + columns - column)
      let text = TextWidth.truncated(run.text, to: room, ellipsis: look.glyphs.ellipsis)
      column += surface.write(text, at: Point(column: column, row: point.row), limit: room, style: look.theme.style(run.role, on: base))
    }
  }
}
