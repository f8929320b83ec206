internal import Libc
internal import Terminal

/// Printing a picture, line by line.
extension StandardOutput {
  /// The extent of the terminal, less the line of the prompt that follows; nil where the output is none.
  static var terminalSize: Size? {
    if let streams = SSHSession.current?.streams, let columns = streams.columns, let rows = streams.rows {
      return Size(columns: columns, rows: rows)
    }
    var window = winsize()
    guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return nil }
    return Size(columns: max(20, Int(window.ws_col)), rows: max(4, Int(window.ws_row) - 1))
  }

  /// Returns the rows of a surface as lines, without the blank ones at its end.
  static func text(of surface: Surface, hasColours: Bool) -> String {
    let rows = (0..<surface.size.rows).map { hasColours ? coloured(surface, row: $0) : surface.text(ofRow: $0) }
    let end = rows.lastIndex { !$0.isEmpty } ?? -1
    // What the surface holds are glyphs: it has no control characters.
    return rows[...end].map { $0 + "\n" }.joined()
  }

  private static func coloured(_ surface: Surface, row: Int) -> String {
    var text = ""
    var style = Style.plain
    let columns = TextWidth.columns(of: surface.text(ofRow: row))
    for cell in surface.cells(inRow: row).prefix(columns) {
      if cell.style != style {
        text += "\u{1B}[0\(parameters(of: cell.style))m"
        style = cell.style
      }
      text += cell.text
    }
    return style == .plain ? text : text + "\u{1B}[0m"
  }

  /// Returns the parameters of SGR for a style of the terminal's own 16 colours.
  private static func parameters(of style: Style) -> String {
    let attributes: [(Attributes, String)] = [(.bold, ";1"), (.dim, ";2"), (.italic, ";3"), (.underline, ";4"), (.reverse, ";7")]
    let marks = attributes.filter { style.attributes.contains($0.0) }.map(\.1).joined()
    guard case .ansi(let color) = style.foreground else { return marks }
    return marks + ";\(color < 8 ? 30 + Int(color) : 82 + Int(color))"
  }
}
