/// The rows of a table that refer to rows which are not there, before the transaction ends that has written some of them.
struct BrokenReferences {
  /// A row that came from the file.
  struct Row {
    let rowID: Int64
    let line: Int
    /// The table that it refers to.
    let parent: String
  }

  /// Those that came from the file, by their lines.
  private(set) var imported: [Row] = []
  /// The others, which were changed, or had been there: their rowids, nil where the table has none, and the tables that they refer to.
  private var others: [(rowID: Int64?, parent: String)] = []
  private let table: TableReference

  /// Finds them.
  ///
  ///     PRAGMA main.foreign_key_check(Employee)
  ///
  /// - Parameter lines: Tells where rows came from.
  init(of table: TableReference, lines: ReferringRows, in db: Database) throws {
    self.table = table
    let sql: SQLText = "PRAGMA \(identifier: table.database).foreign_key_check(\(identifier: table.name))"
    var known: Set<Int64> = []
    for row in try QuarryEngine.Row.fetchAll(db, sql: sql.sql) {
      let (rowID, parent) = try (row[1] as Int64?, row[2] as String)
      // A row that breaks several keys is told once.
      if let rowID, !known.insert(rowID).inserted { continue }
      if let rowID, let line = lines.line(of: rowID) {
        imported.append(Row(rowID: rowID, line: line, parent: parent))
      } else {
        others.append((rowID, parent))
      }
    }
    imported.sort { $0.line < $1.line }
  }

  /// Says which rows they are, and what can be done.
  ///
  ///     line 3: FOREIGN KEY constraint failed: it refers to no row of Track (and 2 rows more)
  func sentence(_ schema: TableSchema, rule: ImportPlan.ConflictRule, in db: Database) throws -> String {
    let count = imported.count + others.count
    let more = count > 1 ? " (and \(Plural.of(count - 1, "row")) more)" : ""
    let wayOut = "import the rows that it refers to first, or leave it out of the file"
    if let first = imported.first {
      return "line \(Plural.grouped(first.line)): FOREIGN KEY constraint failed: it refers to no row of \(first.parent)\(more); \(wayOut)"
    }
    guard let other = others.first else {
      return "FOREIGN KEY constraint failed: rows of other tables refer to rows of \(table.name) that would no longer be there"
    }
    let row = try key(of: other.rowID, schema, in: db).map { "the row with \($0)" } ?? "a row"
    return "FOREIGN KEY constraint failed: \(row) of \(table.name) would refer to no row of \(other.parent)\(more); \(wayOut)"
  }

  /// Returns what tells a row from others: `TrackId 3`.
  private func key(of rowID: Int64?, _ schema: TableSchema, in db: Database) throws -> String? {
    guard let rowID else { return nil }
    guard let name = schema.primaryKey.first, schema.primaryKey.count == 1 else { return "rowid \(rowID)" }
    let sql: SQLText = "SELECT quote(\(identifier: name)) FROM \(table.sqlText) WHERE rowid = \(rowID)"
    return try String.fetchOne(db.makeStatement(literal: sql)).map { "\(name) \($0)" }
  }
}
