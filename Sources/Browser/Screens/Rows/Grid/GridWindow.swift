package import QuarryRows

/// The rows that a grid has loaded: the visible rows, and some on either side.
package struct GridWindow: Hashable, Sendable {
  package private(set) var rows: [WindowRow] = []
  private(set) var reachesStart = true
  package private(set) var reachesEnd = true
  private var firstNumber: RowNumber?

  init() {}

  init(_ page: RowPage) {
    rows = page.rows
    reachesStart = page.reachesStart
    reachesEnd = page.reachesEnd
    firstNumber = page.reachesStart ? .exact(0) : page.firstNumber
  }

  /// Returns the number of the row at `index`, from 0, as far as it is known.
  package func number(at index: Int) -> RowNumber? {
    switch firstNumber {
    case .exact(let first): .exact(first + index)
    case .atLeast(let first): .atLeast(first + index)
    case .estimated(let first): .estimated(first + index)
    case nil: nil
    }
  }

  func index(of key: RowKey) -> Int? {
    rows.firstIndex { $0.key == key }
  }

  /// Records the number of one of its rows.
  mutating func learn(_ number: RowNumber, of key: RowKey) {
    guard let index = index(of: key), !(firstNumber?.isExact ?? false) else { return }
    let first = max(0, number.value - index)
    firstNumber = number.isExact ? .exact(first) : .estimated(first)
  }

  /// Records the number of all rows, which numbers the rows where the last of them is loaded.
  mutating func learn(total: Int) {
    if reachesEnd { firstNumber = .exact(max(0, total - rows.count)) }
  }

  /// Replaces rows by those with the same keys, and adds the other ones at the end.
  mutating func update(_ later: [WindowRow]) {
    let places = Dictionary(rows.indices.map { (rows[$0].key, $0) }) { first, _ in first }
    for row in later {
      if let place = places[row.key] { rows[place] = row } else { rows.append(row) }
    }
  }

  /// Adds the rows that follow; returns false for a page that does not adjoin.
  mutating func append(_ page: RowPage, after key: RowKey) -> Bool {
    guard rows.last?.key == key else { return false }
    rows += page.rows
    reachesEnd = page.reachesEnd
    return true
  }

  /// Adds the rows that precede; returns false for a page that does not adjoin.
  mutating func prepend(_ page: RowPage, before key: RowKey) -> Bool {
    guard rows.first?.key == key else { return false }
    rows.insert(contentsOf: page.rows, at: 0)
    reachesStart = page.reachesStart
    firstNumber = reachesStart ? .exact(0) : shifted(by: -page.rows.count)
    return true
  }

  /// Drops the rows outside of `range`; indexes then count from its start.
  mutating func keep(_ range: Range<Int>) {
    let kept = range.clamped(to: 0..<rows.count)
    if kept.upperBound < rows.count { reachesEnd = false }
    if kept.lowerBound > 0 {
      firstNumber = shifted(by: kept.lowerBound)
      reachesStart = false
    }
    rows = Array(rows[kept])
  }

  private func shifted(by count: Int) -> RowNumber? {
    guard let number = number(at: count) else { return nil }
    return number.value < 0 ? .estimated(0) : number
  }
}
