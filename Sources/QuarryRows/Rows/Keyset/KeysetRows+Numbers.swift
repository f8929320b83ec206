package import QuarryEngine

extension KeysetRows {
  /// The position of the row with a number: exact, estimated, or past the end.
  enum NumberedPlace {
    case exact([DatabaseValue])
    case estimated([DatabaseValue])
    case pastEnd
  }

  /// The maximum number of rows to pass if an estimate is possible.
  static let walkLimit = 100_000

  /// Returns the position of the row with this number.
  ///
  /// Rowids without gaps determine it. It is at most a thousand rows after an anchor. Without anchors, the preceding rows are passed,
  /// unless there are many and the position can be estimated from the rowids.
  func place(ofNumber number: Int, _ numbers: RowNumbers, _ state: DataState, in database: Database) throws -> NumberedPlace {
    let count = numbers.exactCount(in: state)
    // One less than the maximum, so that one can be added.
    let number = min(number, .max - 1)
    if let count, number >= count { return .pastEnd }
    let start = numbers.exactAnchors(in: state)?.before(number) ?? (0, [])
    let steps = number - start.number
    if steps > Anchors.stride, let bounds = try rowIDBounds(in: database), let total = count ?? bounds.span {
      let place = [DatabaseValue.integer(bounds.rowID(of: number, count: total))]
      if bounds.isDense(count: count) { return .exact(place) }
      if steps > Self.walkLimit { return .estimated(place) }
    }
    let back = count.map { $0 - 1 - number }
    if let back, back < steps {
      return try self.place(database, [order.everything(.backward)], .backward, steps: back).map { .exact($0) } ?? .pastEnd
    }
    let ranges = start.place.isEmpty ? [order.everything(.forward)] : order.ranges(from: start.place, .forward, isInclusive: true)
    return try self.place(database, ranges, .forward, steps: steps).map { .exact($0) } ?? .pastEnd
  }

  /// Returns the number of the row at a position, if it can be determined without a scan; otherwise nil.
  func number(of place: [DatabaseValue], _ numbers: RowNumbers, _ state: DataState, in database: Database) throws -> RowNumber? {
    if let anchors = numbers.exactAnchors(in: state), let number = try number(of: place, anchors, in: database) {
      return .exact(number)
    }
    guard case .integer(let id)? = place.first, let bounds = try rowIDBounds(in: database) else {
      return try numbers.anchors.flatMap { try last(of: $0.made, notAfter: place, in: database) }.map { .estimated($0.number) }
    }
    let count = numbers.exactCount(in: state)
    guard let total = count ?? numbers.count?.rows ?? bounds.span else { return nil }
    let number = bounds.number(of: id, count: total)
    return bounds.isDense(count: count) ? .exact(number) : .estimated(number)
  }

  /// Returns the number of the row at a position, counted from the preceding anchor; nil if that anchor does not exist yet.
  private func number(of place: [DatabaseValue], _ anchors: Anchors, in database: Database) throws -> Int? {
    guard let anchor = try last(of: anchors, notAfter: place, in: database) else { return nil }
    guard anchor.place != place else { return anchor.number }
    var steps = 0
    var isThere = false
    let back = order.ranges(from: place, .backward, isInclusive: false)
    try scan(database, keyColumns, back, limit: Anchors.stride) { statement in
      steps += 1
      isThere = try self.place(statement, at: 0) == anchor.place
      return !isThere
    }
    return isThere ? anchor.number + steps : nil
  }

  /// Returns the last anchor not after a position, as compared by SQLite.
  private func last(
    of anchors: Anchors, notAfter place: [DatabaseValue], in database: Database
  ) throws -> (number: Int, place: [DatabaseValue])? {
    try anchors.last { anchor in try !order.precedes(place, anchor, in: database) }
  }

  /// Reads the minimum and maximum rowid.
  ///
  /// Returns nil if the rows have another key or a condition, or if the table is damaged and its rows are out of order.
  package func rowIDBounds(in database: Database) throws -> RowIDBounds? {
    guard keyKind == .rowID, condition.isEmpty else { return nil }
    let ends = try [KeysetOrder.Direction.forward, .backward].compactMap { direction -> Int64? in
      guard case .integer(let id)? = try places(database, [order.everything(direction)], limit: 1).first?.first else { return nil }
      return id
    }
    guard let least = ends.first, let greatest = ends.last, ends.count == 2, least <= greatest else { return nil }
    return RowIDBounds(least: least, greatest: greatest)
  }

  /// Returns the number of a page's first row.
  func firstNumber(of page: RowPage, _ numbers: RowNumbers, _ state: DataState, in database: Database) throws -> RowNumber? {
    if page.reachesStart { return .exact(0) }
    if page.reachesEnd, let count = numbers.exactCount(in: state) { return .exact(count - page.rows.count) }
    guard let first = page.rows.first, let place = place(of: first.key) else { return nil }
    return try number(of: place, numbers, state, in: database)
  }
}

// MARK: - Counting

extension KeysetRows {
  /// Counts the rows with the smallest index, chosen by SQLite; if that takes longer than one slice, the keys are counted in several
  /// slices.
  package func count(in database: Database) throws -> Int {
    if let count = try database.withinTurn({ try database.countRows(of: reference) }) { return count }
    return try countKeys(in: database) ?? database.countRows(of: reference)
  }

  /// Counts the keys in slices; nil if rowids are out of order, so that a slice does not continue where the preceding one ended.
  private func countKeys(in database: Database) throws -> Int? {
    var count = 0
    var last: Int64?
    var isInOrder = true
    try scanInSlices(database, [], [order.everything(.forward)]) { statement in
      count += 1
      guard keyKind == .rowID else { return true }
      let id = try statement.columnInteger(at: 0)
      isInOrder = last.map { $0 < id } ?? true
      last = id
      return isInOrder
    }
    return isInOrder ? count : nil
  }

  /// Checks that a scan of the table by ranges of its key has reached every row: see ``Database/checkReached(_:of:)``.
  ///
  /// Nothing is checked if another connection writes meanwhile.
  package func checkReached(_ reached: Int, in database: Database) throws {
    let state = try DataState(of: reference.database, in: database)
    guard try count(in: database) != reached, try DataState(of: reference.database, in: database) == state else { return }
    try database.checkReached(reached, of: reference)
  }

  /// Passes at most `limit` more rows, or as many as the slice allows, and records the positions of the anchors among them.
  func extend(_ anchors: inout Anchors, by limit: Int, in database: Database) throws {
    let start = anchors.resume()
    let ranges = start.map { order.ranges(from: $0, .forward, isInclusive: true) } ?? [order.everything(.forward)]
    var passed = 0
    var isEnded = false
    try scan(database, keyColumns, ranges, limit: limit) { statement in
      try anchors.pass(place(statement, at: 0))
      passed += 1
      // The scan continues from the last recorded position.
      isEnded = passed > Anchors.stride && passed % Anchors.stride == 1 && database.isTurnDue
      return !isEnded
    }
    anchors.isComplete = passed < limit && !isEnded
  }
}

extension Database {
  /// Counts the rows of a table with the smallest index, chosen by SQLite.
  fileprivate func countRows(of table: TableReference) throws -> Int {
    do {
      return try countRows("SELECT count(*) FROM \(table.sqlText)")
    } catch DatabaseError.SQLITE_ERROR_MISSING_COLLSEQ {
      // That index uses a collation that is not defined here; the table itself does not.
      return try countRows("SELECT count(*) FROM \(table.sqlText) NOT INDEXED")
    }
  }

  /// Checks that reading a table by ranges of its key has reached every row.
  ///
  /// If keys are out of order, or the path to them is damaged, pages may be outside each range. SQLite does not reach them, and reports
  /// nothing.
  ///
  /// - Parameter reached: The number of rows read.
  /// - Throws: `DatabaseError`: `SQLITE_CORRUPT` if the table contains another number of rows.
  package func checkReached(_ reached: Int, of table: TableReference) throws {
    guard try countRows(of: table) != reached else { return }
    // The counted index may itself be damaged.
    let stored = try countRows("SELECT count(*) FROM \(table.sqlText) NOT INDEXED")
    guard stored != reached else { return }
    let message = "its keys are out of order: \(Plural.of(reached, "row")) of “\(table.name)” can be reached, but it holds \(stored)"
    throw DatabaseError(DatabaseError.SQLITE_CORRUPT, message)
  }

  private func countRows(_ sql: SQLText) throws -> Int {
    var count = 0
    try scan(sql) { statement in
      count = try Int(statement.columnInteger(at: 0))
      return false
    }
    return count
  }
}
