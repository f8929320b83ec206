import QuarryEngine
import Terminal

extension SQLPane {
  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) { editor.extent = editor.extent(in: area) }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard !area.isEmpty else { return }
    surface.clipped(to: area) { surface in
      editor.draw(
        into: &surface, area: area, hasFocus: environment.hasFocus, statement: markedStatement, appearance: environment.appearance)
    }
  }

  /// Draws the list of completions, which may lie over the rows.
  func drawOver(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard !area.isEmpty, environment.hasFocus, let completions, let caret = surface.cursor else { return }
    let room = Rect(column: area.column, row: area.row, columns: area.columns, rows: max(0, environment.size.rows - 1 - area.row))
    surface.clipped(to: room) { completions.draw(into: &$0, at: caret, area: room, appearance: environment.appearance) }
  }

  /// A text of more bytes is not taken apart into statements each time it is drawn.
  private static let markLimit = 200_000

  private var markedStatement: Range<Int>? {
    editor.byteCount <= Self.markLimit ? currentStatement?.range : nil
  }

  func title(_ environment: ScreenEnvironment) -> StyledLine? {
    let separator = " \(environment.appearance.glyphs.dot) "
    var line = StyledLine("SQL", .header)
    line = line.adding(separator + (buffer.origin?.title ?? "not saved"), .muted)
    if buffer.origin != nil, buffer.isChanged { line = line.adding("\(separator)changed", .warning) }
    if buffers.count > 1 { line = line.adding("\(separator)text \(place + 1) of \(buffers.count)", .muted) }
    return line
  }
}
