import QuarryChanges
import QuarryEngine
package import QuarryRows
import Terminal

/// One row as a form, with each whole value in a field.
package struct RecordScreen: Sendable {
  /// The number of bytes of a long text or blob that are read for display.
  static let valueLimit = 256 * 1024

  private(set) var grid: GridID
  private(set) var title: String
  private(set) var columns: [RowSetColumn]
  /// The table's schema; nil for a query's rows.
  private(set) var schema: TableSchema?
  /// The row that is shown or being read.
  private(set) var key: RowKey
  package private(set) var cells: [CellValue] = []
  /// What is staged of the row; nil for nothing.
  private var staged: StagedRow?
  /// What the row refers to, and who refers to it.
  private(set) var references = RecordReferences()
  private(set) var problem: Problem?
  private(set) var isGone = false
  /// The field under the cursor.
  package private(set) var field: Int
  private(set) var top = 0
  /// The text last searched for, and the index of the line with the last match.
  private(set) var needle: String?
  private var hit: Int?
  /// The lines of all fields, laid out for the width.
  private(set) var lines: [Line] = []
  var room = GridExtent(rows: 1, columns: 1) {
    didSet { if room != oldValue { layOut() } }
  }

  /// A line of the form, and its field.
  struct Line: Hashable, Sendable {
    var field: Int
    /// Whether it is the first line of the field, which has the name.
    var isFirst: Bool
    /// Whether the field has no other line.
    var isOnly = false
    var value: StyledLine
  }

  init(grid: GridID, title: String, columns: [RowSetColumn], schema: TableSchema?, key: RowKey, field: Int) {
    self.grid = grid
    self.title = title
    self.columns = columns
    self.schema = schema
    self.key = key
    self.field = field
  }

  /// Turns to another row, which may be one of other rows by now; its values are on their way.
  mutating func turn(to key: RowKey, of pane: GridPane) {
    references = RecordReferences()
    if pane.columns != columns { (cells, lines, field, top, hit) = ([], [], pane.column, 0, nil) }
    (grid, title, columns, schema, self.key) = (pane.id, pane.title, pane.columns, pane.schema, key)
  }

  mutating func receive(_ result: Result<WindowRow?, Problem>, for key: RowKey, of grid: GridID, glyphs: Glyphs) {
    guard key == self.key, grid == self.grid else { return }
    switch result {
    case .success(let row?): (cells, problem, isGone) = (row.cells, nil, false)
    case .success(nil): (cells, problem, isGone) = ([], nil, true)
    case .failure(let problem): (cells, self.problem) = ([], problem)
    }
    self.glyphs = glyphs
    layOut()
  }

  private var glyphs = Glyphs.unicode

  /// The values of the row by column; staged values replace those of the file, and values too long to be read whole are omitted.
  var values: [String: DatabaseValue] {
    let known = zip(columns, cells).compactMap { column, cell -> (String, DatabaseValue)? in
      let value = staged?.value(of: column.name).map { CellValue($0) } ?? cell
      return value.wholeValue.map { (column.name, $0) }
    }
    return Dictionary(known) { first, _ in first }
  }

  /// Begins to look up the references of the row; returns false if the row has no references that can be looked up.
  mutating func renewReferences() -> Bool {
    let values = values
    guard let schema, !values.isEmpty else {
      references = RecordReferences()
      return false
    }
    references = RecordReferences(of: schema) { name in values.first { $0.key.isSameIdentifier(as: name) }?.value }
    return true
  }

  mutating func receive(_ report: LoadRecordReferences.Report, for key: RowKey) {
    guard key == self.key else { return }
    references.receive(report)
    layOut()
  }

  /// Shows the staged changes of the row instead of the values in the file; returns whether the staged changes are different now.
  mutating func show(_ staged: StagedRow?, glyphs: Glyphs) -> Bool {
    guard staged != self.staged else { return false }
    (self.staged, self.glyphs) = (staged, glyphs)
    layOut()
    return true
  }

  /// The width of the names.
  package var nameColumns: Int { LabelColumn.columns(of: columns.map { "  " + $0.name }, values: widestValue + 2, in: room.columns) }

  /// The columns of the widest line of the values, where nothing needs to be wrapped.
  private var widestValue = 0

  private mutating func layOut() {
    let namesFit = columns.allSatisfy { TextWidth.columns(of: $0.name) + 2 <= room.columns / 2 }
    widestValue = namesFit ? 0 : cells.indices.flatMap { valueLines($0, columns: max(8, room.columns)) }.map(\.width).max() ?? 0
    let width = max(8, room.columns - nameColumns - 2)
    lines = cells.indices.flatMap { index in
      let values = valueLines(index, columns: width)
      return values.enumerated().map { Line(field: index, isFirst: $0.offset == 0, isOnly: values.count == 1, value: $0.element) }
    }
    hit = nil
    reveal()
  }

  /// Returns the lines of a value, with the name of the row that it refers to.
  private func valueLines(_ index: Int, columns width: Int) -> [StyledLine] {
    guard columns.indices.contains(index), cells.indices.contains(index) else { return [] }
    let value = staged?.value(of: columns[index].name)
    let role: Role? = staged?.kind == .deleted ? .deleted : value == nil ? nil : .changed
    let shown = RecordValue(value.map { CellValue($0) } ?? cells[index], column: columns[index], glyphs: glyphs)
    var lines = shown.lines(columns: width).map { line in role.map { role in StyledLine(line.text, role) } ?? line }
    if let name = references.name(of: columns[index].name, in: schema), let last = lines.popLast() {
      // As parts of their own, so that a long name continues below its beginning.
      lines += last.adding(glyphs.separator, name.role).adding(name.text, name.role).wrapped(to: width)
    }
    return lines
  }

  /// Searches for a text, starting at the field under the cursor; an empty text repeats the last search.
  ///
  /// Returns false if no line contains the text.
  mutating func find(_ text: String) -> Bool {
    if !text.isEmpty { (needle, hit) = (text, nil) }
    return findNext()
  }

  /// Moves to the next line that contains the text, itself or in its field's name; the first follows the last.
  mutating func findNext(backwards: Bool = false) -> Bool {
    guard let needle else { return true }
    let texts = lines.map { ($0.isFirst ? columns[$0.field].name + "\n" : "") + $0.value.text }
    let first = lines.firstIndex { $0.field == field } ?? 0
    hit = LineSearch.index(of: needle, in: texts, from: hit.map { backwards ? $0 - 1 : $0 + 1 } ?? first, backwards: backwards)
    guard let hit else { return false }
    field = lines[hit].field
    if !(top..<(top + room.rows)).contains(hit) { top = min(max(0, hit - room.rows / 2), max(0, lines.count - room.rows)) }
    return true
  }

  mutating func moveField(by count: Int) {
    field = min(max(field + count, 0), max(0, columns.count - 1))
    reveal()
  }

  mutating func selectField(_ index: Int) {
    moveField(by: index - field)
  }

  mutating func scroll(by count: Int) {
    top = min(max(0, top + count), max(0, lines.count - room.rows))
    if let first = lines.dropFirst(top).first?.field, let last = lines.dropFirst(top).prefix(room.rows).last?.field {
      field = min(max(field, first), last)
    }
  }

  private mutating func reveal() {
    guard let first = lines.firstIndex(where: { $0.field == field }), let last = lines.lastIndex(where: { $0.field == field }) else {
      top = 0
      return
    }
    if last >= top + room.rows { top = last - room.rows + 1 }
    if first < top || last - first >= room.rows { top = first }
    top = max(0, top)
  }
}

extension RecordScreen {
  /// Draws the form in a frame, with the row's position in the title.
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    Box.draw(into: &surface, rect: area, title: fullTitle(in: area, environment), hasFocus: environment.hasFocus, appearance: appearance)
    let inside = area.inset(columns: 2, rows: 1)
    if let problem { return write(problem.text, .error, into: &surface, inside: inside, appearance: appearance) }
    if isGone { return write("This row has been deleted.", .warning, into: &surface, inside: inside, appearance: appearance) }
    if cells.isEmpty {
      return write("reading\(appearance.glyphs.ellipsis)", .muted, into: &surface, inside: inside, appearance: appearance)
    }
    for (offset, line) in lines.dropFirst(top).prefix(inside.rows).enumerated() {
      draw(
        line, hasFocus: environment.hasFocus, into: &surface,
        row: Rect(column: inside.column, row: inside.row + offset, columns: inside.columns, rows: 1),
        appearance: appearance)
    }
    drawReferring(into: &surface, inside: inside, appearance: appearance)
    drawScrollMarks(into: &surface, area: area, appearance: appearance)
  }

  /// Draws who refers to the row, where the fields leave room below them.
  private func drawReferring(into surface: inout Surface, inside: Rect, appearance: Appearance) {
    let used = lines.count + 1
    guard top == 0, used < inside.rows else { return }
    for (offset, line) in references.lines(appearance).prefix(inside.rows - used).enumerated() {
      let place = Point(column: inside.column + 2, row: inside.row + used + offset)
      line.draw(into: &surface, at: place, columns: inside.columns - 2, appearance: appearance)
    }
  }

  /// Returns the title with the row's position, which a long title leaves room for.
  private func fullTitle(in area: Rect, _ environment: ScreenEnvironment) -> String {
    let appearance = environment.appearance
    guard let position = environment.workspace.position(appearance) else { return title }
    let place = " \(appearance.glyphs.dot) \(position)"
    let room = max(8, area.columns - 6 - TextWidth.columns(of: place))
    return TextWidth.truncated(title, to: room, ellipsis: appearance.glyphs.ellipsis) + place
  }

  private func write(_ text: String, _ role: Role, into surface: inout Surface, inside: Rect, appearance: Appearance) {
    WrappedText.draw(text, role, into: &surface, area: inside, appearance: appearance)
  }

  private func draw(_ line: Line, hasFocus: Bool, into surface: inout Surface, row: Rect, appearance: Appearance) {
    let base: Role = line.field == field && hasFocus ? .selection : .text
    if base == .selection { surface.fill(row, style: appearance.theme.style(.selection)) }
    let labelColumns = labelColumns(of: line, in: row.columns)
    if line.isFirst {
      let column = columns[line.field]
      if base == .selection {
        surface.write(
          appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), limit: 1, style: appearance.theme.markStyle(on: base))
      }
      let name = TextWidth.truncated(column.name, to: labelColumns - 2, ellipsis: appearance.glyphs.ellipsis)
      let role: Role = column.schema?.primaryKeyPosition == nil ? .muted : .key
      surface.write(
        name, at: Point(column: row.column + 2, row: row.row), limit: labelColumns - 2, style: appearance.theme.style(role, on: base))
    }
    let start = Point(column: row.column + labelColumns + 2, row: row.row)
    let value = needle.map(line.value.marking) ?? line.value
    value.draw(into: &surface, at: start, columns: row.endColumn - start.column, base: base, appearance: appearance)
  }

  /// Returns the width of the name on a line: a long one takes what a short value leaves.
  private func labelColumns(of line: Line, in columns: Int) -> Int {
    let needed = TextWidth.columns(of: self.columns[line.field].name) + 2
    return line.isOnly && needed + 2 + line.value.width <= columns ? max(nameColumns, needed) : nameColumns
  }

  private func drawScrollMarks(into surface: inout Surface, area: Rect, appearance: Appearance) {
    Box.drawScrollMarks(
      into: &surface, top: Point(column: area.endColumn - 1, row: area.row + 1), bottom: area.endRow - 2, isMoreAbove: top > 0,
      isMoreBelow: top + room.rows < lines.count, appearance: appearance)
  }

  /// Returns the field at a point of the screen; nil outside of the form.
  func field(at point: Point, area: Rect) -> Int? {
    let inside = area.inset(columns: 2, rows: 1)
    guard inside.contains(point) else { return nil }
    let index = top + point.row - inside.row
    return lines.indices.contains(index) ? lines[index].field : nil
  }
}
