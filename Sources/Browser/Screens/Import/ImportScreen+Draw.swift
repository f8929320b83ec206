import QuarryEngine
import QuarryFiles
import Terminal

/// The areas of the import: the choices line by line, and the notes below them.
struct ImportLayout: Hashable, Sendable {
  let list: Rect
  let facts: Rect
  let lines: [StyledLine]

  init(_ screen: ImportScreen, in area: Rect, _ environment: ScreenEnvironment) {
    var rest = area.inset(columns: 2, rows: 1)
    lines = screen.facts(environment).flatMap { $0.wrapped(to: max(1, rest.columns)) }
    let rows = min(lines.count, rest.rows / 3)
    facts = rows > 0 ? rest.removeBottom(rows) : .none
    if rows > 0 { _ = rest.removeBottom(1) }
    list = rest
  }
}

extension ImportScreen {
  private static let labelColumns = 18

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let layout = ImportLayout(self, in: area, environment)
    Box.draw(
      into: &surface, rect: area, title: "Import", footer: footer(environment), hasFocus: environment.hasFocus, appearance: appearance)
    let shown = lines.dropFirst(cursor.top).prefix(layout.list.rows)
    // The line under the cursor is drawn last, because its text field sets the terminal's cursor.
    for (offset, line) in shown.enumerated().sorted(by: { $1.element == self.line && $0.element != self.line }) {
      let row = Rect(column: layout.list.column, row: layout.list.row + offset, columns: layout.list.columns, rows: 1)
      draw(line, into: &surface, row: row, environment)
    }
    guard !layout.facts.isEmpty else { return }
    Box.drawRule(into: &surface, above: layout.facts, appearance: appearance)
    layout.lines.draw(into: &surface, area: layout.facts, appearance: appearance)
  }

  private func footer(_ environment: ScreenEnvironment) -> String {
    if environment.workspace.isImporting { return "importing, \(environment.keyHint(.stop)) stops it" }
    if isReading { return "reading\(environment.appearance.glyphs.ellipsis)" }
    guard let preview, preview.problems.isEmpty else { return "nothing is written yet" }
    return "\(environment.keyHint(.runImport, in: .importing)) imports, nothing is written yet"
  }

  private func draw(_ line: Line, into surface: inout Surface, row: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let isCurrent = line == self.line
    if isCurrent {
      surface.write(appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), style: appearance.theme.markStyle())
    }
    let start = Point(column: row.column + 2, row: row.row)
    switch line {
    case .heading: columns.heading.draw(into: &surface, at: start, columns: row.columns - 2, appearance: appearance)
    case .column(let index):
      guard let preview, preview.columns.indices.contains(index) else { return }
      columns.line(of: index, in: preview, isCurrent: isCurrent, appearance)
        .draw(into: &surface, at: start, columns: row.columns - 2, appearance: appearance)
    default:
      surface.write(label(of: line), at: start, limit: Self.labelColumns, style: appearance.theme.style(.muted))
      let value = Rect(
        column: start.column + Self.labelColumns, row: row.row, columns: max(1, row.columns - 2 - Self.labelColumns), rows: 1)
      draw(valueOf: line, into: &surface, area: value, isCurrent: isCurrent, environment)
    }
  }

  private func draw(valueOf line: Line, into surface: inout Surface, area: Rect, isCurrent: Bool, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let start = Point(column: area.column, row: area.row)
    if let field = field(of: line) {
      guard isCurrent, isTyping else {
        let style = appearance.theme.style(isCurrent ? .accent : .text)
        surface.write(field.text, at: start, limit: area.columns, style: style)
        return
      }
      field.draw(
        into: &surface, at: start, columns: area.columns, style: appearance.theme.style(.selection), placeholder: placeholder(of: line),
        placeholderStyle: appearance.theme.style(.muted, on: .selection))
      return
    }
    let choice = choices(of: line)?.line(columns: area.columns, isCurrent: isCurrent, glyphs: appearance.glyphs) ?? StyledLine()
    // The rejects file is in the same folder as the imported file.
    let rejectsName = rejectsPath?.split(separator: "/").last
    let remark = line == .failing ? rejectsName.map { "  \(PathText.shown(String($0)))" } ?? "" : ""
    choice.adding(remark, .muted).draw(into: &surface, at: start, columns: area.columns, appearance: appearance)
  }

  private func field(of line: Line) -> TextField? {
    switch line {
    case .path: path.field
    case .name: name
    default: nil
    }
  }

  private func placeholder(of line: Line) -> String {
    line == .path ? "path of a CSV, TSV, JSON or NDJSON file; Tab completes" : "a name"
  }

  private func label(of line: Line) -> String {
    switch line {
    case .path: "file"
    case .tableInFile: "its table"
    case .target: "into"
    case .name: "named"
    case .separator: "separator"
    case .header: "header"
    case .encoding: "encoding"
    case .conflicts: "the same key"
    case .failing: "a row that fails"
    case .heading, .column: ""
    }
  }

  // MARK: Below

  /// Returns the notes: the failure of the last import, problems, lines that are not records, and choices that Quarry has made.
  func facts(_ environment: ScreenEnvironment) -> [StyledLine] {
    if let failure { return [StyledLine(failure, .error)] }
    if let problem { return [StyledLine(problem.text, .error)] }
    if !path.candidates.isEmpty { return [StyledLine(path.candidates.joined(separator: "  "), .muted)] }
    guard let preview else {
      return [StyledLine("\(environment.keyHint(.accept)) reads the file; nothing is written before you import it.", .muted)]
    }
    let problems = preview.problems.map { StyledLine($0, .error) }
    let faults = preview.faults.prefix(3).map { fault in
      StyledLine("line \(Plural.grouped(fault.line)): ", .muted).adding(fault.description, .warning)
    }
    let more =
      preview.faults.count > 3 ? [StyledLine("and \(preview.faults.count - 3) more that cannot be parsed", .warning)] : []
    return problems + faults + more + preview.notes.map { StyledLine($0, .muted) }
  }

  private var columns: ImportColumnLines { ImportColumnLines(self) }

  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let list = ImportLayout(self, in: area, context.environment).list
    let index = cursor.top + point.row - list.row
    guard list.contains(point), lines.indices.contains(index), lines[index] != .heading else { return }
    let line = lines[index]
    let isAgain = line == self.line
    leave(for: line, &context)
    if isWritten(line) { return beginWriting() }
    let start = list.column + 2 + Self.labelColumns
    let columns = list.endColumn - start
    if let choice = choices(of: line)?.index(at: point.column - start, columns: columns, glyphs: context.appearance.glyphs) {
      if choose(choice, of: line) { look(&context) }
    } else if isAgain, case .column = line, let column = currentColumn {
      showChoices(of: column, &context)
    }
  }
}
