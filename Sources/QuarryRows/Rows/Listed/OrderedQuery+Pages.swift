package import QuarryEngine

/// Consecutive keys in an order.
package struct KeyRun: Hashable, Sendable {
  package var keys: [RowKey]
  var reachesStart: Bool
  var reachesEnd: Bool
  /// Whether the search ended before it found the requested number of keys.
  var isPartial = false

  package init(keys: [RowKey], reachesStart: Bool, reachesEnd: Bool, isPartial: Bool = false) {
    self.keys = keys
    self.reachesStart = reachesStart
    self.reachesEnd = reachesEnd
    self.isPartial = isPartial
  }
}

extension OrderedQuery {
  /// Reads the keys of a page from the table itself.
  ///
  /// - Parameters:
  ///   - place: The position of the row that the request names.
  ///   - deadline: The time at which to return the keys found so far, if any; nil for no limit.
  package func run(
    _ position: PageRequest.Position, at place: Place?, limit: Int, until deadline: ContinuousClock.Instant?, in database: Database
  ) throws -> KeyRun {
    switch (position, place) {
    case (.last, _):
      return try run([order.everything(.backward)], .backward, rest: [], limit: limit, until: deadline, in: database)
    case (.after(let key), let place?):
      let rest = try contains(key, in: database) ? nil : place.ranges(in: self, .backward, isInclusive: true)
      return try run(
        place.ranges(in: self, .forward, isInclusive: false), .forward, rest: rest, limit: limit, until: deadline, in: database)
    case (.from, let place?):
      let rest = place.ranges(in: self, .backward, isInclusive: false)
      return try run(place.ranges(in: self, .forward, isInclusive: true), .forward, rest: rest, limit: limit, until: deadline, in: database)
    case (.before(let key), let place?):
      let rest = try contains(key, in: database) ? nil : place.ranges(in: self, .forward, isInclusive: true)
      return try run(
        place.ranges(in: self, .backward, isInclusive: false), .backward, rest: rest, limit: limit, until: deadline, in: database)
    case (.number(let number), _) where number > 0:
      return try run(number: number, limit: limit, in: database)
    default:
      return try run([order.everything(.forward)], .forward, rest: [], limit: limit, until: deadline, in: database)
    }
  }

  /// Reads a run of keys.
  ///
  /// - Parameter rest: The ranges on the other side of the position; nil if rows are known to exist there.
  private func run(
    _ ranges: [KeysetOrder.Range], _ direction: KeysetOrder.Direction, rest: [KeysetOrder.Range]?, limit: Int,
    until deadline: ContinuousClock.Instant?, in database: Database
  ) throws -> KeyRun {
    // One more row than requested shows whether there are more.
    let (found, isPartial) = try keys(ranges, direction, limit: limit + 1, until: deadline, in: database)
    let keys = Array(found.prefix(limit))
    let isLast = found.count <= limit && !isPartial
    let isFirst = try rest.map { rest in
      try rest.isEmpty || self.keys(rest, direction.reversed, limit: 1, until: deadline, in: database).keys.isEmpty
    }
    return direction == .forward
      ? KeyRun(keys: keys, reachesStart: isFirst ?? false, reachesEnd: isLast, isPartial: isPartial)
      : KeyRun(keys: keys.reversed(), reachesStart: isLast, reachesEnd: isFirst ?? false, isPartial: isPartial)
  }

  /// Reads the keys from a number on by skipping the preceding ones; the last row if there are fewer.
  private func run(number: Int, limit: Int, in database: Database) throws -> KeyRun {
    let found = try keys([order.everything(.forward)], .forward, limit: number + limit + 1, until: nil, in: database).keys
    let first = min(number, max(0, found.count - 1))
    let keys = Array(found[first...].prefix(limit))
    return KeyRun(keys: keys, reachesStart: first == 0, reachesEnd: first + keys.count == found.count)
  }

  /// The number of virtual machine instructions between two checks of the clock.
  static let stepsBetweenLooks = 10_000

  /// Reads the keys of the first rows of some ranges.
  func keys(
    _ ranges: [KeysetOrder.Range], _ direction: KeysetOrder.Direction, limit: Int, until deadline: ContinuousClock.Instant?,
    in database: Database
  ) throws -> (keys: [RowKey], isPartial: Bool) {
    var keys: [RowKey] = []
    var isLate = false
    do {
      try database.withProgress(every: Self.stepsBetweenLooks) {
        isLate = !keys.isEmpty && deadline.map { ContinuousClock.now > $0 } ?? false
        return isLate
      } during: {
        try scanKeys(ranges, direction, limit: limit, in: database) { statement in
          try keys.append(table.key(at: table.place(statement, at: 0)))
          return keys.count < limit
        }
      }
    } catch DatabaseError.SQLITE_INTERRUPT where isLate {
      return (keys, true)
    }
    return (keys, false)
  }

  /// Calls `body` with a statement on the key of each row of some ranges, until it returns false.
  private func scanKeys(
    _ ranges: [KeysetOrder.Range], _ direction: KeysetOrder.Direction, limit: Int, in database: Database,
    _ body: (Statement) throws -> Bool
  ) throws {
    // If rows must be sorted, or if reads do not block writers, SQLite gets the number of rows as a LIMIT.
    guard !isSorted, database.turns != nil else { return try matching.scan(database, keyColumns, ranges, limit: limit, body) }
    try matching.scanInSlices(database, keyColumns, ranges, in: order, reading: direction, body)
  }

  /// Reads the rows with some keys and the beginnings of their values; missing rows are omitted.
  ///
  /// - Parameter isChecked: Whether to omit rows that no longer match the condition.
  func rows(_ keys: [RowKey], isChecked: Bool, in database: Database) throws -> [WindowRow] {
    guard let first = keys.first else { return [] }
    let lookup = try (isChecked ? matching : table).lookup(table.columnNames, at: table.requiredPlace(of: first))
    return try keys.compactMap { key in
      var row: WindowRow?
      try database.scan(lookup.replacingLastValues(table.requiredPlace(of: key))) { statement in
        row = try WindowRow(key: key, cells: statement.cells(table.columns.count, limit: CellValue.prefixLimit))
        return false
      }
      return row
    }
  }

  /// Calls `body` with a statement on each row from one position to another, both included, in order.
  ///
  /// The values of `columns` come first in a row.
  func scan(from first: Place, through last: Place, columns: [Int], in database: Database, _ body: (Statement) throws -> Void) throws {
    let end = try keys(last.ranges(in: self, .backward, isInclusive: true), .backward, limit: 1, until: nil, in: database).keys.first
    let start = first.ranges(in: self, .forward, isInclusive: true)
    let head = try keys(start, .forward, limit: 1, until: nil, in: database).keys.first
    guard let end, let head, try !precedes(end, head, in: database) else { return }
    let names = table.columnNames
    let values = columns.filter(names.indices.contains).map { names[$0] }
    func goesOn(_ statement: Statement) throws -> Bool {
      try body(statement)
      return try table.key(at: table.place(statement, at: values.count)) != end
    }
    guard isServed else { return try matching.scan(database, values + keyColumns, start, goesOn) }
    try matching.scanInSlices(database, values + keyColumns, start, in: order, goesOn)
  }
}
