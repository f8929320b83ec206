/// The columns of a chart, and the way their rows are aggregated.
package struct ChartQuery: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case bar, line, scatter, histogram
  }

  package var kind: Kind
  /// The index of the column of the horizontal axis or of the categories; nil for row numbers.
  package var x: Int?
  /// The indices of the numeric columns; empty to count rows.
  package var ys: [Int] = []
  /// The index of the column whose values distinguish series; nil for none.
  package var series: Int?

  package init(kind: Kind, x: Int? = nil, ys: [Int] = [], series: Int? = nil) {
    (self.kind, self.x, self.ys, self.series) = (kind, x, ys, series)
  }

  /// The columns to read, each once.
  package var columns: [Int] {
    ([x].compactMap(\.self) + ys + [series].compactMap(\.self)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Whether the rows must be read in order, because it determines the order of bars or the row numbers.
  package var needsOrder: Bool { kind == .bar || x == nil }
}

/// Aggregates rows, one after the other, into the data of a chart.
///
/// ```swift
/// var sampler = ChartSampler(ChartQuery(kind: .bar, x: 0, ys: [1]), columns: columns)
/// try await reader.forEachRow(columns: sampler.query.columns, isOrdered: true) { sampler.add($0) }
/// sampler.sample.content  // .bars: 21 countries, the sum of each
/// ```
package struct ChartSampler: Sendable {
  package let query: ChartQuery
  /// The data aggregated so far.
  package private(set) var sample: ChartSample
  private let scales: [ChartColumn.Scale]
  /// The positions of the columns' values in a row.
  private let x: Int?
  private let ys: [Int]
  private let seriesColumn: Int?
  private var seriesIndices: [CellValue: Int] = [:]

  /// - Parameter columns: All columns of the rows, to which the query's indices refer.
  package init(_ query: ChartQuery, columns: [ChartColumn]) {
    self.query = query
    let read = query.columns
    scales = read.map { columns[$0].scale }
    x = query.x.flatMap { read.firstIndex(of: $0) }
    ys = query.ys.compactMap { read.firstIndex(of: $0) }
    seriesColumn = query.series.flatMap { read.firstIndex(of: $0) }
    let isTime = query.x.map { Self.isTime(columns[$0].scale) } ?? false
    let content: ChartSample.Content =
      switch query.kind {
      case .bar: isTime ? .bins(ChartBins(isTime: true)) : .bars(ChartBars())
      case .line, .histogram: .bins(ChartBins(isTime: isTime))
      case .scatter: .dots(ChartDots(isTime: isTime))
      }
    let series: [ChartSeries] = query.series != nil ? [] : query.ys.isEmpty ? [.count] : query.ys.map { .column($0) }
    sample = ChartSample(content: content, series: series)
  }

  private static func isTime(_ scale: ChartColumn.Scale) -> Bool {
    if case .time = scale { true } else { false }
  }

  /// Adds a row.
  ///
  /// - Parameter cells: The values of the query's ``ChartQuery/columns``.
  package mutating func add(_ cells: [CellValue]) {
    sample.rows += 1
    guard let series = series(of: cells) else { return sample.omissions.furtherSeries += 1 }
    if case .bars = sample.content { return addToBars(cells, series) }
    guard let place = place(of: cells) else { return }
    if ys.isEmpty { return sample.content.add(place, query.kind == .histogram ? place : 1, to: series) }
    for (index, column) in ys.enumerated() {
      if let value = number(cells[column], scales[column]) { sample.content.add(place, value, to: seriesColumn == nil ? index : series) }
    }
  }

  private mutating func addToBars(_ cells: [CellValue], _ series: Int) {
    let category = x.map { cells[$0] } ?? .integer(Int64(sample.rows))
    if ys.isEmpty { return sample.content.add(category, 1, to: series) }
    for (index, column) in ys.enumerated() {
      guard let value = number(cells[column], .number) else { continue }
      sample.content.add(category, value, to: seriesColumn == nil ? index : series)
    }
  }

  /// Returns the series of a row; nil if it is beyond the limit.
  private mutating func series(of cells: [CellValue]) -> Int? {
    guard let seriesColumn else { return 0 }
    let value = cells[seriesColumn]
    if let index = seriesIndices[value] { return index }
    guard sample.series.count < ChartSample.seriesLimit else { return nil }
    seriesIndices[value] = sample.series.count
    sample.series.append(.value(value))
    return sample.series.count - 1
  }

  /// Returns the position of a row on the horizontal axis; nil if it has none.
  private mutating func place(of cells: [CellValue]) -> Double? {
    guard let x else { return Double(sample.rows) }
    return number(cells[x], scales[x])
  }

  private mutating func number(_ cell: CellValue, _ scale: ChartColumn.Scale) -> Double? {
    let number =
      switch scale {
      case .number, .category: cell.chartNumber.flatMap { $0.isFinite ? $0 : nil }
      case .time(let storage): cell.chartTime(in: storage)
      }
    if number == nil { sample.omissions.note(cell) }
    return number
  }
}

extension ChartSample.Content {
  /// Adds a number to a bar.
  fileprivate mutating func add(_ category: CellValue, _ value: Double, to series: Int) {
    guard case .bars(var bars) = self else { return }
    // Moved out, so that it is changed in place.
    self = .bars(ChartBars())
    bars.add(category, value, to: series)
    self = .bars(bars)
  }

  /// Adds a point.
  fileprivate mutating func add(_ x: Double, _ y: Double, to series: Int) {
    switch self {
    case .bars: break
    case .bins(var bins):
      self = .bars(ChartBars())
      bins.add(x, y, to: series)
      self = .bins(bins)
    case .dots(var dots):
      self = .bars(ChartBars())
      dots.add(x, y, to: series)
      self = .dots(dots)
    }
  }
}
