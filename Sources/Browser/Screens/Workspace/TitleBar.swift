import Terminal

/// The first line: the name of the database, the title of the screen, and the badges of the session.
struct TitleBar: Sendable {
  let name: String
  /// Whether the catalog below the name has the focus.
  let isNameAccented: Bool
  let title: StyledLine?
  /// The badges of the session, longest form first; the title is truncated if even the shortest form leaves too little room.
  let badges: [StyledLine]

  func draw(into surface: inout Surface, layout: ScreenLayout, appearance: Appearance) {
    let area = layout.title
    guard !area.isEmpty else { return }
    surface.fill(area, style: appearance.theme.style(.header))
    let hasBorder = !layout.border.isEmpty
    let nameColumns = hasBorder ? layout.catalog.columns : min(area.columns, TextWidth.columns(of: name) + 2)
    let cut = TextWidth.truncated(name, to: max(0, nameColumns - 2), ellipsis: appearance.glyphs.ellipsis)
    surface.write(
      " \(cut)", at: Point(column: 0, row: area.row), limit: nameColumns,
      style: appearance.theme.style(isNameAccented ? .accent : .header, on: .header))
    let start = hasBorder ? layout.border.column : nameColumns + 1
    if hasBorder {
      surface.write(
        appearance.glyphs.vertical, at: Point(column: start, row: area.row), style: appearance.theme.style(.border, on: .header))
    }
    let wanted = title?.width ?? 0
    let badge = badges.first { roomForTitle(beside: $0, in: area, from: start) >= wanted } ?? badges.last ?? StyledLine()
    let room = roomForTitle(beside: badge, in: area, from: start)
    title?.draw(
      into: &surface, at: Point(column: start + 2, row: area.row), columns: max(0, room), base: .header, appearance: appearance)
    badge.draw(
      into: &surface, at: Point(column: area.endColumn - badge.width - 1, row: area.row), columns: badge.width, base: .header,
      appearance: appearance)
  }

  /// Returns the number of columns that a badge leaves for the title.
  private func roomForTitle(beside badge: StyledLine, in area: Rect, from start: Int) -> Int {
    area.columns - start - badge.width - (badge.runs.isEmpty ? 3 : 5)
  }
}
