package import Terminal

extension Picker {
  /// Draws a box in the middle of `area`: title, field, list.
  package func draw(into surface: inout Surface, area: Rect, _ environment: ScreenEnvironment) {
    let appearance = environment.appearance
    let box = box(in: area)
    Box.draw(into: &surface, rect: box, title: title, appearance: appearance)
    var inside = box.inset(columns: 2, rows: 1)
    for line in introduction(in: area) {
      let row = inside.removeTop(1)
      surface.write(line, at: Point(column: row.column, row: row.row), limit: row.columns, style: appearance.theme.style(.muted))
    }
    let fieldRow = inside.removeTop(1)
    surface.write(
      appearance.glyphs.prompt, at: Point(column: fieldRow.column, row: fieldRow.row), limit: fieldRow.columns,
      style: appearance.theme.markStyle())
    field.draw(
      into: &surface, at: Point(column: fieldRow.column + 2, row: fieldRow.row), columns: max(1, fieldRow.columns - 2),
      style: appearance.theme.style(.text), placeholder: placeholder, placeholderStyle: appearance.theme.style(.muted))
    _ = inside.removeTop(gapRows(in: area))
    let reasonRow = inside.removeBottom(1)
    drawPreview(into: &surface, area: inside.removeBottom(previewRows(in: area)), appearance: appearance)
    drawList(into: &surface, area: inside, appearance: appearance)
    if let reason = current?.reason {
      let start = Point(column: reasonRow.column, row: reasonRow.row)
      StyledLine(appearance.sentence("not available: \(reason)"), .warning).draw(
        into: &surface, at: start, columns: reasonRow.columns, appearance: appearance)
    } else if previewRows(in: area) == 0, let current {
      let free = inside.removeBottom(max(0, inside.rows - max(1, lines.count))).rows
      let rest = Rect(column: reasonRow.column, row: reasonRow.row - free, columns: reasonRow.columns, rows: free + 1)
      drawText(current.preview, into: &surface, area: rest, appearance: appearance)
    }
  }

  private func drawList(into surface: inout Surface, area: Rect, appearance: Appearance) {
    if matches.isEmpty {
      surface.write(
        emptyText, at: Point(column: area.column + 2, row: area.row), limit: area.columns - 2, style: appearance.theme.style(.muted))
    }
    let labelColumns = min(max(area.columns / 2, area.columns - widths.detail - widths.trailing - 7), widths.label + 2)
    for (offset, line) in lines.dropFirst(top).prefix(area.rows).enumerated() {
      let row = Rect(column: area.column, row: area.row + offset, columns: area.columns, rows: 1)
      switch line {
      case .heading(let title):
        StyledLine(title, .accent)
          .draw(into: &surface, at: Point(column: row.column, row: row.row), columns: row.columns, appearance: appearance)
      case .match(let index):
        draw(
          matches[index], isCurrent: index == cursor, labelColumns: labelColumns, into: &surface, row: row, appearance: appearance)
      }
    }
  }

  /// Returns the lines of the introduction; empty if the list would have too little room.
  private func introduction(in area: Rect) -> [String] {
    guard !introduction.isEmpty, area.rows >= 16 else { return [] }
    return WrappedText.lines(introduction, columns: boxColumns(in: area) - 4)
  }

  private func draw(_ match: Match, isCurrent: Bool, labelColumns: Int, into surface: inout Surface, row: Rect, appearance: Appearance) {
    let base: Role = isCurrent ? .selection : .text
    surface.fill(row, style: appearance.theme.style(base))
    if isCurrent {
      surface.write(appearance.glyphs.cursor, at: Point(column: row.column, row: row.row), style: appearance.theme.markStyle(on: base))
    }
    let trailingColumns = TextWidth.columns(of: match.item.trailing)
    let room = row.columns - 3 - trailingColumns
    let detail = TextWidth.columns(of: match.item.detail)
    let label = TextWidth.columns(of: match.item.label)
    let isWhole = row.columns < ScreenLayout.narrow && label <= room
    let shared = alignsDetails ? 0 : room - detail - 2
    let labelRoom = detail == 0 ? room : max(labelColumns - 2, shared, isWhole ? label : 0)
    var column = row.column + 2
    for (index, character) in TextWidth.truncated(match.item.label, to: labelRoom, ellipsis: appearance.glyphs.ellipsis).enumerated() {
      let role: Role = match.item.reason != nil ? .muted : match.positions.contains(index) ? .match : match.item.role
      column += surface.write(String(character), at: Point(column: column, row: row.row), style: appearance.theme.style(role, on: base))
    }
    let start = Point(column: max(column + 2, row.column + 2 + labelColumns), row: row.row)
    let detailRoom = row.column + 2 + room - start.column
    if detailRoom >= min(detail, Self.leastDetail) {
      StyledLine(match.item.detail, .muted).draw(into: &surface, at: start, columns: detailRoom, base: base, appearance: appearance)
    }
    surface.write(
      match.item.trailing, at: Point(column: row.endColumn - trailingColumns, row: row.row), style: appearance.theme.style(.key, on: base))
  }

  /// Returns the index of the item at a point of the screen; nil outside of the list.
  func index(at point: Point, area: Rect) -> Int? {
    let box = box(in: area)
    var inside = box.inset(columns: 2, rows: 1)
    _ = inside.removeTop(1 + gapRows(in: area) + introduction(in: area).count)
    _ = inside.removeBottom(1 + previewRows(in: area))
    guard inside.contains(point), case .match(let index)? = lines.dropFirst(top + point.row - inside.row).first else { return nil }
    return index
  }

  /// Returns whether a point is inside the box or on its frame.
  func covers(_ point: Point, area: Rect) -> Bool { box(in: area).contains(point) }

  /// Returns the number of rows of the list in `area`.
  package func listHeight(in area: Rect) -> Int {
    max(1, box(in: area).rows - 4 - gapRows(in: area) - introduction(in: area).count - previewRows(in: area))
  }

  /// Returns a box that fits the items if there is room; it fills a narrow screen.
  private func box(in area: Rect) -> Rect {
    // The preview remains visible beside the list.
    if isBeside {
      let columns = min(area.columns, max(24, widths.label + 8, TextWidth.columns(of: placeholder) + 8))
      return Rect(column: area.endColumn - columns, row: area.row, columns: columns, rows: area.rows)
    }
    let rows = max(8, fullCount + 5 + introduction(in: area).count + previewRows(in: area))
    let columns = boxColumns(in: area)
    // A list as wide as the screen has nothing beside it. A row below it would look like a part of the list.
    let margin = area.rows > 16 && columns < area.columns ? 2 : 0
    return Box.centered(in: area, columns: columns, rows: min(rows, area.rows - margin))
  }

  private func boxColumns(in area: Rect) -> Int {
    let gaps = 11
    let texts = max(TextWidth.columns(of: title), TextWidth.columns(of: placeholder), TextWidth.columns(of: emptyText)) + 8
    let least = hasPreviews ? 76 : 48
    let wanted = max(least, texts, widths.label + widths.detail + widths.trailing + gaps)
    // A few visible columns beside the box would look like a part of the list.
    let room = area.columns - 8
    return wanted <= room || area.columns >= ScreenLayout.roomy ? min(wanted, room) : area.columns
  }

  /// Returns the number of lines for the preview of the item under the cursor; 0 if the list would have too little room.
  private func previewRows(in area: Rect) -> Int { hasPreviews && area.rows >= 16 ? max(9, area.rows * 2 / 5) : 0 }

  /// Returns the number of empty rows below the field; 0 if the list needs them.
  private func gapRows(in area: Rect) -> Int { area.rows < 12 ? 0 : 1 }

  /// The least width of an item's detail that is worth showing.
  private static let leastDetail = 8

  private func drawPreview(into surface: inout Surface, area: Rect, appearance: Appearance) {
    guard !area.isEmpty, let current else { return }
    let line = String(repeating: appearance.glyphs.horizontal, count: area.columns)
    surface.write(line, at: Point(column: area.column, row: area.row), style: appearance.theme.style(.border))
    var rest = area
    _ = rest.removeTop(1)
    drawText(current.preview, into: &surface, area: rest, appearance: appearance)
  }

  /// Draws the description of the item under the cursor, as far as there is room.
  private func drawText(_ text: String, into surface: inout Surface, area: Rect, appearance: Appearance) {
    WrappedText.draw(text, .muted, into: &surface, area: area, appearance: appearance)
  }
}
