extension Surface {
  /// The rows as text, joined by line ends, without the blanks at the end of each.
  public var text: String {
    (0..<size.rows).map(text(ofRow:)).joined(separator: "\n")
  }

  /// Returns the text of a row, without the blanks at its end.
  public func text(ofRow row: Int) -> String {
    let cells = cells(inRow: row)
    let end = cells.lastIndex { $0.text != " " } ?? cells.startIndex - 1
    return cells[cells.startIndex..<(end + 1)].reduce(into: "") { $0 += $1.text }
  }

  /// A stretch of one row in one style.
  public struct StyleRun: Hashable, Sendable {
    public let row: Int
    public let columns: Range<Int>
    public let style: Style
    public let text: String
  }

  /// The stretches of each row that are of one style, from left to right, but for blank ones in the plain style.
  public var styleRuns: [StyleRun] {
    (0..<size.rows).flatMap { styleRuns(ofRow: $0) }
  }

  /// The text, and under it a line for each style run: `3:10..<14 bold fg #ff0000 "text"`.
  public var styledText: String {
    let runs = styleRuns.filter { $0.style != .plain }
    return ([text] + runs.map(\.description)).joined(separator: "\n")
  }

  private func styleRuns(ofRow row: Int) -> [StyleRun] {
    let cells = Array(cells(inRow: row))
    var runs: [StyleRun] = []
    var start = 0
    while start < cells.count {
      let end = cells[start...].firstIndex { $0.style != cells[start].style } ?? cells.count
      let text = cells[start..<end].reduce(into: "") { $0 += $1.text }
      let run = StyleRun(row: row, columns: start..<end, style: cells[start].style, text: text)
      if run.style != .plain || text.contains(where: { $0 != " " }) { runs.append(run) }
      start = end
    }
    return runs
  }
}

extension Surface.StyleRun: CustomStringConvertible {
  public var description: String { "\(row):\(columns) \(style) \"\(text)\"" }
}

extension Style: CustomStringConvertible {
  /// The attributes and colours in words: `bold fg #ff0000 bg 4`; `plain` for none.
  public var description: String {
    var words = Attributes.names.filter { attributes.contains($0.attribute) }.map(\.name)
    if foreground != .standard { words.append("fg \(foreground)") }
    if background != .standard { words.append("bg \(background)") }
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }
}

extension Color: CustomStringConvertible {
  /// `standard`, the number of one of the terminal's own 16, or `#rrggbb`.
  public var description: String {
    switch self {
    case .standard: "standard"
    case .ansi(let index): String(index)
    case .rgb(let red, let green, let blue, _): "#" + [red, green, blue].map(Self.hexadecimal).joined()
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
  }
}

extension Attributes {
  fileprivate static let names: [(attribute: Attributes, name: String)] = [
    (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"), (.reverse, "reverse"),
    (.strikethrough, "strikethrough"),
  ]
}
