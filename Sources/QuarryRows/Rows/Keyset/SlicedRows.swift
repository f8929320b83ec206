package import QuarryEngine

/// Rows of a table in an order, read so that nobody who wants to write waits for long.
///
/// ```swift
/// let sawChanges = try rows.forEach(in: db) { statement in
///   try print(statement)
///   return true
/// }
/// ```
///
/// In a file with a rollback journal the read is divided: others may write between two parts, and what follows is what is there then.
package struct SlicedRows: Sendable {
  /// How the rows are found.
  private enum Way: Sendable {
    /// One after the other in an order that SQLite gives without sorting.
    case inOrder
    /// By ranges of rowids, since the next row that the condition keeps may be far.
    case ranges(RowIDBounds, of: SQLText)
    /// By the list of their keys: the order has to be made first.
    case sorted
  }

  private let rowSet: RowSet
  private let query: OrderedQuery
  private let values: [SQLText]
  private let way: Way

  private var name: String { query.table.reference.database }

  /// Finds out how the rows of a set can be read.
  ///
  /// - Parameter values: What is read of each row; empty for all columns of the table.
  /// - Returns: Nil where there is no key by which they can be read in parts, and where SQLite itself has to sort them.
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

  /// Whether the order has to be made before the first row is read: see ``keys(first:on:)``.
  package var isSorted: Bool {
    if case .sorted = way { true } else { false }
  }
}

// MARK: - Rows

extension SlicedRows {
  /// Calls `body` with a statement that stands on each row, until it returns false; the values of the row are its first.
  ///
  /// - Parameters:
  ///   - keys: Those of rows that have to be sorted; without them SQLite sorts, and nobody else writes meanwhile.
  ///   - skipped: How many rows are passed first.
  ///   - pause: Is called between two parts, while nobody is kept out; what takes long belongs there.
  /// - Returns: Whether others have written meanwhile, or since the keys were read.
  /// - Throws: ``DatabaseError``, and what `body` and `pause` throw.
  package func forEach(
    of keys: Keys? = nil, in db: Database, skipping skipped: Int = 0, pause: @escaping () throws -> Void = {},
    _ body: (Statement) throws -> Bool
  ) throws -> Bool {
    var sawChanges = try keys.map { try $0.state != DataState(of: name, in: db) } ?? false
    try db.inSlices(.ofAnyState, of: name) { slices in
      slices?.onChange = { sawChanges = true }
      slices?.onPause = pause
      switch way {
      case .sorted:
        if let keys { return try query.lookUp(keys.list, min(skipped, .max / 2)..<(.max), values, in: db, body) }
        try db.scan("\(query.matching.sql(values, query.order.everything(.forward))) OFFSET \(skipped)", body)
      case .ranges(let bounds, let id) where db.turns != nil:
        try scan(bounds, of: id, in: db, skipping: skipped, body)
      case .inOrder, .ranges:
        // What need not be divided is read by one statement, which comes to rows out of order too.
        try scan([query.order.everything(.forward)], in: db, skipping: skipped, body)
      }
    }
    return sawChanges
  }

  /// Reads rows in their order.
  private func scan(
    _ ranges: [KeysetOrder.Range], in db: Database, skipping skipped: Int, _ body: (Statement) throws -> Bool
  ) throws {
    let order = query.order
    var (left, passed) = (ranges, 0)
    if skipped > 0 {
      // Nothing is computed of rows that are passed.
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

  /// Reads rows range by range of their rowids, and then those that have come behind the last range meanwhile.
  private func scan(
    _ bounds: RowIDBounds, of id: SQLText, in db: Database, skipping skipped: Int, _ body: (Statement) throws -> Bool
  ) throws {
    let ranges = RowIDRanges([bounds])
    var (left, goesOn) = (skipped, true)
    try ranges.forEachPart(in: db) { part in
      var condition = part.condition(on: id)
      if left > 0 {
        guard let last = try passRows(&left, condition, of: id, in: db) else { return }
        condition = "\(condition) AND \(id) > \(last)"
      }
      try db.scan("SELECT \(values.joined(by: ", ")) FROM \(query.matching.source(where: condition)) ORDER BY \(id)") { statement in
        goesOn = try body(statement)
        if !goesOn { ranges.stop() }
        return goesOn
      }
    }
    let rest = query.order.ranges(from: [.integer(bounds.greatest)], .forward, isInclusive: false)
    if goesOn { try scan(rest, in: db, skipping: left, body) }
  }

  /// Passes rows of a range, of which nothing is computed.
  ///
  /// - Parameter left: How many are to be passed.
  /// - Returns: The rowid of the last of them; nil where the range has not as many.
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
  /// The keys of rows in their order.
  package struct Keys: Sendable {
    fileprivate let list: KeyList
    /// The state of the file before any was read.
    fileprivate let state: DataState
  }

  /// Finds the keys of rows that have to be sorted, in slices; of rowids eight bytes are kept.
  ///
  /// - Parameter count: How many rows are needed, from the first on.
  /// - Returns: Nil where SQLite sorts them: while nobody is kept out, and by a collation that is not its own.
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

  /// Sorts the rows in a temporary database; returns whether that can be done.
  private func sortInSpool(into list: KeyList, on connections: ReadConnections, in db: Database) throws -> Bool {
    try db.inSlices(.ofAnyState, of: name) { _ in
      guard try SpoolSort(query, in: db) != nil else { return false }
      try query.fill(list, on: connections, in: DataState(of: name, in: db), db)
      return true
    }
  }

  /// Has SQLite find the first rows where that takes no longer than a slice.
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

  /// The greatest number of rows that SQLite is asked for at once.
  private static let mostAtOnce = 10_000
}
