package import QuarryRows
package import Terminal

/// A chart of rows that come one after the other, without a screen: what `quarry chart` prints.
///
/// ```swift
/// var drawing = ChartDrawing(columns: ["country", "sales"], declaredTypes: ["", ""])
/// drawing.add([.text("Chile", byteCount: 5, isValid: true), .integer(3)])
/// try drawing.finish()
/// drawing.surface(size: Size(columns: 80, rows: 24), isASCII: false).text
/// ```
package struct ChartDrawing: Sendable {
  /// The options that the user has chosen; an option that is nil is chosen to suit the rows.
  package struct Choice: Sendable {
    package var kind: ChartQuery.Kind?
    package var x: Int?
    package var ys: [Int]?
    package var series: Int?
    package var aggregate: ChartAggregate?
    package var unit: ChartTimeUnit?
    package var isByValue = true
    package var isLogarithmic = false

    package init() {}
  }

  private let names: [String]
  private let declaredTypes: [String]
  private let choice: Choice
  /// The rows that come before it is known what the columns hold.
  private var first: [[CellValue]] = []
  private var columns: [ChartColumn] = []
  private var spec: ChartSpec?
  private var sampler: ChartSampler?

  /// The number of rows that are sampled to determine what the columns contain.
  private static let sampleSize = 500

  package init(columns names: [String], declaredTypes: [String], choice: Choice = Choice()) {
    (self.names, self.declaredTypes, self.choice) = (names, declaredTypes, choice)
  }

  /// Adds a row, with the values of all columns.
  package mutating func add(_ cells: [CellValue]) {
    if sampler != nil {
      addToSampler(cells)
    } else {
      first.append(cells)
      if first.count == Self.sampleSize { begin() }
    }
  }

  private mutating func addToSampler(_ cells: [CellValue]) {
    guard let columns = sampler?.query.columns else { return }
    sampler?.add(columns.map { cells.indices.contains($0) ? cells[$0] : .null })
  }

  /// Chooses what is drawn, and draws the rows that have come.
  private mutating func begin() {
    columns = names.indices.map { index in
      ChartColumn(names[index], declaredType: declaredTypes[index], sample: first.lazy.compactMap { $0.dropFirst(index).first })
    }
    let spec = chosenSpec
    self.spec = spec
    guard spec.obstacle(columns: columns) == nil else { return }
    columns = spec.measuring(columns)
    sampler = ChartSampler(spec.query, columns: columns)
    for cells in first { addToSampler(cells) }
    first = []
  }

  /// The chart that suits the rows, with the user's choices applied.
  private var chosenSpec: ChartSpec {
    let isAboutX = choice.x != nil && choice.ys == nil && choice.kind == nil
    var spec = ChartSpec(columns: columns, focus: isAboutX ? choice.x : nil)
    if let x = choice.x, !isAboutX {
      spec.query.x = x
      spec.query.ys.removeAll { $0 == x }
      if choice.kind == nil { spec.query.kind = columns[x].scale == .category ? .bar : columns[x].isTime ? .line : .scatter }
    }
    if let ys = choice.ys {
      spec.query.ys = ys
      // A column is not measured against itself unless the user requested that.
      if choice.x == nil, spec.query.kind == .scatter || spec.query.kind == .bar, let x = spec.query.x, ys.contains(x) {
        let others = spec.query.kind == .bar ? columns.indices.filter { columns[$0].scale == .category } : columns.measures(besides: x)
        spec.query.x = others.first { !ys.contains($0) }
      }
    }
    if let kind = choice.kind { spec = spec.changed(to: kind, columns: columns) }
    // Requested columns stay even if others suit the kind better, so that the obstacle can name them.
    if let x = choice.x {
      spec.query.x = x
      if spec.query.kind != .bar, spec.query.ys == [x] { spec.query.ys = columns.measures(besides: x) }
    }
    if spec.query.kind != .histogram {
      if let ys = choice.ys {
        spec.query.ys = ys
      } else if choice.aggregate == .count, spec.query.kind != .scatter {
        // Rows are counted if no column of numbers is named.
        spec.query.ys = []
      }
      if let series = choice.series { (spec.query.series, spec.query.ys) = (series, Array(spec.query.ys.prefix(1))) }
    }
    spec.aggregate = ChartSpec.firstAggregate(for: spec.query)
    if let aggregate = choice.aggregate, spec.aggregates.contains(aggregate) { spec.aggregate = aggregate }
    (spec.unit, spec.isByValue, spec.isLogarithmic) = (choice.unit, choice.isByValue, choice.isLogarithmic)
    return spec
  }

  /// Finishes adding rows.
  ///
  /// - Throws: `Problem` if the columns cannot be drawn as this chart.
  package mutating func finish() throws(Problem) {
    if sampler == nil { begin() }
    guard let spec else { return }
    if let obstacle = spec.obstacle(columns: columns) { throw Problem(obstacle) }
    if spec.isLogarithmic, let obstacle = spec.obstacleToLogarithms(in: sampler?.sample) { throw Problem(obstacle) }
  }

  /// Draws the chart in the terminal's own colors.
  package func surface(size: Size, isASCII: Bool) -> Surface {
    guard let spec, let sampler else { return Surface(size: size) }
    let appearance = Appearance(
      theme: ThemeCatalog().theme(named: "terminal")?.theme ?? .fallback, glyphs: isASCII ? .ascii : .unicode)
    return ChartSheet(sampler.sample, spec: spec, columns: columns, size: size, ink: isASCII ? .ascii : .unicode).surface(appearance)
  }
}
