import QuarryEngine
import Terminal

extension Browser {
  /// Rows that a turn of the wheel scrolls by.
  private static let wheelStep = 3

  mutating func take(_ mouse: Mouse) -> [Effect] {
    switch mouse.action {
    case .wheelUp: return scroll(at: mouse.point, by: -Browser.wheelStep)
    case .wheelDown: return scroll(at: mouse.point, by: Browser.wheelStep)
    case .wheelLeft, .wheelRight:
      let step = mouse.action == .wheelLeft ? -1 : 1
      return overlays.isEmpty ? changeGrid { grid in
          grid.moveColumns(by: step)
          return []
        } : []
    case .press(.left):
      notice = nil
      pressedHeader = nil
      return press(at: mouse.point)
    case .drag:
      pressedHeader = nil
      return drag(to: mouse.point)
    case .press(.right): return sort(at: mouse.point, isFurther: true)
    case .release: return release(at: mouse.point)
    case .press(.middle): return []
    }
  }

  private mutating func scroll(at point: Point, by count: Int) -> [Effect] {
    let layout = ScreenLayout(self)
    if let top = topScreen {
      run(ScreenOperations.Scroll(rows: count), on: top.id)
      return []
    }
    switch point {
    case _ where layout.catalog.contains(point): run(ScreenOperations.Scroll(rows: count), on: .catalog)
    case _ where layout.editor.contains(point): run(ScreenOperations.Scroll(rows: count), on: .editor)
    default: return changeGrid { $0.scrollRows(by: count) }
    }
    return []
  }

  private mutating func press(at point: Point) -> [Effect] {
    let layout = ScreenLayout(self)
    if let top = topScreen {
      run(ScreenOperations.Click(point: point, area: layout.body), on: top.id)
      return []
    }
    if layout.catalog.contains(point) {
      focus = .catalog
      run(ScreenOperations.Click(point: point, area: layout.catalog), on: .catalog)
      return []
    }
    if layout.bar.contains(point) { return beginBar(.filter) }
    if layout.editor.contains(point) {
      focus = .editor
      run(ScreenOperations.Click(point: point, area: layout.editor), on: .editor)
      return []
    }
    if layout.results.contains(point) { return moveResult(by: 1) }
    if layout.grid.contains(point) { return pressGrid(at: point, area: layout.grid) }
    return []
  }

  /// Sorts by the column whose header is at a point.
  private mutating func sort(at point: Point, isFurther: Bool) -> [Effect] {
    let layout = ScreenLayout(self)
    guard overlays.isEmpty, layout.grid.contains(point), let place = grid?.place(at: point, area: layout.grid), place.row == nil else { return [] }
    focus = .grid
    grid?.column = place.column
    return sortColumn(isFurther: isFurther)
  }

  private mutating func pressGrid(at point: Point, area: Rect) -> [Effect] {
    focus = .grid
    catalog.isTyping = false
    guard let grid, let place = grid.place(at: point, area: area) else { return [] }
    let wasCurrent = grid.row == place.row && grid.column == place.column
    self.grid?.selection = nil
    self.grid?.column = place.column
    guard let row = place.row else {
      pressedHeader = place.column
      return []
    }
    if wasCurrent { return perform(.openRecord, count: nil) }
    return changeGrid { $0.moveToRow(index: row) }
  }

  /// Sorts by the header on which the button was pressed and released: one that was dragged meanwhile is not clicked.
  private mutating func release(at point: Point) -> [Effect] {
    guard let column = pressedHeader else { return [] }
    pressedHeader = nil
    guard let place = grid?.place(at: point, area: ScreenLayout(self).grid), place.row == nil, place.column == column else { return [] }
    return sort(at: point, isFurther: false)
  }

  /// Selects the cells between the press and the mouse.
  private mutating func drag(to point: Point) -> [Effect] {
    let layout = ScreenLayout(self)
    guard overlays.isEmpty, focus == .grid, layout.grid.contains(point), let place = grid?.place(at: point, area: layout.grid),
      let row = place.row
    else { return [] }
    return changeGrid { grid in
      guard row != grid.row || place.column != grid.column else { return [] }
      grid.startSelection()
      grid.column = place.column
      return grid.moveToRow(index: row)
    }
  }
}
