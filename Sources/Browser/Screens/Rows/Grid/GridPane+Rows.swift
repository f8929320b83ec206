package import QuarryRows

extension GridPane {
  /// Receives rows; an answer to any request but the last is dropped.
  mutating func receive(_ rows: ArrivedRows, for request: PageRequest) -> [GridRequest] {
    guard let target = reading.end(request) else { return [] }
    let page = rows.page
    switch target {
    case .join: join(page, at: request.position)
    // The cursor has moved beyond the requested rows.
    case .same where mayResume(request, past: page): return refresh()
    // The rows near the position have been deleted meanwhile.
    case _ where page.isBesideRows && request.position != .first: return self.request(.first, target: .top)
    default: replace(with: rows, target: target)
    }
    learnTotal()
    let movement = reading.movement
    reading.movement = 0
    if movement != 0 {
      let demands = resume(movement)
      if pending != nil { return demands }
    }
    return freshness.isStale ? refreshInPlace() : prefetch() + locate() + reachNumber()
  }

  /// Moves the cursor by rows that had not arrived before; an estimated number then belongs to the row reached.
  private mutating func resume(_ movement: Int) -> [GridRequest] {
    let before = row
    let demands = moveRows(by: movement)
    if var estimate = reading.estimate, let key = currentRow?.key {
      estimate.number += row - before
      estimate.key = key
      reading.estimate = estimate
    }
    return demands
  }

  /// Receives the number of a row, as far as it is known.
  mutating func receive(_ number: RowNumber, of key: RowKey) -> [GridRequest] {
    window.learn(number, of: key)
    return reachNumber()
  }

  /// Moves on to the row of the requested number, once exact numbers replace an estimate.
  private mutating func reachNumber() -> [GridRequest] {
    guard let estimate = reading.estimate else { return [] }
    guard currentRow?.key == estimate.key else {
      reading.estimate = nil
      return []
    }
    guard pending?.target != .same, reading.movement == 0, !freshness.isStale, case .exact(let number)? = window.number(at: row) else {
      return []
    }
    reading.estimate = nil
    return number == estimate.number ? [] : moveToRow(number: estimate.number)
  }

  /// Requests the number of the first row if it is unknown but can be determined.
  private func locate() -> [GridRequest] {
    guard total?.isExact == true, let key = window.rows.first?.key, window.number(at: 0)?.isExact != true else { return [] }
    return [.number(key)]
  }

  private func mayResume(_ request: PageRequest, past page: RowPage) -> Bool {
    guard let key = currentRow?.key, case .from(let asked) = request.position, key != asked else { return false }
    return !page.rows.contains { $0.key == key }
  }

  private mutating func join(_ page: RowPage, at position: PageRequest.Position) {
    switch position {
    case .after(let key):
      if window.append(page, after: key) { trim() }
    case .before(let key):
      guard window.prepend(page, before: key) else { return }
      shift(by: page.rows.count)
      trim()
      revealRow()
    case .first, .last, .from, .number: break
    }
  }

  private mutating func replace(with rows: ArrivedRows, target: CursorTarget) {
    let offset = row - top
    let before = window
    let same = currentRow?.key
    let new = newRow
    window = GridWindow(rows.page)
    row = new.flatMap { index(ofNewRow: $0, at: target) } ?? index(of: target, same: same, place: rows.place)
    replaceAnchor(before: before, target: target)
    switch target {
    case .same: top = row - offset
    case .key(let key) where before.index(of: key) != nil: top = row - offset
    case .key, .number: top = row - extent.rows / 2
    case .join, .top, .bottom: break
    }
    top = min(max(0, top), max(0, rowCount - extent.rows))
    revealCursor()
    if case .number(let number) = target, let key = currentRow?.key {
      reading.estimate = window.number(at: row)?.isExact == true ? nil : EstimatedRow(number: number, key: key)
    }
  }

  /// Returns the index of the cursor's target in the window.
  ///
  /// - Parameters:
  ///   - same: The row that the cursor was on.
  ///   - place: The index of the row that follows the named one if that is gone.
  private func index(of target: CursorTarget, same: RowKey?, place: Int) -> Int {
    let last = max(0, window.rows.count - 1)
    switch target {
    case .join, .top: return 0
    case .bottom: return max(0, rowCount - 1)
    case .key(let key): return window.index(of: key) ?? min(place, last)
    case .same: return same.flatMap(window.index(of:)) ?? min(place, last)
    case .number(let number): return min(max(0, number - (window.number(at: 0)?.value ?? 0)), last)
    }
  }

  /// Drops rows far from the visible ones, so that memory use does not grow with the distance scrolled.
  private mutating func trim() {
    let margin = 6 * max(20, extent.rows)
    guard window.rows.count > 4 * margin else { return }
    let start = max(0, top - margin)
    window.keep(start..<min(window.rows.count, top + margin))
    shift(by: -start)
  }

  private mutating func shift(by count: Int) {
    top += count
    row += count
    selection?.anchorRow += count
  }

  private mutating func learnTotal() {
    if case .exact(let total)? = total {
      // A window that is being reread may be outdated.
      if pending?.target != .same, !freshness.isStale { window.learn(total: total) }
      return
    }
    guard case .exact(let end)? = window.number(at: window.rows.count) else { return }
    tally.learn(end: end, isEnd: window.reachesEnd)
  }

  /// Receives what is known of the number of rows.
  mutating func receive(total number: RowNumber, isFinal: Bool) -> [GridRequest] {
    guard tally.receive(number, isFinal: isFinal) else { return [] }
    learnTotal()
    // The rows read meanwhile came from the former order.
    if isFinal, !order.isEmpty, freshness.isOrderStale {
      freshness.isOrderStale = false
      return refreshInPlace()
    }
    return isFinal ? locate() + reachNumber() : []
  }

  /// Keeps the anchor of a selection on its row when other rows replace the window.
  private mutating func replaceAnchor(before: GridWindow, target: CursorTarget) {
    guard var selection else { return }
    let far = 1 << 40
    if let index = window.index(of: selection.anchor) {
      selection.anchorRow = index
    } else {
      switch target {
      case .bottom: selection.anchorRow = -far
      case .top: selection.anchorRow = far
      case .number(let number): selection.anchorRow = (before.number(at: selection.anchorRow)?.value ?? 0) < number ? -far : far
      case .key, .join, .same: break
      }
    }
    self.selection = selection
  }
}

extension RowPage {
  /// Whether the page has no rows although the set has some.
  fileprivate var isBesideRows: Bool { rows.isEmpty && !(reachesStart && reachesEnd) }
}

/// A read that a grid requests after a change; the pane of rows issues it.
package enum GridRequest: Hashable, Sendable {
  case page(PageRequest)
  /// The rows from one on, and `before` rows ahead of it.
  case around(RowKey, before: Int, limit: Int)
  /// The number of a row.
  case number(RowKey)
}
