import QuarryChanges
import QuarryEngine
package import QuarryRows

/// What the rows of a grid are, which does not change while it is shown.
struct GridSource: Hashable, Sendable {
  let rowSet: RowSet
  /// The table's name, or another title of the rows.
  let title: String
  /// The filter and the order, as they were written.
  let view: RowView
  /// The schema of the table or view; nil for a query.
  let schema: TableSchema?
  /// Whether the rows of a query can be changed in their table; nil for other rows.
  let origin: ResultEditability?
  let columns: [RowSetColumn]
  /// Whether the rows are a snapshot, which other programs' writes do not change.
  let isSnapshot: Bool
  /// The columns by their names in filters and orders.
  let filterColumns: FilterColumns
  /// The columns that the rows are sorted by, for the header's marks.
  let order: [OrderMark]
  /// The groups that the rows are; nil for other rows.
  var grouping: Grouping?
  /// How much has been read for the groups; nil if they are final.
  var partial: PartialGroups?
  /// Whether the rows are those of a group.
  var isOfGroup = false
  /// How long the statement in the editor took whose result this is; nil for other rows.
  var readingTime: Duration?

  init(_ rowSet: RowSet, title: String, _ opened: OpenedRows) {
    (self.rowSet, self.title, view, schema, origin) = (rowSet, title, opened.view, opened.schema, opened.origin)
    (columns, isSnapshot, filterColumns, order) = (opened.columns, opened.isSnapshot, opened.filterColumns, opened.order)
    partial = opened.partial
  }
}

/// How many rows a grid has, as far as it is known.
///
///     unknown ──▶ counted so far ──▶ exact ──noteChanges──▶ estimated ──▶ exact
package struct RowTally: Hashable, Sendable {
  /// The number of rows; nil before a count has begun.
  package private(set) var total: RowNumber?
  /// How many there were before a filter left some out; nil where that is not known.
  private(set) var unfiltered: RowNumber?
  package private(set) var isCounting = false

  /// Makes what is known of rows that are another view of those of a grid.
  init(replacing before: GridPane, by total: RowNumber?) {
    self.total = total
    unfiltered = before.view.filter.isBlank ? before.tally.total : before.tally.unfiltered
  }

  /// - Parameter total: The number of rows, where all have been read.
  package init(total: RowNumber?) { self.total = total }

  package mutating func begin() { isCounting = true }
  mutating func end() { isCounting = false }

  /// Takes what a count says.
  ///
  /// - Parameter isFinal: Whether the count has ended.
  /// - Returns: Whether it says more than was known: a former count is a better estimate than the rows found so far.
  package mutating func receive(_ number: RowNumber, isFinal: Bool) -> Bool {
    if isFinal { isCounting = false }
    switch total {
    case .exact where !number.isExact: return false
    case .estimated where !number.isExact && !isFinal: return false
    default: break
    }
    total = number
    return true
  }

  /// Records the number of the row after the last loaded one.
  ///
  /// - Parameter isEnd: Whether no rows follow the last loaded one.
  package mutating func learn(end: Int, isEnd: Bool) {
    if isEnd { total = .exact(end) }
    if case .atLeast(let count)? = total, count < end { total = .atLeast(end) }
  }

  /// Takes note that others have written: the number of rows may have changed.
  package mutating func noteChanges() {
    if case .exact(let count)? = total { total = .estimated(count) }
  }

  /// Takes note of rows that have come at the end, unless they are being counted.
  package mutating func add(_ rows: Int) {
    if case .estimated(let count)? = total, !isCounting { total = .estimated(count + rows) }
  }
}

/// How far a grid is up to date with external changes.
struct GridFreshness: Hashable, Sendable {
  /// Whether another program has written since the pending rows were requested.
  var isStale = false
  /// Whether sorted rows were read since the last write, while the new order is being made.
  var isOrderStale = false
  /// The number of file changes that the rows include.
  var fileChanges = 0
}

/// What was last searched for in a grid.
struct GridSearch: Hashable, Sendable {
  /// The text or value last searched for.
  var needle: Needle?
  /// How many rows have it; nil where nobody has counted them.
  var hits: HitCount?
}

/// The rows that a grid waits for, and the moves that wait for them.
///
///     idle ──begin──▶ pending ──end: its page has come──▶ idle
///                      │   ▲
///                      └───┘ begin: an answer to any request but the last is dropped
package struct GridReading: Hashable, Sendable {
  /// The pending request for rows, and where its answer puts the cursor; nil for none.
  package private(set) var pending: GridPane.PendingPage?
  /// The rows by which the cursor is to move once they have come.
  package var movement = 0
  /// The row shown instead of a requested row whose number could only be estimated.
  var estimate: GridPane.EstimatedRow?

  package init() {}

  package mutating func begin(_ request: PageRequest, target: GridPane.CursorTarget) {
    pending = GridPane.PendingPage(request: request, target: target)
  }

  /// Ends the pending request when its page has arrived, or when it has failed.
  ///
  /// Returns the target of the cursor; nil if this request is not pending.
  package mutating func end(_ request: PageRequest) -> GridPane.CursorTarget? {
    guard let pending, pending.request == request else { return nil }
    self.pending = nil
    return pending.target
  }

  /// Drops the request, whose answer will be ignored, and the moves.
  package mutating func drop() { (pending, movement) = (nil, 0) }

  /// Drops a request for other rows than those of the cursor, and the moves.
  package mutating func dropJump() {
    movement = 0
    if pending?.target.isElsewhere == true { pending = nil }
  }
}

/// How the cursor of a grid came to its row.
struct CursorPath: Hashable, Sendable {
  var placement = Placement.opening
  /// The row of the cursor before the last far move.
  var former: RowKey?

  enum Placement: Hashable, Sendable {
    case opening, sorting, hand
  }
}
