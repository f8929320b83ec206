import QuarryEngine
import QuarryRows
import Terminal

/// The strip below the grid: the row that the cursor's row references, and the number of rows that reference it.
struct LensStrip {
  let grid: GridPane

  /// Returns the height of the strip in an area; 0 if the lens is off, or if there is no room.
  static func rows(in area: Rect, _ grid: GridPane?) -> Int {
    guard let grid, grid.lens != nil, area.rows >= 7 else { return 0 }
    return area.rows >= 12 && grid.schema?.foreignKeys.isEmpty == false ? 2 : 1
  }

  func draw(into surface: inout Surface, area: Rect, _ appearance: Appearance) {
    guard let lens = grid.lens, !area.isEmpty else { return }
    surface.fill(area, style: appearance.theme.style(.header))
    let lines = [outbound(lens, appearance), inbound(lens, appearance)].filter { !$0.runs.isEmpty }
    for (offset, line) in lines.prefix(area.rows).enumerated() {
      line.draw(
        into: &surface, at: Point(column: area.column + 2, row: area.row + offset), columns: area.columns - 3, base: .header,
        appearance: appearance)
    }
  }

  /// Returns the referenced row: `→ artist 4 · Björk   name Björk`.
  private func outbound(_ lens: ReferenceLabels, _ appearance: Appearance) -> StyledLine {
    guard let keys = grid.schema?.foreignKeys, !keys.isEmpty else { return StyledLine() }
    let arrow = appearance.glyphs.reference + " "
    guard let reference = lens.strip.subject?.reference, keys.indices.contains(reference.key) else {
      return StyledLine(arrow, .key).adding("references no row", .muted)
    }
    let values = reference.values.map(\.plainText).joined(separator: ", ")
    var line = StyledLine(arrow, .key).adding(keys[reference.key].table.name, .accent).adding(" " + values, .number)
    let row = lens.rows[reference]
    if let name = row?.text(glyphs: appearance.glyphs) { line = line.adding(name.text, name.role) }
    if row == .missing || row == .noTable { return line }
    let known = keys[reference.key].referencedColumns
    for field in lens.strip.fields where !known.contains(where: { $0.isSameIdentifier(as: field.name) }) {
      let text = CellText(field.value, glyphs: appearance.glyphs)
      line = line.adding("  \(field.name) ", .muted).adding(text.text, text.role)
    }
    return line
  }

  /// Returns the numbers of rows that reference the cursor's row, by table: `← 3 album · 12 track`.
  private func inbound(_ lens: ReferenceLabels, _ appearance: Appearance) -> StyledLine {
    let arrow = appearance.glyphs.referring + " "
    guard let references = lens.inbound else { return StyledLine() }
    guard let sets = lens.strip.subject?.referring, !sets.isEmpty else {
      let isView = grid.schema?.entry.kind == .view
      let reason =
        isView
        ? "no foreign key can reference a view"
        : references.isEmpty ? "no table references this one" : "no row can reference this one"
      return StyledLine(arrow, .key).adding(reason, .muted)
    }
    var line = StyledLine(arrow, .key)
    for (index, set) in sets.enumerated() {
      if index > 0 { line = line.adding(appearance.glyphs.separator, .muted) }
      let count = lens.strip.counts[index].map { $0.text(appearance) } ?? appearance.glyphs.ellipsis
      line = line.adding(count, .number).adding(" \(set.sourceTable?.name ?? "")", .text)
      if sets.count(where: { $0.sourceTable == set.sourceTable }) > 1 {
        line = line.adding(" by \(set.matching.map(\.column).joined(separator: ", "))", .muted)
      }
    }
    return line
  }
}
