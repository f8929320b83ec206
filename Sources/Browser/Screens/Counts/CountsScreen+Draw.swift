import QuarryEngine
import QuarryRows
import Terminal

/// The areas of the counts: the heading, the list, and what is said of it.
struct CountsLayout: Hashable, Sendable {
  let heading: Rect
  let list: Rect

  init(in area: Rect) {
    var rest = area.inset(columns: 2, rows: 1)
    heading = rest.removeTop(rest.rows > 2 ? 1 : 0)
    list = rest
  }
}

/// The columns of the list: the value with the name behind it, its count, its share of the rows, and a bar in what is left.
private struct CountColumns {
  let value: Int
  let name: Int
  let count: Int
  let share = ShareText.columns
  let bar: Int

  private static let gap = 2
  /// The heading of the counts, with the mark of the sort order.
  private static let heading = "▼ count"
  private static let leastText = 12
  private static let widestBar = 36
  private static let leastBar = 8

  init(_ screen: CountsScreen, columns: Int) {
    // Two cells are before each line, and the mark.
    let room = max(0, columns - 4)
    count = max(Self.heading.count, Plural.grouped(screen.page?.greatest ?? 0).count)
    let fixed = count + share + 2 * Self.gap
    let wanted = max(Self.leastText, screen.valueColumns + screen.nameColumns)
    let text = max(8, min(wanted, room - fixed - (room > 50 ? Self.leastBar + Self.gap : 0)))
    name = screen.nameColumns == 0 ? 0 : max(text / 2, text - screen.valueColumns)
    value = text - name
    bar = max(0, min(Self.widestBar, room - text - fixed - Self.gap))
  }
}

extension CountsScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: heading(environment), footer: footer(appearance), hasFocus: environment.hasFocus,
      appearance: appearance)
    let layout = CountsLayout(in: area)
    guard count > 0 else { return drawRemark(into: &surface, area: area.inset(columns: 2, rows: 1), appearance) }
    let columns = CountColumns(self, columns: layout.list.columns)
    drawHeading(columns, into: &surface, area: layout.heading, appearance)
    for offset in 0..<min(layout.list.rows, count - cursor.top) {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      let place = cursor.top + offset
      let line = page?.line(at: place).map { self.line(of: $0, columns, appearance) } ?? StyledLine()
      line.drawListed(
        into: &surface, row: row, isCurrent: place == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
    if let problem { drawProblem(problem, into: &surface, area: layout.list, environment) }
  }

  // MARK: The frame

  /// What is counted, and how many: `Country · 830 of 1,000 rows · 21 values and NULL`, `Freight · 830 rows · 12 ranges`.
  private func heading(_ environment: ScreenEnvironment) -> String {
    let appearance = environment.appearance
    let separator = appearance.glyphs.separator
    guard let counts = page?.source.counts else { return column.name }
    let bound = appearance.bound(isComplete: counts.isComplete, sawChanges: counts.progress.sawChanges)
    let isFiltered = !subject.view.filter.isBlank
    let all = isFiltered ? environment.grid.flatMap(environment.workspace.sourceTotal).map { " of \($0.text(appearance))" } ?? "" : ""
    let rows = "\(bound)\(Plural.grouped(counts.rows))\(all) \(counts.rows == 1 && all.isEmpty ? "row" : "rows")"
    let known: Cardinality = counts.isComplete || !counts.distinct.isExact ? counts.distinct : .atLeast(counts.distinct.value)
    let values = counts.ranges.map { Plural.of($0, "range") } ?? "\(known.text(appearance)) \(known == .exact(1) ? "value" : "values")"
    return column.name + separator + rows + separator + values + counts.furtherLines
  }

  private func footer(_ appearance: Appearance) -> String {
    if isStopped { return "stopped before the end" }
    guard !marked.isEmpty else { return "" }
    return "\(marked.count) marked"
  }

  /// Draws the reason why nothing is listed.
  private func drawRemark(into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    let state = isStopped ? "Nothing is counted yet." : "counting\(appearance.glyphs.ellipsis)"
    let text = problem?.text ?? (isComplete ? "There are no rows to count." : state)
    WrappedText.draw(text, problem == nil ? .muted : .error, into: &surface, area: area, appearance: appearance)
  }

  /// Draws at the foot of the list the reason why counting has stopped.
  private func drawProblem(_ problem: Problem, into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let way = "\(environment.keyHint(.nextColumn)) counts another column"
    let text = "stopped at an error: \(problem.text); the rows after it are missing; \(way)"
    let lines = WrappedText.lines(text, columns: max(1, area.columns), rows: min(3, area.rows), appearance: appearance)
    for (offset, line) in lines.enumerated() {
      let row = Rect(column: area.column, row: area.endRow - lines.count + offset, columns: area.columns, rows: 1)
      surface.fill(row, style: appearance.theme.style(.text))
      surface.write(line, at: Point(column: row.column, row: row.row), limit: row.columns, style: appearance.theme.style(.error))
    }
  }

  // MARK: The list

  private func drawHeading(_ columns: CountColumns, into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    let glyphs = appearance.glyphs
    let arrow = order == .descending || order == .mostFrequentFirst ? glyphs.descending : glyphs.ascending
    let isByValue = order == .ascending || order == .descending
    let value = page?.source.counts.ranges == nil ? "value" : "range"
    let line = StyledLine("    ")
      .adding(TextWidth.padded(isByValue ? "\(value) \(arrow)" : value, to: columns.value + columns.name), isByValue ? .accent : .muted)
      .adding(
        "  " + TextWidth.padded(isByValue ? "count" : "\(arrow) count", to: columns.count, isRight: true), isByValue ? .muted : .accent
      )
      .adding("  " + TextWidth.padded("share", to: columns.share, isRight: true), .muted)
    line.draw(into: &surface, at: Point(column: area.column, row: area.row), columns: area.columns, appearance: appearance)
  }

  private func line(of line: ValueCount, _ columns: CountColumns, _ appearance: Appearance) -> StyledLine {
    let rows = page?.source.counts.rows ?? 0
    let part = Double(line.count) / Double(max(1, page?.greatest ?? 1))
    let mark = isMarked(line.value) ? (appearance.glyphs == .ascii ? "*" : appearance.glyphs.right) : " "
    let text = text(of: line.value, columns, appearance)
    return StyledLine([StyledLine.Run(text: mark + " ", role: .success)] + (needle.map(text.marking) ?? text).runs)
      .adding("  " + TextWidth.padded(Plural.grouped(line.count), to: columns.count, isRight: true))
      .adding("  " + TextWidth.padded(ShareText.percent(line.count, of: rows), to: columns.share, isRight: true) + "  ", .muted)
      .adding(Bars.bar(part, columns: columns.bar, glyphs: appearance.glyphs), .border)
  }

  /// Returns a value with the name behind it: `5 · Big Ones`.
  private func text(of value: CountedValue, _ columns: CountColumns, _ appearance: Appearance) -> StyledLine {
    let text = CountedText(value, dates: dates, glyphs: appearance.glyphs)
    let shown = TextWidth.truncated(text.text, to: columns.value, ellipsis: appearance.glyphs.ellipsis)
    let line = StyledLine(TextWidth.padded(shown, to: columns.value, isRight: text.isRightAligned), text.role)
    guard columns.name > 0 else { return line }
    let name = row(value)?.text(glyphs: appearance.glyphs) ?? (text: "", role: Role.text)
    let cut = TextWidth.truncated(name.text, to: columns.name, ellipsis: appearance.glyphs.ellipsis)
    return line.adding(TextWidth.padded(cut, to: columns.name), name.role)
  }
}

extension ValueCounts {
  /// The lines of the list that are not among its distinct values or ranges: ` and NULL`.
  fileprivate var furtherLines: String {
    let others = ranges.map { lines - $0 - (nulls > 0 ? 1 : 0) } ?? 0
    let words = [others > 0 ? Plural.of(others, "other value") : nil, nulls > 0 ? "NULL" : nil].compactMap(\.self)
    switch words.count {
    case 0: return ""
    case 1: return " and \(words[0])"
    default: return ", \(words[0]) and \(words[1])"
    }
  }
}
