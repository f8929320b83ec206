import QuarryRows
import Terminal

extension FilterBar {
  /// The keys shown in the bar.
  struct KeyHints {
    /// The keys that apply a fix, complete the text, and apply the text.
    var mend, complete, accept: String

    init(_ environment: ScreenEnvironment) {
      mend = environment.keyHint(.applyReplacement, in: .bar)
      complete = environment.keyHint(.complete, in: .bar)
      accept = environment.keyHint(.accept, in: .bar)
    }
  }

  /// Returns the number of rows of the bar within a grid's area.
  ///
  /// The report is complete if it fits in half of the area.
  func height(in area: Rect, keys: @autoclosure () -> KeyHints, appearance: Appearance) -> Int {
    guard isTyping, area.rows >= 6 else { return area.rows < 5 ? 0 : 1 }
    let report = reportLines(columns: area.columns, keys: keys(), appearance: appearance).count
    return 1 + max(1, min(report, area.rows / 2 - 1))
  }

  /// Draws the bar: the text with its state on the first row, and details about the text on the rows below while the user types.
  ///
  /// - Parameters:
  ///   - view: The applied view, or the requested view while it is being loaded; shown while nobody types.
  ///   - condition: The condition that all rows of the set meet, independent of the text.
  ///   - waitsForEnter: Whether the text is applied only when the user presses Enter.
  ///   - example: The text that is shown while the bar is empty.
  func draw(
    into surface: inout Surface, area: Rect, view: RowView, condition: String = "", keys: KeyHints, waitsForEnter: Bool,
    example: @autoclosure () -> BarExample, appearance: Appearance
  ) {
    guard !area.isEmpty else { return }
    surface.fill(area, style: appearance.theme.style(.header))
    var rest = area
    let line = rest.removeTop(1)
    let status = status(acceptKey: waitsForEnter ? keys.accept : nil, appearance: appearance)
    let statusColumn = max(line.column, line.endColumn - status.width - 1)
    status.draw(
      into: &surface, at: Point(column: statusColumn, row: line.row), columns: line.endColumn - statusColumn, base: .header,
      appearance: appearance)
    let label = "\(isTyping ? text.label : "filter") \(appearance.glyphs.prompt)"
    let isApplied = !condition.isBlank || !view.filter.isBlank
    let labelRole: Role = isTyping || isApplied ? .accent : .muted
    let used = surface.write(
      label, at: Point(column: line.column + 1, row: line.row), limit: line.columns - 1,
      style: appearance.theme.style(labelRole, on: .header))
    let start = Point(column: line.column + used + 2, row: line.row)
    let room = max(1, statusColumn - start.column - 1)
    guard isTyping else {
      let condition = condition.isEmpty ? "" : "where \(condition)"
      let applied = [condition, view.filter].filter { !$0.isBlank }.joined(separator: appearance.glyphs.separator)
      return drawApplied(applied, into: &surface, at: start, columns: room, appearance: appearance)
    }
    let placeholder = field.text.isEmpty ? example()[text] : ""
    let faultColumn = drawField(into: &surface, at: start, columns: room, placeholder: placeholder, appearance: appearance)
    drawReport(into: &surface, area: rest, keys: keys, appearance: appearance)
    if let completions {
      completions.draw(into: &surface, at: Point(column: faultColumn, row: line.row), area: surface.clip, appearance: appearance)
    }
  }

  private func drawApplied(_ filter: String, into surface: inout Surface, at start: Point, columns: Int, appearance: Appearance) {
    let isEmpty = filter.isBlank
    let text = isEmpty ? "all rows" : TextWidth.truncated(filter, to: columns, ellipsis: appearance.glyphs.ellipsis)
    surface.write(text, at: start, limit: columns, style: appearance.theme.style(isEmpty ? .muted : .accent, on: .header))
  }

  private func drawField(
    into surface: inout Surface, at start: Point, columns: Int, placeholder: String, appearance: Appearance
  ) -> Int {
    let style = appearance.theme.style(.text, on: .header)
    // A theme may underline its headers.
    let attribute: Attributes = style.attributes.contains(.underline) ? .reverse : .underline
    let fault = isReportCurrent && !isUnfinished ? report?.faults.first : nil
    let mark = fault.map { fault in
      let range = field.index(ofUTF8Offset: fault.range.lowerBound)..<field.index(ofUTF8Offset: fault.range.upperBound)
      let error = appearance.theme.style(.error, on: .header)
      return (characters: range, style: Style(foreground: error.foreground, background: error.background, attributes: attribute))
    }
    return field.draw(
      into: &surface, at: start, columns: columns, style: style, placeholder: placeholder,
      placeholderStyle: appearance.theme.style(.muted, on: .header), mark: mark)
  }

  private func drawReport(into surface: inout Surface, area: Rect, keys: KeyHints, appearance: Appearance) {
    for (offset, line) in reportLines(columns: area.columns, rows: area.rows, keys: keys, appearance: appearance).enumerated() {
      line.draw(
        into: &surface, at: Point(column: area.column, row: area.row + offset), columns: area.columns, base: .header, appearance: appearance
      )
    }
  }

  /// Whether more typing can still resolve the fault: the text ends too early, or a completion is offered.
  private var isUnfinished: Bool { report?.isUnfinished == true || report?.faults.isEmpty == false && completions != nil }

  /// Returns the lines of the report: the fault or warning with its fix, or the SQL that will run.
  private func reportLines(columns: Int, rows: Int = .max, keys: KeyHints, appearance: Appearance) -> [StyledLine] {
    guard let report, !field.text.isBlank else { return [] }
    guard let remark = report.remark else { return [StyledLine(" ").adding(report.sql, .muted)] }
    func wrapped(_ text: String, _ role: Role, in rows: Int) -> [StyledLine] {
      WrappedText.lines(text, columns: max(1, columns - 1), rows: rows, appearance: appearance).map { StyledLine(" ").adding($0, role) }
    }
    if report.isUnfinished, !report.continuation.isEmpty {
      return wrapped("may follow: \(report.continuation)  \(appearance.glyphs.dot) \(keys.complete) lists it", .muted, in: rows)
    }
    let role: Role = isUnfinished ? .muted : report.faults.isEmpty ? .warning : .error
    let lines = wrapped(remark.sentence, role, in: rows)
    guard let mended = remark.mended.first, let last = lines.last else { return lines }
    let offer = StyledLine(" ").adding("\(keys.mend) ", .key).adding(mended, .text)
    if last.width + 1 + offer.width <= columns || rows == 1 {
      return lines.dropLast() + [StyledLine(last.runs + StyledLine(" ").runs + offer.runs)]
    }
    let offers = wrapped("\(keys.mend) \(mended)", .text, in: max(1, rows - 1)).enumerated().map { index, line in
      index == 0 ? StyledLine(" ").adding(keys.mend, .key).adding(String(line.text.dropFirst(keys.mend.count + 1))) : line
    }
    return wrapped(remark.sentence, role, in: max(1, rows - offers.count)) + offers
  }

  /// - Parameter acceptKey: The key that applies the text, if the rows do not follow it.
  private func status(acceptKey: String?, appearance: Appearance) -> StyledLine {
    guard isTyping, let report, !field.text.isBlank else { return StyledLine() }
    if isUnfinished { return StyledLine(appearance.glyphs.ellipsis, .muted) }
    if !report.faults.isEmpty { return StyledLine(appearance.glyphs.wrong, .error) }
    var line = StyledLine()
    if let acceptKey { line = line.adding(acceptKey, .key).adding(" applies  ", .muted) }
    if let plan = report.plan { line = line.adding("\(appearance.glyphs.lamp) \(plan.lamp.word)", plan.lamp.role).adding("  ") }
    return line.adding(appearance.glyphs.right, .success)
  }
}

extension RowView.Text {
  /// The word before the text in the bar.
  fileprivate var label: String {
    switch self {
    case .filter: "filter"
    case .sort: "sort"
    case .column: "column"
    }
  }
}

extension PlanSummary.Lamp {
  var word: String {
    switch self {
    case .search: "search"
    case .scan: "scan"
    case .sort: "sort"
    case .scanAndSort: "scan + sort"
    }
  }

  var role: Role {
    switch self {
    case .search: .success
    case .scan, .sort, .scanAndSort: .warning
    }
  }
}

extension CompletionList {
  /// Draws the list in a frame above `point`, or below it if there is more room.
  func draw(into surface: inout Surface, at point: Point, area: Rect, appearance: Appearance) {
    let labels = items.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    let details = items.map { TextWidth.columns(of: $0.detail) }.max() ?? 0
    let columns = min(area.columns, labels + details + 6)
    let (above, below) = (point.row - area.row, area.endRow - point.row - 1)
    let rows = min(items.count, CompletionList.height, max(1, max(above, below) - 2)) + 2
    let left = max(area.column, min(point.column - 2, area.endColumn - columns))
    let box = Rect(column: left, row: below > above ? point.row + 1 : point.row - rows, columns: columns, rows: rows)
    let caret = surface.cursor
    Box.draw(into: &surface, rect: box, title: "", appearance: appearance)
    for (offset, item) in items.dropFirst(top).prefix(rows - 2).enumerated() {
      let row = Rect(column: box.column + 1, row: box.row + 1 + offset, columns: box.columns - 2, rows: 1)
      draw(item, isCurrent: top + offset == cursor, into: &surface, row: row, appearance: appearance)
    }
    surface.cursor = caret
  }

  private func draw(_ item: Completion, isCurrent: Bool, into surface: inout Surface, row: Rect, appearance: Appearance) {
    let base: Role = isCurrent ? .selection : .text
    surface.fill(row, style: appearance.theme.style(base))
    let detailRoom = max(row.columns / 2, row.columns - TextWidth.columns(of: item.label) - 3)
    let text = TextWidth.truncated(appearance.sentence(item.detail), to: detailRoom, ellipsis: appearance.glyphs.ellipsis)
    let detail = TextWidth.columns(of: text)
    let room = max(1, row.columns - detail - 3)
    let label = TextWidth.truncated(item.label, to: room, ellipsis: appearance.glyphs.ellipsis)
    surface.write(label, at: Point(column: row.column + 1, row: row.row), limit: room, style: appearance.theme.style(.text, on: base))
    surface.write(
      text, at: Point(column: row.endColumn - detail - 1, row: row.row), limit: detail, style: appearance.theme.style(.muted, on: base))
  }
}
