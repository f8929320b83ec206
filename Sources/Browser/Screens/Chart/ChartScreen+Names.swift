import QuarryEngine
import QuarryRows

/// The names of the rows that the bars and the series of a chart refer to.
extension ChartScreen {
  static let namesSlot = RequestSlot("names in a chart")

  /// The greatest number of series whose names are read: only a few of them are drawn.
  private static let mostSeries = 32

  /// The column whose values have a series each; nil for none.
  private var seriesColumn: ChartColumn? { spec.query.series.map { columns[$0] } }

  /// The categories on the screen.
  private var categories: [CellValue] {
    (sheet?.picture.stops ?? []).compactMap { stop in if case .equal(let cell)? = stop.rows { cell } else { nil } }
  }

  /// The values that have a series each.
  private var seriesValues: [CellValue] {
    (sample?.series ?? []).prefix(Self.mostSeries).compactMap { series in if case .value(let cell) = series { cell } else { nil } }
  }

  /// The known names, as the chart shows them.
  var chartNames: ChartNames {
    func known(_ cells: [CellValue], _ column: ChartColumn?) -> [CellValue: String] {
      guard let column else { return [:] }
      let named = cells.compactMap { cell in names.row(cell.wholeValue, of: column.name)?.name.map { (cell, $0.text) } }
      return Dictionary(named) { $1 }
    }
    return ChartNames(categories: known(categories, axisColumn), series: known(seriesValues, seriesColumn))
  }

  /// Reads the names that are missing.
  mutating func askForNames(_ context: inout ScreenContext<Self>) {
    func values(_ cells: [CellValue], _ column: ChartColumn?) -> [(column: String, value: DatabaseValue)] {
      guard let column else { return [] }
      return cells.compactMap { cell in cell.wholeValue.map { (column.name, $0) } }
    }
    guard let pane = context.workspace[grid] else { return }
    let missing = values(categories, axisColumn) + values(seriesValues, seriesColumn)
    guard let request = names.request(for: missing, of: pane, in: Self.namesSlot, context.environment) else { return }
    context.ask(request) { screen, _, result in
      screen.names.receive(result, to: request)
      screen.layOut()
    }
  }
}
