internal import QuarryEngine

/// A difference between the schemas of two databases.
package struct SchemaDifference: Hashable, Sendable {
  /// `table`, `index`, `trigger`, `view`, `column` of a table that both databases have, or `pragma`.
  package var kind: String
  /// The name, qualified by the table for a column: `Track.Name`.
  package var name: String
  package var change: DiffChange
  /// The SQL or value in the first database, or nil if the object does not exist there.
  package var from: String?
  /// The SQL or value in the second database, or nil if the object does not exist there.
  package var to: String?
}

/// The kind of change of a row or a schema object.
package enum DiffChange: String, Hashable, Sendable {
  case added, removed, changed
}

/// An object of a schema.
private struct SchemaObject: Sendable {
  var kind: String
  var name: String
  var sql: String
  /// The columns of a table with their definitions, or empty for any other object.
  var columns: [(name: String, definition: String)] = []
}

extension SchemaDifference {
  /// Compares the schemas of two databases.
  ///
  ///     SELECT type, name, sql FROM main.sqlite_schema
  ///
  /// - Parameter tables: The tables whose definitions, indexes and triggers are compared, or nil for the whole schema.
  static func all(_ from: any DiffSide, _ to: any DiffSide, tables: [String]?) async throws -> [SchemaDifference] {
    let (before, after) = (try await objects(of: from, tables), try await objects(of: to, tables))
    let names = SchemaNames([before, after].flatMap(\.values).flatMap { [$0.name] + $0.columns.map(\.name) })
    var found: [SchemaDifference] = []
    for (key, object) in before.sorted(by: { $0.key < $1.key }) {
      guard let other = after[key] else {
        found.append(SchemaDifference(kind: object.kind, name: object.name, change: .removed, from: object.sql))
        continue
      }
      if names.meaning(of: object.sql) != names.meaning(of: other.sql) { found += changes(object, other, names) }
    }
    for (key, object) in after.sorted(by: { $0.key < $1.key }) where before[key] == nil {
      found.append(SchemaDifference(kind: object.kind, name: object.name, change: .added, to: object.sql))
    }
    return tables == nil ? try await found + numbers(from, to) : found
  }

  /// Returns the columns in which a table differs, and the table itself if it differs in other ways.
  private static func changes(_ from: SchemaObject, _ to: SchemaObject, _ names: SchemaNames) -> [SchemaDifference] {
    let (before, after) = (Dictionary(from.columns) { $1 }, Dictionary(to.columns) { $1 })
    let all = from.columns.map(\.name) + to.columns.map(\.name).filter { before[$0] == nil }
    let columns = all.compactMap { name -> SchemaDifference? in
      guard before[name] != after[name] else { return nil }
      let change: DiffChange = before[name] == nil ? .added : after[name] == nil ? .removed : .changed
      return SchemaDifference(kind: "column", name: "\(to.name).\(name)", change: change, from: before[name], to: after[name])
    }
    let common = Set(before.keys).intersection(after.keys)
    if !columns.isEmpty, let rules = names.rules(of: from.sql, common), rules == names.rules(of: to.sql, common) { return columns }
    return columns + [SchemaDifference(kind: from.kind, name: from.name, change: .changed, from: from.sql, to: to.sql)]
  }

  /// Compares the numbers that programs store in a database.
  ///
  ///     PRAGMA main.user_version; PRAGMA main.application_id
  private static func numbers(_ from: any DiffSide, _ to: any DiffSide) async throws -> [SchemaDifference] {
    var found: [SchemaDifference] = []
    for name in ["user_version", "application_id"] {
      let sql: SQLText = "SELECT \(identifier: name) FROM \(identifier: "pragma_\(name)")"
      let (before, after) = (try await from.rows(sql, width: 1).first?.first, try await to.rows(sql, width: 1).first?.first)
      guard before != after else { continue }
      found.append(SchemaDifference(kind: "pragma", name: name, change: .changed, from: before?.text, to: after?.text))
    }
    return found
  }

  private static func objects(of side: any DiffSide, _ tables: [String]?) async throws -> [String: SchemaObject] {
    try await side.schema { db in
      var objects: [String: SchemaObject] = [:]
      let sql = "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
      for row in try Row.fetchAll(db, sql: sql) {
        let (kind, name, table): (String, String, String) = (try row[0], try row[1], try row[2])
        if let tables, !tables.contains(where: { $0.isSameIdentifier(as: table) }) { continue }
        var object = SchemaObject(kind: kind, name: name, sql: try row.schemaSQL(at: 3) ?? "")
        if kind == "table", let schema = try? db.tableSchema(TableReference(name: name)) {
          object.columns = schema.columns.map { ($0.name.asciiLowercased, $0.summary) }
        }
        objects["\(kind) \(name.asciiLowercased)"] = object
      }
      return objects
    }
  }
}

extension ColumnSchema {
  /// The type and the constraints of the column: `text NOT NULL DEFAULT ''`.
  fileprivate var summary: String {
    let parts = [
      declaredType.asciiLowercased, isNullable ? "" : "NOT NULL", defaultSQL.map { "DEFAULT \($0)" } ?? "",
      collation.isSameIdentifier(as: "BINARY") ? "" : "COLLATE \(collation)", generation == nil ? "" : "GENERATED",
      primaryKeyPosition == nil ? "" : "PRIMARY KEY",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension StoredValue {
  fileprivate var text: String? { value?.sqlLiteral }
}
