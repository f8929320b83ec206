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
      return overlays.isEmpty ? changeGrid { $0.perform(step < 0 ? .moveLeft : .moveRight, count: 1) } : []
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
    switch overlays.last {
    case .record(var screen):
      screen.scroll(by: count)
      overlays[overlays.count - 1] = .record(screen)
    case .details(var screen):
      screen.scroll(by: count)
      overlays[overlays.count - 1] = .details(screen)
    case .picker, .themes:
      return performInPicker(count > 0 ? .moveDown : .moveUp)
    case .form: break
    case nil where layout.catalog.contains(point): catalog.scroll(by: count)
    case nil where layout.editor.contains(point): sql.editor.scroll(by: count)
    case nil: return changeGrid { $0.scrollRows(by: count) }
    }
    return []
  }

  private mutating func press(at point: Point) -> [Effect] {
    let layout = ScreenLayout(self)
    if let overlay = overlays.last { return press(at: point, on: overlay, layout: layout) }
    if layout.catalog.contains(point) { return pressCatalog(at: point, area: layout.catalog) }
    if layout.bar.contains(point) { return beginBar(.filter) }
    if layout.editor.contains(point) {
      focus = .editor
      sql.completions = nil
      sql.editor.moveCaret(to: point, area: layout.editor)
      return []
    }
    if layout.results.contains(point) { return moveResult(by: 1) }
    if layout.grid.contains(point) { return pressGrid(at: point, area: layout.grid) }
    return []
  }

  private mutating func pressCatalog(at point: Point, area: Rect) -> [Effect] {
    focus = .catalog
    let index = catalog.top + point.row - area.row - (catalog.filter == nil ? 0 : 1)
    guard catalog.lines.indices.contains(index) else { return [] }
    let wasCurrent = catalog.cursor == index
    catalog.select(index)
    if catalog.currentTable == nil { return openCurrent() }
    // The first click shows the table, the second turns to it.
    let effects = openCurrent()
    if !wasCurrent { focus = .catalog }
    return effects
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

  private mutating func press(at point: Point, on overlay: Overlay, layout: ScreenLayout) -> [Effect] {
    switch overlay {
    case .record(var screen):
      guard let field = screen.field(at: point, area: layout.body) else { return [] }
      screen.selectField(field)
      overlays[overlays.count - 1] = .record(screen)
    case .details: break
    case .form(var form):
      if let field = form.field(at: point, area: layout.body) { form.select(field) }
      overlays[overlays.count - 1] = .form(form)
    case .picker(var picker), .themes(var picker, _):
      guard let index = picker.index(at: point, area: layout.body) else {
        closeOverlay()
        return []
      }
      picker.select(index)
      overlays[overlays.count - 1] = overlay.replacing(picker)
      return acceptItem(of: picker)
    }
    return []
  }
}
