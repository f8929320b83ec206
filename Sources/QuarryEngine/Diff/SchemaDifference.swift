/// A difference between the schemas of two databases.
package struct SchemaDifference: Hashable, Sendable {
  /// `table`, `index`, `trigger`, `view`, or `column` of a table that both have.
  package var kind: String
  /// The name; that of a column with its table: `Track.Name`.
  package var name: String
  package var change: DiffChange
  /// The text in the first database; nil where it is not there.
  package var from: String?
  /// The text in the second database.
  package var to: String?
}

/// What has become of a row or an object of the schema.
package enum DiffChange: String, Hashable, Sendable {
  case added, removed, changed
}

/// An object of a schema: by its meaning, so that a text that is laid out anew is the same.
private struct SchemaObject: Sendable {
  var kind: String
  var name: String
  var sql: String
  /// The columns of a table, by their definitions; empty for all else.
  var columns: [(name: String, definition: String)] = []

  /// The words of the text, without layout, comments, quotes of names, and the case of what is no value.
  var meaning: [String] {
    let tokens = StatementTokens(sql)
    return (0..<tokens.count).map { index in
      switch tokens[index]?.kind {
      case .text, .blob: tokens.text(index)
      case .quotedName: (tokens[index].map { SQLToken.name(tokens.bytes[$0.range]) } ?? "").asciiLowercased
      default: tokens.text(index).asciiLowercased
      }
    }
  }
}

extension SchemaDifference {
  /// Compares the schemas of two databases.
  ///
  ///     SELECT type, name, sql FROM main.sqlite_schema
  ///
  /// - Parameter tables: The tables whose definitions, indexes and triggers are compared; nil for the whole schema.
  static func all(_ from: any DiffSide, _ to: any DiffSide, tables: [String]?) async throws -> [SchemaDifference] {
    let (before, after) = (try await objects(of: from, tables), try await objects(of: to, tables))
    var found: [SchemaDifference] = []
    for (key, object) in before.sorted(by: { $0.key < $1.key }) {
      guard let other = after[key] else {
        found.append(SchemaDifference(kind: object.kind, name: object.name, change: .removed, from: object.sql))
        continue
      }
      if object.meaning != other.meaning { found += changes(object, other) }
    }
    for (key, object) in after.sorted(by: { $0.key < $1.key }) where before[key] == nil {
      found.append(SchemaDifference(kind: object.kind, name: object.name, change: .added, to: object.sql))
    }
    return found
  }

  /// Returns the columns in which a table differs; the object itself where no column does.
  private static func changes(_ from: SchemaObject, _ to: SchemaObject) -> [SchemaDifference] {
    let (before, after) = (Dictionary(from.columns) { $1 }, Dictionary(to.columns) { $1 })
    let names = from.columns.map(\.name) + to.columns.map(\.name).filter { before[$0] == nil }
    let columns = names.compactMap { name -> SchemaDifference? in
      guard before[name] != after[name] else { return nil }
      let change: DiffChange = before[name] == nil ? .added : after[name] == nil ? .removed : .changed
      return SchemaDifference(kind: "column", name: "\(to.name).\(name)", change: change, from: before[name], to: after[name])
    }
    guard columns.isEmpty else { return columns }
    return [SchemaDifference(kind: from.kind, name: from.name, change: .changed, from: from.sql, to: to.sql)]
  }

  private static func objects(of side: any DiffSide, _ tables: [String]?) async throws -> [String: SchemaObject] {
    try await side.schema { db in
      var objects: [String: SchemaObject] = [:]
      let sql = "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
      for row in try Row.fetchAll(db, sql: sql) {
        let (kind, name, table): (String, String, String) = (try row[0], try row[1], try row[2])
        if let tables, !tables.contains(where: { $0.isSameIdentifier(as: table) }) { continue }
        var object = SchemaObject(kind: kind, name: name, sql: try row[3])
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
  /// The type and the rules of the column: `text NOT NULL DEFAULT ''`.
  fileprivate var summary: String {
    let parts = [
      declaredType.asciiLowercased, isNullable ? "" : "NOT NULL", defaultSQL.map { "DEFAULT \($0)" } ?? "",
      collation.isSameIdentifier(as: "BINARY") ? "" : "COLLATE \(collation)", generation == nil ? "" : "GENERATED",
      primaryKeyPosition == nil ? "" : "PRIMARY KEY",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}
