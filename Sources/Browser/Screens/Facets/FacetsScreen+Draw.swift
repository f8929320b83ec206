import QuarryEngine
import QuarryRows
import Terminal

/// The areas of the facets: the list, and under it a line about what is under the cursor, or what went wrong.
struct FacetsLayout: Hashable, Sendable {
  let list: Rect
  let detail: Rect

  /// - Parameter remarkRows: How many lines there are to be read under the list.
  init(in area: Rect, remarkRows: Int = 0) {
    var rest = area.inset(columns: 1, rows: 1)
    detail = rest.removeBottom(rest.rows > 4 ? max(1, min(remarkRows, rest.rows / 3)) : 0)
    list = rest
  }
}

/// Where the ranges of a histogram lie on a line.
struct FacetHistogram: Hashable, Sendable {
  /// The cells before the first.
  static let indent = 2
  let count: Int
  /// The cells of each range.
  let width: Int

  private static let widest = 4

  init(_ count: Int, columns: Int) {
    self.count = count
    width = max(1, min(Self.widest, (columns - Self.indent) / max(1, count)))
  }

  /// Returns the range at a cell of the line.
  func bin(at column: Int) -> Int { (column - Self.indent) / width }
}

extension FacetsScreen {
  /// Returns the areas of the facets, with room for what went wrong, or is not shown.
  func layout(in area: Rect) -> FacetsLayout {
    let remarkRows = remark.map { WrappedText.lines($0, columns: area.columns - 3).count } ?? (leftOut == nil ? 0 : 2)
    return FacetsLayout(in: area, remarkRows: remarkRows)
  }

  /// How many rows the ranges under the cursor leave out, NULL apart: those with infinities, texts and blobs; nil for none.
  private var leftOut: String? {
    guard case .histogram? = list.currentLine?.content, let facet = list.currentColumn.flatMap(facet),
      case .histogram(let bins) = facet.content
    else { return nil }
    let count = facet.rows - facet.nulls - bins.reduce(0) { $0 + $1.count }
    return count > 0 ? "\(Plural.of(count, "row")) \(count == 1 ? "is" : "are") in no range" : nil
  }

  /// What went wrong while the rows were counted; nil for nothing.
  private var remark: String? {
    problem.flatMap { $0 == .stopped ? nil : "stopped at an error: \($0.text)" }
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(into: &surface, rect: area, title: "Facets", footer: footer, hasFocus: environment.hasFocus, appearance: appearance)
    let layout = layout(in: area)
    for (offset, line) in list.lines.dropFirst(list.cursor.top).prefix(layout.list.rows).enumerated() {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      let isCurrent = list.cursor.top + offset == list.cursor.index
      draw(line, isCurrent: isCurrent && environment.hasFocus, into: &surface, row: row, appearance)
    }
    drawDetail(into: &surface, area: layout.detail, hasFocus: environment.hasFocus, appearance)
  }

  /// How far the list is scrolled, as the columns count.
  private var footer: String {
    if isStopped { return "stopped before the end" }
    guard list.lines.count > list.cursor.height, let column = list.currentColumn, let index = columns.firstIndex(of: column) else {
      return ""
    }
    return "\(Plural.grouped(index + 1)) of \(Plural.of(columns.count, "column"))"
  }

  /// Says at the foot what is under the cursor, or what went wrong.
  private func drawDetail(into surface: inout Surface, area: Rect, hasFocus: Bool, _ appearance: Appearance) {
    guard !area.isEmpty else { return }
    let place = Rect(column: area.column + 1, row: area.row, columns: area.columns - 1, rows: area.rows)
    if let remark { return WrappedText.draw(remark, .error, into: &surface, area: place, appearance: appearance) }
    guard hasFocus, let line = currentDetail(columns: place.columns, appearance) else { return }
    line.draw(into: &surface, at: Point(column: place.column, row: place.row), columns: place.columns, appearance: appearance)
    guard place.rows > 1, let leftOut else { return }
    let rest = Point(column: place.column, row: place.row + 1)
    StyledLine(leftOut, .muted).draw(into: &surface, at: rest, columns: place.columns, appearance: appearance)
  }

  /// The value or the range under the cursor, and in how many of the rows it is.
  private func currentDetail(columns: Int, _ appearance: Appearance) -> StyledLine? {
    guard let value = list.currentValue, let count = list.currentCount, let column = list.currentColumn, let facet = facet(of: column)
    else {
      return nil
    }
    let bound = facet.isBound ? appearance.atLeast : ""
    let number = "  \(bound)\(Plural.of(count, "row")) \(appearance.glyphs.dot) \(ShareText.percent(count, of: facet.rows))"
    return text(of: value, in: column, columns: max(4, columns - TextWidth.columns(of: number)), isPadded: false, appearance)
      .adding(number, .muted)
  }

  /// Returns a value with the name of the row that it refers to: `5 · Big Ones`.
  private func text(
    of value: CountedValue, in column: String, columns: Int, isPadded: Bool, _ appearance: Appearance
  ) -> StyledLine {
    let text = CountedText(value, dates: facet(of: column)?.dates, glyphs: appearance.glyphs)
    let name = names.row(value.value, of: column)?.text(glyphs: appearance.glyphs) ?? (text: "", role: text.role)
    // The value is what is chosen: it keeps half of the room.
    let room = max(columns / 2, columns - TextWidth.columns(of: name.text))
    let shown = TextWidth.truncated(text.text, to: room, ellipsis: appearance.glyphs.ellipsis)
    let rest = max(0, columns - TextWidth.columns(of: shown))
    let cut = TextWidth.truncated(name.text, to: rest, ellipsis: appearance.glyphs.ellipsis)
    return StyledLine(shown, text.role).adding(isPadded ? TextWidth.padded(cut, to: rest) : cut, name.role)
  }

  // MARK: Lines

  private func draw(_ line: FacetList.Line, isCurrent: Bool, into surface: inout Surface, row: Rect, _ appearance: Appearance) {
    switch line.content {
    case .blank: break
    case .heading: drawHeading(line.column, isCurrent: isCurrent, into: &surface, row: row, appearance)
    case .histogram(let bins): draw(bins, of: line.column, isCurrent: isCurrent, into: &surface, row: row, appearance)
    case .value(let value, let count):
      valueLine(value, count, of: line.column, columns: row.columns - 2, appearance).drawListed(
        into: &surface, row: row, isCurrent: isCurrent, hasFocus: true, appearance: appearance)
    }
  }

  /// Draws the name of a column, with how many values it has and how many rows have none.
  private func drawHeading(_ column: String, isCurrent: Bool, into surface: inout Surface, row: Rect, _ appearance: Appearance) {
    let base: Role = isCurrent ? .selection : .text
    if isCurrent { surface.fill(row, style: appearance.theme.style(base)) }
    // What helps least goes first, so that the name stays whole.
    let wanted = TextWidth.columns(of: column) + 2
    let all = facts(of: column, appearance)
    let facts = all.first { TextWidth.columns(of: $0) + wanted <= row.columns } ?? all.last ?? ""
    let room = max(4, row.columns - TextWidth.columns(of: facts) - 2)
    let name = TextWidth.truncated(column, to: room, ellipsis: appearance.glyphs.ellipsis)
    surface.write(
      name, at: Point(column: row.column, row: row.row), limit: room,
      style: appearance.theme.style(isNarrowed(column) ? .accent : .text, on: base))
    let start = row.endColumn - TextWidth.columns(of: facts)
    surface.write(
      facts, at: Point(column: start, row: row.row), limit: row.endColumn - start, style: appearance.theme.style(.muted, on: base))
  }

  /// Returns how many values a column has and how many rows have none: all of that, and less and less of it.
  private func facts(of column: String, _ appearance: Appearance) -> [String] {
    guard let facet = facet(of: column), facet.rows > 0 || facet.isComplete else { return [appearance.glyphs.ellipsis] }
    if facet.rows == 0 { return ["no rows"] }
    let nulls = facet.nulls > 0 ? "\(appearance.glyphs.null) \(ShareText.percent(facet.nulls, of: facet.rows))" : ""
    if facet.rows == facet.nulls { return [nulls] }
    let distinct = facet.isComplete ? facet.distinct : facet.distinct.bound
    let values = facet.areAllDifferent ? "unique" : distinct.text(appearance)
    let short = facet.areAllDifferent ? "unique" : distinct.shortText(appearance)
    let parts = [[nulls, values], [nulls, short], [short]]
    return parts.map { $0.filter { !$0.isEmpty }.joined(separator: appearance.glyphs.separator) }
  }

  private static let leastBar = 4
  private static let widestBar = 12

  private func valueLine(_ value: CountedValue, _ count: Int?, of column: String, columns: Int, _ appearance: Appearance) -> StyledLine {
    let facet = facet(of: column)
    let isMarked = chosen(of: column).contains { $0.isSame(as: value) }
    let bound = facet?.isBound == true ? appearance.atLeast : ""
    let number = count.map { bound + Plural.grouped($0) } ?? ""
    let numberColumns = max(5, greatestCount(of: column).map { bound.count + Plural.grouped($0).count } ?? 0)
    // A name needs the room more than a bar.
    let bar = names.foreignKey(of: column) == nil ? max(Self.leastBar, min(Self.widestBar, columns / 4)) : Self.leastBar
    let room = max(4, columns - numberColumns - bar - 5)
    let text = text(of: value, in: column, columns: room, isPadded: true, appearance)
    let shown = isMarked ? StyledLine(text.text, .accent) : text
    let isMuted = isUnsettled(column)
    let part = Double(count ?? 0) / Double(max(1, greatestCount(of: column) ?? 1))
    let isLeftOut = !isMarked && leavesOut(value, of: column)
    let marks = appearance.glyphs == .ascii ? (right: "*", wrong: "-") : (right: appearance.glyphs.right, wrong: appearance.glyphs.wrong)
    let mark = isMarked ? marks.right : isLeftOut ? marks.wrong : " "
    return StyledLine([StyledLine.Run(text: mark + " ", role: isLeftOut ? .warning : .success)] + shown.runs)
      .adding(String(repeating: " ", count: 1 + max(0, numberColumns - number.count)) + number, isMuted ? .muted : .text)
      .adding("  ").adding(Bars.bar(part, columns: bar, glyphs: appearance.glyphs), .border)
  }

  private func greatestCount(of column: String) -> Int? {
    guard case .values(let values)? = facet(of: column)?.content else { return nil }
    return values.first?.count
  }

  /// Draws a histogram, each range some cells wide, and the bounds of it beside it.
  private func draw(
    _ bins: [ValueCount], of column: String, isCurrent: Bool, into surface: inout Surface, row: Rect, _ appearance: Appearance
  ) {
    let layout = FacetHistogram(bins.count, columns: row.columns)
    let chosen = chosen(of: column)
    if isCurrent {
      surface.write(
        appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), limit: 1, style: appearance.theme.style(.accent))
    }
    for (index, height) in Bars.histogram(bins.map(\.count), glyphs: appearance.glyphs).enumerated() {
      let isChosen = chosen.contains { $0.isSame(as: bins[index].value) }
      let base: Role = isCurrent && index == list.bin ? .selection : .text
      let role: Role = isChosen ? .accent : isUnsettled(column) ? .border : .muted
      surface.write(
        String(repeating: height, count: layout.width),
        at: Point(column: row.column + FacetHistogram.indent + index * layout.width, row: row.row),
        limit: layout.width, style: appearance.theme.style(role, on: base))
    }
  }
}

extension Facet {
  /// Whether the numbers of its values may still grow, or would, had they been counted to their end.
  fileprivate var isBound: Bool { !isComplete || !isContentExact }
}
