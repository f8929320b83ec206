import QuarryEngine
package import QuarryRows
package import Terminal

/// A chart with all that is said around it: its title above, its legend, and what is to be known below.
package struct ChartSheet: Sendable {
  /// How far the rows have been read.
  package struct Reading: Hashable, Sendable {
    /// Whether all rows have been read.
    var isComplete = true
    /// Whether the user stopped reading.
    var isStopped = false
    /// How many rows there are; nil where that is not known.
    var total: Int?
    /// Why no more rows could be read; nil where none failed.
    var failure: Problem?
  }

  package let title: String
  /// How many rows it is of: `830 rows`, `≥ 400,000 of 1,000,000 rows`.
  let rows: String
  package let picture: ChartPicture
  /// Remarks about omitted data and about failures.
  package let remarks: [String]
  let hasFailed: Bool
  private let layout: ChartSheetLayout

  /// The row in which the picture begins.
  var plotRow: Int { layout.plotRow }

  /// Lays out the chart of a sample.
  ///
  /// - Parameters:
  ///   - size: The extent of the whole sheet.
  ///   - hasReadout: Whether the last line is for the values under a cursor.
  package init(
    _ sample: ChartSample, spec: ChartSpec, columns: [ChartColumn], reading: Reading = Reading(), size: Size, ink: ChartInk,
    hasReadout: Bool = false
  ) {
    self.init(sample, spec: spec, columns: columns, names: ChartNames(), reading: reading, size: size, ink: ink, hasReadout: hasReadout)
  }

  /// Lays out the chart of a sample, with the names of the rows that its values refer to.
  init(
    _ sample: ChartSample, spec: ChartSpec, columns: [ChartColumn], names: ChartNames, reading: Reading, size: Size, ink: ChartInk,
    hasReadout: Bool
  ) {
    let hasLegend = sample.series.count > 1 || spec.query.series != nil
    let failure = reading.failure.map { "stopped at an error: \($0.text); the rows after it are missing" }
    let omissions = [failure, Self.uncompared(sample), sample.omissions.words].compactMap(\.self)
    let hasFurther = sample.series.count > ChartSource.seriesLimit
    let remarkLines = WrappedText.lines(omissions.joined(separator: Self.separator), columns: max(1, size.columns)).count
    layout = ChartSheetLayout(
      size: size, hasLegend: hasLegend, remarkRows: omissions.isEmpty ? hasFurther ? 1 : 0 : remarkLines, hasReadout: hasReadout)
    picture = ChartSource(sample: sample, names: names, spec: spec, columns: columns, size: layout.plot, ink: ink).picture
    title = spec.title(columns: columns, of: picture)
    remarks = omissions + picture.remarks
    hasFailed = reading.failure != nil
    rows = Self.rowsText(sample.rows, reading)
  }

  /// Returns a remark that not all categories could be compared; nil if all of them were.
  private static func uncompared(_ sample: ChartSample) -> String? {
    guard case .bars(let bars) = sample.content, bars.hasFurther else { return nil }
    let limit = Plural.grouped(ChartBars.limit)
    return "only the first \(limit) categories are compared; others may have larger values: compare all with GROUP BY"
  }

  private static let separator = " · "

  private static func rowsText(_ rows: Int, _ reading: Reading) -> String {
    if reading.isComplete, reading.failure == nil { return Plural.of(rows, "row") }
    let total = reading.total.map { " of \(Plural.grouped($0))" } ?? ""
    return "≥ \(Plural.grouped(rows))\(total) rows" + (reading.isStopped ? ", stopped" : "")
  }

  /// Draws the sheet with its top left corner at a point, the stop of a number under the cursor.
  ///
  /// - Parameter series: The series whose value at the cursor is marked, by its place in the legend.
  package func draw(into surface: inout Surface, at origin: Point, cursor: Int? = nil, series: Int = 0, appearance: Appearance) {
    let area = Rect(column: origin.column, row: origin.row, columns: layout.size.columns, rows: layout.size.rows)
    surface.clipped(to: area) { drawParts(into: &$0, origin, cursor: cursor, series: series, appearance) }
  }

  private func drawParts(into surface: inout Surface, _ origin: Point, cursor: Int?, series: Int, _ appearance: Appearance) {
    let columns = layout.size.columns
    heading(appearance).draw(into: &surface, at: origin, columns: columns, appearance: appearance)
    if let row = layout.legendRow { draw(legend(appearance), into: &surface, origin, row, appearance) }
    let plot = Point(column: origin.column, row: origin.row + layout.plotRow)
    picture.draw(into: &surface, at: plot, theme: appearance.theme)
    if picture.stops.isEmpty {
      surface.write("there is nothing to draw", at: plot, limit: columns, style: appearance.theme.style(.muted))
    }
    let text = appearance.sentence(remarks.joined(separator: Self.separator))
    let lines = WrappedText.lines(text, columns: max(1, columns), rows: layout.remarkRows.count, appearance: appearance)
    for (row, line) in zip(layout.remarkRows, lines) {
      draw(StyledLine(line, hasFailed ? .error : .muted), into: &surface, origin, row, appearance)
    }
    guard let cursor, picture.stops.indices.contains(cursor) else { return }
    mark(picture.stops[cursor], series, into: &surface, plot, appearance)
    if let row = layout.readoutRow { draw(readout(of: picture.stops[cursor], series), into: &surface, origin, row, appearance) }
  }

  private func draw(_ line: StyledLine, into surface: inout Surface, _ origin: Point, _ row: Int, _ appearance: Appearance) {
    line.draw(
      into: &surface, at: Point(column: origin.column, row: origin.row + row), columns: layout.size.columns, appearance: appearance)
  }

  private func heading(_ appearance: Appearance) -> StyledLine {
    StyledLine(title, .accent).adding("  \(appearance.sentence(rows))", .muted)
  }

  private func legend(_ appearance: Appearance) -> StyledLine {
    picture.legend.reduce(StyledLine()) { line, entry in
      let name = TextWidth.truncated(entry.name, to: 24, ellipsis: appearance.glyphs.ellipsis)
      return line.adding("\(entry.mark) ", entry.role).adding(name + "   ", .text)
    }
  }

  /// Lays the cursor over a stop, and marks the value of a series.
  private func mark(
    _ stop: ChartPicture.Stop, _ series: Int, into surface: inout Surface, _ plot: Point, _ appearance: Appearance
  ) {
    let area = Rect(
      column: plot.column + stop.area.column, row: plot.row + stop.area.row, columns: stop.area.columns, rows: stop.area.rows)
    let style = appearance.theme.style(.selection)
    surface.overlay(area, style: Style(background: style.background, attributes: style.attributes))
    guard let value = stop.values.first(where: { $0.series == series }) ?? stop.values.first, let point = value.point else { return }
    let mark = picture.legend.indices.contains(value.series) ? picture.legend[value.series].mark : appearance.glyphs == .ascii ? "*" : "●"
    surface.write(
      mark, at: Point(column: plot.column + point.column, row: plot.row + point.row),
      style: appearance.theme.style(Role.series[value.series], on: .selection))
  }

  /// Returns the values of a stop in a line, that of a series first.
  private func readout(of stop: ChartPicture.Stop, _ series: Int) -> StyledLine {
    let chosen = stop.values.first { $0.series == series } ?? stop.values.first
    let ordered = stop.values.filter { $0.series == chosen?.series } + stop.values.filter { $0.series != chosen?.series }
    let start = StyledLine(stop.name, .accent)
    return ordered.reduce(start) { line, value in
      guard picture.legend.indices.contains(value.series) else { return line.adding("  \(value.text)", .text) }
      let entry = picture.legend[value.series]
      return line.adding("  \(entry.mark) ", entry.role).adding("\(entry.name) ", .muted).adding(value.text, .text)
    }
  }

  /// Returns the sheet as a surface of its own size.
  package func surface(_ appearance: Appearance) -> Surface {
    var surface = Surface(size: layout.size)
    draw(into: &surface, at: Point(column: 0, row: 0), appearance: appearance)
    return surface
  }
}

/// Which rows of a sheet its parts take.
struct ChartSheetLayout: Hashable, Sendable {
  let size: Size
  let legendRow: Int?
  let plotRow: Int
  /// The extent of the picture.
  let plot: Size
  let remarkRows: Range<Int>
  let readoutRow: Int?

  /// The greatest number of lines of remarks.
  private static let mostRemarkRows = 3

  init(size: Size, hasLegend: Bool, remarkRows: Int, hasReadout: Bool) {
    self.size = size
    var (top, bottom) = (1, size.rows)
    func take(_ isWanted: Bool) -> Int? {
      guard isWanted, bottom - top > 3 else { return nil }
      bottom -= 1
      return bottom
    }
    readoutRow = take(hasReadout)
    let end = bottom
    for index in 0..<min(remarkRows, Self.mostRemarkRows) { _ = take(index == 0 || bottom - top > 8) }
    self.remarkRows = bottom..<end
    let hasLegend = hasLegend && bottom - top > 4
    legendRow = hasLegend ? top : nil
    if hasLegend { top += 1 }
    // An empty row separates the text from the picture if there is enough room.
    if bottom - top > 12 { top += 1 }
    if !self.remarkRows.isEmpty || readoutRow != nil, bottom - top > 14 { bottom -= 1 }
    plotRow = top
    plot = Size(columns: size.columns, rows: max(0, bottom - top))
  }
}
