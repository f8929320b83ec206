internal import QuarryEngine

/// A search for a text in the rows of a table with rowids, on several threads, range by range.
///
///     SELECT quarry_visit_row(id, ts, note) FROM main.events WHERE id BETWEEN ? AND ? ORDER BY id
final class TableSearch: ParallelScan {
  private let parts: [SearchPlan]
  let rows: KeysetRows
  private let id: SQLText
  private let collector: SearchCollector
  private let ranges: RowIDRanges
  let isLarge: Bool

  /// Creates a search; nil if the rows are not ordered by a rowid.
  init?(_ plan: SearchPlan, in rows: KeysetRows, _ collector: SearchCollector, _ database: Database) throws {
    guard let id = rows.rowIDColumn, let bounds = try rows.rowIDBounds(in: database) else { return nil }
    parts = plan.parts
    self.rows = rows
    self.id = id
    self.collector = collector
    ranges = RowIDRanges([bounds])
    isLarge = bounds.span.map { $0 > RowIDRanges.largeTable } ?? true
  }

  func work(in database: Database) throws {
    let visitors = parts.map { SearchVisitor($0, of: rows.reference, .rowID, keyCount: 1, limit: 0) }
    for visitor in visitors {
      visitor.look = { row in if database.isTurnDue { throw RowIDStop(rowID: row.integer(at: 0)) } }
    }
    try ranges.forEachPart(in: database) { part in
      // Results before an error count too.
      defer { collector.add(visitors.taken, ofPart: part.index) }
      for (plan, visitor) in zip(parts, visitors) {
        visitor.room = collector.room
        try search(part, plan, by: visitor, in: database)
      }
    }
  }

  /// Searches the rows of a part, and lets writers proceed from time to time.
  private func search(_ part: RowIDRanges.Part, _ plan: SearchPlan, by visitor: SearchVisitor, in database: Database) throws {
    try part.forEachRest(in: database) { part in
      visitor.rowsBetweenLooks = database.rowsBetweenLooks
      let source: SQLText = "\(rows.source(where: part.condition(on: id))) ORDER BY \(id)"
      try collector.locatingErrors(of: plan, from: source, visitor, in: database) {
        try visitor.visitRows([id] + plan.values, from: source, in: database)
      }
    }
  }

  func stop() {
    ranges.stop()
  }

  func noteChange() {
    collector.noteChange()
  }
}

extension [SearchVisitor] {
  /// The combined results of all visitors in the same rows.
  fileprivate var taken: [SearchVisitor.Found] {
    enumerated().map { index, visitor in
      var found = visitor.take()
      if index > 0 { found.rowCount = 0 }
      return found
    }
  }
}

/// A search for a text in one scan, for views, virtual tables and WITHOUT ROWID tables.
///
///     SELECT quarry_visit_row(name, track_id, name) FROM main.tag ORDER BY name, track_id
struct SequentialSearch {
  let plan: SearchPlan
  let schema: TableSchema
  let collector: SearchCollector

  /// The number of columns read in addition to the searched ones; a function accepts a hundred arguments.
  private static let otherColumns = 16

  func run(in database: Database) throws {
    let rows = KeysetRows(schema, in: database)
    // Rows identified by their positions must be read in the same order as with all columns. SQLite would otherwise use an index that
    // contains a few of them.
    let others = rows == nil ? schema.rowSetColumns.map { "\(identifier: $0.name)" as SQLText }.prefix(Self.otherColumns) : []
    for (index, part) in plan.parts.enumerated() {
      let visitor = SearchVisitor(
        part, of: schema.entry.reference, rows?.keyKind ?? .position, keyCount: rows?.keyColumns.count ?? 0, limit: collector.room)
      visitor.pause = { [collector] visitor in
        collector.add(visitor.take(), isFurther: index > 0)
        visitor.room = collector.room
      }
      if let rows {
        visitor.look = { row in
          guard database.isTurnDue else { return }
          // A search cannot continue from a key that cannot be bound exactly.
          let place = try? rows.keyColumns.indices.map { try DatabaseValue(row.value(at: $0)) }
          if let place { throw PlaceStop(place: place) }
        }
      }
      // Results before an error count too.
      defer { collector.add(visitor.take(), isFurther: index > 0) }
      if let rows {
        try search(rows, part, by: visitor, in: database)
      } else {
        try visit(part, [], others, from: schema.entry.reference.sqlText, by: visitor, in: database)
      }
    }
  }

  /// The error that stops the search after a row, to continue from there.
  private struct PlaceStop: Error {
    let place: [DatabaseValue]
  }

  /// Searches rows in the order of their key, and lets writers proceed from time to time.
  private func search(_ rows: KeysetRows, _ part: SearchPlan, by visitor: SearchVisitor, in database: Database) throws {
    var left = [rows.order.everything(.forward)]
    while let range = left.first {
      visitor.rowsBetweenLooks = database.rowsBetweenLooks
      do {
        let source: SQLText = "\(rows.source(where: range.condition)) ORDER BY \(range.order)"
        try visit(part, rows.keyColumns, [], from: source, by: visitor, in: database)
        left.removeFirst()
      } catch let stop as PlaceStop {
        try database.giveWay()
        left = rows.order.ranges(from: stop.place, .forward, isInclusive: false)
      }
    }
  }

  private func visit(
    _ part: SearchPlan, _ keys: [SQLText], _ others: ArraySlice<SQLText>, from source: SQLText, by visitor: SearchVisitor,
    in database: Database
  ) throws {
    try collector.locatingErrors(of: part, from: source, visitor, in: database) {
      try visitor.visitRows(keys + part.values + others, from: source, in: database)
    }
  }
}

extension SearchCollector {
  /// Visits rows; an error is thrown with the column whose value could not be computed, and with the number of preceding rows.
  fileprivate func locatingErrors(
    of plan: SearchPlan, from source: SQLText, _ visitor: SearchVisitor, in database: Database, _ visit: () throws -> Void
  ) throws {
    let before = (visited: visitor.visited, rows: table.rowCount)
    do {
      try visit()
    } catch let error as DatabaseError where error.isOfRows {
      let offset = visitor.visited - before.visited
      let column = FailingColumn(source: source, offset: offset, error: error).name(of: plan.columns, in: database)
      throw error.located(in: RowSet(.table(table.table)), column: column, after: before.rows + offset)
    }
  }

  /// Adds results that follow all earlier ones.
  ///
  /// - Parameter isFurther: Whether the rows have already been counted.
  fileprivate func add(_ found: SearchVisitor.Found, isFurther: Bool) {
    var found = found
    if isFurther { found.rowCount = 0 }
    add(found)
  }
}
