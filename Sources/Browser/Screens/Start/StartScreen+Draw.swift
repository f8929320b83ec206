import QuarryEngine
import Terminal

extension StartScreen {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    surface.fill(area, style: appearance.theme.style(.text))
    var inside = room(in: area)
    if hasHeading(area) { drawHeading(into: &surface, area: inside.removeTop(4), appearance: appearance) }
    var foot = inside.removeBottom(footRows(in: area))
    drawList(into: &surface, area: inside, environment)
    guard isTyping || problem != nil else { return }
    if isTyping {
      drawField(into: &surface, area: foot.removeTop(1), appearance: appearance)
      draw(path.candidates.joined(separator: "  "), .muted, into: &surface, area: problem == nil ? foot : foot.removeBottom(0), appearance)
    }
    if let problem { draw(problem, .error, into: &surface, area: foot, appearance) }
  }

  private func drawHeading(into surface: inout Surface, area: Rect, appearance: Appearance) {
    StyledLine("Quarry", .accent).adding("  browse SQLite databases: tables, filters, relations, SQL", .muted)
      .draw(into: &surface, at: Point(column: area.column, row: area.row + 1), columns: area.columns, appearance: appearance)
    let title = recent?.isEmpty == false ? "Recent files" : "Open"
    StyledLine(title, .muted)
      .draw(into: &surface, at: Point(column: area.column, row: area.row + 3), columns: area.columns, appearance: appearance)
  }

  private func drawField(into surface: inout Surface, area: Rect, appearance: Appearance) {
    let label = "\(pathPurpose == .creating ? "new" : "open") \(appearance.glyphs.prompt) "
    let used = surface.write(
      label, at: Point(column: area.column, row: area.row), limit: area.columns, style: appearance.theme.style(.accent))
    path.field.draw(
      into: &surface, at: Point(column: area.column + used, row: area.row), columns: max(1, area.columns - used),
      style: appearance.theme.style(.text),
      placeholder: pathPurpose == .creating ? "the path of the new database; Tab completes" : "a path, or host:path; Tab completes",
      placeholderStyle: appearance.theme.style(.muted))
  }

  private func draw(_ text: String, _ role: Role, into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    let lines = WrappedText.lines(text, columns: max(1, area.columns), rows: area.rows, appearance: appearance)
    for (offset, line) in lines.enumerated() {
      surface.write(
        line, at: Point(column: area.column, row: area.row + offset), limit: area.columns, style: appearance.theme.style(role))
    }
  }

  // MARK: The list

  private func drawList(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let files = (recent ?? []).map(\.name)
    let nameColumns = min(area.columns / 3, max(14, files.map { TextWidth.columns(of: $0) }.max() ?? 0))
    for (offset, item) in items.dropFirst(top).prefix(area.rows).enumerated() {
      let gap = gap(inRows: area.rows).map { offset >= $0 ? 1 : 0 } ?? 0
      let row = Rect(column: area.column, row: area.row + offset + gap, columns: area.columns, rows: 1)
      let isCurrent = top + offset == cursor
      let base: Role = isCurrent ? .selection : .text
      surface.fill(row, style: environment.appearance.theme.style(base))
      if isCurrent {
        surface.write(
          environment.appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), limit: row.columns,
          style: environment.appearance.theme.markStyle(on: base))
      }
      draw(item, nameColumns: nameColumns, base: base, into: &surface, row: row.inset(columns: 2, rows: 0), environment)
    }
  }

  private func draw(
    _ item: Item, nameColumns: Int, base: Role, into surface: inout Surface, row: Rect, _ environment: ScreenEnvironment
  ) {
    let appearance = environment.appearance
    func write(_ text: String, _ role: Role, at column: Int, columns: Int) {
      StyledLine(text, role).draw(
        into: &surface, at: Point(column: row.column + column, row: row.row), columns: max(0, columns), base: base, appearance: appearance)
    }
    let words: (name: String, detail: String, right: String)
    switch item {
    case .recent(let file): words = (file.name, file.folder, state(of: file))
    case .path: words = ("a file\(appearance.glyphs.ellipsis)", "by its path", key(.openFile, environment))
    case .new: words = ("new database", "an empty file for your tables", key(.newDatabase, environment))
    case .demo: words = ("the demo", "a sample: people, reminders, 100,000 events", key(.openDemo, environment))
    case .tour: words = ("the tour", "\(TourStep.count) in five minutes, on the demo", key(.tour, environment))
    }
    var isGone = false
    if case .recent(let file) = item { isGone = file.size == nil && !file.isElsewhere }
    let right = TextWidth.columns(of: words.right)
    write(words.name, isGone ? .muted : .text, at: 0, columns: nameColumns)
    write(words.detail, .muted, at: nameColumns + 2, columns: row.columns - nameColumns - 4 - right)
    var role: Role = .key
    if case .recent = item { role = isGone ? .warning : .muted }
    write(words.right, role, at: max(nameColumns + 2, row.columns - right), columns: right)
  }

  /// Returns the size of a file and the time when it was opened, in columns.
  private func state(of file: RecentFile) -> String {
    let (sizes, times) = ((recent ?? []).map(\.sizeText), (recent ?? []).map(\.opened))
    func widest(_ texts: [String]) -> Int { texts.map { TextWidth.columns(of: $0) }.max() ?? 0 }
    return TextWidth.padded(file.sizeText, to: widest(sizes), isRight: true) + "  " + TextWidth.padded(file.opened, to: widest(times))
  }

  private func key(_ command: Command, _ environment: ScreenEnvironment) -> String {
    environment.keymap.keys(for: command, in: .start).first ?? ""
  }

  // MARK: Areas

  private static let widest = 96

  private func room(in area: Rect) -> Rect {
    let columns = min(Self.widest, max(0, area.columns - (area.columns > 50 ? 6 : 2)))
    return Rect(column: area.column + (area.columns - columns) / 2, row: area.row, columns: columns, rows: area.rows)
  }

  private func hasHeading(_ area: Rect) -> Bool { area.rows >= 14 }

  /// Returns the number of rows below the list, for a path and the reason why it cannot be opened.
  private func footRows(in area: Rect) -> Int { min(5, max(2, area.rows / 4)) }

  /// Returns the number of rows of the list in `area`.
  func listHeight(in area: Rect) -> Int {
    max(1, area.rows - (hasHeading(area) ? 4 : 0) - footRows(in: area))
  }

  /// Returns the index of the first item after the recent files, which a blank line separates; nil without recent files, or without room.
  private func gap(inRows rows: Int) -> Int? {
    let files = recent?.count ?? 0
    return files > 0 && items.count < rows ? files : nil
  }

  /// Returns the index of the item at a point of the screen; nil outside of the list.
  func index(at point: Point, area: Rect) -> Int? {
    var inside = room(in: area)
    _ = inside.removeTop(hasHeading(area) ? 4 : 0)
    _ = inside.removeBottom(footRows(in: area))
    var line = point.row - inside.row
    if let gap = gap(inRows: inside.rows), line >= gap {
      if line == gap { return nil }
      line -= 1
    }
    let index = top + line
    return inside.contains(point) && items.indices.contains(index) ? index : nil
  }
}

extension RecentFile {
  /// The size; empty for a file on another machine.
  fileprivate var sizeText: String { isElsewhere ? "" : size ?? "gone" }
}
