import QuarryEngine

/// A scan of rows in an order, in which writers may proceed between two rows.
///
/// After a pause it continues after the last row:
///
///     SELECT v, k FROM main.w WHERE (note LIKE ?) AND k > ? ORDER BY k
///
/// If the next matching row is so far away that the statement runs long after its turn, it is interrupted. From then on all rows are read,
/// so that the scan can continue after any of them:
///
///     SELECT v, k, ((note LIKE ?)) IS TRUE FROM main.w WHERE k > ? ORDER BY k
struct KeysetScan {
  private var rows: KeysetRows
  private let values: [SQLText]
  private let order: KeysetOrder
  private let direction: KeysetOrder.Direction
  /// The condition, if rows that do not match are read too.
  private var passing: SQLText?
  /// Whether a statement may be interrupted: not if SQLite would have to sort without the condition.
  private var mayEnd: Bool
  /// The number of rows already passed to `body` that are read again, because the position of the last one cannot be bound exactly.
  private var skipped = 0

  private var places: [SQLText] { order.terms.map(\.expression) }
  private var columns: [SQLText] { values + places + (passing.map { ["(\($0)) IS TRUE"] } ?? []) }

  /// Creates a scan.
  ///
  /// - Parameters:
  ///   - values: The expressions read from each row.
  ///   - order: An order that ends with the key, and that SQLite provides without sorting.
  init(of rows: KeysetRows, _ values: [SQLText], in order: KeysetOrder, _ direction: KeysetOrder.Direction) {
    (self.rows, self.values, self.order, self.direction) = (rows, values, order, direction)
    mayEnd = !rows.condition.isEmpty && values.count + order.terms.count < KeysetRows.resultLimit
  }

  /// Reads the rows of ranges, until `body` returns false.
  mutating func run(_ ranges: [KeysetOrder.Range], in database: Database, _ body: (Statement) throws -> Bool) throws {
    var left = ranges
    while true {
      var part = Part()
      let isEnded = try read(left, &part, in: database, body)
      if isEnded { try passAll(left, in: database) }
      guard part.goesOn else { return }
      if let last = part.last ?? (isEnded ? try? place(ofRow: part.rows, left, in: database) : nil) {
        left = order.ranges(from: last, direction, isInclusive: false)
      } else if isEnded {
        skipped += part.rows
      } else {
        return
      }
      try database.giveWay()
    }
  }

  /// The result of one statement.
  private struct Part {
    /// The number of rows passed to `body`.
    var rows = 0
    /// The position after which the next part begins; nil at the end of the rows.
    var last: [DatabaseValue]?
    var goesOn = true
  }

  /// Runs a statement until writers must proceed; returns whether it was interrupted while it searched for a row.
  private mutating func read(
    _ ranges: [KeysetOrder.Range], _ part: inout Part, in database: Database, _ body: (Statement) throws -> Bool
  ) throws -> Bool {
    let flag = passing.map { _ in values.count + order.terms.count }
    let (columns, places, mayEnd) = (columns, places, mayEnd)
    let rowsBetweenLooks = database.rowsBetweenLooks
    var (passed, isStepping) = (0, mayEnd)
    return try database.endingLate(if: { isStepping }) {
      try rows.scan(database, columns, ranges) { statement in
        isStepping = false
        defer { isStepping = mayEnd }
        if try flag.map({ try statement.columnInteger(at: $0) == 1 }) ?? true {
          try handOn(statement, &part, body)
        }
        passed &+= 1
        guard part.goesOn, passed & (rowsBetweenLooks - 1) == 0, database.isTurnDue else { return part.goesOn }
        // A scan cannot continue from a position that cannot be bound exactly.
        part.last = try? places.indices.map { try statement.columnValue(at: values.count + $0) }
        return part.last == nil
      }
    }
  }

  private mutating func handOn(_ statement: Statement, _ part: inout Part, _ body: (Statement) throws -> Bool) throws {
    guard skipped == 0 else { return skipped -= 1 }
    part.goesOn = try body(statement)
    part.rows &+= 1
  }

  /// Makes the scan read all rows from now on, unless SQLite would have to sort them.
  private mutating func passAll(_ ranges: [KeysetOrder.Range], in database: Database) throws {
    var all = rows
    all.condition = SQLText()
    mayEnd = false
    guard let range = ranges.first, try !QueryPlan(of: all.sql(places, range), in: database).sortsAny else { return }
    passing = rows.condition
    rows = all
  }

  /// Returns the position of the matching row with a number in ranges, from 1; nil for 0.
  private func place(ofRow number: Int, _ ranges: [KeysetOrder.Range], in database: Database) throws -> [DatabaseValue]? {
    guard number > 0 else { return nil }
    var matching = rows
    matching.condition = passing ?? rows.condition
    var last: [DatabaseValue]?
    try matching.scan(database, places, ranges, limit: number) { statement in
      last = try places.indices.map { try statement.columnValue(at: $0) }
      return true
    }
    return last
  }
}

extension KeysetRows {
  /// Calls `body` with a statement on each row of ranges in an order, until it returns false.
  ///
  /// Writers may proceed between two rows; the scan then continues after the last row. The values come first in a row, followed by those of
  /// the order's terms.
  ///
  /// - Parameter order: An order that ends with the key, and that SQLite provides without sorting; nil for the order of the key.
  func scanInSlices(
    _ database: Database, _ values: [SQLText], _ ranges: [KeysetOrder.Range], in order: KeysetOrder? = nil,
    reading direction: KeysetOrder.Direction = .forward, _ body: (Statement) throws -> Bool
  ) throws {
    var scan = KeysetScan(of: self, values, in: order ?? self.order, direction)
    try scan.run(ranges, in: database, body)
  }
}
