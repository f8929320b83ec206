/// A temporary database with one table of rows, in the order in which they were put there.
///
///     CREATE TABLE rows(c0, c1, …)   -- no types: each value keeps its storage class
struct RowSpool: Sendable {
  let queue: DatabaseQueue
  /// What reads the rows by their places.
  let rows: KeysetRows

  init(width: Int) throws {
    let names = (0..<width).map { "c\($0)" }
    queue = try DatabaseQueue(path: "")
    rows = KeysetRows(
      reference: TableReference(name: "rows"), columns: names.map { RowSetColumn(name: $0, schema: nil) },
      keyKind: .position, order: KeysetOrder(terms: [KeysetOrder.Term(expression: "rowid")]))
    try queue.withoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = MEMORY")
      try database.execute(sql: "CREATE TABLE rows(\(names.joined(separator: ", ")))")
    }
  }

  /// Appends the row on which a statement stands.
  func append(_ statement: Statement, in database: Database) throws {
    let places = Array(repeating: "?", count: rows.columns.count).joined(separator: ", ")
    let insertion = try database.cachedStatement(sql: "INSERT INTO rows VALUES (\(places))")
    for index in rows.columns.indices {
      if try statement.columnStorageClass(at: index) == .text {
        // As bytes, so that a text that is not valid UTF-8 stays what it is.
        try statement.withColumnBytes(at: index) { try insertion.bindText($0, at: index + 1) }
      } else {
        try insertion.bind(statement.columnValue(at: index), at: index + 1)
      }
    }
    _ = try insertion.step()
    try insertion.reset()
  }
}
