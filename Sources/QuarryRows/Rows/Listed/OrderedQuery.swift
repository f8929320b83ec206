package import QuarryEngine

/// The rows of a table that match a condition, in an order that ends with the table's own key.
///
///     SELECT rowid FROM main.Track WHERE (Milliseconds > ?) ORDER BY Name DESC, rowid
///
/// Each read finds the keys first, for which SQLite may use only an index, and then the rows by their keys. A position in the order is
/// identified by its row: SQLite compares with that row's values.
package struct OrderedQuery: Hashable, Sendable {
  /// All rows of the table by its own key.
  package var table: KeysetRows
  /// The rows that match the condition.
  package var matching: KeysetRows
  /// The terms before the key; none in the table's own order.
  package var terms: [KeysetOrder.Term]
  /// Whether SQLite must sort, so that each read passes all rows.
  package var isSorted = false
  /// Whether SQLite provides the order without sorting, so that a read can continue from any row.
  var isServed = true
  /// Whether SQLite scans the table itself for the rows that match the condition.
  var scansTable = false

  package var order: KeysetOrder { KeysetOrder(terms: terms + table.order.terms) }
  package var condition: SQLText { matching.condition }
  var keyColumns: [SQLText] { table.keyColumns }

  /// Creates a query of a table's rows, with SQLite's query plan.
  ///
  /// - Throws: `DatabaseError` if the condition or the order does not compile.
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

  /// Creates the query of all rows of a table by its own key.
  package init(_ table: KeysetRows) {
    (self.table, matching, terms) = (table, table, [])
    scansTable = true
  }

  /// The statement that finds all keys in order.
  var keysSQL: SQLText { matching.sql(keyColumns, order.everything(.forward)) }
}

extension OrderedQuery {
  /// Reads the values of the order's terms in a statement's current row, starting at a column.
  ///
  /// - Throws: `DatabaseError`: `SQLITE_MISMATCH` if a text is not valid UTF-8, so that no value equals it.
  func place(_ statement: Statement, at first: Int) throws -> [DatabaseValue] {
    try order.terms.indices.map { try statement.columnValue(at: first + $0) }
  }
}

// MARK: - Positions

extension OrderedQuery {
  /// A position in the order, at a row or next to one.
  package struct Place {
    var operands: [KeysetOrder.Operand]
    /// Whether the position is before (true) or after (false) the row that identifies it; nil if it is that row's own position.
    var isBeforeRow: Bool?

    func ranges(in query: OrderedQuery, _ direction: KeysetOrder.Direction, isInclusive: Bool) -> [KeysetOrder.Range] {
      let isInclusive = isBeforeRow.map { $0 == (direction == .forward) } ?? isInclusive
      return query.ranges(query.order.ranges(from: operands, direction, isInclusive: isInclusive), direction)
    }
  }

  /// Returns the position of a row of the table, whether or not it matches the condition; nil if the row no longer exists.
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

  /// Returns the ranges in the way they are read: if SQLite must sort, they are joined, so that it passes the rows once.
  package func ranges(_ ranges: [KeysetOrder.Range], _ direction: KeysetOrder.Direction) -> [KeysetOrder.Range] {
    guard isSorted, ranges.count > 1 else { return ranges }
    var whole = order.everything(direction)
    whole.condition = "(\(ranges.map(\.condition).joinedByOr))"
    return [whole]
  }

  /// Returns whether a row matches the condition.
  func contains(_ key: RowKey, in database: Database) throws -> Bool {
    try !matching.places(database, [table.order.row(at: table.requiredPlace(of: key))], limit: 1).isEmpty
  }

  /// Returns whether one row comes before another; both must exist.
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
  /// The conditions joined by OR.
  package var joinedByOr: SQLText { map { "(\($0))" as SQLText }.joined(by: " OR ") }
}
