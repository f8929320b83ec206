package import QuarryEngine

/// The error thrown if a row's key cannot be read as values, so that the table cannot be read by it.
struct UnreadableKey: Error {
  let table: TableReference
}

/// The rows of a table in the order of a unique key.
///
/// Reading can start at any key, in either direction, and costs only the rows read.
///
///     SELECT TrackId, Name, …, TrackId FROM main.Track WHERE TrackId > 2819 ORDER BY TrackId LIMIT 51
package struct KeysetRows: Hashable, Sendable {
  /// The kinds of keys.
  enum KeyKind: Hashable, Sendable {
    case rowID, values
    /// The positions of rows stored under the rowids 1, 2, 3, ….
    case position
  }

  package var reference: TableReference
  package var columns: [RowSetColumn]
  var keyKind: KeyKind
  package var order: KeysetOrder
  /// The condition on the rows; empty for all rows.
  var condition = SQLText()
  /// Whether SQLite may find rows by an index.
  ///
  /// It may not if they are read by ranges, because SQLite would scan the whole index for each range.
  var isIndexed = true

  /// The maximum number of values in a result row: SQLite's default of `SQLITE_MAX_COLUMN`.
  package static let resultLimit = 2000

  /// Returns the position of a key in the order; nil for a key of another kind of set.
  package func place(of key: RowKey) -> [DatabaseValue]? {
    switch (keyKind, key) {
    case (.rowID, .rowID(let id)): [.integer(id)]
    case (.position, .position(let index)): [.integer(index == .max ? .max : Int64(index) + 1)]
    case (.values, .values(let values)) where values.count == order.terms.count: values
    default: nil
    }
  }

  /// Returns the key of the row at a position.
  package func key(at place: [DatabaseValue]) -> RowKey {
    switch (keyKind, place.first) {
    case (.rowID, .integer(let id)): .rowID(id)
    case (.position, .integer(let id)): .position(Int(id) &- 1)
    default: .values(place)
    }
  }

  /// Calls `body` with a statement on each row of some ranges, one after the other, until it returns false.
  ///
  /// - Parameter values: The expressions read from each row.
  func scan(
    _ database: Database, _ values: [SQLText], _ ranges: [KeysetOrder.Range], limit: Int? = nil, _ body: (Statement) throws -> Bool
  ) throws {
    var rest = limit
    for range in ranges where rest.map({ $0 > 0 }) ?? true {
      var goesOn = true
      try database.scan(sql(values, range, limit: rest)) { statement in
        rest = rest.map { $0 - 1 }
        goesOn = try body(statement)
        return goesOn
      }
      guard goesOn else { return }
    }
  }

  /// Reads the positions of some rows, without their other columns.
  func places(_ database: Database, _ ranges: [KeysetOrder.Range], limit: Int) throws -> [[DatabaseValue]] {
    var places: [[DatabaseValue]] = []
    try scan(database, keyColumns, ranges, limit: limit) { statement in
      try places.append(place(statement, at: 0))
      return true
    }
    return places
  }

  /// Reads the position of the row after `steps` other rows in the ranges; nil if there are fewer.
  func place(
    _ database: Database, _ ranges: [KeysetOrder.Range], _ direction: KeysetOrder.Direction, steps: Int
  ) throws -> [DatabaseValue]? {
    var found: [DatabaseValue]?
    var step = 0
    try scanInSlices(database, [], ranges, reading: direction) { statement in
      if step == steps { found = try place(statement, at: 0) }
      step += 1
      return step <= steps
    }
    return found
  }

  /// Reads the position of a statement's current row, whose values begin at a column.
  ///
  /// - Throws: ``UnreadableKey`` if a text of the key is not valid UTF-8, so that no value equals it.
  func place(_ statement: Statement, at first: Int) throws -> [DatabaseValue] {
    do {
      return try order.terms.indices.map { try statement.columnValue(at: first + $0) }
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_MISMATCH {
      throw UnreadableKey(table: reference)
    }
  }

  /// Reads rows of some ranges with the beginnings of their values.
  func rows(_ database: Database, _ ranges: [KeysetOrder.Range], limit: Int) throws -> [WindowRow] {
    let cells = columnNames
    var rows: [WindowRow] = []
    guard cells.count + order.terms.count <= Self.resultLimit else {
      let places = try places(database, ranges, limit: limit)
      try scan(database, cells, ranges, limit: limit) { statement in
        guard rows.count < places.count else { return false }
        try rows.append(WindowRow(key: key(at: places[rows.count]), cells: statement.cells(cells.count, limit: CellValue.prefixLimit)))
        return true
      }
      return rows
    }
    try scan(database, cells + keyColumns, ranges, limit: limit) { statement in
      let place = try place(statement, at: cells.count)
      try rows.append(WindowRow(key: key(at: place), cells: statement.cells(cells.count, limit: CellValue.prefixLimit)))
      return true
    }
    return rows
  }

  /// The expressions of a position in the order.
  var keyColumns: [SQLText] {
    order.terms.map(\.expression)
  }

  /// The rowid; nil if the rows have another key.
  package var rowIDColumn: SQLText? {
    keyKind == .rowID ? keyColumns.first : nil
  }

  package var columnNames: [SQLText] {
    columns.map(\.sqlText)
  }

  /// Returns the statement that reads values of the rows of a range.
  ///
  /// Where SQLite must sort the rows, a large limit is slower than none: with a LIMIT it inserts each row into a b-tree, and it sorts runs of
  /// rows only without one.
  func sql(_ values: [SQLText], _ range: KeysetOrder.Range, limit: Int? = nil) -> SQLText {
    let rows: SQLText = "SELECT \(values.joined(by: ", ")) FROM \(source(where: range.condition)) ORDER BY \(range.order)"
    return limit.map { "\(rows) LIMIT \($0)" } ?? rows
  }

  /// Returns the statement that reads values of the row at a position; the values of its key are bound last.
  ///
  /// No value of a key is NULL, so that ``SQLText/replacingLastValues(_:)`` turns it into the statement for any other position.
  func lookup(_ values: [SQLText], at place: [DatabaseValue]) -> SQLText {
    "SELECT \(values.joined(by: ", ")) FROM \(source(where: order.row(at: place).condition))"
  }

  /// Returns the SQL after FROM, with an additional condition.
  package func source(where further: SQLText = SQLText()) -> SQLText {
    let conditions = [condition, further].filter { !$0.isEmpty }
    let table: SQLText = isIndexed ? reference.sqlText : "\(reference.sqlText) NOT INDEXED"
    return conditions.isEmpty ? table : "\(table) WHERE \(conditions.joined(by: " AND "))"
  }
}

extension KeysetRows {
  /// Creates the rows of a table in the order of its own key.
  ///
  /// Returns nil if no key can be used: for views, most virtual tables, and keys with a collation that is not defined on this connection.
  package init?(_ schema: TableSchema, in database: Database) {
    let keys: [(kind: KeyKind, terms: [KeysetOrder.Term])] =
      switch schema.entry.kind {
      case .view: []
      case .virtual: schema.rowIDKey.map { [(.rowID, [$0])] } ?? []
      case .table, .shadow, .system: schema.keys
      }
    let candidates = keys.map { Self(schema, $0.kind, $0.terms) }
    guard let rows = candidates.first(where: { $0.isServed(by: database) }) else { return nil }
    self = rows
  }

  private init(_ schema: TableSchema, _ kind: KeyKind, _ terms: [KeysetOrder.Term]) {
    reference = schema.entry.reference
    columns = schema.rowSetColumns
    keyKind = kind
    order = KeysetOrder(terms: terms)
  }

  /// Returns whether SQLite provides the order without sorting; otherwise each page would require a scan.
  private func isServed(by database: Database) -> Bool {
    let order = order.everything(.forward).order
    let plan = try? QueryPlan(of: "SELECT 1 FROM \(reference.sqlText) ORDER BY \(order)", in: database)
    return plan.map { !$0.details.contains { $0.contains("TEMP B-TREE") } } ?? false
  }
}

extension TableSchema {
  /// The keys that identify a row, the best one first.
  fileprivate var keys: [(kind: KeysetRows.KeyKind, terms: [KeysetOrder.Term])] {
    let own = entry.isWithoutRowID ? nil : rowIDKey.map { (kind: KeysetRows.KeyKind.rowID, terms: [$0]) }
    let unique = indexes.filter { $0.isUnique && !$0.isPartial }.sorted { $0.origin == .primaryKey && $1.origin != .primaryKey }
    return [own].compactMap(\.self) + unique.compactMap { keyTerms(of: $0) }.map { (kind: .values, terms: $0) }
  }

  /// The rowid under a name that no column has.
  fileprivate var rowIDKey: KeysetOrder.Term? {
    let alias = columns.first(where: \.isRowID)?.name
    let free = ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil }
    return (alias ?? free).map { KeysetOrder.Term(expression: "\(identifier: $0)") }
  }

  /// Returns the terms of an index whose columns cannot be NULL; nil for other indexes, in which rows can be equal.
  private func keyTerms(of index: IndexSchema) -> [KeysetOrder.Term]? {
    let terms = index.terms.compactMap { term -> KeysetOrder.Term? in
      guard let name = term.column, let column = column(named: name), !column.isNullable else { return nil }
      return KeysetOrder.Term(expression: "\(identifier: name)", collation: term.collation, isDescending: term.isDescending)
    }
    return terms.count == index.terms.count ? terms : nil
  }
}
