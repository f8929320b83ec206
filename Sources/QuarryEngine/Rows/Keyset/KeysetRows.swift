/// The rows of a table in the order of a key that identifies them: read from any place in it, either way, at the cost of what is read.
///
///     SELECT TrackId, Name, …, TrackId FROM main.Track WHERE TrackId > 2819 ORDER BY TrackId LIMIT 51
struct KeysetRows: Hashable, Sendable {
  /// What a `RowKey` of these rows holds.
  enum KeyKind: Hashable, Sendable {
    case rowID, values
    /// Rows kept under the rowids 1, 2, 3, …, whose keys are their places.
    case position
  }

  var reference: TableReference
  var columns: [RowSetColumn]
  var keyKind: KeyKind
  var order: KeysetOrder
  /// What narrows the rows; empty where nothing does.
  var condition = ""
  var arguments: [DatabaseValue] = []

  /// The greatest number of values that a row of a result has: SQLite's own default, `SQLITE_MAX_COLUMN`.
  static let resultLimit = 2000

  /// The place of a key in the order; nil for a key of another kind of set.
  func place(of key: RowKey) -> [DatabaseValue]? {
    switch (keyKind, key) {
    case (.rowID, .rowID(let id)): [.integer(id)]
    case (.position, .position(let index)): [.integer(index == .max ? .max : Int64(index) + 1)]
    case (.values, .values(let values)) where values.count == order.terms.count: values
    default: nil
    }
  }

  /// The key of the row in a place.
  func key(at place: [DatabaseValue]) -> RowKey {
    switch (keyKind, place.first) {
    case (.rowID, .integer(let id)): .rowID(id)
    case (.position, .integer(let id)): .position(Int(id) &- 1)
    default: .values(place)
    }
  }

  /// Calls `body` with a statement that stands on each row of some ranges, one after the other, until it returns false.
  ///
  /// - Parameter values: the SQL of the values to read.
  func scan(
    _ database: Database, _ values: [String], _ ranges: [KeysetOrder.Range], limit: Int = .max, _ body: (Statement) throws -> Bool
  ) throws {
    var rest = limit
    for range in ranges where rest > 0 {
      var goesOn = true
      try database.scan(sql(values, range), arguments + range.arguments + range.orderArguments + [.integer(Int64(rest))]) { statement in
        rest -= 1
        goesOn = try body(statement)
        return goesOn
      }
      guard goesOn else { return }
    }
  }

  /// The places of some rows, read without their other columns.
  func places(_ database: Database, _ ranges: [KeysetOrder.Range], limit: Int) throws -> [[DatabaseValue]] {
    var places: [[DatabaseValue]] = []
    try scan(database, keyColumns, ranges, limit: limit) { statement in
      try places.append(place(statement, at: 0))
      return true
    }
    return places
  }

  /// The place of the row that stands some steps further on in the ranges; nil where there are not so many rows.
  func place(_ database: Database, _ ranges: [KeysetOrder.Range], steps: Int) throws -> [DatabaseValue]? {
    var found: [DatabaseValue]?
    var step = 0
    try scan(database, keyColumns, ranges, limit: steps + 1) { statement in
      if step == steps {
        found = try place(statement, at: 0)
      }
      step += 1
      return true
    }
    return found
  }

  func place(_ statement: Statement, at first: Int) throws -> [DatabaseValue] {
    try keyColumns.indices.map { try statement.columnValue(at: first + $0) }
  }

  /// Rows of some ranges with the beginnings of their values.
  func rows(_ database: Database, _ ranges: [KeysetOrder.Range], limit: Int) throws -> [WindowRow] {
    let cells = columnNames
    var rows: [WindowRow] = []
    guard cells.count + keyColumns.count <= Self.resultLimit else {
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

  /// The SQL of the values that make a place in the order.
  var keyColumns: [String] {
    order.terms.map(\.column)
  }

  /// The SQL of the rowid; nil where rows are known by another key.
  var rowIDColumn: String? {
    keyKind == .rowID ? keyColumns.first : nil
  }

  var columnNames: [String] {
    columns.map { SQLIdentifier.quoted($0.name) }
  }

  func sql(_ values: [String], _ range: KeysetOrder.Range) -> String {
    let conditions = [condition, range.condition].filter { !$0.isEmpty }.joined(separator: " AND ")
    return "SELECT \(values.joined(separator: ", ")) FROM \(reference.sql)"
      + (conditions.isEmpty ? "" : " WHERE \(conditions)") + " ORDER BY \(range.order) LIMIT ?"
  }
}
