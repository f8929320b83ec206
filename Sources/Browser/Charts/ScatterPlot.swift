import QuarryEngine
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
    // In an order of their own, as a dictionary has none and the last series of a cell gives it its colour.
    let shown = dots.counts.filter { series.contains($0.key.series) }
      .sorted { ($0.key.series, $0.key.x, $0.key.y) < ($1.key.series, $1.key.x, $1.key.y) }
    guard let frame = frame(shown.map(\.key)) else { return picture }
    frame.draw(into: &picture)
    let places = Dictionary(uniqueKeysWithValues: series.enumerated().map { ($1, $0) })
    // A mark is seen better than a dot, and tells series apart without colours, while there is room for all.
    let areMarks = shown.count * (series.count > 1 ? 4 : 12) <= frame.plot.columns * frame.plot.rows
    var canvas = DotCanvas(columns: frame.plot.columns, rows: frame.plot.rows, ink: source.ink)
    for dot in shown.reversed().map(\.key) {
      let place = places[dot.series] ?? 0
      if areMarks {
        picture.write(source.ink.mark(place), frame.column(dot.x), frame.row(dot.y), Role.series[place])
      } else {
        canvas.set(frame.dotX(dot.x), frame.dotY(dot.y), series: place)
      }
    }
    picture.write(canvas, at: Point(column: frame.plot.column, row: frame.plot.row), roles: Role.series)
    picture.stops = stops(shown.map { (places[$0.key.series] ?? 0, $0.key, $0.value) }, frame)
    return picture
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
        ? ChartAxis(times: left...right, columns: columns) : ChartAxis(numbers: left...right, columns: columns, isWhole: isWhole)
    }
  }

  /// Returns a stop for each column of cells that has a point.
  private func stops(_ shown: [(series: Int, dot: ChartDots.Dot, count: Int)], _ frame: ChartFrame) -> [ChartPicture.Stop] {
    let columns = Dictionary(grouping: shown) { frame.column($0.dot.x) }
    return columns.sorted { $0.key < $1.key }.map { column, entries in
      let xs = entries.map(\.dot.x)
      let (first, last) = (xs.min() ?? 0, xs.max() ?? 0)
      let values = Set(entries.map(\.series)).sorted().map { series -> ChartPicture.Value in
        let own = entries.filter { $0.series == series }
        let ys = own.map(\.dot.y)
        let (least, greatest) = (ys.min() ?? 0, ys.max() ?? 0)
        let count = own.reduce(0) { $0 + $1.count }
        let span = least == greatest ? ChartNumber.text(least) : "\(ChartNumber.text(least)) to \(ChartNumber.text(greatest))"
        let text = count == 1 ? span : "\(Plural.of(count, "point")), \(span)"
        return ChartPicture.Value(series: series, text: text, point: Point(column: column, row: frame.row(own.last?.dot.y ?? 0)))
      }
      let area = Rect(column: column, row: frame.plot.row, columns: 1, rows: frame.plot.rows)
      return ChartPicture.Stop(
        area: area, name: name(first, last), values: values,
        rows: source.spec.query.x == nil ? nil : .range(from: first, to: last, includesEnd: true))
    }
  }

  private func name(_ first: Double, _ last: Double) -> String {
    let text = { (value: Double) in dots.isTime ? ChartTimeUnit.day.text(of: value) : ChartNumber.text(value) }
    return first == last ? text(first) : "\(text(first)) to \(text(last))"
  }
}
