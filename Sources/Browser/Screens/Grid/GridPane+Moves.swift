import QuarryEngine

extension GridPane {
  /// Moves the cursor by rows; what lies beyond the rows at hand waits until they arrive, as does all of it while the cursor is on its way
  /// to others.
  mutating func moveRows(by count: Int) -> [GridDemand] {
    guard !window.rows.isEmpty else { return [] }
    placement = .hand
    if let target = pending?.target, target.isElsewhere {
      postpone(count, from: target)
      return []
    }
    let wanted = row + pendingMovement + count
    let reachable = min(max(wanted, 0), window.rows.count - 1)
    row = reachable
    pendingMovement = isBounded(wanted) ? 0 : wanted - reachable
    revealCursor()
    return prefetch()
  }

  /// Adds a move from where the cursor is going: nothing lies above the first row nor below the last.
  private mutating func postpone(_ count: Int, from target: CursorTarget) {
    pendingMovement = min(max(pendingMovement + count, -Self.farthest), Self.farthest)
    switch target {
    case .top: pendingMovement = max(0, pendingMovement)
    case .bottom: pendingMovement = min(0, pendingMovement)
    case .join, .same, .number, .key: break
    }
  }

  /// Farther than any rows go.
  private static let farthest = 1 << 52

  /// Whether the set itself ends before `wanted`, so that no movement waits.
  private func isBounded(_ wanted: Int) -> Bool {
    (wanted < 0 && window.reachesStart) || (wanted >= window.rows.count && window.reachesEnd) || window.rows.indices.contains(wanted)
  }

  /// Scrolls by rows, and takes the cursor along only where it would leave the sight.
  mutating func scrollRows(by count: Int) -> [GridDemand] {
    let last = max(0, window.rows.count - extent.rows)
    let before = row
    top = min(max(top + count, 0), last)
    defer { if row != before { placement = .hand } }
    row = min(max(row, top), max(top, min(top + extent.rows, window.rows.count) - 1))
    return prefetch()
  }

  mutating func moveColumns(by count: Int) {
    let shown = layout.shown
    guard let place = shown.firstIndex(of: column) ?? shown.indices.first else { return }
    column = shown[min(max(place + count, 0), shown.count - 1)]
    revealCursor()
  }

  mutating func moveToTop() -> [GridDemand] {
    leaveRow()
    // The top is where sorting goes as well.
    placement = .opening
    return window.reachesStart ? jump(toIndex: 0) : request(.first, target: .top)
  }

  mutating func moveToBottom() -> [GridDemand] {
    leaveRow()
    return window.reachesEnd ? jump(toIndex: window.rows.count - 1) : request(.last, target: .bottom)
  }

  /// Goes to the row of a number, from 0.
  mutating func moveToRow(number: Int) -> [GridDemand] {
    let number = max(0, number)
    leaveRow()
    if case .exact(let first)? = window.number(at: 0), window.rows.indices.contains(number - first) { return jump(toIndex: number - first) }
    return request(.number(max(0, number - extent.rows / 2)), target: .number(number))
  }

  /// Returns how many rows there are, where they are known to be fewer than a row of this number, from 0, needs.
  func sentence(onNumber number: Int) -> String? {
    guard case .exact(let count)? = total, number >= count else { return nil }
    return count == 0 ? "there are no rows" : "the last row is \(Plural.grouped(count))"
  }

  /// Goes to a row in the window, which is in sight.
  mutating func moveToRow(index: Int) -> [GridDemand] {
    placement = .hand
    return jump(toIndex: index)
  }

  /// Goes to a row by its key: at once where it is at hand.
  mutating func moveToRow(_ key: RowKey) -> [GridDemand] {
    leaveRow()
    if let index = window.index(of: key) { return jump(toIndex: index) }
    pendingMovement = 0
    pending = PendingPage(request: PageRequest(.from(key), limit: pageLimit), target: .key(key))
    return [.around(key, before: extent.rows / 2, limit: pageLimit)]
  }

  /// Goes back to the row where the cursor was before it was taken far away; the next time to where it is now.
  mutating func moveToFormerRow() -> [GridDemand] {
    formerRow.map { moveToRow($0) } ?? []
  }

  /// Takes note of the row that the cursor is taken from.
  private mutating func leaveRow() {
    placement = .hand
    formerRow = currentRow?.key
  }

  /// Takes over from the view that these rows are shown instead of what has put the cursor on its row.
  ///
  /// - Parameter isKept: Whether the cursor has stayed on its row.
  mutating func takePlacement(of before: GridPane, isKept: Bool) {
    if isKept {
      (placement, formerRow) = (before.placement, before.formerRow)
    } else {
      placement = .sorting
      // Of several orders, one after the other, the first has taken the cursor from its row.
      formerRow = before.placement == .sorting ? before.formerRow : before.currentRow?.key
    }
  }

  /// Goes where another view of the same rows was to go, or has gone to since it stood on a row.
  mutating func follow(_ other: GridPane, from key: RowKey?) -> [GridDemand] {
    switch other.pending?.target {
    case .top: return moveToTop() + moveRows(by: other.pendingMovement)
    case .bottom: return moveToBottom() + moveRows(by: other.pendingMovement)
    case .number(let number): return moveToRow(number: number) + moveRows(by: other.pendingMovement)
    case .key(let key): return moveToRow(key) + moveRows(by: other.pendingMovement)
    case .join, .same, nil: break
    }
    guard !isSnapshot, let now = other.currentRow?.key, now != key else { return prefetch() }
    return moveToRow(now)
  }

  private mutating func jump(toIndex index: Int) -> [GridDemand] {
    pendingMovement = 0
    // What was asked for before goes elsewhere: its answer must not take the cursor along.
    if let pending, pending.target.isElsewhere { self.pending = nil }
    row = min(max(index, 0), max(0, window.rows.count - 1))
    revealCursor()
    return prefetch()
  }

  /// Reads the rows in sight again once no others are under way.
  mutating func refreshInPlace() -> [GridDemand] {
    isStale = pending != nil
    return isStale ? [] : refresh()
  }

  /// Reads the rows in sight again.
  mutating func refresh() -> [GridDemand] {
    guard let key = currentRow?.key else { return request(.first, target: .top) }
    pending = PendingPage(request: PageRequest(.from(key), limit: pageLimit), target: .same)
    return [.around(key, before: row - top, limit: pageLimit)]
  }

  private mutating func request(_ position: PageRequest.Position, target: CursorTarget) -> [GridDemand] {
    pendingMovement = 0
    let request = PageRequest(position, limit: pageLimit)
    pending = PendingPage(request: request, target: target)
    return [.page(request)]
  }

  /// As many rows as two screens hold, and those that movements wait for.
  var pageLimit: Int { min(5_000, max(50, 2 * extent.rows + abs(pendingMovement))) }

  /// Asks for the rows that will be needed next, unless rows are on their way.
  mutating func prefetch() -> [GridDemand] {
    guard pending == nil, let first = window.rows.first, let last = window.rows.last else { return [] }
    let below = window.rows.count - (top + extent.rows)
    if !window.reachesEnd, below < extent.rows, pendingMovement >= 0 { return join(.after(last.key)) }
    if !window.reachesStart, top < extent.rows || pendingMovement < 0 { return join(.before(first.key)) }
    return []
  }

  private mutating func join(_ position: PageRequest.Position) -> [GridDemand] {
    let request = PageRequest(position, limit: pageLimit)
    pending = PendingPage(request: request, target: .join)
    return [.page(request)]
  }

  /// Forgets what was asked for: its answers will not be taken.
  mutating func dropRequests() {
    pending = nil
    pendingMovement = 0
    isCounting = false
  }

  /// Scrolls so that the cursor's row is in the middle.
  mutating func centerCursor() {
    top = min(max(0, row - extent.rows / 2), max(0, window.rows.count - extent.rows))
    revealCursor()
  }

  /// Scrolls rows and columns so that the cursor is in sight.
  mutating func revealCursor() {
    top = min(top, row)
    top = max(top, row - extent.rows + 1)
    // Below the last row nothing is to be seen while there are rows above the first in sight.
    top = min(max(0, top), max(0, window.rows.count - (window.reachesEnd ? extent.rows : 1)))
    if !columns.isEmpty { layout.reveal(column, width: extent.columns) }
  }

  /// The rows that a page moves by: one stays in sight.
  var pageRows: Int { max(1, extent.rows - 1) }

  mutating func moveToPercent(_ percent: Int) -> [GridDemand] {
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
