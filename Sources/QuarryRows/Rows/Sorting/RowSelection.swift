/// A row read for sorting, with the run that contains its key.
struct SortedRow {
  var run: SortedRun
  var entry: SortedRun.Entry

  var id: Int64 { run.id(of: entry) }

  func precedes(_ other: SortedRow) -> Bool {
    run.precedes(entry, other.run, other.entry)
  }
}

/// The rows of an order that are needed first, selected while all rows are read.
struct RowSelection {
  /// The first and last rows of the order.
  private var head: Nearest
  private var tail: Nearest
  /// The rows next to the focused row, on either side.
  private var before: Nearest
  private var after: Nearest
  private let focus: SortedRow?
  private let focusPrefix: UInt64?
  /// The number of rows before the focused one.
  private var preceding = 0
  /// The number of all rows.
  private(set) var total = 0

  /// Creates an empty selection.
  ///
  /// - Parameters:
  ///   - focus: The row whose neighbors are selected; nil for none.
  ///   - reach: The number of rows to select at the start, at the end, and on either side of the focused row.
  init(around focus: SortedRow?, reach: Int) {
    self.focus = focus
    focusPrefix = focus?.entry.prefix
    head = Nearest(limit: reach, isReversed: false)
    tail = Nearest(limit: reach, isReversed: true)
    before = Nearest(limit: reach, isReversed: true)
    after = Nearest(limit: reach, isReversed: false)
  }

  /// The same selection without any rows.
  var emptied: RowSelection { RowSelection(around: focus, reach: head.limit) }

  /// Selects a row of a run if it is needed first.
  @inline(__always)
  mutating func offer(_ entry: SortedRun.Entry, of run: SortedRun) {
    total += 1
    if head.mayTake(entry) { head.offer(entry, of: run) }
    if tail.mayTake(entry) { tail.offer(entry, of: run) }
    guard let focusPrefix else { return }
    // The first eight bytes nearly always suffice.
    if entry.prefix != focusPrefix ? entry.prefix < focusPrefix : precedesFocus(entry, of: run) {
      preceding += 1
      if before.mayTake(entry) { before.offer(entry, of: run) }
    } else if after.mayTake(entry), run.id(of: entry) != focus?.id {
      after.offer(entry, of: run)
    }
  }

  private func precedesFocus(_ entry: SortedRun.Entry, of run: SortedRun) -> Bool {
    focus.map { run.precedes(entry, $0.run, $0.entry) } ?? false
  }

  /// Adds the selection from other runs.
  mutating func join(_ other: RowSelection) {
    total += other.total
    preceding += other.preceding
    head.join(other.head)
    tail.join(other.tail)
    before.join(other.before)
    after.join(other.after)
  }

  /// The selected rows with their numbers.
  var excerpts: [RowExcerpt] {
    let end = tail.rows.reversed().map(\.id)
    let ends = [RowExcerpt(first: 0, ids: head.rows.map(\.id)), RowExcerpt(first: total - end.count, ids: end)]
    guard let focus else { return ends }
    let ahead = before.rows.reversed().map(\.id)
    return ends + [RowExcerpt(first: preceding - ahead.count, ids: ahead + [focus.id] + after.rows.map(\.id))]
  }
}

/// The first (or last) of the rows offered to it.
private struct Nearest {
  let limit: Int
  private let isReversed: Bool
  /// The candidates in no order, up to twice as many as needed.
  private var candidates: [SortedRow] = []
  /// The last needed row, once there are enough; rows after it are not selected.
  private var bound: SortedRow?
  /// Its first bytes; until then a value that admits every key.
  private var boundPrefix: UInt64

  init(limit: Int, isReversed: Bool) {
    self.limit = limit
    self.isReversed = isReversed
    boundPrefix = isReversed ? 0 : .max
  }

  /// Returns whether a row may be needed, by the first bytes of its key.
  @inline(__always)
  func mayTake(_ entry: SortedRun.Entry) -> Bool {
    isReversed ? entry.prefix >= boundPrefix : entry.prefix <= boundPrefix
  }

  /// The rows, nearest first.
  var rows: ArraySlice<SortedRow> {
    candidates.sorted { comes($0, before: $1) }.prefix(limit)
  }

  mutating func offer(_ entry: SortedRun.Entry, of run: SortedRun) {
    let row = SortedRow(run: run, entry: entry)
    if let bound, !comes(row, before: bound) { return }
    candidates.append(row)
    if candidates.count == 2 * limit { prune() }
  }

  mutating func join(_ other: Nearest) {
    for row in other.candidates { offer(row.entry, of: row.run) }
  }

  private mutating func prune() {
    candidates = Array(rows)
    bound = candidates.last
    boundPrefix = bound?.entry.prefix ?? boundPrefix
  }

  private func comes(_ first: SortedRow, before second: SortedRow) -> Bool {
    isReversed ? second.precedes(first) : first.precedes(second)
  }
}
