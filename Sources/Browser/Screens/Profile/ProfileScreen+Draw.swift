import QuarryEngine
import QuarryRows
import Terminal

/// The areas of the profile: the heading, a line for each column, and what is said of the one under the cursor.
struct ProfileLayout: Hashable, Sendable {
  let heading: Rect
  let list: Rect
  let detail: Rect

  init(in area: Rect) {
    var rest = area.inset(columns: 2, rows: 1)
    heading = rest.removeTop(rest.rows > 2 ? 1 : 0)
    let rows = rest.rows >= 26 ? 6 : rest.rows >= 12 ? 4 : 0
    detail = rest.removeBottom(rows)
    if rows > 0 { _ = rest.removeBottom(1) }
    list = rest
  }
}

extension ProfileScreen {
  private static let widestName = 28

  /// The width of the names, a quarter of the room at most.
  private func nameColumns(in area: Rect) -> Int { min(max(6, nameColumns), Self.widestName, max(6, area.columns / 4)) }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(
      into: &surface, rect: area, title: heading(environment), footer: footer(environment), hasFocus: environment.hasFocus,
      appearance: appearance)
    let layout = ProfileLayout(in: area)
    guard !columns.isEmpty else { return drawRemark(into: &surface, area: area.inset(columns: 2, rows: 1), appearance) }
    let names = nameColumns(in: layout.list)
    let fields = shownFields(columns: layout.list.columns - names - 4)
    drawHeading(names, fields, into: &surface, area: layout.heading, appearance)
    for (offset, column) in columns.dropFirst(cursor.top).prefix(layout.list.rows).enumerated() {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      line(of: column, names, fields, appearance).drawListed(
        into: &surface, row: row, isCurrent: cursor.top + offset == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
    guard !layout.detail.isEmpty else { return }
    Box.drawRule(into: &surface, above: layout.detail, appearance: appearance)
    details(columns: layout.detail.columns, environment).draw(into: &surface, area: layout.detail, appearance: appearance)
  }

  // MARK: The frame

  private func heading(_ environment: ScreenEnvironment) -> String {
    let appearance = environment.appearance
    let separator = " \(appearance.glyphs.dot) "
    guard let profile else { return "Profile of \(title)" }
    let all =
      subject.view.filter.isBlank
      ? "" : environment.grid.flatMap(environment.workspace.sourceTotal).map { " of \($0.text(appearance))" } ?? ""
    let bound = appearance.bound(isComplete: profile.isComplete, sawChanges: profile.progress.sawChanges)
    let rows = "\(bound)\(Plural.grouped(profile.rows))\(all) rows"
    return "Profile of \(title)\(separator)\(rows)\(separator)\(Plural.of(columns.count, "column"))"
  }

  private func footer(_ environment: ScreenEnvironment) -> String {
    if problem != nil { return "read up to an error" }
    if isStopped { return "stopped before the end" }
    guard columns.contains(where: \.hasEstimates) else { return "" }
    let mark = environment.appearance.sentence("≈")
    return isExact ? "" : "\(mark) is an estimate: \(environment.keyHint(.countExactly)) counts exactly"
  }

  private func drawRemark(into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    let state = isStopped ? "Nothing is read yet." : "reading\(appearance.glyphs.ellipsis)"
    let text = problem?.text ?? (isComplete ? "There are no columns here." : state)
    WrappedText.draw(text, problem == nil ? .muted : .error, into: &surface, area: area, appearance: appearance)
  }

  // MARK: The list

  /// Returns the fields that have room from the first one in sight on, each whole.
  private func shownFields(columns: Int) -> [ProfileField] {
    var room = columns
    return Array(
      ProfileField.allCases.dropFirst(firstField).prefix { field in
        room -= field.columns + 2
        return room >= 0
      })
  }

  private func drawHeading(_ names: Int, _ fields: [ProfileField], into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    var line = StyledLine("    " + TextWidth.padded("column", to: names), .muted)
    for field in fields {
      line = line.adding("  " + TextWidth.padded(field.rawValue, to: field.columns, isRight: field.isRightAligned), .muted)
    }
    line.draw(into: &surface, at: Point(column: area.column, row: area.row), columns: area.columns, appearance: appearance)
    let glyphs = appearance.glyphs
    let style = appearance.theme.style(.accent)
    if firstField > 0 { surface.write(glyphs.scrollLeft, at: Point(column: area.column + 2, row: area.row), style: style) }
    if firstField + fields.count < ProfileField.allCases.count {
      surface.write(glyphs.scrollRight, at: Point(column: area.endColumn - 1, row: area.row), style: style)
    }
  }

  private func line(of column: ColumnProfile, _ names: Int, _ fields: [ProfileField], _ appearance: Appearance) -> StyledLine {
    let name = TextWidth.truncated(column.name, to: names, ellipsis: appearance.glyphs.ellipsis)
    var line = StyledLine(column.remarks.isEmpty ? "  " : "! ", .warning)
    let shown = StyledLine(TextWidth.padded(name, to: names))
    line.runs += (needle.map(shown.marking) ?? shown).runs
    let column = bounded(column)
    for field in fields { line.runs += [StyledLine.Run(text: "  ", role: .text)] + field.line(of: column, appearance).runs }
    return line
  }

  /// Returns a column whose number of different values is a lower bound as long as rows are missing.
  private func bounded(_ column: ColumnProfile) -> ColumnProfile {
    var column = column
    if !isComplete { column.distinct = column.distinct.growing }
    return column
  }

  // MARK: The column under the cursor

  /// What went wrong, what is worth a second look, and what has no room in the line of the column.
  private func details(columns: Int, _ environment: ScreenEnvironment) -> [StyledLine] {
    let appearance = environment.appearance
    var lines: [StyledLine] = []
    if let problem {
      let text = appearance.sentence(problem.text)
      let sentence = "read up to an error: \(text); the rows from there on are left out"
      lines += WrappedText.lines(sentence, columns: max(1, columns), rows: 3, appearance: appearance).map { StyledLine($0, .error) }
    }
    guard let column = current else { return lines }
    lines.append(facts(of: column, appearance))
    lines += column.remarks.map { StyledLine("! \(appearance.sentence($0.sentence))", .warning) }
    return lines + [range(of: column, appearance), top(of: column, columns: columns, appearance)].compactMap(\.self)
  }

  private func facts(of column: ColumnProfile, _ appearance: Appearance) -> StyledLine {
    let separator = "  \(appearance.glyphs.dot)  "
    var line = StyledLine(column.name, .accent)
    if !column.declaredType.isEmpty { line = line.adding("  \(column.declaredType)", .muted) }
    line = line.adding("\(separator)\(bounded(column).distinct.text(appearance)) distinct", .muted)
    if let least = column.minLength, let most = column.maxLength {
      line = line.adding("\(separator)\(least == most ? "\(least)" : "\(least) to \(most)") characters or bytes", .muted)
    }
    return line
  }

  /// The histogram with its bounds.
  private func range(of column: ColumnProfile, _ appearance: Appearance) -> StyledLine? {
    guard let first = column.histogram.first?.value.bin, let last = column.histogram.last?.value.bin else { return nil }
    let (start, end) = (
      first.start(dates: column.dates, glyphs: appearance.glyphs), last.end(dates: column.dates, glyphs: appearance.glyphs)
    )
    return StyledLine("\(start) ", .number)
      .adding(Bars.histogram(column.histogram.map(\.count), glyphs: appearance.glyphs).joined(), .muted).adding(" \(end)", .number)
  }

  /// The most frequent values, as many as there is room for.
  private func top(of column: ColumnProfile, columns: Int, _ appearance: Appearance) -> StyledLine? {
    guard let first = column.top.first, first.count > 1 else { return nil }
    // Where there are more values than are counted one by one, a more frequent one may be missing.
    var line = StyledLine(column.isTopExact ? "most frequent  " : "frequent, among others  ", .muted)
    for value in column.top {
      let text = CountedText(value.value, dates: column.dates, glyphs: appearance.glyphs)
      let shown = TextWidth.truncated(text.text, to: 24, ellipsis: appearance.glyphs.ellipsis)
      let next = line.adding(shown, text.role)
        .adding(" \(column.isTopExact ? "" : appearance.atLeast)\(Plural.grouped(value.count))   ", .muted)
      guard next.width <= columns + 3 else { break }
      line = next
    }
    return line
  }
}
