import QuarryEngine
import Terminal

extension Browser {
  mutating func showReferringRows() -> [Effect] {
    guard let grid, case .table(let table) = grid.rowSet.source else { return [] }
    return [.loadReferences(grid.id, table)]
  }
}

extension GridPane {
  /// The rows that a page moves by: one stays in sight.
  var pageRows: Int { max(1, extent.rows - 1) }

  mutating func moveToPercent(_ percent: Int) -> [Effect] {
    guard let total, total.value > 0 else { return [] }
    let (product, overflows) = total.value.multipliedReportingOverflow(by: min(percent, 100))
    return moveToRow(number: min(overflows ? total.value : product / 100, total.value - 1))
  }

  mutating func hideColumn() {
    let shown = layout.shown
    guard let place = shown.firstIndex(of: column), layout.hide(column) else { return }
    column = place + 1 < shown.count ? shown[place + 1] : shown[place - 1]
  }
}
