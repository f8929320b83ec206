import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

/// The areas of a comparison: the list with its heading, a line between, and the changes with title, rows and filter bar.
struct DiffLayout: Hashable, Sendable {
  let heading: Rect
  let list: Rect
  let border: Rect
  let title: Rect
  let changes: Rect
  let bar: Rect

  init(_ screen: DiffScreen, in area: Rect, _ environment: ScreenEnvironment) {
    var rest = area
    let columns = min(screen.listColumns(environment.appearance), max(12, area.columns * 2 / 5))
    var left = rest.removeLeft(area.columns >= 40 ? columns : screen.pane == .list ? area.columns : 0)
    border = rest.columns > 0 ? rest.removeLeft(left.isEmpty ? 0 : 1) : .none
    heading = left.removeTop(left.rows > 6 ? 3 : 0)
    list = left
    title = rest.removeTop(rest.rows > 3 ? 1 : 0)
    let keys = FilterBar.KeyHints(environment)
    let height = screen.hasBar ? screen.filters.bar.height(in: rest, keys: keys, appearance: environment.appearance) : 0
    bar = rest.removeBottom(height)
    changes = rest
  }
}

extension DiffScreen {
  /// Whether the filter bar has something to filter.
  var hasBar: Bool { table?.filterColumns != nil }

  mutating func layOut(in area: Rect, _ context: inout ScreenContext<Self>) {
    let layout = DiffLayout(self, in: area, context.environment)
    list.layOut(height: layout.list.rows, of: entries.count)
    rows.layOut(height: max(1, layout.changes.rows - 1), of: count, isSideBySide: isSideBySide)
    if entry == .schema {
      let text = schemaText(columns: layout.changes.columns)
      schema.layOut(height: layout.changes.rows, of: text.lines.count, starts: text.starts)
    }
    guard let table, let current = rows.current else { return }
    let revealed = rows.reveals
    rows.reveals = nil
    if let first = rows.record {
      let text = DiffRecordText(current, of: table, columns: layout.changes.columns, context.appearance)
      rows.record = text.scroll(from: first, height: layout.changes.rows - 1, showsChange: revealed == .change)
    } else if let revealed {
      let painter = painter(of: table, hasFocus: false, context.appearance)
      if let scroll = painter.scroll(showing: revealed, of: current, in: layout.changes) { rows.scroll = scroll }
    }
  }

  private func painter(of table: ComparedTable, hasFocus: Bool, _ appearance: Appearance) -> DiffRowsPainter {
    DiffRowsPainter(
      table: table, state: rows, count: count, isSideBySide: isSideBySide, needle: needle, hasFocus: hasFocus, appearance: appearance)
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    surface.fill(area, style: appearance.theme.style(.text))
    let layout = DiffLayout(self, in: area, environment)
    drawHeading(into: &surface, area: layout.heading, environment)
    drawList(into: &surface, area: layout.list, environment)
    for row in layout.border.row..<layout.border.endRow where !layout.border.isEmpty {
      let point = Point(column: layout.border.column, row: row)
      surface.write(appearance.glyphs.vertical, at: point, style: appearance.theme.style(.border))
    }
    guard !layout.changes.isEmpty else { return }
    let isMarked = environment.hasFocus && pane == .changes
    title(appearance, hasFocus: isMarked).draw(
      into: &surface, at: Point(column: layout.title.column + 1, row: layout.title.row), columns: layout.title.columns - 1,
      appearance: appearance)
    surface.clipped(to: layout.changes) { drawChanges(into: &$0, area: layout.changes, environment) }
    drawBar(into: &surface, area: layout.bar, environment)
  }

  // MARK: The list

  /// Draws the names of both databases, which are also the legend of the marks, and the state of the comparison.
  private func drawHeading(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let lines = [
      StyledLine(appearance.sentence("− old "), .error).adding(subject.old.name),
      StyledLine("+ new ", .added).adding(subject.new.name),
      stateLine(environment),
    ]
    for (offset, line) in lines.enumerated() where offset < area.rows {
      let start = Point(column: area.column + 1, row: area.row + offset)
      line.draw(into: &surface, at: start, columns: area.columns - 2, appearance: appearance)
    }
  }

  private func stateLine(_ environment: ScreenEnvironment) -> StyledLine {
    let (ellipsis, key) = (environment.appearance.glyphs.ellipsis, environment.keyHint(.refresh, in: .diff))
    if isOutdated { return StyledLine("changed since: \(key)", .warning) }
    switch phase {
    case .running: return StyledLine("comparing\(ellipsis)", .muted)
    case .stopped: return StyledLine("stopped: \(key) restarts", .warning)
    case .failed: return StyledLine("stopped at an error", .error)
    case .ended:
      let different = tables.count { !$0.isSame }
      if isSame { return StyledLine("no differences", .success) }
      let verb = different == 1 ? "differs" : "differ"
      return StyledLine("\(Plural.grouped(different)) of \(Plural.of(tables.count, "table")) \(verb)", .muted)
    }
  }

  /// The list has room for the state of the comparison.
  private static let leastList = 25

  /// The width of the list: its widest line.
  func listColumns(_ appearance: Appearance) -> Int {
    let lines = entries.map { entry in
      let (name, counts) = (name(of: entry, appearance), counts(of: entry, appearance))
      return name.width + counts.width + 5
    }
    let headings = ["− old \(subject.old.name)", "+ new \(subject.new.name)"].map { TextWidth.columns(of: $0) + 2 }
    return max(lines.max() ?? 0, min(headings.max() ?? 0, 30), Self.leastList)
  }

  private func drawList(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let hasFocus = environment.hasFocus && pane == .list
    for (offset, entry) in entries.dropFirst(list.top).prefix(area.rows).enumerated() {
      let row = Rect(column: area.column, row: area.row + offset, columns: area.columns, rows: 1)
      let counts = counts(of: entry, appearance)
      let isCurrent = entry == self.entry
      name(of: entry, appearance).drawListed(
        into: &surface, row: row, isCurrent: isCurrent, hasFocus: hasFocus,
        appearance: appearance)
      let start = max(row.column + 2, row.endColumn - counts.width - 1)
      let base: Role = isCurrent && hasFocus ? .selection : .text
      surface.fill(Rect(column: start - 1, row: row.row, columns: row.endColumn - start + 1, rows: 1), style: appearance.theme.style(base))
      counts.draw(
        into: &surface, at: Point(column: start, row: row.row), columns: row.endColumn - start, base: base, appearance: appearance)
    }
  }

  private func name(of entry: Entry, _ appearance: Appearance) -> StyledLine {
    guard case .table(let index) = entry else { return StyledLine("Schema", schemaChanges.isEmpty ? .muted : .text) }
    let table = tables[index]
    return StyledLine(table.name.pictured, table.isSame && !hasSchemaChange(table) ? .muted : .text)
  }

  /// Whether the definition of a table, or of one of its indexes or triggers, differs.
  func hasSchemaChange(_ table: ComparedTable) -> Bool { changedTables.contains(table.name.asciiLowercased) }

  private func counts(of entry: Entry, _ appearance: Appearance) -> StyledLine {
    guard case .table(let index) = entry else {
      let changes = schemaChanges
      if changes.isEmpty { return StyledLine(progress == nil ? appearance.glyphs.ellipsis : "same", .muted) }
      return DiffCounts.line(
        added: changes.count { $0.change == .added }, removed: changes.count { $0.change == .removed },
        changed: changes.count { $0.change == .changed || $0.change == .renamed }, appearance)
    }
    let table = tables[index]
    let mark = hasSchemaChange(table) ? StyledLine(appearance.sentence("≠ "), .warning) : StyledLine()
    let counts =
      switch table.state {
      case .waiting: StyledLine(appearance.glyphs.ellipsis, .muted)
      case .notCompared: StyledLine("not compared", .warning)
      case .compared where table.counts.isSame: StyledLine("same", .muted)
      case .running where table.counts.isSame: StyledLine("comparing\(appearance.glyphs.ellipsis)", .muted)
      case .compared, .running:
        StyledLine(table.isUnfinished ? appearance.atLeast : "", .muted)
          .adding(DiffCounts.line(of: table.counts, appearance))
      }
    return mark.adding(counts)
  }

  // MARK: The changes

  /// Returns the title of the right part: the table, and what differs.
  private func title(_ appearance: Appearance, hasFocus: Bool) -> StyledLine {
    let dot = appearance.glyphs.separator
    guard let table else {
      let words = schemaChanges.isEmpty ? "" : dot + Plural.of(schemaChanges.count, "difference")
      return StyledLine("Schema", hasFocus ? .accent : .text).adding(words, .muted)
    }
    var line = StyledLine(table.name.pictured, hasFocus ? .accent : .text)
    if table.isAdded { line = line.adding("\(dot)only in new", .added) }
    if table.isRemoved { line = line.adding("\(dot)only in old", .error) }
    if !table.counts.isSame { line = line.adding(dot, .muted).adding(DiffCounts.words(of: table, appearance), .muted) }
    if hasSchemaChange(table), !table.isAdded, !table.isRemoved { line = line.adding("\(dot)definition differs", .warning) }
    return line
  }

  private func drawChanges(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    if let remark = remark(appearance) {
      let inside = area.inset(columns: 1, rows: area.rows > 3 ? 1 : 0)
      return WrappedText.draw(remark.text, remark.runs.first?.role ?? .text, into: &surface, area: inside, appearance: appearance)
    }
    guard let table else { return drawSchema(into: &surface, area: area, environment) }
    let hasFocus = environment.hasFocus && pane == .changes
    if let first = rows.record, let current = rows.current {
      let record = DiffRecordText(current, of: table, columns: area.columns, appearance)
      return record.draw(into: &surface, area: area, from: first, subject, appearance)
    }
    painter(of: table, hasFocus: hasFocus, appearance).draw(into: &surface, area: area)
  }

  /// Returns the text for a place without changes.
  private func remark(_ appearance: Appearance) -> StyledLine? {
    if case .failed(let problem) = phase, count == 0, table?.isUnfinished ?? true { return StyledLine(problem.text, .error) }
    if isSame {
      let what =
        subject.comparesSchema && subject.comparesRows ? "The schemas and all rows" : subject.comparesRows ? "All rows" : "The schemas"
      return StyledLine("No differences. \(what) are the same.", .success)
    }
    guard let table else { return schemaChanges.isEmpty ? StyledLine(schemaRemark, .muted) : nil }
    switch table.state {
    case .notCompared(let reason): return StyledLine("The rows were not compared: \(reason)", .warning)
    case .waiting where phase == .running: return StyledLine("This table has not been compared yet.", .muted)
    case .waiting: return StyledLine("This table was not compared: the comparison ended before.", .warning)
    case .running where table.counts.isSame && phase != .running:
      return StyledLine("The comparison of this table was stopped; no differences were found before.", .warning)
    case .running(let rows) where table.counts.isSame:
      return StyledLine("No differences in \(Plural.of(rows, "row")) so far.", .muted)
    case .compared where table.counts.isSame:
      return StyledLine(
        hasSchemaChange(table) ? "The rows are the same. The definition differs: see Schema." : "The rows are the same.", .muted)
    case .compared, .running:
      if table.isTooWide {
        let sentence =
          "The table has \(Plural.grouped(table.columns.count)) columns, too many for this screen: quarry diff prints the rows."
        return StyledLine(sentence, .warning)
      }
      guard count == 0 else { return nil }
      let isComplete = tableIndex.flatMap { filters[$0]?.isComplete } ?? true
      return StyledLine(isComplete ? "No change matches the filter." : "No match so far.", .muted)
    }
  }

  private var schemaRemark: String {
    if progress != nil { return "The schemas are the same." }
    return phase == .running ? "The schemas are being compared." : "The schemas were not compared."
  }

  /// Returns the lines of the schema, beside the mark of the current difference.
  private func schemaText(columns: Int) -> DiffSchemaText { DiffSchemaText(schemaChanges, columns: columns - 2) }

  private func drawSchema(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let text = schemaText(columns: area.columns)
    let current = text.starts.indices.contains(schema.cursor) ? text.starts[schema.cursor] : -1
    for (offset, line) in text.lines.dropFirst(schema.top).prefix(area.rows).enumerated() {
      let row = Rect(column: area.column, row: area.row + offset, columns: area.columns, rows: 1)
      let isCurrent = schema.top + offset == current
      let marked = needle.map(line.marking) ?? line
      StyledLine().drawListed(
        into: &surface, row: row, isCurrent: isCurrent, hasFocus: environment.hasFocus && pane == .changes, appearance: appearance)
      marked.draw(
        into: &surface, at: Point(column: row.column + 2, row: row.row), columns: row.columns - 2,
        base: isCurrent && environment.hasFocus && pane == .changes ? .selection : .text, appearance: appearance)
    }
  }

  private func drawBar(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    guard let index = tableIndex, !area.isEmpty else { return }
    var view = RowView()
    view.filter = filters.text(of: index)
    filters.bar.draw(
      into: &surface, area: area, view: view, keys: FilterBar.KeyHints(environment), waitsForEnter: true, example: example(of: index),
      appearance: environment.appearance)
  }

  private func example(of table: Int) -> BarExample {
    let columns = tables[table].filterColumns?.offered.map { $0 } ?? []
    let text = columns.first { $0.type == .text && $0.name.hasPrefix("new.") }?.name
    let number = columns.last { ($0.type == .integer || $0.type == .real || $0.type == .numeric) && $0.name.hasPrefix("old.") }?.name
    return BarExample(text: text, number: number)
  }
}

/// The numbers of added, removed and changed rows: `+12 −3 ~40`.
enum DiffCounts {
  static func line(of counts: TableDifference, _ appearance: Appearance) -> StyledLine {
    line(added: counts.added, removed: counts.removed, changed: counts.changed, appearance)
  }

  static func line(added: Int, removed: Int, changed: Int, _ appearance: Appearance) -> StyledLine {
    let parts = [("+", added, Role.added), ("−", removed, .error), ("~", changed, .changed)].filter { $0.1 > 0 }
    return parts.enumerated().reduce(StyledLine()) { line, part in
      let blank = part.offset > 0 ? " " : ""
      return line.adding(appearance.sentence("\(blank)\(part.element.0)\(Plural.grouped(part.element.1))"), part.element.2)
    }
  }

  /// Returns the numbers in words: `12 added, 3 removed, 40 changed`.
  static func words(of table: ComparedTable, _ appearance: Appearance) -> String {
    let counts = table.counts
    let parts = [(counts.added, "added"), (counts.removed, "removed"), (counts.changed, "changed")].filter { $0.0 > 0 }
    let words = parts.map { "\(Plural.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    return (table.isUnfinished ? appearance.atLeast : "") + words
  }
}

extension StyledLine {
  /// Returns the line with the runs of another one.
  func adding(_ line: StyledLine) -> StyledLine { StyledLine(runs + line.runs) }
}
