/// How a chart is drawn: in braille and eighth blocks, or in plain ASCII.
package enum ChartInk: Hashable, Sendable {
  case unicode, ascii

  /// The dots of a cell from left to right and from top to bottom.
  var dots: (columns: Int, rows: Int) { self == .unicode ? (2, 4) : (1, 2) }

  /// The mark at the end of a truncated text.
  var ellipsis: String { self == .unicode ? "…" : "~" }

  /// The marks of series, in their order.
  var marks: [String] { self == .unicode ? ["●", "■", "▲", "◆", "○", "□"] : ["*", "o", "x", "+", "#", "@"] }

  /// Returns the mark of a series.
  func mark(_ series: Int) -> String { marks[series % marks.count] }
}

/// A grid of dots, several in each cell of the screen, each cell in the color of the series that drew on it last.
package struct DotCanvas: Hashable, Sendable {
  let ink: ChartInk
  /// The extent in cells.
  package let columns, rows: Int
  private var masks: [UInt8]
  private var owners: [Int]

  package init(columns: Int, rows: Int, ink: ChartInk) {
    (self.columns, self.rows, self.ink) = (max(0, columns), max(0, rows), ink)
    masks = Array(repeating: 0, count: self.columns * self.rows)
    owners = Array(repeating: 0, count: masks.count)
  }

  /// The extent in dots.
  var width: Int { columns * ink.dots.columns }
  var height: Int { rows * ink.dots.rows }

  /// Sets a dot, counted from the top left; nothing outside of the canvas.
  package mutating func set(_ x: Int, _ y: Int, series: Int) {
    guard x >= 0, y >= 0, x < width, y < height else { return }
    let cell = y / ink.dots.rows * columns + x / ink.dots.columns
    masks[cell] |= Self.bit(x % ink.dots.columns, y % ink.dots.rows, ink)
    owners[cell] = series
  }

  /// Draws a straight line between two dots, both included.
  package mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int), series: Int) {
    let steps = max(abs(end.x - start.x), abs(end.y - start.y))
    guard steps > 0 else { return set(start.x, start.y, series: series) }
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      let x = Double(start.x) + part * Double(end.x - start.x)
      let y = Double(start.y) + part * Double(end.y - start.y)
      set(Int(x.rounded()), Int(y.rounded()), series: series)
    }
  }

  /// Returns what a cell shows, and the series that drew on it last; nil for a blank one.
  package func cell(_ column: Int, _ row: Int) -> (text: String, series: Int)? {
    let index = row * columns + column
    guard masks.indices.contains(index), masks[index] != 0 else { return nil }
    return (Self.text(masks[index], ink), owners[index])
  }

  /// The bits of braille: the dots of both columns from top to bottom, the last row being an addition to six-dot braille.
  private static let braille: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  private static func bit(_ x: Int, _ y: Int, _ ink: ChartInk) -> UInt8 {
    ink == .unicode ? braille[x][y] : UInt8(1 << y)
  }

  private static func text(_ mask: UInt8, _ ink: ChartInk) -> String {
    switch ink {
    case .unicode: Unicode.Scalar(0x2800 + UInt32(mask)).map { String(Character($0)) } ?? " "
    case .ascii: [" ", "'", ".", ":"][Int(mask & 3)]
    }
  }
}

/// Bars of block characters, an eighth of a cell fine.
package enum BlockBar {
  private static let left = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  private static let lower = ["", "▁", "▂", "▃", "▄", "▅", "▆", "▇"]

  /// Returns a bar from left to right of a length in cells; a bar of any positive length is visible.
  package static func rightwards(_ length: Double, ink: ChartInk) -> String {
    guard length > 0 else { return "" }
    if ink == .ascii { return String(repeating: "#", count: max(1, Int(length.rounded()))) }
    let eighths = max(1, Int((length * 8).rounded()))
    return String(repeating: "█", count: eighths / 8) + left[eighths % 8]
  }

  /// Returns a bar that ends at the right of its text, half a cell fine: no other blocks lie at the right of a cell.
  package static func leftwards(_ length: Double, ink: ChartInk) -> String {
    guard length > 0 else { return "" }
    if ink == .ascii { return String(repeating: "#", count: max(1, Int(length.rounded()))) }
    let halves = max(1, Int((length * 2).rounded()))
    return (halves % 2 == 1 ? "▐" : "") + String(repeating: "█", count: halves / 2)
  }

  /// Returns the cells of a bar of a height in cells, from the bottom up.
  package static func upwards(_ height: Double, ink: ChartInk) -> [String] {
    guard height > 0 else { return [] }
    if ink == .ascii { return Array(repeating: "#", count: max(1, Int(height.rounded()))) }
    let eighths = max(1, Int((height * 8).rounded()))
    return Array(repeating: "█", count: eighths / 8) + [lower[eighths % 8]].filter { !$0.isEmpty }
  }
}
