import QuarryRows
import Terminal

/// Lines of numbers over an axis of numbers or times; each column of dots spans the smallest to the largest number in it.
struct LinePlot {
  let source: ChartSource
  let bins: ChartBins

  private var spec: ChartSpec { source.spec }

  /// A point of a line: several numbers where several lie on it.
  private struct Node {
    var x: Double
    var bin: ChartBin
  }

  var picture: ChartPicture {
    var picture = ChartPicture(size: source.size)
    let series = source.series(of: &picture) { index in bins.series.indices.contains(index) ? Double(bins.series[index].count) : 0 }
    let unit = bins.isTime && spec.aggregate != .none ? gatheringUnit : nil
    picture.unit = unit
    let lines = series.map { line(of: $0, by: unit) }
    guard let xs = range(of: lines.joined().map(\.x)), let frame = frame(lines, xs) else { return picture }
    frame.draw(into: &picture)
    var canvas = DotCanvas(columns: frame.plot.columns, rows: frame.plot.rows, ink: source.ink)
    // The first series lies on top.
    for place in lines.indices.reversed() { draw(lines[place], of: place, frame, on: &canvas) }
    picture.write(canvas, at: Point(column: frame.plot.column, row: frame.plot.row), roles: Role.series)
    for place in lines.indices.reversed() { drawMarks(lines[place], of: place, lineCount: lines.count, frame, into: &picture) }
    picture.stops = stops(lines, frame, unit)
    return picture
  }

  /// The unit of the calendar that rows are gathered by: the one chosen, or the finest that leaves each two columns.
  private var gatheringUnit: ChartTimeUnit { bins.gatheringUnit(spec.unit, limit: max(1, source.size.columns / 2)) }

  /// Returns the points of a series from left to right.
  private func line(of index: Int, by unit: ChartTimeUnit?) -> [Node] {
    guard bins.series.indices.contains(index) else { return [] }
    var gathered = unit.map { ChartBins.joined(bins.series[index], by: .time($0)) } ?? bins.series[index]
    if spec.aggregate != .none { gathered = gathered.compactMapValues { $0.value(spec.aggregate).finite.map { ChartBin($0) } } }
    if let unit, spec.aggregate == .count || spec.aggregate == .sum { fillGaps(of: &gathered, unit) }
    return gathered.map { Node(x: $0.key, bin: $0.value) }.sorted { $0.x < $1.x }
  }

  /// Adds a zero for each unit between the first and the last that has no rows.
  private func fillGaps(of gathered: inout [Double: ChartBin], _ unit: ChartTimeUnit) {
    guard var time = gathered.keys.min(), let end = gathered.keys.max(), (end - time) / unit.length < 20_000 else { return }
    while time < end {
      if gathered[time] == nil { gathered[time] = ChartBin(0) }
      time = unit.adding(1, to: time)
    }
  }

  private func range(of values: some Sequence<Double>) -> ClosedRange<Double>? {
    guard let least = values.min(), let greatest = values.max() else { return nil }
    return least...greatest
  }

  private func frame(_ lines: [[Node]], _ xs: ClosedRange<Double>) -> ChartFrame? {
    let numbers = lines.joined().flatMap { [$0.bin.least, $0.bin.greatest] }
    guard let ys = range(of: numbers) else { return nil }
    let rows = max(1, source.size.rows - 2)
    let y =
      spec.isLogarithmic && ys.lowerBound > 0
      ? ChartAxis(logarithmicAround: ys, count: max(2, rows / 3))
      : ChartAxis(
        roundedAround: ys, count: max(2, rows / 3), hasZero: spec.aggregate == .count, isWhole: ChartSource.areWhole(numbers))
    let isWhole = ChartSource.areWhole(lines.joined().map(\.x))
    return ChartFrame(size: source.size, y: y, ink: source.ink) { columns in
      bins.isTime ? ChartAxis(times: xs, columns: columns) : ChartAxis(numbers: xs, columns: columns, isWhole: isWhole, reachesTicks: true)
    }
  }

  private func draw(_ line: [Node], of place: Int, _ frame: ChartFrame, on canvas: inout DotCanvas) {
    var before: (x: Int, y: Int)?
    for group in columns(of: line, frame) {
      let (x, bin) = group
      if let before { canvas.line(from: before, to: (x, frame.dotY(bin.first)), series: place) }
      canvas.line(from: (x, frame.dotY(bin.least)), to: (x, frame.dotY(bin.greatest)), series: place)
      before = (x, frame.dotY(bin.last))
    }
  }

  /// Returns what lies on each column of dots.
  private func columns(of line: [Node], _ frame: ChartFrame) -> [(x: Int, bin: ChartBin)] {
    line.reduce(into: []) { columns, node in
      let x = frame.dotX(node.x)
      if columns.last?.x == x {
        columns[columns.count - 1].bin.add(node.bin)
      } else {
        columns.append((x, node.bin))
      }
    }
  }

  /// Marks every point of a line that has few points.
  ///
  /// If there are several lines, some points of each line are marked, so that the lines can be distinguished without colors.
  private func drawMarks(_ line: [Node], of place: Int, lineCount: Int, _ frame: ChartFrame, into picture: inout ChartPicture) {
    let areFew = line.count * 5 <= frame.plot.columns
    guard areFew || lineCount > 1 else { return }
    let interval = 14
    var next = areFew ? 0 : frame.plot.column + 3 + place * 4 % interval
    for node in line {
      let column = frame.column(node.x)
      guard areFew || column >= next else { continue }
      picture.write(source.ink.mark(place), column, frame.row(node.bin.last), Role.series[place])
      next = column + interval
    }
  }

  /// Returns a stop for each column of cells that has a point.
  private func stops(_ lines: [[Node]], _ frame: ChartFrame, _ unit: ChartTimeUnit?) -> [ChartPicture.Stop] {
    var columns: [Int: [(series: Int, node: Node)]] = [:]
    for (place, line) in lines.enumerated() {
      for node in line { columns[frame.column(node.x), default: []].append((place, node)) }
    }
    return columns.sorted { $0.key < $1.key }.map { column, nodes in
      let xs = nodes.map(\.node.x)
      let (first, last) = (xs.min() ?? 0, xs.max() ?? 0)
      let values = lines.indices.compactMap { place -> ChartPicture.Value? in
        let bins = nodes.filter { $0.series == place }.map(\.node.bin)
        guard let least = bins.map(\.least).min(), let greatest = bins.map(\.greatest).max(), let value = bins.last?.last else {
          return nil
        }
        let text = least == greatest ? ChartNumber.text(least) : "\(ChartNumber.text(least)) to \(ChartNumber.text(greatest))"
        return ChartPicture.Value(series: place, text: text, point: Point(column: column, row: frame.row(value)))
      }
      let area = Rect(column: column, row: frame.plot.row, columns: 1, rows: frame.plot.rows)
      return ChartPicture.Stop(area: area, name: name(first, last, unit), values: values, rows: rows(first, last, unit))
    }
  }

  private func name(_ first: Double, _ last: Double, _ unit: ChartTimeUnit?) -> String {
    let start = bins.isTime ? (unit ?? bins.writtenUnit).text(of: first) : ChartNumber.text(first)
    guard first != last else { return start }
    return "\(start) to \(bins.isTime ? (unit ?? bins.writtenUnit).text(of: last) : ChartNumber.text(last))"
  }

  private func rows(_ first: Double, _ last: Double, _ unit: ChartTimeUnit?) -> ChartPicture.Rows? {
    guard spec.query.x != nil else { return nil }
    if let unit { return .range(from: first, to: unit.adding(1, to: last), includesEnd: false) }
    return bins.grain == .exact ? .range(from: first, to: last, includesEnd: true) : nil
  }
}
