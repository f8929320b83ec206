/// Those rows in which a search finds something.
struct RowHits: Sendable {
  /// The rows that are looked at.
  private let rows: KeysetRows
  /// The SQL of the place of the first column that matches, else NULL, with the needle as `?1`.
  let hit: String
  private let columns: [Int]
  private let argument: DatabaseValue

  /// Nil where none of the columns that are to be looked at is there.
  init?(_ search: RowSearch, in rows: KeysetRows) {
    let names = rows.columnNames
    columns = search.columns.filter(names.indices.contains)
    guard !columns.isEmpty else { return nil }
    self.rows = rows
    hit = search.needle.sql(columns.map { names[$0] })
    argument = search.needle.argument
  }

  /// The rows in which something is found, by themselves.
  var matching: KeysetRows {
    var rows = rows
    rows.condition = "\(hit) IS NOT NULL" + (rows.condition.isEmpty ? "" : " AND \(rows.condition)")
    rows.arguments = [argument] + rows.arguments
    return rows
  }

  /// The first row of some ranges in which something matches, where no more rows are passed than those ahead of it.
  ///
  ///     SELECT quarry_find_text(?1, 0, Name, Composer), TrackId FROM main.Track WHERE TrackId > ? ORDER BY TrackId
  ///
  /// - Parameter pace: is told of the rows that are passed.
  func first(in ranges: [KeysetOrder.Range], _ pace: SearchPace, _ database: Database) throws -> (key: RowKey, column: Int)? {
    try database.installTextFinder()
    var all = rows
    all.arguments = [argument] + rows.arguments
    var found: (key: RowKey, column: Int)?
    var passed = 0
    try all.scan(database, [hit] + all.keyColumns, ranges) { statement in
      if try statement.columnStorageClass(at: 0) != .null {
        found = try match(statement)
        return false
      }
      passed += 1
      if passed % SearchPace.step == 0 { pace.pass(SearchPace.step) }
      return true
    }
    return found
  }

  /// The first row of some ranges in which something matches, where SQLite has to sort them.
  func firstSorted(in ranges: [KeysetOrder.Range], _ database: Database) throws -> (key: RowKey, column: Int)? {
    try database.installTextFinder()
    var found: (key: RowKey, column: Int)?
    try matching.scan(database, [hit] + rows.keyColumns, ranges, limit: 1) { statement in
      found = try match(statement)
      return false
    }
    return found
  }

  /// What is found in one row; nil where that is nothing, or the row is not among those that are looked at.
  func match(in key: RowKey, _ database: Database) throws -> (key: RowKey, column: Int)? {
    try firstSorted(in: [rows.order.row(at: rows.requiredPlace(of: key))], database)
  }

  private func match(_ statement: Statement) throws -> (key: RowKey, column: Int) {
    try (rows.key(at: rows.place(statement, at: 1)), column(statement))
  }

  /// The column that matches in the row on which a statement stands, whose first value is the place of it.
  func column(_ statement: Statement) throws -> Int {
    try columns[Int(statement.columnInteger(at: 0))]
  }
}
