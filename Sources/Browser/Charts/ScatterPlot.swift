import QuarryEngine
import QuarryRows
import Terminal

/// Points on a plane of numbers, or of numbers over times.
struct ScatterPlot {
  let source: ChartSource
  let dots: ChartDots

  var picture: ChartPicture {
    var picture = ChartPicture(size: source.size)
    var weights = Array(repeating: 0, count: source.sample.series.count)
    for (dot, count) in dots.counts { weights[dot.series] += count }
    let series = source.series(of: &picture) { Double(weights[$0]) }
    let shown = series.map { series in dots.counts.filter { $0.key.series == series } }
    guard let frame = frame(shown.flatMap(\.keys)) else { return picture }
    frame.draw(into: &picture)
    // A mark is more visible than a dot, and distinguishes series without colors, as long as there is room for all marks.
    let count = shown.reduce(0) { $0 + $1.count }
    if count * (series.count > 1 ? 4 : 12) <= frame.plot.columns * frame.plot.rows {
      drawMarks(shown, frame, into: &picture)
    } else {
      drawDots(shown, frame, into: &picture)
    }
    picture.stops = stops(shown, frame)
    return picture
  }

  /// Draws a mark for each point; the first series lies on top.
  private func drawMarks(_ shown: [[ChartDots.Dot: Int]], _ frame: ChartFrame, into picture: inout ChartPicture) {
    for place in shown.indices.reversed() {
      let points = Set(shown[place].keys.map { Point(column: frame.column($0.x), row: frame.row($0.y)) })
      for point in points.sorted(by: { ($0.row, $0.column) < ($1.row, $1.column) }) {
        picture.write(source.ink.mark(place), point.column, point.row, Role.series[place])
      }
    }
  }

  private func drawDots(_ shown: [[ChartDots.Dot: Int]], _ frame: ChartFrame, into picture: inout ChartPicture) {
    var canvas = DotCanvas(columns: frame.plot.columns, rows: frame.plot.rows, ink: source.ink)
    for place in shown.indices.reversed() {
      for dot in shown[place].keys { canvas.set(frame.dotX(dot.x), frame.dotY(dot.y), series: place) }
    }
    picture.write(canvas, at: Point(column: frame.plot.column, row: frame.plot.row), roles: Role.series)
  }

  private func frame(_ dots: [ChartDots.Dot]) -> ChartFrame? {
    guard let left = dots.map(\.x).min(), let right = dots.map(\.x).max(), let bottom = dots.map(\.y).min(), let top = dots.map(\.y).max()
    else { return nil }
    let rows = max(1, source.size.rows - 2)
    let y =
      source.spec.isLogarithmic && bottom > 0
      ? ChartAxis(logarithmicAround: bottom...top, count: max(2, rows / 3))
      : ChartAxis(
        roundedAround: bottom...top, count: max(2, rows / 3), hasZero: false, isWhole: ChartSource.areWhole(dots.lazy.map(\.y)))
    let isWhole = ChartSource.areWhole(dots.lazy.map(\.x))
    return ChartFrame(size: source.size, y: y, ink: source.ink) { columns in
      self.dots.isTime
        ? ChartAxis(times: left...right, columns: columns)
        : ChartAxis(numbers: left...right, columns: columns, isWhole: isWhole, reachesTicks: true)
    }
  }

  /// What lies on a column of cells of one series.
  private struct Spread {
    var count = 0
    var (left, right) = (Double.infinity, -Double.infinity)
    var (least, greatest) = (Double.infinity, -Double.infinity)

    mutating func add(_ dot: ChartDots.Dot, _ count: Int) {
      self.count += count
      (left, right) = (min(left, dot.x), max(right, dot.x))
      (least, greatest) = (min(least, dot.y), max(greatest, dot.y))
    }

    /// The numbers in words: `7`, `12 points, 3 to 9`.
    var words: String {
      let span = least == greatest ? ChartNumber.text(least) : "\(ChartNumber.text(least)) to \(ChartNumber.text(greatest))"
      return count == 1 ? span : "\(Plural.of(count, "point")), \(span)"
    }
  }

  /// Returns a stop for each column of cells that has a point.
  private func stops(_ shown: [[ChartDots.Dot: Int]], _ frame: ChartFrame) -> [ChartPicture.Stop] {
    var columns: [Int: [Spread]] = [:]
    for (place, dots) in shown.enumerated() {
      for (dot, count) in dots {
        columns[frame.column(dot.x), default: Array(repeating: Spread(), count: shown.count)][place].add(dot, count)
      }
    }
    return columns.sorted { $0.key < $1.key }.map { column, spreads in
      let (left, right) = (spreads.map(\.left).min() ?? 0, spreads.map(\.right).max() ?? 0)
      let values = spreads.indices.filter { spreads[$0].count > 0 }.map { place in
        ChartPicture.Value(
          series: place, text: spreads[place].words, point: Point(column: column, row: frame.row(spreads[place].greatest)))
      }
      return ChartPicture.Stop(
        area: Rect(column: column, row: frame.plot.row, columns: 1, rows: frame.plot.rows), name: name(left, right), values: values,
        rows: source.spec.query.x == nil ? nil : .range(from: left, to: right, includesEnd: true))
    }
  }

  private func name(_ first: Double, _ last: Double) -> String {
    let text = { (value: Double) in dots.isTime ? ChartTimeUnit.day.text(of: value) : ChartNumber.text(value) }
    return first == last ? text(first) : "\(text(first)) to \(text(last))"
  }
}
