import QuarryEngine
import QuarryFiles
import Terminal

/// The schema of a table: columns, keys, indexes, triggers, references, DDL.
package struct DetailsScreen: Sendable {
  /// The table whose schema is shown; nil for other lines.
  private(set) var table: TableReference?
  private(set) var title: String
  /// Whether the screen covers the list that it was opened from.
  private(set) var isOverList = false
  /// The text, and the same text wrapped to the width.
  private var paragraphs: [StyledLine] { didSet { layOut() } }
  private(set) var lines: [StyledLine] = []
  private(set) var problem: Problem?
  private(set) var top = 0
  /// The text of the last search, and the line of its match.
  private(set) var needle: String?
  package private(set) var hit: Int?
  /// The SQL that creates the table and its indexes and triggers.
  private var definition: String?
  var room = GridExtent(rows: 1, columns: .max) {
    didSet { if room.columns != oldValue.columns { layOut() } }
  }

  private var height: Int { room.rows }

  /// The name of the screen as a part of a sentence.
  var name: String { table == nil ? "the \(title.lowercased())" : "the details of \(title)" }

  /// All lines as text.
  var everything: CopyText {
    CopyText(text: paragraphs.map(\.text).joined(separator: "\n"), title: "all of \(name)")
  }

  /// The text for `copy`: the DDL of a table, or all lines; nil without any.
  var copied: CopyText? {
    if table != nil { return definition.map { CopyText(text: $0, title: "the DDL of \(title)") } }
    return lines.isEmpty ? nil : everything
  }

  init(table: TableReference) {
    self.table = table
    title = table.name
    paragraphs = []
  }

  /// Shows lines.
  ///
  /// - Parameter isOverList: Whether the lines cover a list that covers the panes, rather than only the rows.
  init(title: String, lines: [StyledLine], isOverList: Bool = false) {
    table = nil
    (self.title, self.isOverList) = (title, isOverList)
    paragraphs = lines
    layOut()
  }

  private mutating func layOut() {
    lines = paragraphs.flatMap { $0.wrapped(to: room.columns) }
    hit = nil
    scroll(by: 0)
  }

  /// Shows the details.
  ///
  /// - Parameter file: The file that the table is read from; nil for other tables.
  mutating func receive(_ result: Result<TableDetails, Problem>, file: FileTable? = nil, glyphs: Glyphs) {
    switch result {
    case .success(let details):
      let text = DetailsText(details: details, file: file, glyphs: glyphs)
      (paragraphs, problem, definition) = (text.lines, nil, text.definition)
    case .failure(let problem): self.problem = problem
    }
  }

  /// Switches to another table, whose schema is still being read.
  mutating func turn(to table: TableReference) {
    (self.table, title, top, hit) = (table, table.name, 0, nil)
  }

  mutating func scroll(by count: Int) {
    top = min(max(0, top + count), max(0, lines.count - height))
  }

  /// Searches for a text from the first visible line; an empty text repeats the last search.
  ///
  /// Returns false if no line contains the text.
  mutating func find(_ text: String) -> Bool {
    guard !text.isEmpty else { return findNext() }
    (needle, hit) = (text, nil)
    return findNext()
  }

  /// Moves to the next line that contains the text; the last line is followed by the first.
  mutating func findNext(backwards: Bool = false) -> Bool {
    guard let needle else { return true }
    let start = hit.map { backwards ? $0 - 1 : $0 + 1 } ?? top
    hit = LineSearch.index(of: needle, in: lines.map(\.text), from: start, backwards: backwards)
    guard let hit else { return false }
    if !(top..<(top + height)).contains(hit) { scroll(by: hit - top - height / 2) }
    return true
  }

  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let footer = lines.count > height ? "\(min(lines.count, top + height)) of \(lines.count) lines" : ""
    Box.draw(into: &surface, rect: area, title: title, footer: footer, hasFocus: environment.hasFocus, appearance: appearance)
    let inside = area.inset(columns: 2, rows: 1)
    let shown =
      problem.map { WrappedText.lines(appearance.sentence($0.text), columns: max(1, inside.columns)).map { StyledLine($0, .error) } }
      ?? lines
    for (offset, line) in shown.dropFirst(top).prefix(inside.rows).enumerated() {
      let base: Role = hit == top + offset ? .selection : .text
      let row = Rect(column: inside.column, row: inside.row + offset, columns: inside.columns, rows: 1)
      if base == .selection { surface.fill(row, style: appearance.theme.style(base)) }
      let line = needle.map(line.marking) ?? line
      line.draw(into: &surface, at: Point(column: row.column, row: row.row), columns: row.columns, base: base, appearance: appearance)
    }
  }
}
