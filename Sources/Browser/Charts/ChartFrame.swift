import QuarryEngine
import Terminal

/// The axes of a chart, and the plot area between them.
struct ChartFrame: Hashable, Sendable {
  let x, y: ChartAxis
  /// The cells between the axes.
  let plot: Rect
  private let ink: ChartInk

  /// Lays out both axes; the horizontal one is made for the columns that the labels of the vertical one leave.
  ///
  /// - Parameter used: Returns how many of the columns are used; 0 for all.
  init(
    size: Size, y: ChartAxis, ink: ChartInk, used: (_ columns: Int) -> Int = { $0 }, x makeX: (_ columns: Int) -> ChartAxis
  ) {
    let labels = min(y.ticks.map { TextWidth.columns(of: $0.label) }.max() ?? 0, size.columns / 3)
    let rows = size.rows > 4 ? size.rows - 2 : max(1, size.rows - 1)
    let room = max(1, size.columns - labels - 2)
    let used = used(room)
    plot = Rect(column: labels + 2, row: 0, columns: used > 0 ? used : room, rows: rows)
    self.y = y
    self.ink = ink
    x = makeX(plot.columns)
  }

  /// Returns the column of dots of a value, and its row of dots.
  func dotX(_ value: Double) -> Int { Self.dot(x.place(of: value), of: plot.columns * ink.dots.columns) }
  func dotY(_ value: Double) -> Int { Self.dot(1 - y.place(of: value), of: plot.rows * ink.dots.rows) }

  /// Returns the dot at a place; one beyond the axis is drawn nowhere, and not so far off that it could not be counted.
  private static func dot(_ place: Double, of count: Int) -> Int {
    Int((min(max(-1, place), 2) * Double(count - 1)).rounded())
  }

  /// Returns the cell in which a value is drawn.
  func row(_ value: Double) -> Int { plot.row + min(max(0, dotY(value) / ink.dots.rows), plot.rows - 1) }
  func column(_ value: Double) -> Int { plot.column + min(max(0, dotX(value) / ink.dots.columns), plot.columns - 1) }

  /// Draws the axes with their ticks and labels.
  func draw(into picture: inout ChartPicture) {
    drawVertical(into: &picture)
    drawHorizontal(into: &picture)
  }

  private func drawVertical(into picture: inout ChartPicture) {
    var labelled: [Int: String] = [:]
    for tick in y.ticks { labelled[row(tick.value)] = labelled[row(tick.value)] ?? tick.label }
    for row in plot.row..<plot.endRow {
      let label = labelled[row]
      let (line, tick) = ink == .unicode ? ("│", "┤") : ("|", "+")
      picture.write(label == nil ? line : tick, plot.column - 1, row, .border)
      if let label {
        let text = TextWidth.truncated(label, to: max(0, plot.column - 2), ellipsis: ink.ellipsis)
        picture.write(text, endingAt: plot.column - 2, row, .muted)
        if row < plot.endRow - 1 { drawGridline(in: row, &picture) }
      }
    }
  }

  private func drawGridline(in row: Int, _ picture: inout ChartPicture) {
    let dot = ink == .unicode ? "·" : "."
    for column in stride(from: plot.column + 3, to: plot.endColumn, by: 4) { picture.write(dot, column, row, .border) }
  }

  private func drawHorizontal(into picture: inout ChartPicture) {
    var line = Array(repeating: ink == .unicode ? "─" : "-", count: plot.columns)
    for (tick, start) in labelled(in: picture.size.columns) {
      line[column(tick.value) - plot.column] = ink == .unicode ? "┬" : "+"
      if plot.endRow + 1 < picture.size.rows { picture.write(tick.label, start, plot.endRow + 1, .muted) }
    }
    let corner = ink == .unicode ? "└" : "+"
    picture.write(corner + line.joined(), plot.column - 1, plot.endRow, .border)
  }

  /// Returns the ticks whose labels have room, with the columns where these begin: the first and the last before those between them.
  private func labelled(in columns: Int) -> [(tick: ChartTick, start: Int)] {
    let places = x.ticks.map { tick in
      let width = TextWidth.columns(of: tick.label)
      return (tick: tick, start: min(max(column(tick.value) - width / 2, 0), columns - width), width: width)
    }.filter { $0.start >= 0 }
    guard let last = places.last else { return [] }
    var (shown, end) = ([(tick: ChartTick, start: Int)](), 0)
    for place in places.dropLast() where place.start >= end && (shown.isEmpty || place.start + place.width < last.start) {
      shown.append((place.tick, place.start))
      end = place.start + place.width + 1
    }
    return last.start >= end ? shown + [(last.tick, last.start)] : shown
  }
}
