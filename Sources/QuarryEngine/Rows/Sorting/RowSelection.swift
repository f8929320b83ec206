/// A row that was read to be sorted, with the run that keeps its key.
struct SortedRow {
  var run: SortedRun
  var entry: SortedRun.Entry

  var id: Int64 { run.id(of: entry) }

  func precedes(_ other: SortedRow) -> Bool {
    run.precedes(entry, other.run, other.entry)
  }
}

/// The rows of an order that are looked at first, picked out of rows as they are read.
struct RowSelection {
  /// The first rows of the order, and the last.
  private var head: Nearest
  private var tail: Nearest
  /// The rows next to the one that is looked at, on either side.
  private var before: Nearest
  private var after: Nearest
  private let focus: SortedRow?
  private let focusPrefix: UInt64?
  /// The number of rows ahead of the one that is looked at.
  private var preceding = 0
  /// The number of all rows.
  private(set) var total = 0

  /// - Parameters:
  ///   - focus: the row that is looked at; nil for none.
  ///   - reach: how many rows are picked at the start, at the end, and on either side of that row.
  init(around focus: SortedRow?, reach: Int) {
    self.focus = focus
    focusPrefix = focus?.entry.prefix
    head = Nearest(limit: reach, isReversed: false)
    tail = Nearest(limit: reach, isReversed: true)
    before = Nearest(limit: reach, isReversed: true)
    after = Nearest(limit: reach, isReversed: false)
  }

  /// The same with nothing picked yet.
  var emptied: RowSelection { RowSelection(around: focus, reach: head.limit) }

  /// Picks a row of a run, or leaves it.
  @inline(__always)
  mutating func offer(_ entry: SortedRun.Entry, of run: SortedRun) {
    total += 1
    if head.mayTake(entry) { head.offer(entry, of: run) }
    if tail.mayTake(entry) { tail.offer(entry, of: run) }
    guard let focusPrefix else { return }
    // Eight bytes decide nearly always, at no cost.
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

  /// Takes what was picked from other runs.
  mutating func join(_ other: RowSelection) {
    total += other.total
    preceding += other.preceding
    head.join(other.head)
    tail.join(other.tail)
    before.join(other.before)
    after.join(other.after)
  }

  /// What was picked, with the numbers of the rows.
  var excerpts: [RowExcerpt] {
    let end = tail.rows.reversed().map(\.id)
    let ends = [RowExcerpt(first: 0, ids: head.rows.map(\.id)), RowExcerpt(first: total - end.count, ids: end)]
    guard let focus else { return ends }
    let ahead = before.rows.reversed().map(\.id)
    return ends + [RowExcerpt(first: preceding - ahead.count, ids: ahead + [focus.id] + after.rows.map(\.id))]
  }
}

/// The first (or last) of the rows that it is offered.
private struct Nearest {
  let limit: Int
  private let isReversed: Bool
  /// The rows that may be among the first, in no order: up to twice as many as are wanted.
  private var candidates: [SortedRow] = []
  /// The last of those wanted, when there were so many: what does not come before it is none.
  private var bound: SortedRow?
  /// Its first bytes; till then, what no key goes beyond.
  private var boundPrefix: UInt64

  init(limit: Int, isReversed: Bool) {
    self.limit = limit
    self.isReversed = isReversed
    boundPrefix = isReversed ? 0 : .max
  }

  /// Whether the first bytes of a key leave open that its row is one of those wanted.
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
