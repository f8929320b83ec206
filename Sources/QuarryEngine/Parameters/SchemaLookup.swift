/// The tables of a connection as statements name them, each read once; what cannot be read is not there.
final class SchemaLookup {
  private let database: Database
  private var schemas: [String: TableSchema?] = [:]
  private lazy var databases: [String] = names()

  init(_ database: Database) {
    self.database = database
  }

  /// Returns the table or view of this name: in `temp` before `main` before any other database, where none is named.
  func table(_ name: String, in database: String?) -> TableSchema? {
    let key = "\(database ?? "")\0\(name)".lowercased()
    if let known = schemas[key] { return known }
    let schema = (database.map { [$0] } ?? databases).lazy.compactMap { self.read(TableReference(database: $0, name: name)) }.first
    schemas[key] = .some(schema)
    return schema
  }

  private func read(_ reference: TableReference) -> TableSchema? {
    guard (try? holds(reference)) == true else { return nil }
    return try? database.tableSchema(reference)
  }

  /// Looks for the name alone, since databases can hold many tables.
  private func holds(_ reference: TableReference) throws -> Bool {
    let isOwn = reference.name.lowercased().hasPrefix("sqlite_")
    let sql = "SELECT 1 FROM \(reference.schemaTable) WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')"
    return try isOwn || Row.fetchOne(database, sql: sql, arguments: [reference.name]) != nil
  }

  private func names() -> [String] {
    let listed = (try? Row.fetchAll(database, sql: "PRAGMA database_list").map { try $0[1] as String }) ?? ["main"]
    return ["temp"] + listed.filter { $0 != "temp" }
  }
}
