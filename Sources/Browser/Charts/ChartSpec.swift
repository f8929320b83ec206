package import QuarryRows

/// What a chart shows of which columns, and how.
package struct ChartSpec: Hashable, Sendable {
  /// What is read for it.
  package var query: ChartQuery
  /// How several rows become one number.
  package var aggregate: ChartAggregate
  /// The unit of the calendar that rows are gathered by; nil for the one that suits the width.
  package var unit: ChartTimeUnit?
  /// Whether bars are in the order of their lengths; otherwise they are in that of the rows.
  package var isByValue = true
  package var isLogarithmic = false

  package init(_ query: ChartQuery, aggregate: ChartAggregate? = nil) {
    self.query = query
    self.aggregate = aggregate ?? Self.firstAggregate(for: query)
  }

  /// Returns the aggregate that is used until the user chooses another one.
  static func firstAggregate(for query: ChartQuery) -> ChartAggregate {
    if query.ys.isEmpty { return .count }
    return query.kind == .bar ? .sum : .none
  }

  /// The ways of gathering that the kind of chart has.
  var aggregates: [ChartAggregate] {
    switch query.kind {
    case .bar: query.ys.isEmpty ? [.count] : [.sum, .mean, .count, .least, .greatest]
    case .line: query.ys.isEmpty ? [.count] : ChartAggregate.allCases
    case .scatter: [.none]
    case .histogram: [.count]
    }
  }

  /// Returns why the vertical axis cannot be logarithmic; nil if it can.
  func obstacleToLogarithms(in sample: ChartSample?) -> String? {
    guard query.kind == .line || query.kind == .scatter else { return "bars start at zero, which a logarithmic axis does not have" }
    return sample?.isPositive ?? true ? nil : "not all numbers are positive"
  }
}

/// How rows were drawn, and which column the cursor was on when that was chosen.
struct FormerChart: Hashable, Sendable {
  let spec: ChartSpec
  let focus: Int?
  /// The names of the rows' columns.
  let names: [String]

  /// Returns whether it is what is wanted of rows with these columns.
  ///
  /// - Parameter focus: The column that the cursor was moved to; nil for none.
  func fits(_ columns: [ChartColumn], focus: Int?) -> Bool {
    let used = spec.query.columns
    return columns.map(\.name) == names && (focus == nil || focus == self.focus || used.contains { $0 == focus })
  }
}

extension ChartSample {
  /// Whether all numbers are above zero, so that they have logarithms.
  fileprivate var isPositive: Bool {
    switch content {
    case .bars: false
    case .bins(let bins): bins.series.allSatisfy { $0.values.allSatisfy { $0.least > 0 } }
    case .dots(let dots): dots.counts.keys.allSatisfy { $0.y > 0 }
    }
  }
}

// MARK: - Choosing columns

extension ChartSpec {
  /// Chooses a kind of chart and its columns from what the columns are measured by.
  ///
  /// - Parameter focus: The column that is meant, by its index; nil where none is.
  package init(columns: [ChartColumn], focus: Int? = nil) {
    if let focus, columns.indices.contains(focus), !columns[focus].isKey {
      let kind: ChartQuery.Kind =
        switch columns[focus].scale {
        case .number: .histogram
        case .time: .line
        case .category: .bar
        }
      self.init(ChartQuery(kind: kind, x: focus))
      return
    }
    let numbers = columns.measures
    let times = columns.indices(of: \.isTime)
    let categories = columns.indices.filter { columns[$0].scale == .category }
    if let time = times.first {
      self.init(ChartQuery(kind: .line, x: time, ys: Array(numbers.prefix(1))))
    } else if let category = categories.first {
      self.init(ChartQuery(kind: .bar, x: category, ys: Array(numbers.prefix(1))))
    } else if numbers.count > 1 {
      self.init(ChartQuery(kind: .scatter, x: numbers[0], ys: [numbers[1]]))
    } else {
      self.init(ChartQuery(kind: .histogram, x: numbers.first ?? columns.indices.first))
    }
  }

  /// Returns another kind of chart with the same columns, except for columns that this kind cannot use, which are replaced.
  package func changed(to kind: ChartQuery.Kind, columns: [ChartColumn]) -> ChartSpec {
    let measures = columns.measures
    let times = columns.indices(of: \.isTime)
    var query = ChartQuery(kind: kind, x: query.x, ys: query.ys, series: query.series)
    // The numbers of a histogram are what other charts measure.
    if self.query.kind == .histogram, let x = query.x, columns[x].scale == .number { (query.x, query.ys) = (nil, [x]) }
    let isMeasured = query.x.map { columns[$0].scale != .category } ?? false
    switch kind {
    case .bar:
      let category = columns.indices.first { columns[$0].scale == .category && !query.ys.contains($0) } ?? times.first
      if query.x.map({ columns[$0].scale == .number }) ?? true { query.x = category ?? self.query.x }
    case .line:
      if !isMeasured { query.x = times.first }
      if query.ys.isEmpty, query.x.map({ !columns[$0].isTime }) ?? true { query.ys = columns.measures(besides: query.x) }
    case .scatter:
      if !isMeasured { query.x = times.first ?? measures.first { !query.ys.contains($0) } }
      if query.ys.isEmpty { query.ys = columns.measures(besides: query.x) }
    case .histogram:
      query.x = query.ys.first ?? (isMeasured ? query.x : measures.first ?? times.first ?? query.x)
      (query.ys, query.series) = ([], nil)
    }
    var spec = ChartSpec(query)
    if spec.aggregates.contains(aggregate), aggregate != .count { spec.aggregate = aggregate }
    (spec.unit, spec.isByValue) = (unit, isByValue)
    return spec
  }

  /// Returns the columns with the scales that this chart uses.
  ///
  /// If the chart measures a column in which most values are neither numbers nor times, the column gets the scale of its numbers or times.
  /// Its other values are omitted and counted.
  func measuring(_ columns: [ChartColumn]) -> [ChartColumn] {
    var columns = columns
    for index in query.ys + (query.kind == .bar ? [] : [query.x].compactMap(\.self)) {
      if columns[index].scale == .category, let scale = columns[index].minorScale { columns[index].scale = scale }
    }
    return columns
  }

  /// Returns why the columns cannot be drawn as this chart, and what it needs; nil if they can.
  package func obstacle(columns: [ChartColumn]) -> String? {
    func name(_ index: Int) -> String { "“\(columns[index].name)”" }
    for y in query.ys where !columns[y].hasMeasure { return "no values of \(name(y)) are numbers" }
    if let x = query.x, query.kind != .bar, !columns[x].hasMeasure { return "no values of \(name(x)) are numbers or dates" }
    if query.kind == .histogram, query.x == nil { return "there is no column of numbers" }
    if query.kind == .scatter, query.ys.isEmpty { return "a scatter chart needs two columns of numbers" }
    if query.kind == .line, query.x.map({ !columns[$0].isTime }) ?? true, query.ys.isEmpty { return "a line needs a column of numbers" }
    return nil
  }

  /// What the chart shows, in words: `sum of amount by country`.
  ///
  /// - Parameter picture: The chart itself, which knows how its rows are gathered.
  func title(columns: [ChartColumn], of picture: ChartPicture) -> String {
    let x = query.x.map { columns[$0].name }
    let ys = query.ys.map { columns[$0].name }.joined(separator: ", ")
    let series = query.series.map { ", by \(columns[$0].name)" } ?? ""
    let measured = query.ys.isEmpty ? "rows" : aggregate == .none || picture.isOneRowEach ? ys : "\(aggregate.rawValue) of \(ys)"
    let step = picture.unit.map { "\($0.name) of " } ?? ""
    switch query.kind {
    case .bar: return "\(measured) by \(step)\(x ?? "row")\(series)"
    case .line where aggregate == .none: return "\(ys) over \(x ?? "the rows")\(series)"
    case .line: return "\(measured) by \(step)\(x ?? "row")\(series)"
    case .scatter: return "\(ys) against \(x ?? "the rows")\(series)"
    case .histogram:
      let width = picture.step.map { " in steps of \(ChartNumber.text($0))" } ?? ""
      return "rows by \(step)\(x ?? "value")\(width)"
    }
  }
}

extension ChartColumn {
  /// Whether any of its values can be measured.
  var hasMeasure: Bool { scale != .category || minorScale != nil }

  var isTime: Bool {
    if case .time = scale { true } else { false }
  }
}

extension [ChartColumn] {
  fileprivate func indices(of property: (ChartColumn) -> Bool) -> [Int] { indices.filter { property(self[$0]) } }

  /// The columns of numbers; keys and constant columns are included only if there are no other columns of numbers.
  fileprivate var measures: [Int] { measures(of: indices.filter { self[$0].scale == .number }) }

  /// Returns the column of numbers that goes best with another column; empty if there are no others.
  func measures(besides other: Int?) -> [Int] {
    measures(of: indices.filter { self[$0].scale == .number && $0 != other }).first.map { [$0] } ?? []
  }

  private func measures(of numbers: [Int]) -> [Int] {
    let others = numbers.filter { !self[$0].isKey }
    let varying = others.filter { !self[$0].isConstant }
    return [varying, others, numbers].first { !$0.isEmpty } ?? []
  }
}
