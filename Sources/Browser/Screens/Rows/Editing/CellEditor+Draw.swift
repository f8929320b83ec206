import QuarryChanges
import Terminal

/// The box of a cell's field: below the cell, or above it if there is more room.
struct CellEditorLayout: Hashable, Sendable {
  private(set) var box: Rect
  /// The area of the text.
  private(set) var text: Rect
  /// The area of the value that will be stored, or of the error.
  private(set) var report: Rect
  /// The area of the choices.
  private(set) var choices: Rect

  private static let leastColumns = 44
  private static let mostColumns = 76
  private static let mostLines = 10
  private static let mostChoices = 8

  init(_ cell: CellEditor, in area: Rect) {
    let columns = min(area.columns, Self.columns(of: cell))
    let inside = max(1, columns - 4)
    let report = WrappedText.lines(cell.report.text, columns: inside).count
    let lines = max(1, cell.editor.rows(columns: inside, limit: Self.mostLines))
    let choices = min(Self.mostChoices, cell.choices.count + cell.previews.count)
    let wanted = 2 + lines + report + choices
    let anchor = cell.subject.anchor
    let below = area.endRow - anchor.endRow
    let isBelow = below >= wanted || below >= anchor.row - area.row
    let rows = min(wanted, max(3, isBelow ? below : anchor.row - area.row), area.rows)
    let row = isBelow ? min(anchor.endRow, area.endRow - rows) : max(area.row, anchor.row - rows)
    let column = max(area.column, min(anchor.column - 2, area.endColumn - columns))
    box = Rect(column: column, row: max(area.row, row), columns: columns, rows: rows)
    var rest = box.inset(columns: 2, rows: 1)
    text = rest.removeTop(min(lines, rest.rows))
    self.report = rest.removeTop(min(report, rest.rows))
    self.choices = rest
  }

  private static func columns(of cell: CellEditor) -> Int {
    let choices = cell.choices.map { TextWidth.columns(of: cell.line(of: $0)) }.max() ?? 0
    let longest = cell.editor.longestLine(amongFirst: 100)
    return min(mostColumns, max(leastColumns, cell.subject.anchor.columns + 4, choices + 6, longest + 6))
  }
}

extension CellEditor {
  func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let layout = CellEditorLayout(self, in: area)
    Box.draw(
      into: &surface, rect: layout.box, title: "\(subject.title) \(appearance.glyphs.dot) \(typeName)", appearance: appearance)
    drawReport(into: &surface, area: layout.report, appearance: appearance)
    drawChoices(into: &surface, area: layout.choices, appearance: appearance)
    drawText(into: &surface, area: layout.text, appearance: appearance)
  }

  private func drawText(into surface: inout Surface, area: Rect, appearance: Appearance) {
    guard !area.isEmpty else { return }
    surface.fill(area, style: appearance.theme.style(.selection))
    if let name = nameOfNoText {
      let start = Point(column: area.column, row: area.row)
      surface.write(name, at: start, limit: area.columns, style: appearance.theme.style(.null, on: .selection))
      surface.cursor = start
      return
    }
    let painter = EditorPainter(pane: editor, area: area, base: .selection, appearance: appearance)
    surface.clipped(to: area) { painter.draw(into: &$0) }
    surface.cursor = painter.caret
  }

  private func drawReport(into surface: inout Surface, area: Rect, appearance: Appearance) {
    let report = report
    let lines = WrappedText.lines(report.text, columns: max(1, area.columns), rows: area.rows, appearance: appearance)
    for (offset, line) in lines.enumerated() {
      surface.write(
        line, at: Point(column: area.column, row: area.row + offset), limit: area.columns,
        style: appearance.theme.style(report.isFault ? .error : .muted))
    }
  }

  /// Draws the part of the list with the selected choice.
  private func drawChoices(into surface: inout Surface, area: Rect, appearance: Appearance) {
    guard !area.isEmpty else { return }
    for (offset, line) in previews.prefix(area.rows).enumerated() {
      StyledLine(line.old.shortText, .muted).adding(appearance.sentence(" → "), .muted)
        .adding(StagedValue(line.new).shortText, .changed)
        .draw(into: &surface, at: Point(column: area.column + 2, row: area.row + offset), columns: area.columns - 2, appearance: appearance)
    }
    let first = max(0, min((chosen ?? 0) - area.rows / 2, choices.count - area.rows))
    for (offset, choice) in choices.dropFirst(first).prefix(area.rows).enumerated() {
      let isChosen = chosen == first + offset
      let row = Rect(column: area.column, row: area.row + offset, columns: area.columns, rows: 1)
      let base: Role = isChosen ? .selection : .text
      surface.fill(row, style: appearance.theme.style(base))
      if isChosen {
        surface.write(
          appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), style: appearance.theme.style(.accent, on: base))
      }
      let value = text(of: choice)
      let width = surface.write(
        value, at: Point(column: row.column + 2, row: row.row), limit: row.columns - 2, style: appearance.theme.style(.text, on: base))
      if let label = choice.label {
        surface.write(
          "  \(label)", at: Point(column: row.column + 2 + width, row: row.row), limit: max(0, row.columns - 2 - width),
          style: appearance.theme.style(.muted, on: base))
      }
    }
  }
}
