import QuarryEngine
import QuarryRows
import Terminal

/// Horizontal bars, one for each category and series, from a baseline at zero.
struct BarPlot {
  let source: ChartSource
  let bars: ChartBars

  private var spec: ChartSpec { source.spec }
  private var size: Size { source.size }

  var picture: ChartPicture {
    var picture = ChartPicture(size: size)
    let series = source.series(of: &picture) { index in bars.bins[index].reduce(0) { $0 + Double($1?.count ?? 0) } }
    picture.isOneRowEach = !spec.query.ys.isEmpty && bars.bins.allSatisfy { $0.allSatisfy { $0?.count ?? 1 == 1 } }
    let ordered = orderedCategories(series)
    guard !ordered.isEmpty else { return picture }
    let shown = Array(ordered.prefix(room(for: ordered.count, series: series.count)))
    let rest = ordered.dropFirst(shown.count)
    draw(shown, series, hasRest: !rest.isEmpty || isCut, into: &picture)
    if !rest.isEmpty || isCut { drawRest(Array(rest), series, into: &picture) }
    if isCut { picture.remarks.append("only the first \(Plural.grouped(ChartBars.limit)) categories are compared") }
    return picture
  }

  private var isCut: Bool { bars.further.contains { $0 != nil } }

  private func value(_ category: Int, _ series: Int) -> Double? {
    guard bars.bins.indices.contains(series) else { return nil }
    // A sum beyond all doubles has no length.
    return bars.bins[series][category]?.value(spec.aggregate).finite
  }

  /// Returns the categories that have a bar, in the order in which they are shown.
  private func orderedCategories(_ series: [Int]) -> [Int] {
    let present = bars.categories.indices.filter { category in series.contains { value(category, $0) != nil } }
    guard spec.isByValue else { return present }
    let sizes = present.map { category in series.reduce(0.0) { $0 + (value(category, $1) ?? 0) } }
    let order = present.indices.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
    return order.map { present[$0] }
  }

  /// Returns how many of the categories have room, with a line for what the others add up to.
  private func room(for count: Int, series: Int) -> Int {
    let fitting = size.rows / max(1, series)
    return count <= fitting && !isCut ? count : max(1, (size.rows - 1) / max(1, series))
  }

  private func draw(_ shown: [Int], _ series: [Int], hasRest: Bool, into picture: inout ChartPicture) {
    let rows = shown.count * series.count
    // Bars have a line between them if there is enough room.
    let gap = !hasRest && rows + (shown.count - 1) <= size.rows ? 1 : 0
    let thickness = max(1, min(Self.thickest, (size.rows - gap * (shown.count - 1)) / max(1, rows)))
    let labels = zip(shown, Self.labels(of: shown.map { bars.categories[$0] })).map { category, label in
      source.label(of: label, source.names.categories[bars.categories[category]])
    }
    let scale = BarScale(
      labels: labels, values: shown.flatMap { category in series.compactMap { value(category, $0) } },
      columns: size.columns, text: text)
    var row = 0
    for (category, name) in zip(shown, labels) {
      var stop = ChartPicture.Stop(
        area: Rect(column: 0, row: row, columns: size.columns, rows: series.count * thickness), name: name,
        rows: .equal(bars.categories[category]))
      let label = TextWidth.truncated(name, to: scale.labelColumns, ellipsis: source.ink.ellipsis)
      let middle = row + (series.count * thickness - 1) / 2
      picture.write(label, endingAt: scale.labelColumns, middle, bars.categories[category] == .null ? .null : .text)
      for (place, index) in series.enumerated() {
        let top = row + place * thickness
        for row in top..<top + thickness { picture.write(source.ink == .unicode ? "│" : "|", scale.baseline, row, .border) }
        guard let value = value(category, index) else { continue }
        drawBar(value, scale, top..<top + thickness, Role.series[place], into: &picture)
        stop.values.append(ChartPicture.Value(series: place, text: ChartNumber.text(value)))
      }
      picture.stops.append(stop)
      row += series.count * thickness + gap
    }
  }

  /// Returns the names of categories; a text that reads like another category, such as the digits of a number, is in quotes.
  private static func labels(of categories: [CellValue]) -> [String] {
    func isText(_ value: CellValue) -> Bool { if case .text = value { true } else { false } }
    let others = Set(categories.filter { !isText($0) }.map(\.chartLabel))
    return categories.map { isText($0) && others.contains($0.chartLabel) ? "'\($0.chartLabel)'" : $0.chartLabel }
  }

  /// The maximum thickness of a bar, in rows.
  private static let thickest = 3

  /// Draws a bar over some rows, with its number beside the middle one.
  private func drawBar(_ value: Double, _ scale: BarScale, _ rows: Range<Int>, _ role: Role, into picture: inout ChartPicture) {
    let length = scale.length(of: value)
    let middle = rows.lowerBound + (rows.count - 1) / 2
    if value < 0 {
      let bar = BlockBar.leftwards(length, ink: source.ink)
      for row in rows { picture.write(bar, endingAt: scale.baseline, row, role) }
      picture.write(text(value), endingAt: scale.baseline - bar.count - 1, middle, .text)
    } else {
      let bar = BlockBar.rightwards(length, ink: source.ink)
      for row in rows { picture.write(bar, scale.baseline + 1, row, role) }
      picture.write(text(value), scale.baseline + 2 + bar.count, middle, .text)
    }
  }

  private func text(_ value: Double) -> String { ChartNumber.text(value, digits: 6) }

  /// Writes what the categories without a bar come to: `… and 214 others: 1,234`.
  private func drawRest(_ rest: [Int], _ series: [Int], into picture: inout ChartPicture) {
    var bin: ChartBin?
    for index in series {
      let bins = rest.map { bars.bins[index][$0] } + [bars.further[index]]
      for other in bins.compactMap(\.self) where bin?.add(other) == nil { bin = other }
    }
    let count = isCut ? "more than \(Plural.grouped(rest.count))" : Plural.grouped(rest.count)
    let sum = bin.map { ": \(text($0.value(spec.aggregate)))" } ?? ""
    let words = spec.aggregate == .sum || spec.aggregate == .count ? "" : " (\(spec.aggregate.rawValue))"
    let dots = source.ink == .unicode ? "…" : "..."
    let line = "\(dots) and \(count) other\(rest.count == 1 && !isCut ? "" : "s")\(sum)\(words)"
    picture.write(TextWidth.truncated(line, to: size.columns, ellipsis: source.ink.ellipsis), 0, size.rows - 1, .muted)
  }
}

/// Where the labels, the baseline and the ends of bars lie.
struct BarScale {
  /// The columns that labels take.
  let labelColumns: Int
  /// The column of the baseline.
  let baseline: Int
  private let cellsPerUnit: Double
  private let halvedSpan: Double

  init(labels: [String], values: [Double], columns: Int, text: (Double) -> String) {
    let greatest = max(0, values.max() ?? 0)
    let least = min(0, values.min() ?? 0)
    let widest = labels.map { TextWidth.columns(of: $0) }.max() ?? 0
    labelColumns = min(widest, max(4, columns * 2 / 5))
    let right = values.filter { $0 >= 0 }.map { text($0).count + 1 }.max() ?? 0
    let left = values.filter { $0 < 0 }.map { text($0).count + 1 }.max() ?? 0
    let room = Double(max(1, columns - labelColumns - 3 - right - left))
    // Halves, since the sum of two doubles can be infinite.
    halvedSpan = greatest / 2 - least / 2
    cellsPerUnit = room
    let below = halvedSpan > 0 ? -least / 2 / halvedSpan * room : 0
    baseline = labelColumns + 1 + left + Int(below.rounded(.up))
  }

  /// Returns the length of a bar in cells.
  func length(of value: Double) -> Double {
    halvedSpan > 0 ? abs(value) / 2 / halvedSpan * cellsPerUnit : 0
  }
}
