package import QuarryEngine

/// Those rows of a table that a condition keeps, in an order that ends in the table's own key.
///
///     SELECT rowid FROM main.Track WHERE (Milliseconds > ?) ORDER BY Name DESC, rowid
///
/// Each read finds keys first, for which SQLite can use an index alone, and then the rows by their keys. A place in the order is given by
/// the row that stands there: SQLite compares with that row's own values.
package struct OrderedQuery: Hashable, Sendable {
  /// All of the table's rows by its own key.
  package var table: KeysetRows
  /// Those of them that the condition keeps.
  package var matching: KeysetRows
  /// The terms that come before the key; none in the table's own order.
  package var terms: [KeysetOrder.Term]
  /// Whether SQLite has to sort: then each read passes all rows.
  package var isSorted = false
  /// Whether SQLite gives the rows in their order without sorting any, so that a read can go on from each of them.
  var isServed = true
  /// Whether SQLite goes through the table itself, row by row, to find those that the condition keeps.
  var scansTable = false

  package var order: KeysetOrder { KeysetOrder(terms: terms + table.order.terms) }
  package var condition: SQLText { matching.condition }
  var keyColumns: [SQLText] { table.keyColumns }

  /// Makes a query of a table's rows, and asks SQLite how it would run it.
  ///
  /// - Throws: `DatabaseError` where the condition or the order does not compile.
  init(_ table: KeysetRows, condition: SQLText, terms: [KeysetOrder.Term], in database: Database) throws {
    self.table = table
    self.terms = terms
    matching = table
    matching.condition = condition
    let plan = try QueryPlan(of: keysSQL, in: database)
    isSorted = plan.sorts
    isServed = !plan.sortsAny
    scansTable = plan.scansTable
  }

  /// Makes the query of all rows of a table by its own key.
  package init(_ table: KeysetRows) {
    (self.table, matching, terms) = (table, table, [])
    scansTable = true
  }

  /// The statement that finds all keys in order.
  var keysSQL: SQLText { matching.sql(keyColumns, order.everything(.forward)) }
}

extension OrderedQuery {
  /// Reads the values of the order's terms in the row on which a statement stands, from a column on.
  ///
  /// - Throws: `DatabaseError`: `SQLITE_MISMATCH` where a text is not valid UTF-8, so that no value is the same as it.
  func place(_ statement: Statement, at first: Int) throws -> [DatabaseValue] {
    try order.terms.indices.map { try statement.columnValue(at: first + $0) }
  }
}

// MARK: - Places

extension OrderedQuery {
  /// A place in the order, beside a row or on it.
  package struct Place {
    var operands: [KeysetOrder.Operand]
    /// Whether the row lies after the place, where the row of the place itself is gone; nil if the place is the row's own.
    var isBeforeRow: Bool?

    func ranges(in query: OrderedQuery, _ direction: KeysetOrder.Direction, isInclusive: Bool) -> [KeysetOrder.Range] {
      let isInclusive = isBeforeRow.map { $0 == (direction == .forward) } ?? isInclusive
      return query.ranges(query.order.ranges(from: operands, direction, isInclusive: isInclusive), direction)
    }
  }

  /// Returns the place of a row of the table, whether the condition keeps it or not; nil where the row is gone.
  ///
  ///     SELECT Name IS NULL FROM main.Track WHERE rowid = ?
  ///
  /// - Throws: `DatabaseError` for a key of another kind of set.
  package func place(of key: RowKey, in database: Database) throws -> Place? {
    let place = try table.requiredPlace(of: key)
    let own = place.map(KeysetOrder.Operand.init)
    guard !terms.isEmpty else { return Place(operands: own) }
    let row = table.order.row(at: place)
    let source = table.source(where: row.condition)
    let areNull = terms.map { "\($0.expression) IS NULL" as SQLText }
    var operands: [KeysetOrder.Operand]?
    try database.scan("SELECT \(areNull.joined(by: ", ")) FROM \(source)") { statement in
      operands = try terms.indices.map { index in
        try KeysetOrder.Operand(
          sql: "(SELECT \(terms[index].expression) FROM \(source))", isNull: statement.columnInteger(at: index) == 1)
      }
      return false
    }
    return operands.map { Place(operands: $0 + own) }
  }

  /// Returns ranges as they are read: where SQLite has to sort, all of them at once, so that it passes the rows once.
  package func ranges(_ ranges: [KeysetOrder.Range], _ direction: KeysetOrder.Direction) -> [KeysetOrder.Range] {
    guard isSorted, ranges.count > 1 else { return ranges }
    var whole = order.everything(direction)
    whole.condition = "(\(ranges.map(\.condition).joinedByOr))"
    return [whole]
  }

  /// Returns whether the condition keeps a row.
  func contains(_ key: RowKey, in database: Database) throws -> Bool {
    try !matching.places(database, [table.order.row(at: table.requiredPlace(of: key))], limit: 1).isEmpty
  }

  /// Returns whether one row comes before another; both are there.
  ///
  ///     SELECT TrackId FROM main.Track WHERE TrackId = ? OR TrackId = ? ORDER BY Name DESC, TrackId LIMIT 1
  func precedes(_ first: RowKey, _ second: RowKey, in database: Database) throws -> Bool {
    let places = try (table.requiredPlace(of: first), table.requiredPlace(of: second))
    if terms.isEmpty { return try table.order.precedes(places.0, places.1, in: database) }
    guard first != second else { return false }
    var range = order.everything(.forward)
    range.condition = [places.0, places.1].map { table.order.row(at: $0).condition }.joinedByOr
    return try table.places(database, [range], limit: 1).first == places.0
  }
}

extension [SQLText] {
  /// The condition that one of these holds.
  package var joinedByOr: SQLText { map { "(\($0))" as SQLText }.joined(by: " OR ") }
}
