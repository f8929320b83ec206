package import QuarryEngine

/// The ordered rows of a table, read in slices so that writers never wait for long.
///
/// ```swift
/// let sawChanges = try rows.forEach(in: db) { statement in
///   try print(statement)
///   return true
/// }
/// ```
///
/// In rollback journal mode the read is divided. Other connections may write between two parts, and the following rows include their
/// changes.
package struct SlicedRows: Sendable {
  /// The way the rows are found.
  private enum Way: Sendable {
    /// One after the other in an order that SQLite provides without sorting.
    case inOrder
    /// By ranges of rowids, because the next matching row may be far away.
    case ranges(RowIDBounds, of: SQLText)
    /// By a list of their keys, because they must be sorted first.
    case sorted
  }

  private let rowSet: RowSet
  private let query: OrderedQuery
  private let values: [SQLText]
  private let way: Way

  private var name: String { query.table.reference.database }

  /// Determines how the rows of a set can be read.
  ///
  /// - Parameter values: The expressions read from each row; empty for all columns of the table.
  /// - Returns: Nil if there is no key to divide the read, or if SQLite itself must sort the rows.
  /// - Throws: ``DatabaseError``
  package init?(of rowSet: RowSet, values: [SQLText], in db: Database) throws {
    switch try AccessPath(of: rowSet, in: db) {
    case .keyset(let rows): query = OrderedQuery(rows)
    case .ordered(let found): query = found
    case .sequence: return nil
    }
    self.rowSet = rowSet
    self.values = values.isEmpty ? query.table.columnNames : values
    guard self.values.count + query.order.terms.count <= KeysetRows.resultLimit else { return nil }
    if !query.isServed {
      way = .sorted
    } else if query.terms.isEmpty, query.scansTable, !query.condition.isEmpty, let id = query.table.rowIDColumn,
      let bounds = try query.table.rowIDBounds(in: db)
    {
      way = .ranges(bounds, of: id)
    } else {
      way = .inOrder
    }
  }

  /// Whether the rows must be sorted before the first is read: see ``keys(first:on:)``.
  package var isSorted: Bool {
    if case .sorted = way { true } else { false }
  }
}

// MARK: - Rows

extension SlicedRows {
  /// Calls `body` with a statement on each row, until it returns false; the first columns are the values of the row.
  ///
  /// - Parameters:
  ///   - keys: The keys of rows that must be sorted; without them SQLite sorts, which blocks writers meanwhile.
  ///   - skipped: The number of rows to skip first.
  ///   - limit: The maximum number of rows needed.
  ///   - pause: Called between two parts, when no writer is blocked; long work belongs there.
  /// - Returns: Whether another connection has written meanwhile, or since the keys were read.
  /// - Throws: ``DatabaseError``, and any error of `body` and `pause`.
  package func forEach(
    of keys: Keys? = nil, in db: Database, skipping skipped: Int = 0, limit: Int = .max, pause: @escaping () throws -> Void = {},
    _ body: (Statement) throws -> Bool
  ) throws -> Bool {
    var sawChanges = try keys.map { try $0.state != DataState(of: name, in: db) } ?? false
    try db.inSlices(.ofAnyState, of: name) { slices in
      slices?.onChange = { sawChanges = true }
      slices?.onPause = pause
      switch way {
      case .sorted:
        if let keys { return try query.lookUp(keys.list, min(skipped, .max / 2)..<(.max), values, in: db, body) }
        try scanSorted(in: db, skipping: skipped, limit: limit, body)
      case .ranges(let bounds, let id) where db.turns != nil:
        try scan(bounds, of: id, in: db, skipping: skipped, body)
      case .inOrder, .ranges:
        // A read that need not be divided uses one statement, which also reaches rows out of order.
        try scan([query.order.everything(.forward)], in: db, skipping: skipped, body)
      }
    }
    return sawChanges
  }

  /// Reads rows that SQLite sorts.
  private func scanSorted(in db: Database, skipping skipped: Int, limit: Int, _ body: (Statement) throws -> Bool) throws {
    let count = min(skipped, .max / 2) + min(limit, .max / 2)
    var passed = 0
    let sql = query.matching.sql(values, query.order.everything(.forward), limit: count <= Self.mostAtOnce ? count : nil)
    try db.scan(sql) { statement in
      passed += 1
      return try passed <= skipped || body(statement)
    }
  }

  /// Reads rows in order.
  private func scan(
    _ ranges: [KeysetOrder.Range], in db: Database, skipping skipped: Int, _ body: (Statement) throws -> Bool
  ) throws {
    let order = query.order
    var (left, passed) = (ranges, 0)
    if skipped > 0 {
      // No values are computed for skipped rows.
      var last: [DatabaseValue]?
      try query.matching.scanInSlices(db, [], left, in: order) { statement in
        passed += 1
        if passed == skipped { last = try? query.place(statement, at: 0) }
        return passed < skipped
      }
      guard passed == skipped else { return }
      if let last { (left, passed) = (order.ranges(from: last, .forward, isInclusive: false), 0) }
    }
    try query.matching.scanInSlices(db, values, left, in: order) { statement in
      guard passed == 0 else {
        passed -= 1
        return true
      }
      return try body(statement)
    }
  }

  /// Reads rows by ranges of rowids, and then rows inserted after the last range meanwhile.
  private func scan(
    _ bounds: RowIDBounds, of id: SQLText, in db: Database, skipping skipped: Int, _ body: (Statement) throws -> Bool
  ) throws {
    let ranges = RowIDRanges([bounds])
    var (left, goesOn) = (skipped, true)
    try ranges.forEachPart(in: db) { part in
      try part.forEachRest(in: db) { part in
        var condition = part.condition(on: id)
        if left > 0 {
          guard let last = try passRows(&left, condition, of: id, in: db) else { return }
          condition = "\(condition) AND \(id) > \(last)"
        }
        let columns = values + [id]
        let rowsBetweenLooks = db.rowsBetweenLooks
        var passed = 0
        try db.scan("SELECT \(columns.joined(by: ", ")) FROM \(query.matching.source(where: condition)) ORDER BY \(id)") { statement in
          goesOn = try body(statement)
          if !goesOn { ranges.stop() }
          passed += 1
          guard goesOn, passed & (rowsBetweenLooks - 1) == 0, db.isTurnDue else { return goesOn }
          throw try RowIDStop(rowID: statement.columnInteger(at: values.count))
        }
      }
    }
    let rest = query.order.ranges(from: [.integer(bounds.greatest)], .forward, isInclusive: false)
    if goesOn { try scan(rest, in: db, skipping: left, body) }
  }

  /// Skips rows of a range without computing their values.
  ///
  /// - Parameter left: The number of rows still to skip.
  /// - Returns: The rowid of the last skipped row; nil if the range has fewer rows.
  private func passRows(_ left: inout Int, _ condition: SQLText, of id: SQLText, in db: Database) throws -> Int64? {
    var last: Int64?
    try db.scan("SELECT \(id) FROM \(query.matching.source(where: condition)) ORDER BY \(id)") { statement in
      left -= 1
      if left == 0 { last = try statement.columnInteger(at: 0) }
      return left > 0
    }
    return last
  }
}

// MARK: - Sorted rows

extension SlicedRows {
  /// The keys of rows in order.
  package struct Keys: Sendable {
    fileprivate let list: KeyList
    /// The state of the file before any key was read.
    fileprivate let state: DataState
  }

  /// Finds the keys of rows that must be sorted, in slices; a rowid needs eight bytes.
  ///
  /// - Parameter count: The number of rows needed, from the first on.
  /// - Returns: Nil if SQLite must sort them: if reads do not block writers, or for a custom collation.
  /// - Throws: ``DatabaseError``, `CancellationError`.
  package func keys(first count: Int, on connections: ReadConnections) async throws -> Keys? {
    let state = try await connections.background.read { db in
      try db.readsKeepWritersOut(of: name) ? DataState(of: name, in: db) : nil
    }
    guard isSorted, let state else { return nil }
    let hasRowIDs = query.table.keyKind == .rowID
    let list = try KeyList(state: state, width: hasRowIDs ? nil : query.keyColumns.count, isSortedHere: hasRowIDs)
    if try await connections.background.read({ try findAtOnce(count, into: list, in: $0) }) { return Keys(list: list, state: state) }
    if hasRowIDs {
      do {
        try await ListedRowSource(query, schema: state.schema, of: rowSet, on: connections).sort(into: list, first: count)
        return Keys(list: list, state: state)
      } catch is SortRefusal {}
    }
    let isSorted = try await connections.background.read { try sortInSpool(into: list, on: connections, in: $0) }
    return isSorted ? Keys(list: list, state: state) : nil
  }

  /// Sorts the rows in a temporary database; returns false if that is not possible.
  private func sortInSpool(into list: KeyList, on connections: ReadConnections, in db: Database) throws -> Bool {
    try db.inSlices(.ofAnyState, of: name) { _ in
      guard try SpoolSort(query, in: db) != nil else { return false }
      try query.fill(list, on: connections, in: DataState(of: name, in: db), db)
      return true
    }
  }

  /// Lets SQLite find the first rows if that takes no longer than a slice; returns whether it did.
  private func findAtOnce(_ count: Int, into list: KeyList, in db: Database) throws -> Bool {
    guard count <= Self.mostAtOnce else { return false }
    return try db.inSlices(.ofAnyState, of: name) { _ in
      let all = [query.order.everything(.forward)]
      let places = try db.withinTurn { try query.matching.places(db, all, limit: count) }
      guard let places else { return false }
      if query.table.keyKind == .rowID {
        list.append(places.compactMap { if case .integer(let id)? = $0.first { id } else { nil } })
      } else {
        try list.append(places)
      }
      return true
    }
  }

  /// The maximum number of rows requested from SQLite at once.
  private static let mostAtOnce = 10_000
}
