import QuarryEngine
import TestSupport

/// All that a database has: its objects, the rows of its tables with their rowids and storage classes, and its settings.
struct DatabaseContents: Equatable {
  private var settings: [String] = []
  private var objects: [String] = []
  private var tables: [String: [String]] = [:]

  init(path: String) throws {
    try DatabaseQueue(path: path).read { db in
      settings = try ["encoding", "user_version", "application_id"].map { name in
        try String.fetchOne(db, sql: "SELECT CAST(\(name) AS TEXT) FROM pragma_\(name)") ?? ""
      }
      objects = try String.fetchAll(
        db, sql: "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || hex(coalesce(sql, '')) FROM sqlite_schema"
      )
      .sorted()
      let names = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL TABLE %'")
      for name in names { tables[name] = try Self.rows(of: name, in: db) }
    }
  }

  private static func rows(of name: String, in db: Database) throws -> [String] {
    let schema = try db.tableSchema(TableReference(name: name))
    let names = Set(schema.columns.map { $0.name.lowercased() })
    let id = schema.entry.isWithoutRowID ? nil : ["rowid", "oid"].first { !names.contains($0) }
    let values = schema.columns.map { StoredValues.expression(SQLIdentifier.quoted($0.name)) }
    // What AUTOINCREMENT keeps is known by the names, in any order.
    let isSequence = name == "sqlite_sequence"
    let sql = "SELECT \((isSequence ? values : [id].compactMap(\.self) + values).joined(separator: " || ' ' || ")) FROM "
    let rows = try String.fetchAll(db, sql: sql + SQLIdentifier.quoted(name))
    return isSequence ? rows.sorted() : rows
  }
}
