internal import QuarryEngine

/// What a chart is drawn from: rows, read once and kept in bounded memory, whatever the size of the picture.
package struct ChartSample: Hashable, Sendable {
  /// What the rows were gathered as.
  package enum Content: Hashable, Sendable {
    case bars(ChartBars)
    case bins(ChartBins)
    case dots(ChartDots)
  }

  /// How many rows have been read.
  package var rows = 0
  /// What was not drawn, and why.
  package var omissions = ChartOmissions()
  package var content: Content
  /// The series in order of their first row: a column of numbers each, or a value of the column that tells them apart.
  package var series: [ChartSeries]

  /// The greatest number of series that are kept.
  package static let seriesLimit = 24
}

/// What the rows of one series have in common.
package enum ChartSeries: Hashable, Sendable {
  /// They are counted.
  case count
  /// The column, by its index, that their numbers are from.
  case column(Int)
  /// The value of the column that tells series apart.
  case value(CellValue)
}

/// Values that are not in a chart, by the reason.
package struct ChartOmissions: Hashable, Sendable {
  package var nulls = 0
  package var texts = 0
  package var blobs = 0
  package var infinities = 0
  /// Numbers where dates are expected that stand for none.
  package var dateless = 0
  /// Rows of further series than are kept.
  package var furtherSeries = 0

  package init() {}

  package var total: Int { nulls + texts + blobs + infinities + dateless + furtherSeries }

  mutating func note(_ value: CellValue) {
    switch value {
    case .null: nulls += 1
    case .text: texts += 1
    case .blob: blobs += 1
    case .real(let number) where !number.isFinite: infinities += 1
    case .integer, .real: dateless += 1
    }
  }

  /// What was left out in words: `12 rows left out: 10 NULL, 2 text`; nil where nothing was.
  package var words: String? {
    let reasons = [
      (nulls, "NULL"), (texts, "text"), (blobs, "blob"), (infinities, "infinite"), (dateless, "no date"),
      (furtherSeries, "of further series"),
    ].filter { $0.0 > 0 }
    guard !reasons.isEmpty else { return nil }
    return "\(Plural.of(total, "value")) left out: " + reasons.map { "\(Plural.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}

/// Categories with a bin for each series.
package struct ChartBars: Hashable, Sendable {
  /// The categories in order of their first row.
  package private(set) var categories: [CellValue] = []
  private var indices: [CellValue: Int] = [:]
  /// For each series the bins of the categories; nil where a series has no number there.
  package private(set) var bins: [[ChartBin?]] = []
  /// What rows of further categories than are kept add up to, for each series.
  package private(set) var further: [ChartBin?] = []

  /// The greatest number of categories that are kept apart.
  package static let limit = 50_000

  /// Whether there are more categories than are kept apart, among which may be any of the greatest.
  package var hasFurther: Bool { further.contains { $0 != nil } }

  package init() {}

  package mutating func add(_ category: CellValue, _ value: Double, to series: Int) {
    while bins.count <= series {
      bins.append(Array(repeating: nil, count: categories.count))
      further.append(nil)
    }
    guard let index = index(of: category) else {
      if further[series] == nil { further[series] = ChartBin(value) } else { further[series]?.add(value) }
      return
    }
    if bins[series][index] == nil { bins[series][index] = ChartBin(value) } else { bins[series][index]?.add(value) }
  }

  private mutating func index(of category: CellValue) -> Int? {
    let category = category.asCategory
    if let index = indices[category] { return index }
    guard categories.count < Self.limit else { return nil }
    indices[category] = categories.count
    categories.append(category)
    for series in bins.indices { bins[series].append(nil) }
    return categories.count - 1
  }
}

extension CellValue {
  /// The value as SQLite tells values apart: 1.0 is 1.
  fileprivate var asCategory: CellValue {
    if case .real(let number) = self, let integer = Int64(exactly: number) { return .integer(integer) }
    return self
  }
}

/// Numbers along an axis of numbers or times: for each series the bins by the starts of their steps.
package struct ChartBins: Hashable, Sendable {
  /// How wide the steps are.
  package private(set) var grain = ChartGrain.exact
  /// Whether the axis is one of times, in milliseconds since 1970.
  package let isTime: Bool
  package private(set) var series: [[Double: ChartBin]] = []
  /// The least and the greatest place; nil where there is none.
  package private(set) var range: ClosedRange<Double>?
  private var count = 0

  /// The greatest number of bins, of all series together: several for each dot of a wide screen, and few enough to be laid out at once.
  package static let limit = 20_000

  init(isTime: Bool) { self.isTime = isTime }

  mutating func add(_ x: Double, _ y: Double, to index: Int) {
    while series.count <= index { series.append([:]) }
    range = range.map { min($0.lowerBound, x)...max($0.upperBound, x) } ?? x...x
    let start = grain.start(of: x)
    if series[index][start]?.add(y) == nil {
      series[index][start] = ChartBin(y)
      count += 1
      if count > Self.limit { coarsen() }
    }
  }

  private mutating func coarsen() {
    while count > Self.limit, let range {
      grain = grain.coarser(for: range, limit: Self.limit / series.count, isTime: isTime)
      series = series.map { Self.joined($0, by: grain) }
      count = series.reduce(0) { $0 + $1.count }
    }
  }

  /// Returns bins of a grain, each joined of those that lie in its step.
  package static func joined(_ bins: [Double: ChartBin], by grain: ChartGrain) -> [Double: ChartBin] {
    var joined: [Double: ChartBin] = [:]
    for (x, bin) in bins.sorted(by: { $0.key < $1.key }) {
      let start = grain.start(of: x)
      if joined[start]?.add(bin) == nil { joined[start] = bin }
    }
    return joined
  }
}

/// Points on a plane, those that lie together counted as one dot.
package struct ChartDots: Hashable, Sendable {
  /// A dot: its series and its place.
  package struct Dot: Hashable, Sendable {
    package let series: Int
    package let x: Double
    package let y: Double
  }

  /// How many points lie on each dot.
  package private(set) var counts: [Dot: Int] = [:]
  /// Whether the horizontal axis is one of times.
  package let isTime: Bool
  /// The widths of the steps, powers of 2; 0 where each value stands by itself.
  private var (xStep, yStep) = (0.0, 0.0)
  private var (xRange, yRange): (ClosedRange<Double>?, ClosedRange<Double>?) = (nil, nil)

  /// The greatest number of steps along each axis, once points are not kept by themselves.
  private static let (columns, rows) = (512.0, 256.0)
  /// The number of dots up to which each point has its own place.
  static let limit = 20_000

  init(isTime: Bool) { self.isTime = isTime }

  mutating func add(_ x: Double, _ y: Double, to series: Int) {
    xRange = xRange.map { min($0.lowerBound, x)...max($0.upperBound, x) } ?? x...x
    yRange = yRange.map { min($0.lowerBound, y)...max($0.upperBound, y) } ?? y...y
    counts[Dot(series: series, x: Self.place(x, xStep), y: Self.place(y, yStep)), default: 0] += 1
    if counts.count > Self.limit { coarsen() }
  }

  private static func place(_ value: Double, _ step: Double) -> Double {
    step == 0 ? value : (value / step).rounded() * step
  }

  private mutating func coarsen() {
    guard let xRange, let yRange else { return }
    let steps = (Self.step(xRange, Self.columns), Self.step(yRange, Self.rows))
    guard steps.0 > xStep || steps.1 > yStep else { return }
    (xStep, yStep) = (max(steps.0, xStep), max(steps.1, yStep))
    counts = counts.reduce(into: [:]) { joined, entry in
      let dot = Dot(series: entry.key.series, x: Self.place(entry.key.x, xStep), y: Self.place(entry.key.y, yStep))
      joined[dot, default: 0] += entry.value
    }
  }

  /// Returns the least power of 2 of which a range has at most so many.
  private static func step(_ range: ClosedRange<Double>, _ count: Double) -> Double {
    let step = (range.upperBound / count - range.lowerBound / count)
    guard step > 0 else { return 0 }
    return step.isInfinite ? .greatestFiniteMagnitude : Double(sign: .plus, exponent: min(step.exponent + 1, 1022), significand: 1)
  }
}
