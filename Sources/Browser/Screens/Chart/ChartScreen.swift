import QuarryRows
import Terminal

extension KeyContext {
  static let chart = KeyContext("chart", place: "in a chart")
}

/// A chart of the rows of a grid, which is read in the background and grows meanwhile.
package struct ChartScreen: Sendable {
  /// The grid whose rows are drawn.
  private(set) var grid: GridID
  private(set) var columns: [ChartColumn]
  package private(set) var spec: ChartSpec
  private let title: String
  private let rowSet: RowSet
  private(set) var sample: ChartSample?
  /// The names of the rows that its values refer to.
  var names = ColumnNames()
  private var reading = ChartSheet.Reading(isComplete: false)
  private var isReading = false
  package private(set) var sheet: ChartSheet?
  /// The number of the stop under the cursor; nil until a key moves it.
  package private(set) var cursor: Int?
  /// The series whose value at the cursor is marked.
  private(set) var series = 0
  private var size = Size(columns: 0, rows: 0)
  private var ink = ChartInk.unicode
  /// The number of file changes when the rows were read.
  private var fileChanges = 0

  /// The index of the column that the user moved the grid's cursor to; nil for the first column, the initial position of the cursor.
  private let focus: Int?

  /// Makes the chart of a grid's rows, as one of these rows was drawn before where `former` fits: it shows the column under the cursor, or
  /// that has not moved since.
  init(_ grid: GridPane, former: FormerChart?) {
    self.grid = grid.id
    title = grid.title
    rowSet = grid.rowSet
    columns = grid.chartColumns
    focus = grid.column == grid.layout.shown.first ? nil : grid.column
    let fitting = former.flatMap { [focus, columns] in $0.fits(columns, focus: focus) ? $0.spec : nil }
    spec = fitting ?? ChartSpec(columns: columns, focus: focus)
  }

  /// The stop under the cursor; nil for none.
  var stop: ChartPicture.Stop? {
    guard let cursor, let stops = sheet?.picture.stops, stops.indices.contains(cursor) else { return nil }
    return stops[cursor]
  }

  /// The column along the horizontal axis; nil for the rows' numbers.
  var axisColumn: ChartColumn? { spec.query.x.map { measured[$0] } }

  /// The columns as the chart takes them.
  private var measured: [ChartColumn] { spec.measuring(columns) }
}

// MARK: - Reading

extension ChartScreen {
  /// Reads the rows; the chart that is shown stays until the new one has come.
  ///
  /// - Parameter isUpdate: Whether the same is drawn of rows that others have changed, which is then not drawn in parts.
  mutating func load(isUpdate: Bool = false, _ context: inout ScreenContext<Self>) {
    guard let pane = context.workspace[grid] else { return }
    fileChanges = context.workspace.source.fileChanges
    if !isUpdate { sample = nil }
    if let obstacle = spec.obstacle(columns: columns) {
      context.supersede(LoadChart.slot)
      sheet = nil
      return context.notify(obstacle, .warning)
    }
    let total = pane.total?.exactValue
    isReading = true
    if !isUpdate { reading = ChartSheet.Reading(isComplete: false, total: total) }
    context.ask(LoadChart(grid: grid, query: spec.query, columns: measured, total: total)) { screen, _, report in
      if !isUpdate { screen.show(report.sample) }
    } then: { screen, context, result in
      screen.receive(result, &context)
    }
  }

  private mutating func receive(_ result: Result<LoadChart.Answer, Problem>, _ context: inout ScreenContext<Self>) {
    isReading = false
    switch result {
    case .success(let answer):
      reading.isComplete = answer.failure == nil
      reading.failure = answer.failure
      show(answer.sample)
    case .failure(.stopped):
      reading.isStopped = true
      layOut()
    case .failure(let problem): context.notify(problem.text, .error)
    }
  }

  private mutating func show(_ sample: ChartSample) {
    self.sample = sample
    layOut()
  }

  mutating func layOut() {
    guard let sample, size.columns > 0 else { return }
    // The names of the bars depend on which of them are drawn.
    for _ in 0..<2 {
      let names = chartNames
      sheet = ChartSheet(
        sample, spec: spec, columns: measured, names: names, reading: reading, size: size, ink: ink, hasReadout: true)
      if names == chartNames { break }
    }
    if let cursor { self.cursor = min(cursor, max(0, (sheet?.picture.stops.count ?? 0) - 1)) }
    series = min(series, max(0, sample.series.count - 1))
  }

  /// Shows the same columns in another way; rows are read again only where others are needed.
  mutating func change(_ context: inout ScreenContext<Self>, _ body: (inout ChartSpec) -> Void) {
    let before = spec
    body(&spec)
    guard spec != before else { return }
    context.workspace.charts[rowSet] = FormerChart(spec: spec, focus: focus, names: columns.map(\.name))
    if spec.query == before.query { return layOut() }
    (cursor, series) = (nil, 0)
    load(&context)
  }

  // MARK: The cursor

  mutating func moveCursor(by step: Int) {
    guard let count = sheet?.picture.stops.count, count > 0 else { return }
    // The first step enters the chart at the side that it comes from.
    let start = cursor ?? (step > 0 ? -1 : count)
    cursor = min(max(0, start + min(max(-count, step), count)), count - 1)
  }

  mutating func moveCursor(toEnd isEnd: Bool) {
    guard let count = sheet?.picture.stops.count, count > 0 else { return }
    cursor = isEnd ? count - 1 : 0
  }

  mutating func moveSeries(by step: Int) {
    guard let count = sheet?.picture.legend.count, count > 1 else { return }
    series = (series + step % count + count) % count
    if cursor == nil { moveCursor(by: 1) }
  }

  /// The chart as text, with its title.
  package func text(_ appearance: Appearance) -> String? { sheet?.surface(appearance).text }
}

// MARK: - The screen

extension ChartScreen: Screen {
  static let openers: [BrowserCommand] = [
    BrowserCommand(
      .chart, "Draw a chart of the rows", brief: "Chart", aliases: ["plot", "graph", "diagram", "bars"], [.grid: ["g v"]]
    ) { browser in
      if let obstacle = browser.environment.needsGrid ?? browser.environment.needsFinalRows {
        return browser.notice = Notice(obstacle, .warning)
      }
      guard let grid = browser.environment.grid else { return }
      browser.present(ChartScreen(grid, former: browser.workspace.charts[grid.rowSet]))
    }
  ]

  func keyContext(in workspace: Workspace) -> KeyContext { .chart }
  func position(_ environment: ScreenEnvironment) -> String? { nil }
  func purpose(in workspace: Workspace) -> String {
    "The rows as bars, lines, points or a histogram. Arrow keys read values; X, Y and C choose columns, a changes the aggregation."
  }

  mutating func start(_ context: inout ScreenContext<Self>) {
    ink = context.appearance.glyphs == .ascii ? .ascii : .unicode
    load(&context)
  }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    let inside = area.inset(columns: 2, rows: 1)
    let size = Size(columns: inside.columns, rows: inside.rows)
    guard size != self.size else { return }
    self.size = size
    layOut()
  }

  /// Reads the rows again where the grid has others, or where others have written since all were read.
  mutating func follow(_ context: inout ScreenContext<Self>) {
    followGrid(&context)
    askForNames(&context)
  }

  private mutating func followGrid(_ context: inout ScreenContext<Self>) {
    guard let shown = context.grid else { return }
    if shown.id != grid {
      guard shown.rowSet == rowSet, shown.columns.map(\.name) == columns.map(\.name) else { return context.close() }
      grid = shown.id
      load(&context)
    } else if !shown.isSnapshot, !isReading, fileChanges != context.workspace.source.fileChanges {
      load(isUpdate: true, &context)
    }
  }

  mutating func willClose(_ context: inout ScreenContext<Self>) {
    context.supersede(LoadChart.slot)
    context.supersede(Self.namesSlot)
  }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    guard let sheet else { return }
    let origin = Point(column: area.column + 2, row: area.row + 1 + sheet.plotRow)
    let place = Point(column: point.column - origin.column, row: point.row - origin.row)
    if let index = sheet.picture.stops.firstIndex(where: { $0.area.contains(place) }) { cursor = index }
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) { moveCursor(by: rows) }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: "Chart \(appearance.glyphs.dot) \(title)", footer: spec.query.kind.rawValue,
      hasFocus: environment.hasFocus, appearance: appearance)
    let inside = area.inset(columns: 2, rows: 1)
    guard !inside.isEmpty else { return }
    guard let sheet else {
      let state = reading.isStopped ? "reading was stopped: \(environment.keyHint(.refresh)) reads again" : "reading…"
      let text = appearance.sentence(spec.obstacle(columns: columns) ?? state)
      surface.write(
        text, at: Point(column: inside.column, row: inside.row), limit: inside.columns, style: appearance.theme.style(.muted))
      return
    }
    surface.clipped(to: inside) { surface in
      sheet.draw(
        into: &surface, at: Point(column: inside.column, row: inside.row), cursor: cursor, series: series, appearance: appearance)
    }
  }
}

extension GridPane {
  /// The columns as a chart sees them, by the rows that are loaded.
  fileprivate var chartColumns: [ChartColumn] {
    columns.indices.map { index in
      ChartColumn(
        columns[index].name, declaredType: columns[index].declaredType, isKey: isKey(index) || isReference(index),
        sample: window.rows.lazy.compactMap { $0[index] })
    }
  }
}
