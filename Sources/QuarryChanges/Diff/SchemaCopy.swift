internal import QuarryEngine
internal import QuarryRows

/// The schema of a database on another host, as an in-memory database whose tables have no rows.
///
/// SQLite reads the same texts as there, so that a table with a missing module or an unknown collation has the same problem here.
struct SchemaCopy: Sendable {
  /// The connection to the in-memory database.
  let queue: DatabaseQueue

  /// Reads the rows of a schema.
  static let sql: SQLText = "SELECT type, name, tbl_name, sql, rootpage > 0 FROM main.sqlite_schema ORDER BY rowid"
  /// The number of columns of the rows.
  static let width = 5

  /// Creates the database.
  ///
  ///     PRAGMA writable_schema = ON
  ///     INSERT INTO sqlite_schema(type, name, tbl_name, sql, rootpage) VALUES (?, ?, ?, ?, ?)
  ///
  /// - Throws: `SQLITE_CORRUPT` if SQLite cannot read the schema.
  init(_ rows: [[StoredValue]]) throws {
    var configuration = Configuration()
    configuration.label = "schema of a comparison"
    configuration.isDefensive = false
    queue = try DatabaseQueue(configuration: configuration)
    let rows = rows.filter { $0.count == Self.width }
    try queue.withoutTransaction { db in
      var pages = try Pages(for: rows, in: db)
      try db.execute(sql: "PRAGMA writable_schema = ON; BEGIN; DELETE FROM sqlite_schema")
      for row in rows {
        let values = row.prefix(4).map { value -> SQLText in
          if case .rawText(let bytes) = value { "CAST(\(DatabaseValue.blob(bytes)) AS TEXT)" } else { "\(value.databaseValue)" }
        }.joined(by: ", ")
        let page = pages.page(for: row)
        try db.execute(literal: "INSERT INTO sqlite_schema(type, name, tbl_name, sql, rootpage) VALUES (\(values), \(page))")
      }
      try db.execute(sql: "COMMIT; PRAGMA writable_schema = RESET")
    }
  }

  /// The first pages of the trees of tables and indexes.
  private struct Pages {
    /// The pages of the tables in which a module stores what it reads when it connects.
    private var known: [StoredValue: Int64] = [:]
    /// The pages of empty trees.
    private var others: [Int64] = []
    /// The number of empty trees that the objects of a table have.
    private var used: [StoredValue: Int] = [:]

    /// Creates the trees: those of virtual tables, and as many empty ones as one table needs.
    init(for rows: [[StoredValue]], in db: Database) throws {
      for row in rows {
        // A host could send anything.
        guard case .value(.text(let sql)) = row[3], VirtualTableSyntax(sql) != nil, SQLScript(sql).parts.count == 1 else { continue }
        try? db.execute(sql: sql)
      }
      try db.scan("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0") { statement in
        if case .value(.integer(let page)) = try statement.storedValue(at: 1) { known[try statement.storedValue(at: 0)] = page }
        return true
      }
      var counts: [StoredValue: Int] = [:]
      for row in rows { counts[row[2], default: 0] += 1 }
      for index in 0..<(counts.values.max() ?? 0) {
        try db.execute(sql: "CREATE TABLE quarry_tree\(index)(x)")
        let page = "SELECT rootpage FROM sqlite_schema WHERE name = 'quarry_tree\(index)'"
        others.append(try Int64.fetchOne(db, sql: page) ?? 0)
      }
    }

    /// Returns the page for the tree of an object, or 0 for an object without one.
    ///
    /// The indexes of a table must have different ones.
    mutating func page(for row: [StoredValue]) -> Int64 {
      guard row[4] == .value(.integer(1)) else { return 0 }
      if let page = known[row[1]] { return page }
      let index = used[row[2], default: 0]
      used[row[2]] = index + 1
      return others[index]
    }
  }
}
