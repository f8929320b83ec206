internal import QuarryEngine

/// The data of a chart, read once into bounded memory, independent of the size of the picture.
package struct ChartSample: Hashable, Sendable {
  /// The aggregated rows, by kind of chart.
  package enum Content: Hashable, Sendable {
    case bars(ChartBars)
    case bins(ChartBins)
    case dots(ChartDots)
  }

  /// The number of rows read.
  package var rows = 0
  /// The values that are not drawn, with the reasons.
  package var omissions = ChartOmissions()
  package var content: Content
  /// The series in order of their first row: one for each numeric column, or for each value of the column that distinguishes series.
  package var series: [ChartSeries]

  /// The maximum number of series.
  package static let seriesLimit = 24
}

/// The common property of the rows of one series.
package enum ChartSeries: Hashable, Sendable {
  /// The number of rows.
  case count
  /// The index of the column that provides the numbers.
  case column(Int)
  /// The value of the column that distinguishes series.
  case value(CellValue)
}

/// The numbers of values that are not in a chart, by reason.
package struct ChartOmissions: Hashable, Sendable {
  package var nulls = 0
  package var texts = 0
  package var blobs = 0
  package var infinities = 0
  /// Numbers that are not dates where dates are expected.
  package var dateless = 0
  /// Rows of series beyond the limit.
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

  /// The omitted values in words: `12 rows omitted: 10 NULL, 2 text`; nil if there are none.
  package var words: String? {
    let reasons = [
      (nulls, "NULL"), (texts, "text"), (blobs, "blob"), (infinities, "infinite"), (dateless, "not a date"),
      (furtherSeries, "of other series"),
    ].filter { $0.0 > 0 }
    guard !reasons.isEmpty else { return nil }
    return "\(Plural.of(total, "value")) omitted: " + reasons.map { "\(Plural.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}

/// The categories of a bar chart, with a bin for each series.
package struct ChartBars: Hashable, Sendable {
  /// The categories in order of their first row.
  package private(set) var categories: [CellValue] = []
  private var indices: [CellValue: Int] = [:]
  /// For each series, the bins of the categories; nil where a series has no number.
  package private(set) var bins: [[ChartBin?]] = []
  /// For each series, the total of the rows in categories beyond the limit.
  package private(set) var further: [ChartBin?] = []

  /// The maximum number of separate categories.
  package static let limit = 50_000

  /// Whether there are categories beyond the limit, which may include some of the largest.
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
  /// The value with numbers normalized as in SQLite, where 1.0 equals 1.
  fileprivate var asCategory: CellValue {
    if case .real(let number) = self, let integer = Int64(exactly: number) { return .integer(integer) }
    return self
  }
}

/// Values along an axis of numbers or times: for each series, the bins by the starts of their steps.
package struct ChartBins: Hashable, Sendable {
  /// The width of the steps.
  package private(set) var grain = ChartGrain.exact
  /// Whether the axis shows times, in milliseconds since 1970.
  package let isTime: Bool
  package private(set) var series: [[Double: ChartBin]] = []
  /// The minimum and the maximum position; nil if there are no values.
  package private(set) var range: ClosedRange<Double>?
  private var count = 0

  /// The maximum number of bins of all series: several for each dot of a wide screen, but few enough for a fast layout.
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

  /// Returns the bins of a coarser grain, each combining the bins in its step.
  package static func joined(_ bins: [Double: ChartBin], by grain: ChartGrain) -> [Double: ChartBin] {
    var joined: [Double: ChartBin] = [:]
    for (x, bin) in bins.sorted(by: { $0.key < $1.key }) {
      let start = grain.start(of: x)
      if joined[start]?.add(bin) == nil { joined[start] = bin }
    }
    return joined
  }
}

/// Points on a plane, in which nearby points are counted as one dot.
package struct ChartDots: Hashable, Sendable {
  /// A dot: its series and its position.
  package struct Dot: Hashable, Sendable {
    package let series: Int
    package let x: Double
    package let y: Double
  }

  /// The number of points at each dot.
  package private(set) var counts: [Dot: Int] = [:]
  /// Whether the horizontal axis shows times.
  package let isTime: Bool
  /// The widths of the steps, which are powers of 2; 0 if each value has its own position.
  private var (xStep, yStep) = (0.0, 0.0)
  private var (xRange, yRange): (ClosedRange<Double>?, ClosedRange<Double>?) = (nil, nil)

  /// The maximum number of steps along each axis, once points are combined.
  private static let (columns, rows) = (512.0, 256.0)
  /// The number of dots up to which points are not combined.
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

  /// Returns the smallest power of 2 that divides a range into at most `count` steps.
  private static func step(_ range: ClosedRange<Double>, _ count: Double) -> Double {
    let step = (range.upperBound / count - range.lowerBound / count)
    guard step > 0 else { return 0 }
    return step.isInfinite ? .greatestFiniteMagnitude : Double(sign: .plus, exponent: min(step.exponent + 1, 1022), significand: 1)
  }
}
