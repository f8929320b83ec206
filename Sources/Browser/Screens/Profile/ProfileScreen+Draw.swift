import QuarryEngine
import QuarryRows
import Terminal

/// The areas of the profile: the heading, a line for each column, and what is said of the one under the cursor.
struct ProfileLayout: Hashable, Sendable {
  let heading: Rect
  let list: Rect
  let detail: Rect

  /// The minimum number of rows of the list if there is something below it.
  private static let leastList = 4

  /// - Parameter columns: The number of lines of the list: what it does not need shows more of the one under the cursor.
  init(in area: Rect, columns: Int) {
    var rest = area.inset(columns: 2, rows: 1)
    heading = rest.removeTop(rest.rows > 2 ? 1 : 0)
    let least = rest.rows >= 26 ? 8 : rest.rows >= 12 ? 4 : 0
    let rows = least == 0 ? 0 : max(least, rest.rows - 1 - max(Self.leastList, columns))
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
    let layout = ProfileLayout(in: area, columns: columns.count)
    guard !columns.isEmpty else { return drawRemark(into: &surface, area: area.inset(columns: 2, rows: 1), appearance) }
    let names = nameColumns(in: layout.list)
    let room = layout.list.columns - names - 4
    let all = shownFields(columns: room)
    // If there are more fields on the right, two cells are reserved for the scroll mark.
    let fields = all.last?.field == ProfileField.allCases.last ? all : shownFields(columns: room - 2)
    drawHeading(names, fields, into: &surface, area: layout.heading, appearance)
    for (offset, column) in columns.dropFirst(cursor.top).prefix(layout.list.rows).enumerated() {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      line(of: column, names, fields, appearance).drawListed(
        into: &surface, row: row, isCurrent: cursor.top + offset == cursor.index, hasFocus: environment.hasFocus, appearance: appearance)
    }
    guard !layout.detail.isEmpty else { return }
    Box.drawRule(into: &surface, above: layout.detail, appearance: appearance)
    drawDetails(into: &surface, area: layout.detail, environment)
  }

  // MARK: The frame

  private func heading(_ environment: ScreenEnvironment) -> String {
    let appearance = environment.appearance
    let separator = appearance.glyphs.separator
    guard let profile else { return "Profile of \(title)" }
    let all =
      subject.view.filter.isBlank
      ? "" : environment.grid.flatMap(environment.workspace.sourceTotal).map { " of \($0.text(appearance))" } ?? ""
    let bound = appearance.bound(isComplete: profile.isComplete, sawChanges: profile.progress.sawChanges)
    let rows = "\(bound)\(Plural.grouped(profile.rows))\(all) rows"
    return "Profile of \(title)\(separator)\(rows)\(separator)\(Plural.of(columns.count, "column"))"
  }

  private func footer(_ environment: ScreenEnvironment) -> String {
    if problem != nil { return "stopped at an error" }
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

  /// A field, and the width that it is given.
  private typealias ShownField = (field: ProfileField, columns: Int)

  /// Returns the fields that fit, starting with the first visible one; only the last of all fields may be cut.
  private func shownFields(columns: Int) -> [ShownField] {
    var room = columns
    var fields: [ShownField] = []
    for field in ProfileField.allCases.dropFirst(firstField) {
      let needed = fieldColumns[field] ?? field.rawValue.count
      let given = field == .top ? min(needed, max(0, room - 2)) : needed
      guard given + 2 <= room, given >= min(needed, Self.leastTop) else { break }
      fields.append((field, given))
      room -= given + 2
    }
    return fields
  }

  /// The least cells that the most frequent value is shown in.
  private static let leastTop = 12

  private func drawHeading(_ names: Int, _ fields: [ShownField], into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    var line = StyledLine("    " + TextWidth.padded("column", to: names), .muted)
    for (field, columns) in fields {
      line = line.adding("  " + TextWidth.padded(field.rawValue, to: columns, isRight: field.isRightAligned), .muted)
    }
    line.draw(into: &surface, at: Point(column: area.column, row: area.row), columns: area.columns, appearance: appearance)
    let glyphs = appearance.glyphs
    let style = appearance.theme.style(.accent)
    if firstField > 0 { surface.write(glyphs.scrollLeft, at: Point(column: area.column + 2, row: area.row), style: style) }
    if firstField + fields.count < ProfileField.allCases.count {
      surface.write(glyphs.scrollRight, at: Point(column: area.endColumn - 1, row: area.row), style: style)
    }
  }

  private func line(of column: ColumnProfile, _ names: Int, _ fields: [ShownField], _ appearance: Appearance) -> StyledLine {
    let name = TextWidth.truncated(column.name, to: names, ellipsis: appearance.glyphs.ellipsis)
    var line = StyledLine(column.remarks.isEmpty ? "  " : "! ", .warning)
    let shown = StyledLine(TextWidth.padded(name, to: names))
    line.runs += (needle.map(shown.marking) ?? shown).runs
    let column = bounded(column)
    for (field, columns) in fields { line.runs += StyledLine("  ").runs + field.line(of: column, columns: columns, appearance).runs }
    return line
  }

  /// Returns a column whose number of different values is a lower bound as long as rows are missing.
  func bounded(_ column: ColumnProfile) -> ColumnProfile {
    var column = column
    if !isComplete { column.distinct = column.distinct.growing }
    return column
  }
}
