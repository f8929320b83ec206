import QuarryChanges
import QuarryEngine
import QuarryRows
import Terminal

/// A row as a form: a field for each column, with the old value beside the new one.
///
///       TrackId        5                     5
///     ~ Milliseconds   300,000               301,000
struct DiffRecordText: Sendable {
  /// A line of the form; the name is empty in the second and later lines of a long value.
  struct Line: Sendable {
    var mark = ""
    var name = ""
    var isKey = false
    var old = StyledLine()
    var new = StyledLine()
  }

  private(set) var lines: [Line] = []
  let nameColumns: Int
  let valueColumns: Int

  /// The columns before the names.
  static let margin = 4
  private static let gap = 2
  private static let widestName = 28
  /// The most characters of a value that are shown.
  private static let longest = 20_000

  init(_ row: StoredDifference, of table: ComparedTable, columns: Int, _ appearance: Appearance) {
    let widest = table.columns.map { TextWidth.columns(of: $0.name.pictured) }.max() ?? 0
    nameColumns = min(widest, Self.widestName, max(6, columns / 3))
    valueColumns = max(4, (columns - Self.margin - nameColumns - 2 * Self.gap) / 2)
    for (index, column) in table.columns.enumerated() {
      let isChanged = row.isChanged(index)
      let texts = [row.change == .added ? nil : row.old, row.change == .removed ? nil : row.new].map { values in
        values.map { Self.lines($0[index], columns: valueColumns, appearance) } ?? []
      }
      let roles: [Role?] = row.change == .changed ? (isChanged ? [.error, .added] : [nil, nil]) : [.error, .added]
      for line in 0..<max(1, texts[0].count, texts[1].count) {
        func part(_ side: Int) -> StyledLine {
          guard texts[side].indices.contains(line) else { return StyledLine() }
          let text = texts[side][line]
          return StyledLine(text.text, roles[side] ?? text.role)
        }
        let isFirst = line == 0
        lines.append(
          Line(
            mark: isFirst && isChanged ? "~" : "", name: isFirst ? column.name.pictured : "", isKey: index < table.keyCount, old: part(0),
            new: part(1)))
      }
    }
  }

  /// Returns a value in lines that fit.
  private static func lines(_ value: StoredValue, columns: Int, _ appearance: Appearance) -> [(text: String, role: Role)] {
    let short = CountedText(.stored(value), glyphs: appearance.glyphs)
    guard case .value(.text(let text)) = value, text.utf8.count > 250 else {
      return WrappedText.lines(short.text, columns: columns).map { ($0, short.role) }
    }
    let beginning = String(text.prefix(longest))
    let rest = text.utf8.count - beginning.utf8.count
    let more = rest > 0 ? ["\(appearance.glyphs.ellipsis) \(ByteSize.text(rest)) more"] : []
    return (WrappedText.lines(beginning, columns: columns) + more).map { ($0, .textValue) }
  }

  /// Returns the first visible line, so that no lines stay empty.
  ///
  /// - Parameter showsChange: Whether the first changed value becomes visible.
  func scroll(from first: Int, height: Int, showsChange: Bool) -> Int {
    let change = showsChange ? lines.firstIndex { !$0.mark.isEmpty } : nil
    let wanted = change.map { $0 < height ? 0 : $0 - 1 } ?? first
    return max(0, min(wanted, lines.count - height))
  }

  /// The columns at which the old and the new values begin.
  var starts: (old: Int, new: Int) {
    let old = Self.margin + nameColumns + Self.gap
    return (old, old + valueColumns + Self.gap)
  }

  /// Draws the form from a line on, below a heading.
  func draw(into surface: inout Surface, area: Rect, from first: Int, _ subject: DiffSubject, _ appearance: Appearance) {
    let theme = appearance.theme
    let heading = Rect(column: area.column, row: area.row, columns: area.columns, rows: 1)
    surface.fill(heading, style: theme.style(.header))
    for (start, text) in [(starts.old, "old"), (starts.new, "new")] {
      surface.write(
        text, at: Point(column: area.column + start, row: area.row), limit: valueColumns, style: theme.style(.header))
    }
    for (offset, line) in lines.dropFirst(first).prefix(max(0, area.rows - 1)).enumerated() {
      let row = area.row + 1 + offset
      surface.write(line.mark, at: Point(column: area.column + 2, row: row), style: theme.style(.changed))
      let name = TextWidth.truncated(line.name, to: nameColumns, ellipsis: appearance.glyphs.ellipsis)
      surface.write(
        name, at: Point(column: area.column + Self.margin, row: row), limit: nameColumns, style: theme.style(line.isKey ? .key : .muted))
      line.old.draw(into: &surface, at: Point(column: area.column + starts.old, row: row), columns: valueColumns, appearance: appearance)
      line.new.draw(into: &surface, at: Point(column: area.column + starts.new, row: row), columns: valueColumns, appearance: appearance)
    }
  }
}
