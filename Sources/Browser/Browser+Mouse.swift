import Terminal

/// The mouse: which screen lies under it.
extension Browser {
  /// Rows that a turn of the wheel scrolls by.
  private static let wheelStep = 3

  mutating func receive(_ mouse: Mouse) {
    let (id, area) = screen(at: mouse.point)
    switch mouse.action {
    case .wheelUp: run(ScreenOperations.Scroll(rows: -Browser.wheelStep), on: id ?? .rows)
    case .wheelDown: run(ScreenOperations.Scroll(rows: Browser.wheelStep), on: id ?? .rows)
    case .wheelLeft, .wheelRight:
      let step = mouse.action == .wheelLeft ? -1 : 1
      if overlays.isEmpty { change(RowsScreen.self) { $0.scrollColumns(by: step, &$1) } }
    case .press:
      if mouse.action == .press(.left) { notice = nil }
      if let id { run(ScreenOperations.Pointer(action: mouse.action, point: mouse.point, area: area), on: id) }
    case .drag, .release:
      // Wherever it is by now, the button was pressed on something else of the rows.
      guard overlays.isEmpty else { return }
      run(ScreenOperations.Pointer(action: mouse.action, point: mouse.point, area: ScreenLayout(self).rows), on: .rows)
    }
  }

  /// Returns the screen at a point, and where that lies; nil for title and footer.
  private func screen(at point: Point) -> (id: ScreenID?, area: Rect) {
    let layout = ScreenLayout(self)
    if let topScreen { return (topScreen.id, layout.body) }
    let panes: [(id: ScreenID, area: Rect)] = [(.catalog, layout.catalog), (.editor, layout.editor), (.rows, layout.rows)]
    return panes.first { $0.area.contains(point) }.map { ($0.id, $0.area) } ?? (nil, .none)
  }
}
