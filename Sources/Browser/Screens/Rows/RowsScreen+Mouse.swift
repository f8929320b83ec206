import QuarryRows
import Terminal

/// Mouse events in the rows.
extension RowsScreen {
  mutating func click(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    let layout = RowsLayout(area, filter, context.environment)
    if layout.bar.contains(point) {
      if let obstacle = context.environment.needsFilters { return context.notify(obstacle) }
      return beginBar(.filter, &context)
    }
    if layout.results.contains(point) { return moveResult(by: 1, &context) }
    context.focus(.rows)
    pressedHeader = nil
    guard layout.grid.contains(point), let grid = context.grid, let cell = grid.cell(at: point, area: layout.grid) else { return }
    let wasCurrent = grid.row == cell.row && grid.column == cell.column
    context.workspace.changeGrid { grid in
      grid.selection = nil
      grid.column = cell.column
    }
    guard let row = cell.row else { return pressedHeader = cell.column }
    if wasCurrent, refusesPartialGroups(&context) { return }
    if wasCurrent { return context.send(RecordIntent.showCurrentRow) }
    change(&context) { $0.moveToRow(index: row) }
  }

  /// Adds the column whose header is at a point to the sort keys.
  mutating func clickRight(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    sort(at: point, area: area, isFurther: true, &context)
  }

  private mutating func sort(at point: Point, area: Rect, isFurther: Bool, _ context: inout ScreenContext<Self>) {
    guard let column = header(at: point, area: area, context.environment) else { return }
    context.focus(.rows)
    if refusesPartialGroups(&context) { return }
    context.workspace.changeGrid { $0.column = column }
    sortColumn(isFurther: isFurther, &context)
  }

  /// Returns the column whose header is at a point; nil for none.
  private func header(at point: Point, area: Rect, _ environment: ScreenEnvironment) -> Int? {
    let area = RowsLayout(area, filter, environment).grid
    guard area.contains(point), let cell = environment.grid?.cell(at: point, area: area), cell.row == nil else { return nil }
    return cell.column
  }

  /// Sorts by a header if the button was both pressed and released on it, without a drag in between.
  mutating func release(at point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    guard let column = pressedHeader else { return }
    pressedHeader = nil
    if header(at: point, area: area, context.environment) == column { sort(at: point, area: area, isFurther: false, &context) }
  }

  /// Selects the cells between the press and the pointer.
  mutating func drag(to point: Point, area: Rect, _ context: inout ScreenContext<Self>) {
    pressedHeader = nil
    let area = RowsLayout(area, filter, context.environment).grid
    guard context.environment.focus == .rows, area.contains(point), let cell = context.grid?.cell(at: point, area: area),
      let row = cell.row, context.grid?.partial == nil
    else { return }
    change(&context) { grid in
      guard row != grid.row || cell.column != grid.column else { return [] }
      grid.startSelection()
      grid.column = cell.column
      return grid.moveToRow(index: row)
    }
  }

  /// Reports why what was clicked is not available in partial groups; returns false in other rows.
  private func refusesPartialGroups(_ context: inout ScreenContext<Self>) -> Bool {
    guard let obstacle = context.environment.needsFinalRows else { return false }
    context.notify(obstacle)
    return true
  }

  mutating func scroll(by rows: Int, _ context: inout ScreenContext<Self>) {
    change(&context) { $0.scrollRows(by: rows) }
  }

  mutating func scrollColumns(by columns: Int, _ context: inout ScreenContext<Self>) {
    context.workspace.changeGrid { $0.moveColumns(by: columns) }
  }
}
