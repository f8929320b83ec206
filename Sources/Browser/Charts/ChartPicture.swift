import QuarryEngine
import QuarryFiles
package import QuarryRows
package import Terminal

/// A chart laid out for a size, as texts in roles, with the places that a cursor stops at.
package struct ChartPicture: Hashable, Sendable {
  struct Run: Hashable, Sendable {
    var point: Point
    var text: String
    var role: Role
  }

  /// A bar, a bin or a column of points, whose values can be read.
  package struct Stop: Hashable, Sendable {
    /// The cells that it takes.
    var area: Rect
    /// What it is: `Germany`, `1997-08`.
    package var name: String
    /// The values of the series there, those of each with its index.
    package var values: [Value] = []
    /// The rows that the stop represents; nil if no simple filter selects exactly these rows.
    package var rows: Rows?
  }

  package struct Value: Hashable, Sendable {
    var series: Int
    package var text: String
    /// The position of the value in the picture.
    var point: Point?
  }

  /// Which rows a stop stands for.
  package enum Rows: Hashable, Sendable {
    case equal(CellValue)
    /// Those from one value up to another, which is not one of them unless it is the last.
    case range(from: Double, to: Double, includesEnd: Bool)
  }

  /// The name of a series, and what it is drawn in.
  package struct Legend: Hashable, Sendable {
    var name: String
    package var mark: String
    var role: Role
  }

  package var size: Size
  var runs: [Run] = []
  package var stops: [Stop] = []
  package var legend: [Legend] = []
  /// What is to be known of it besides: `18 further series are not shown`.
  var remarks: [String] = []
  /// The unit of the calendar that rows are gathered by; nil for none.
  package var unit: ChartTimeUnit?
  /// The width of the bins of a histogram of numbers; nil for none.
  var step: Double?
  /// Whether each number is that of one row.
  var isOneRowEach = false

  init(size: Size) { self.size = size }

  mutating func write(_ text: String, _ column: Int, _ row: Int, _ role: Role) {
    guard row >= 0, row < size.rows, !text.isEmpty else { return }
    runs.append(Run(point: Point(column: column, row: row), text: text, role: role))
  }

  /// Writes a text so that it ends before a column.
  mutating func write(_ text: String, endingAt column: Int, _ row: Int, _ role: Role) {
    write(text, column - TextWidth.columns(of: text), row, role)
  }

  /// Writes the contents of a canvas into the picture.
  mutating func write(_ canvas: DotCanvas, at origin: Point, roles: [Role]) {
    for row in 0..<canvas.rows {
      var run: (column: Int, text: String, series: Int)?
      for column in 0...canvas.columns {
        let cell = column < canvas.columns ? canvas.cell(column, row) : nil
        if let open = run, cell?.series != open.series {
          write(open.text, origin.column + open.column, origin.row + row, roles[open.series % roles.count])
          run = nil
        }
        guard let cell else { continue }
        run = (run?.column ?? column, (run?.text ?? "") + cell.text, cell.series)
      }
    }
  }

  /// Draws the chart with its top left corner at a point.
  func draw(into surface: inout Surface, at origin: Point, theme: Theme) {
    surface.clipped(to: Rect(column: origin.column, row: origin.row, columns: size.columns, rows: size.rows)) { surface in
      for run in runs {
        let point = Point(column: origin.column + run.point.column, row: origin.row + run.point.row)
        surface.write(run.text, at: point, style: theme.style(run.role))
      }
    }
  }
}

extension Role {
  /// The roles of series, in their order.
  package static let series: [Role] = [.series1, .series2, .series3, .series4, .series5, .series6]
}

/// The names of the rows that the values of a chart refer to.
struct ChartNames: Hashable, Sendable {
  /// The names of categories.
  var categories: [CellValue: String] = [:]
  /// The names of the values that have a series each.
  var series: [CellValue: String] = [:]
}

/// What a chart is drawn from.
struct ChartSource: Sendable {
  var sample: ChartSample
  var names = ChartNames()
  var spec: ChartSpec
  var columns: [ChartColumn]
  var size: Size
  var ink: ChartInk

  /// Lays out the chart.
  var picture: ChartPicture {
    guard size.columns > 4, size.rows > 1 else { return ChartPicture(size: size) }
    switch sample.content {
    case .bars(let bars): return BarPlot(source: self, bars: bars).picture
    case .bins(let bins) where spec.query.kind == .line: return LinePlot(source: self, bins: bins).picture
    case .bins(let bins): return ColumnPlot(source: self, bins: bins).picture
    case .dots(let dots): return ScatterPlot(source: self, dots: dots).picture
    }
  }

  /// The maximum number of series that can be distinguished.
  static let seriesLimit = Role.series.count

  /// Returns the series to draw, and adds a legend to the picture if there are several.
  ///
  /// - Parameter weight: Returns the weight of a series; if there are too many series, the heaviest are drawn.
  func series(of picture: inout ChartPicture, weight: (Int) -> Double) -> [Int] {
    let all = Array(sample.series.indices)
    var shown = all
    if all.count > Self.seriesLimit {
      let heaviest = all.sorted { (weight($1), $0) < (weight($0), $1) }.prefix(Self.seriesLimit)
      shown = heaviest.sorted()
      picture.remarks.append("\(Plural.of(all.count - shown.count, "more series").replacing("seriess", with: "series")) not shown")
    }
    if all.count > 1 || spec.query.series != nil {
      picture.legend = shown.enumerated().map { place, series in
        ChartPicture.Legend(name: name(ofSeries: series), mark: ink.mark(place), role: Role.series[place])
      }
    }
    return shown
  }

  func name(ofSeries index: Int) -> String {
    switch sample.series[index] {
    case .count: "rows"
    case .column(let column): columns[column].name
    case .value(let value): label(of: value.chartLabel, names.series[value])
    }
  }

  /// Returns the label of a value with the name of the row that it refers to: `5 · Big Ones`.
  func label(of value: String, _ name: String?) -> String {
    name.map { "\(value) \(ink == .unicode ? "·" : "-") \($0)" } ?? value
  }

  /// Whether the horizontal axis has whole numbers only.
  static func areWhole(_ values: some Sequence<Double>) -> Bool { values.allSatisfy { $0 == $0.rounded() } }
}

extension CellValue {
  /// The value as a label.
  var chartLabel: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): RealText.shortest(number)
    case .text(let text, _, _): text.isEmpty ? "(empty)" : text
    case .blob(let bytes, let count): BlobKind.describe(bytes, byteCount: count)
    }
  }
}

extension Double {
  /// The number; nil if it is infinite or NaN.
  var finite: Double? { isFinite ? self : nil }
}
