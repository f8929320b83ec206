internal import QuarryEngine

/// The rows of a table with dangling references, before the end of the transaction that has written some of them.
struct BrokenReferences {
  /// A row from the file.
  struct Row {
    let rowID: Int64
    let place: ReferringRows.Place
    /// The referenced table.
    let parent: String

    /// The reject with its reason.
    var reject: ImportReject { BrokenReferences.reject(line: place.line, parent: parent) }
  }

  /// Returns the reject of a row with a dangling reference.
  static func reject(line: Int, parent: String) -> ImportReject {
    ImportReject(line: line, reason: "FOREIGN KEY constraint failed: it references no row of \(parent)")
  }

  /// The rows from the file, by line.
  private(set) var imported: [Row] = []
  /// The changed or existing rows: their rowids, or nil if the table has none, and the referenced tables.
  private var others: [(rowID: Int64?, parent: String)] = []
  private let table: TableReference

  /// Finds the rows.
  ///
  ///     PRAGMA main.foreign_key_check(Employee)
  ///
  /// - Parameter origins: The origins of rows in the file.
  init(of table: TableReference, origins: ReferringRows, in db: Database) throws {
    self.table = table
    let sql: SQLText = "PRAGMA \(identifier: table.database).foreign_key_check(\(identifier: table.name))"
    // A row that violates several keys is reported once.
    var parents: [Int64: String] = [:]
    for row in try QuarryEngine.Row.fetchAll(db, sql: sql.sql) {
      let (rowID, parent) = try (row[1] as Int64?, row[2] as String)
      guard let rowID else {
        others.append((nil, parent))
        continue
      }
      if parents[rowID] == nil { parents[rowID] = parent }
    }
    let broken = parents.sorted { $0.key < $1.key }
    let places = origins.places(of: broken.map(\.key))
    for (rowID, parent) in broken {
      if let place = places[rowID] {
        imported.append(Row(rowID: rowID, place: place, parent: parent))
      } else {
        others.append((rowID, parent))
      }
    }
    imported.sort { $0.place.record < $1.place.record }
  }

  /// Returns a sentence about the rows that do not come from a known record, with a suggested solution.
  ///
  ///     FOREIGN KEY constraint failed: the row with id 1 of Track would refer to no row of Album (and 2 rows more); import …
  func sentence(_ schema: TableSchema, in db: Database) throws -> String {
    let more = others.count > 1 ? " (and \(Plural.of(others.count - 1, "row")) more)" : ""
    let wayOut = "import the referenced rows first, or remove this row from the file"
    guard let other = others.first else {
      return "FOREIGN KEY constraint failed: rows of other tables refer to rows of \(table.name) that would no longer exist"
    }
    let row = try key(of: other.rowID, schema, in: db).map { "the row with \($0)" } ?? "a row"
    return "FOREIGN KEY constraint failed: \(row) of \(table.name) would refer to no row of \(other.parent)\(more); \(wayOut)"
  }

  /// Returns the key of a row: `TrackId 3`.
  private func key(of rowID: Int64?, _ schema: TableSchema, in db: Database) throws -> String? {
    guard let rowID else { return nil }
    guard let name = schema.primaryKey.first, schema.primaryKey.count == 1 else { return "rowid \(rowID)" }
    let sql: SQLText = "SELECT quote(\(identifier: name)) FROM \(table.sqlText) WHERE rowid = \(rowID)"
    return try String.fetchOne(db.makeStatement(literal: sql)).map { "\(name) \($0)" }
  }
}
