import QuarryEngine
import Terminal

/// What the mouse does among the rows.
extension RowsScreen {
  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let layout = RowsLayout(area, context.environment)
    if layout.bar.contains(point) {
      if let obstacle = context.environment.needsFilters { return context.notify(obstacle) }
      return beginBar(.filter, &context)
    }
    if layout.results.contains(point) { return moveResult(by: 1, &context) }
    context.focus(.rows)
    pressedHeader = nil
    guard layout.grid.contains(point), let grid = context.grid, let place = grid.place(at: point, area: layout.grid) else { return }
    let wasCurrent = grid.row == place.row && grid.column == place.column
    context.workspace.changeGrid { grid in
      grid.selection = nil
      grid.column = place.column
    }
    guard let row = place.row else { return pressedHeader = place.column }
    if wasCurrent { return openRecord(&context) }
    change(&context) { $0.moveToRow(index: row) }
  }

  /// Sorts by the column whose header is at a point, after the columns that the rows are sorted by already.
  mutating func clickRight(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    sort(at: point, area: area, isFurther: true, &context)
  }

  private mutating func sort(at point: Point, area: Rect, isFurther: Bool, _ context: inout ScreenContext<Self>) {
    guard let column = header(at: point, area: area, context.environment) else { return }
    context.focus(.rows)
    context.workspace.changeGrid { $0.column = column }
    sortColumn(isFurther: isFurther, &context)
  }

  /// Returns the column whose header is at a point; nil where none is.
  private func header(at point: Point, area: Rect, _ environment: ScreenEnvironment) -> Int? {
    let area = RowsLayout(area, environment).grid
    guard area.contains(point), let place = environment.grid?.place(at: point, area: area), place.row == nil else { return nil }
    return place.column
  }

  /// Sorts by the header on which the button was pressed and released: one that was dragged meanwhile is not clicked.
  mutating func release(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    guard let column = pressedHeader else { return }
    pressedHeader = nil
    if header(at: point, area: area, context.environment) == column { sort(at: point, area: area, isFurther: false, &context) }
  }

  /// Selects the cells between the press and the mouse.
  mutating func drag(to point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    pressedHeader = nil
    let area = RowsLayout(area, context.environment).grid
    guard context.environment.focus == .rows, area.contains(point), let place = context.grid?.place(at: point, area: area),
      let row = place.row
    else { return }
    change(&context) { grid in
      guard row != grid.row || place.column != grid.column else { return [] }
      grid.startSelection()
      grid.column = place.column
      return grid.moveToRow(index: row)
    }
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) {
    change(&context) { $0.scrollRows(by: rows) }
  }

  mutating func scrollColumns(by columns: Int, _ context: inout ScreenContext<Self>) {
    context.workspace.changeGrid { $0.moveColumns(by: columns) }
  }
}
