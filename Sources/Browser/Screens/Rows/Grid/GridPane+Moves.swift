import QuarryEngine
import QuarryRows

extension GridPane {
  /// Moves the cursor by rows.
  ///
  /// A move beyond the loaded rows waits until they arrive, as does any move while the cursor is on its
  /// way to other rows.
  package mutating func moveRows(by count: Int) -> [GridRequest] {
    guard rowCount > 0 else { return [] }
    cursorPath.placement = .hand
    if let target = pending?.target, target.isElsewhere {
      postpone(count, from: target)
      return []
    }
    let wanted = row + reading.movement + count
    let reachable = min(max(wanted, 0), rowCount - 1)
    row = reachable
    reading.movement = isBounded(wanted) ? 0 : wanted - reachable
    revealCursor()
    return prefetch()
  }

  /// Adds a move from the cursor's target, within the first and the last row.
  private mutating func postpone(_ count: Int, from target: CursorTarget) {
    reading.movement = min(max(reading.movement + count, -Self.farthest), Self.farthest)
    switch target {
    case .top: reading.movement = max(0, reading.movement)
    case .bottom: reading.movement = min(0, reading.movement)
    case .join, .same, .number, .key: break
    }
  }

  /// More rows than any table has.
  private static let farthest = 1 << 52

  /// Returns whether the set ends before `wanted`, so that no move has to wait.
  private func isBounded(_ wanted: Int) -> Bool {
    (wanted < 0 && window.reachesStart) || (wanted >= window.rows.count && window.reachesEnd) || window.rows.indices.contains(wanted)
  }

  /// Scrolls by rows; moves the cursor only if it would no longer be visible.
  mutating func scrollRows(by count: Int) -> [GridRequest] {
    let last = max(0, rowCount - extent.rows)
    let before = row
    top = min(max(top + count, 0), last)
    defer { if row != before { cursorPath.placement = .hand } }
    row = min(max(row, top), max(top, min(top + extent.rows, rowCount) - 1))
    return prefetch()
  }

  mutating func moveColumns(by count: Int) {
    let shown = layout.shown
    guard let position = shown.firstIndex(of: column) ?? shown.indices.first else { return }
    column = shown[min(max(position + count, 0), shown.count - 1)]
    revealCursor()
  }

  mutating func moveToTop() -> [GridRequest] {
    leaveRow()
    // Sorting moves to the top as well.
    cursorPath.placement = .opening
    return window.reachesStart ? jump(toIndex: 0) : request(.first, target: .top)
  }

  mutating func moveToBottom() -> [GridRequest] {
    leaveRow()
    return window.reachesEnd ? jump(toIndex: rowCount - 1) : request(.last, target: .bottom)
  }

  /// Moves to the row with a number, from 0.
  mutating func moveToRow(number: Int) -> [GridRequest] {
    let number = max(0, number)
    leaveRow()
    if case .exact(let first)? = window.number(at: 0), window.rows.indices.contains(number - first) { return jump(toIndex: number - first) }
    // The other groups have not been read.
    if partial != nil { return jump(toIndex: rowCount - 1) }
    return request(.number(max(0, number - extent.rows / 2)), target: .number(number))
  }

  /// Moves to either end, or to the row with a number.
  mutating func move(_ move: FarMove) -> [GridRequest] {
    switch move {
    case .top: moveToTop()
    case .bottom: moveToBottom()
    case .number(let number): moveToRow(number: number)
    }
  }

  /// Returns how many rows there are, where that is known to be too few for a row of this number, from 0.
  func sentence(onNumber number: Int) -> String? {
    guard case .exact(let count)? = total, number >= count else { return nil }
    return count == 0 ? "there are no rows" : "the last row is \(Plural.grouped(count))"
  }

  /// Moves to a visible row by its index in the window.
  package mutating func moveToRow(index: Int) -> [GridRequest] {
    cursorPath.placement = .hand
    return jump(toIndex: index)
  }

  /// Moves to the row with a key, immediately if it is loaded.
  mutating func moveToRow(_ key: RowKey) -> [GridRequest] {
    leaveRow()
    if let index = window.index(of: key) { return jump(toIndex: index) }
    reading.movement = 0
    reading.begin(PageRequest(.from(key), limit: pageLimit), target: .key(key))
    return [.around(key, before: extent.rows / 2, limit: pageLimit)]
  }

  /// Moves back to the row before the last far move; the next time to the present one.
  mutating func moveToFormerRow() -> [GridRequest] {
    cursorPath.former.map { moveToRow($0) } ?? []
  }

  /// Remembers the row that the cursor leaves.
  private mutating func leaveRow() {
    cursorPath.placement = .hand
    cursorPath.former = currentRow?.key
  }

  /// Inherits, from the view that these rows replace, how the cursor came to its row.
  ///
  /// - Parameter isKept: Whether the cursor is still on its row.
  mutating func inheritPlacement(of before: GridPane, isKept: Bool) {
    if isKept {
      cursorPath = before.cursorPath
    } else {
      cursorPath.placement = .sorting
      // Of several sorts in succession, the first has moved the cursor off its row.
      cursorPath.former = before.cursorPath.placement == .sorting ? before.cursorPath.former : before.currentRow?.key
    }
  }

  /// Moves where another view of the same rows was to move, or has moved since it was on a row.
  mutating func follow(_ other: GridPane, from key: RowKey?) -> [GridRequest] {
    switch other.pending?.target {
    case .top: return moveToTop() + moveRows(by: other.reading.movement)
    case .bottom: return moveToBottom() + moveRows(by: other.reading.movement)
    case .number(let number): return moveToRow(number: number) + moveRows(by: other.reading.movement)
    case .key(let key): return moveToRow(key) + moveRows(by: other.reading.movement)
    case .join, .same, nil: break
    }
    guard !isSnapshot, let now = other.currentRow?.key, now != key else { return prefetch() }
    return moveToRow(now)
  }

  private mutating func jump(toIndex index: Int) -> [GridRequest] {
    // A former request targets another row: its answer must not move the cursor.
    reading.dropJump()
    row = min(max(index, 0), max(0, rowCount - 1))
    revealCursor()
    return prefetch()
  }

  /// Rereads the visible rows as soon as no other request is running.
  mutating func refreshInPlace() -> [GridRequest] {
    freshness.isStale = pending != nil
    return freshness.isStale ? [] : refresh()
  }

  /// Rereads the visible rows.
  mutating func refresh() -> [GridRequest] {
    guard let key = currentRow?.key ?? (newRow == nil ? nil : window.rows.last?.key) else { return request(.first, target: .top) }
    reading.begin(PageRequest(.from(key), limit: pageLimit), target: .same)
    return [.around(key, before: row - top, limit: pageLimit)]
  }

  mutating func request(_ position: PageRequest.Position, target: CursorTarget) -> [GridRequest] {
    reading.movement = 0
    let request = PageRequest(position, limit: pageLimit)
    reading.begin(request, target: target)
    return [.page(request)]
  }

  /// The number of rows to request: two screens, and the rows that pending moves need.
  var pageLimit: Int { min(5_000, max(50, 2 * extent.rows + abs(reading.movement))) }

  /// Requests the rows that will be needed next, unless some are on their way.
  mutating func prefetch() -> [GridRequest] {
    guard pending == nil, let first = window.rows.first, let last = window.rows.last else { return [] }
    let below = rowCount - (top + extent.rows)
    if !window.reachesEnd, below < extent.rows, reading.movement >= 0 { return join(.after(last.key)) }
    if !window.reachesStart, top < extent.rows || reading.movement < 0 { return join(.before(first.key)) }
    return []
  }

  private mutating func join(_ position: PageRequest.Position) -> [GridRequest] {
    let request = PageRequest(position, limit: pageLimit)
    reading.begin(request, target: .join)
    return [.page(request)]
  }

  /// Drops the pending requests, whose answers will be ignored.
  mutating func dropRequests() {
    reading.drop()
    tally.end()
    lens?.dropRequests()
  }

  /// Scrolls so that the cursor's row is in the middle.
  mutating func centerCursor() {
    top = min(max(0, row - extent.rows / 2), max(0, rowCount - extent.rows))
    revealCursor()
  }

  /// Scrolls rows and columns so that the cursor is visible.
  mutating func revealCursor() {
    revealRow()
    if !columns.isEmpty { layout.reveal(column, width: extent.columns) }
  }

  /// Scrolls rows so that the cursor is visible, and the last row at the bottom as long as there are rows above.
  mutating func revealRow() {
    top = min(top, row)
    top = max(top, row - extent.rows + 1)
    top = min(max(0, top), max(0, rowCount - (window.reachesEnd ? extent.rows : 1)))
  }

  /// Scrolls so that another column and that of the cursor are visible, as far as there is room for both.
  mutating func reveal(column other: Int) {
    layout.reveal(other, width: extent.columns)
    revealCursor()
  }

  /// Moves the cursor to a column and makes it visible; does nothing if there is no such column.
  mutating func moveToColumn(named name: String) {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return }
    layout.show(index)
    column = index
    revealCursor()
  }

  /// The number of rows that a page move covers; one row stays visible.
  var pageRows: Int { max(1, extent.rows - 1) }

  mutating func moveToPercent(_ percent: Int) -> [GridRequest] {
    guard let total, total.value > 0 else { return [] }
    let (product, overflows) = total.value.multipliedReportingOverflow(by: min(percent, 100))
    return moveToRow(number: min(overflows ? total.value : product / 100, total.value - 1))
  }

  mutating func hideColumn() {
    let shown = layout.shown
    guard let position = shown.firstIndex(of: column), layout.hide(column) else { return }
    column = position + 1 < shown.count ? shown[position + 1] : shown[position - 1]
  }
}
