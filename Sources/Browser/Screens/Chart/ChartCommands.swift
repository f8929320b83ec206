import QuarryRows
import Terminal

extension Command {
  static let chart: Command = "chart"
}

/// The commands of a chart.
extension ChartScreen {
  typealias Binding = CommandBinding<ChartScreen>

  static let commands: [Binding] = columnCommands + kindCommands + seriesCommands + viewCommands + cursorCommands + readCommands

  private static let kindCommands: [Binding] = [
    kind(.bar, "Draw bars: a number for each category", "b"),
    kind(.line, "Draw lines: numbers over numbers or dates", "l"),
    kind(.scatter, "Draw points: numbers against numbers", "s"),
    kind(.histogram, "Draw a histogram: how often numbers occur", "h"),
  ]

  private static func kind(_ kind: ChartQuery.Kind, _ help: String, _ key: String) -> Binding {
    Binding(Command(rawValue: "chart-\(kind.rawValue)"), help, keys: [.chart: [key]], hint: kind.rawValue) { screen, context, _ in
      let changed = screen.spec.changed(to: kind, columns: screen.columns)
      if let obstacle = changed.obstacle(columns: screen.columns) { return context.notify(obstacle, .warning) }
      screen.change(&context) { $0 = changed }
    }
  }

  private static let columnCommands: [Binding] = [
    Binding("chart-y", "Choose columns of numbers; choose one again to drop it", keys: [.chart: ["Y"]], hint: "numbers") {
      screen, context, _ in
      let measured = screen.columns.indices.filter { screen.columns[$0].hasMeasure }
      screen.showColumns("Numbers", of: measured, chosen: screen.spec.query.ys, none: "count the rows", &context) { spec, column in
        guard let column else { return spec.query.ys = [] }
        if let place = spec.query.ys.firstIndex(of: column) { spec.query.ys.remove(at: place) } else { spec.query.ys.append(column) }
        if spec.query.series != nil { spec.query.ys = Array(spec.query.ys.suffix(1)) }
      }
    },
    Binding("chart-x", "Choose the column of the horizontal axis, or of the categories", keys: [.chart: ["X"]], hint: "axis") {
      screen, context, _ in
      let chosen = [screen.spec.query.x].compactMap(\.self)
      screen.showColumns("Horizontal axis", chosen: chosen, none: "the row number", &context) {
        $0.query.x = $1
      }
    },
  ]

  private static let seriesCommands: [Binding] = [
    Binding("chart-series", "Choose the column that determines the colors", keys: [.chart: ["C"]], hint: "color") {
      screen, context, _ in
      let chosen = [screen.spec.query.series].compactMap(\.self)
      screen.showColumns("Colors", chosen: chosen, none: "one color", &context) { spec, column in
        spec.query.series = column
        if column != nil { spec.query.ys = Array(spec.query.ys.prefix(1)) }
      }
    }
  ]

  /// Shows the columns to choose from.
  ///
  /// - Parameter some: The columns that are offered; nil for all.
  private func showColumns(
    _ title: String, of some: [Int]? = nil, chosen: [Int], none: String, _ context: inout ScreenContext<Self>,
    choose: @escaping @Sendable (inout ChartSpec, Int?) -> Void
  ) {
    let take = context.handler { (screen: inout ChartScreen, context: inout ScreenContext<ChartScreen>, column: Int?) in
      screen.choose(&context) { choose(&$0, column) }
    }
    let mark = context.appearance.glyphs.right
    let offered = some ?? Array(columns.indices)
    let items =
      [PickerItem(label: none, role: .muted, trailing: chosen.isEmpty ? mark : "", perform: take(nil))]
      + offered.map { index in
        PickerItem(
          label: columns[index].name, detail: columns[index].scale.words, trailing: chosen.contains(index) ? mark : "",
          perform: take(index))
      }
    let cursor = chosen.first.flatMap { offered.firstIndex(of: $0) }.map { $0 + 1 }
    context.present(
      Picker(title: title, placeholder: "type part of a name", items: items, cursor: cursor ?? 0))
  }

  /// Changes the columns, unless no chart can be drawn of them; rows are gathered in the way that the new ones allow.
  private mutating func choose(_ context: inout ScreenContext<Self>, _ body: (inout ChartSpec) -> Void) {
    var changed = spec
    body(&changed)
    if changed.query.kind == .histogram { (changed.query.ys, changed.query.series) = ([], nil) }
    if !changed.aggregates.contains(changed.aggregate) || changed.query.ys.isEmpty != spec.query.ys.isEmpty {
      changed.aggregate = ChartSpec.firstAggregate(for: changed.query)
    }
    if let obstacle = changed.obstacle(columns: columns) { return context.notify(obstacle, .warning) }
    change(&context) { $0 = changed }
  }

  private static let viewCommands: [Binding] = [
    Binding(
      "chart-aggregate", "Aggregate rows differently: sum, mean, count, min, max", keys: [.chart: ["a"]], hint: "sum",
      unless: { screen, _ in
        guard screen.spec.aggregates.count == 1 else { return nil }
        return "rows are \(screen.spec.aggregate == .none ? "drawn one by one" : "counted") here"
      }
    ) { screen, context, _ in
      screen.change(&context) { $0.aggregate = $0.aggregates.following($0.aggregate) ?? $0.aggregate }
    },
    Binding(
      "chart-unit", "Group dates by another unit: day, week, month, quarter, year", keys: [.chart: ["u"]], hint: "unit",
      unless: { screen, _ in screen.sheet?.picture.unit == nil ? "rows are not grouped by date here" : nil }
    ) { screen, context, _ in
      let unit = screen.sheet?.picture.unit ?? .day
      screen.change(&context) { $0.unit = [ChartTimeUnit.day, .week, .month, .quarter, .year].following(unit) ?? .day }
    },
    Binding(
      "chart-order", "Sort bars by length, or in row order", keys: [.chart: ["o"]], hint: "order",
      unless: { screen, _ in
        screen.spec.query.kind == .bar && screen.axisColumn?.isTime != true ? nil : "only bars of categories can be sorted"
      }
    ) { screen, context, _ in
      screen.change(&context) { $0.isByValue.toggle() }
    },
    Binding(
      "chart-log", "Make the vertical axis logarithmic, or linear", keys: [.chart: ["L"]],
      unless: { $0.obstacleToLogarithms($1) }
    ) { screen, context, _ in
      screen.change(&context) { $0.isLogarithmic.toggle() }
    },
    Binding(.copy, "Copy the chart as text", keys: [.chart: ["y"]], hint: "copy", unless: { $0.needsSheet($1) }) { screen, context, _ in
      if let text = screen.text(context.appearance) { context.send(.copyToClipboard(CopyText(text: text, title: "the chart"))) }
    },
    .copyingCommandLine("Copy the command line that draws this chart", in: .chart) { screen, grid, files throws(Problem) in
      try GridCommandLine(grid: grid).chart(screen.spec, files)
    },
    Binding(
      .open, "Show only the rows under the cursor", keys: [.chart: ["enter"]], hint: "rows", unless: { $0.obstacleToNarrowing($1) }
    ) { screen, context, _ in
      screen.narrow(&context)
    },
  ]

  private static let readCommands: [Binding] = [
    Binding(.refresh, "Read the rows again", keys: [.chart: ["R", "f5"]]) { screen, context, _ in screen.load(&context) }
  ]

  private func needsSheet(_ environment: ScreenEnvironment) -> String? { sheet == nil ? "there is no chart yet" : nil }

  private func obstacleToLogarithms(_ environment: ScreenEnvironment) -> String? {
    spec.isLogarithmic && spec.query.kind != .bar && spec.query.kind != .histogram ? nil : spec.obstacleToLogarithms(in: sample)
  }

  private static let cursorCommands: [Binding] = [
    Binding(.moveRight, "Go to the next value", keys: [.chart: ["right"]]) { screen, _, count in screen.moveCursor(by: count ?? 1) },
    Binding(.moveLeft, "Go to the previous value", keys: [.chart: ["left"]]) { screen, _, count in screen.moveCursor(by: -(count ?? 1)) },
    Binding(.moveDown, "Go to the next bar, or the next series", keys: [.chart: ["down", "j"]]) { screen, _, count in
      screen.moveDown(by: count ?? 1)
    },
    Binding(.moveUp, "Go to the previous bar, or the previous series", keys: [.chart: ["up", "k"]]) { screen, _, count in
      screen.moveDown(by: -(count ?? 1))
    },
    Binding(.moveToStart, "Go to the first value", keys: [.chart: ["0", "home", "g g"]]) { screen, _, _ in
      screen.moveCursor(toEnd: false)
    },
    Binding(.moveToEnd, "Go to the last value", keys: [.chart: ["$", "end", "G"]]) { screen, _, _ in screen.moveCursor(toEnd: true) },
  ]

  /// Moves along the bars if they lie below each other, otherwise among the series.
  private mutating func moveDown(by step: Int) {
    if case .bars = sample?.content { moveCursor(by: step) } else { moveSeries(by: step) }
  }
}

extension Array where Element: Equatable {
  /// Returns the element after another one; nil if the array is empty.
  ///
  /// The first element follows the last one, and an element that the array does not contain.
  fileprivate func following(_ element: Element) -> Element? {
    guard let index = firstIndex(of: element) else { return first }
    return self[(index + 1) % count]
  }
}

extension ChartColumn.Scale {
  /// What the values are, in a list of columns.
  fileprivate var words: String {
    switch self {
    case .number: "numbers"
    case .time: "dates"
    case .category: "categories"
    }
  }
}
