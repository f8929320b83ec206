import QuarryRows
import Terminal

/// Upright bars side by side: the bins of a histogram, or the units of a calendar.
struct ColumnPlot {
  let source: ChartSource
  let bins: ChartBins

  private var spec: ChartSpec { source.spec }

  /// A step of the horizontal axis with the number of each series; where all numbers are the same one, it begins and ends there.
  private struct Step {
    var start, end: Double
    var values: [Double?]
  }

  var picture: ChartPicture {
    var picture = ChartPicture(size: source.size)
    let series = source.series(of: &picture) { index in bins.series.indices.contains(index) ? Double(bins.series[index].count) : 0 }
    guard bins.range != nil else { return picture }
    var limit = max(1, (source.size.columns - 9) / series.count)
    var (steps, frame) = layOut(series, limit: limit, &picture)
    if steps.count * series.count > frame.plot.columns {
      limit = max(1, frame.plot.columns / series.count)
      (steps, frame) = layOut(series, limit: limit, &picture)
    }
    frame.draw(into: &picture)
    draw(steps, series, frame, into: &picture)
    return picture
  }

  private func layOut(_ series: [Int], limit: Int, _ picture: inout ChartPicture) -> ([Step], ChartFrame) {
    // Bars are recognizable as bars only if they are at least two cells wide.
    let limit = limit >= 20 ? limit / 2 : limit
    let steps = bins.isTime ? timeSteps(series, limit: limit, &picture) : numberSteps(series, limit: limit, &picture)
    let values = steps.flatMap { $0.values.compactMap(\.self) }
    let (rows, unit) = (max(1, source.size.rows - 2), picture.unit)
    let y = ChartAxis(
      roundedAround: (values.min() ?? 0)...(values.max() ?? 0), count: max(2, rows / 3), hasZero: true,
      isWhole: ChartSource.areWhole(values))
    let frame = ChartFrame(size: source.size, y: y, ink: source.ink) { columns in
      min(columns, Self.cells(of: steps.count, series: series.count, columns: columns) * steps.count)
    } x: { columns in
      let width = Self.cells(of: steps.count, series: series.count, columns: columns)
      // In steps, so that each begins where a cell does.
      let dots = source.ink.dots.columns
      let high = Double(dots * columns - 1) / Double(dots * width)
      return ChartAxis(low: 0, high: high, ticks: ticks(steps, unit, columns: min(columns, width * steps.count)))
    }
    return (steps, frame)
  }

  /// Returns the width of a step in cells.
  ///
  /// The cells that its bars do not fill separate the bars of several series from the next step.
  private static func cells(of steps: Int, series: Int, columns: Int) -> Int {
    max(series, columns / max(1, steps), 1)
  }

  // MARK: Steps

  private func timeSteps(_ series: [Int], limit: Int, _ picture: inout ChartPicture) -> [Step] {
    guard let range = bins.range else { return [] }
    let unit = bins.gatheringUnit(spec.unit, limit: limit)
    picture.unit = unit
    let gathered = series.map { bins.series.indices.contains($0) ? ChartBins.joined(bins.series[$0], by: .time(unit)) : [:] }
    var steps: [Step] = []
    var time = unit.start(of: range.lowerBound)
    while time <= range.upperBound, steps.count < 20_000 {
      let next = unit.adding(1, to: time)
      steps.append(Step(start: time, end: next, values: gathered.map { $0[time]?.value(spec.aggregate).finite }))
      time = next
    }
    return steps
  }

  private func numberSteps(_ series: [Int], limit: Int, _ picture: inout ChartPicture) -> [Step] {
    guard let range = bins.range else { return [] }
    if range.lowerBound == range.upperBound {
      let counts = series.map { bins.series.indices.contains($0) ? bins.series[$0].values.reduce(0) { $0 + $1.count } : 0 }
      return [Step(start: range.lowerBound, end: range.upperBound, values: counts.map { Double($0) })]
    }
    let width = bins.binWidth(limit: limit)
    picture.step = width
    func index(_ value: Double) -> Double { ChartGrain.decimal(0).start(of: value / width) }
    let first = index(range.lowerBound)
    let count = Int(min(index(range.upperBound) - first, 10_000)) + 1
    var steps = (0..<count).map { place in
      Step(start: (first + Double(place)) * width, end: (first + Double(place + 1)) * width, values: series.map { _ in 0 })
    }
    for (place, series) in series.enumerated() where bins.series.indices.contains(series) {
      for (x, bin) in bins.series[series] {
        let step = min(max(0, Int(index(x) - first)), count - 1)
        steps[step].values[place] = (steps[step].values[place] ?? 0) + Double(bin.count)
      }
    }
    return steps
  }

  private func ticks(_ steps: [Step], _ unit: ChartTimeUnit?, columns: Int) -> [ChartTick] {
    guard let first = steps.first, let last = steps.last else { return [] }
    if steps.count == 1, bins.isTime || first.start == first.end { return [ChartTick(value: 0.5, label: name(first, unit))] }
    if bins.isTime {
      let ticks = ChartCalendar.ticks(in: first.start...last.end.nextDown, columns: columns)
      return ticks.compactMap { tick in
        // A week goes by the month that begins in it.
        steps.firstIndex { $0.end > tick.value }.map { ChartTick(value: Double($0), label: tick.label) }
      }
    }
    return edges(from: first.start, to: last.end, count: steps.count, columns: columns)
  }

  /// Returns ticks at the edges of bins: the first, the last, and round ones between them.
  private func edges(from start: Double, to end: Double, count: Int, columns: Int) -> [ChartTick] {
    let width = (end / Double(count) - start / Double(count))
    let magnitude = ChartMagnitude(size: max(abs(start), abs(end)), step: width)
    let labels = (0...count).map { magnitude.text(start + Double($0) * width) }
    let fitting = max(1, columns / ((labels.lazy.map(\.count).max() ?? 0) + 2))
    let interval = DecimalStep.least(notBelow: Double(count) / Double(fitting), isWhole: true).width
    let first = (start / width).rounded()
    return labels.enumerated().compactMap { index, label in
      let isRound = (first + Double(index)).truncatingRemainder(dividingBy: interval) == 0
      return isRound || index == 0 || index == count ? ChartTick(value: Double(index), label: label) : nil
    }
  }

  // MARK: Drawing

  private func draw(_ steps: [Step], _ series: [Int], _ frame: ChartFrame, into picture: inout ChartPicture) {
    let width = Self.cells(of: steps.count, series: series.count, columns: frame.plot.columns)
    for (index, step) in steps.enumerated() {
      let column = frame.plot.column + index * width
      guard column + width <= frame.plot.endColumn else { break }
      let area = Rect(column: column, row: frame.plot.row, columns: width, rows: frame.plot.rows)
      var stop = ChartPicture.Stop(
        area: area, name: name(step, picture.unit), rows: .range(from: step.start, to: step.end, includesEnd: step.start == step.end))
      for (place, value) in step.values.enumerated() {
        guard let value else { continue }
        let part = max(1, (series.count > 1 && width > series.count ? width - 1 : width) / series.count)
        drawColumn(value, column + place * part, cells: part, isOnly: series.count == 1, Role.series[place], frame, into: &picture)
        stop.values.append(ChartPicture.Value(series: place, text: ChartNumber.text(value)))
      }
      picture.stops.append(stop)
    }
  }

  /// Draws a bar from the baseline at zero; bars of several cells have a line between them where each stands for a date of its own.
  private func drawColumn(
    _ value: Double, _ column: Int, cells: Int, isOnly: Bool, _ role: Role, _ frame: ChartFrame, into picture: inout ChartPicture
  ) {
    let rows = Double(frame.plot.rows)
    let (base, top) = (frame.y.place(of: 0) * rows, frame.y.place(of: value) * rows)
    let cells = bins.isTime && isOnly && cells > 2 ? cells - 1 : cells
    guard value < 0 else {
      let bar = BlockBar.upwards(top - base.rounded(.down), ink: source.ink)
      for (height, block) in bar.enumerated() {
        let row = frame.plot.endRow - 1 - Int(base) - height
        picture.write(String(repeating: block, count: cells), column, row, role)
      }
      return
    }
    // A block that hangs from the baseline is a cell fine.
    let block = source.ink == .unicode ? "█" : "#"
    for height in Int(top.rounded())..<max(Int(top.rounded()) + 1, Int(base)) {
      picture.write(String(repeating: block, count: cells), column, frame.plot.endRow - 1 - height, role)
    }
  }

  private func name(_ step: Step, _ unit: ChartTimeUnit?) -> String {
    if let unit { return "\(unit == .week ? "week of " : "")\(unit.text(of: step.start))" }
    let isWhole = step.end - step.start == 1 && ChartSource.areWhole(bins.series.lazy.joined().map(\.key))
    return isWhole || step.start == step.end
      ? ChartNumber.text(step.start) : "\(ChartNumber.text(step.start)) to \(ChartNumber.text(step.end))"
  }
}
