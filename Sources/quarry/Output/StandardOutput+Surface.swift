internal import Libc
internal import Terminal

/// Prints surfaces line by line.
extension StandardOutput {
  /// The size of the terminal, less one line for the following prompt.
  ///
  /// Nil if the output is not a terminal.
  static var terminalSize: Size? {
    if let streams = SSHSession.current?.streams, let columns = streams.columns, let rows = streams.rows {
      return Size(columns: columns, rows: rows)
    }
    var window = winsize()
    guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return nil }
    return Size(columns: max(20, Int(window.ws_col)), rows: max(4, Int(window.ws_row) - 1))
  }

  /// Returns the rows of a surface as lines, without trailing blank ones.
  static func text(of surface: Surface, hasColors: Bool) -> String {
    let rows = (0..<surface.size.rows).map { hasColors ? colored(surface, row: $0) : surface.text(ofRow: $0) }
    let end = rows.lastIndex { !$0.isEmpty } ?? -1
    // The glyphs of a surface contain no control characters.
    return rows[...end].map { $0 + "\n" }.joined()
  }

  private static func colored(_ surface: Surface, row: Int) -> String {
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

  /// Returns the SGR parameters of a style with the terminal's own 16 colors.
  private static func parameters(of style: Style) -> String {
    let attributes: [(Attributes, String)] = [(.bold, ";1"), (.dim, ";2"), (.italic, ";3"), (.underline, ";4"), (.reverse, ";7")]
    let marks = attributes.filter { style.attributes.contains($0.0) }.map(\.1).joined()
    guard case .ansi(let color) = style.foreground else { return marks }
    return marks + ";\(color < 8 ? 30 + Int(color) : 82 + Int(color))"
  }
}
