internal import QuarryEngine

/// The rows of a table without rowids in parts, in the order of its key.
///
///     SELECT … FROM (SELECT k, v FROM main.w WHERE k > ? ORDER BY k LIMIT 4096) AS w WHERE (v LIKE ?)
struct KeyParts: Sendable {
  private var table: KeysetRows

  /// Creates the parts of a table, whose condition is ignored.
  init(of table: KeysetRows) {
    self.table = table
    self.table.condition = SQLText()
  }

  /// Calls `body` with the SQL after FROM for each part, and lets writers proceed between two parts.
  ///
  /// - Parameters:
  ///   - goesOn: Returns whether to continue with another part.
  ///   - after: Called after each part, without a time limit.
  func forEachPart(
    in database: Database, while goesOn: () -> Bool = { true }, after: () throws -> Void = {}, _ body: (SQLText) throws -> Void
  ) throws {
    var (left, width) = ([table.order.everything(.forward)], 1 << 10)
    while let range = left.first, goesOn() {
      let start = ContinuousClock.now
      let last = try place(ofRow: width, in: range, database)
      try body(source(range, width))
      try database.cancellation?.check()
      let time = ContinuousClock.now - start
      let pace = RowIDRanges.pace(in: database)
      if time < pace / 2 { width = min(width * 2, 1 << 20) }
      if time > pace * 2 { width = max(1, width / 2) }
      if let last { left = table.order.ranges(from: last, .forward, isInclusive: false) } else { left.removeFirst() }
      try after()
      try database.giveWay()
    }
  }

  /// Returns the position of a row by its number in a range, from 1; nil if there are fewer rows.
  private func place(ofRow number: Int, in range: KeysetOrder.Range, _ database: Database) throws -> [DatabaseValue]? {
    var place: [DatabaseValue]?
    try database.scan("\(table.sql(table.keyColumns, range, limit: 1)) OFFSET \(number - 1)") { statement in
      place = try table.place(statement, at: 0)
      return false
    }
    return place
  }

  private func source(_ range: KeysetOrder.Range, _ width: Int) -> SQLText {
    "(\(table.sql(table.columnNames, range, limit: width))) AS \(identifier: table.reference.name)"
  }
}
