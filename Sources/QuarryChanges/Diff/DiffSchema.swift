internal import QuarryEngine

/// The objects of a database's schema, without SQLite's own objects and the shadow tables of virtual tables.
struct DiffSchema: Sendable {
  /// A table, index, trigger or view.
  struct Object: Hashable, Sendable {
    var kind: String
    var name: String
    /// The table to which it belongs, or its own name for a table or view.
    var table: String
    var sql: String

    /// The key of the object in a schema.
    var key: String { "\(kind) \(name.asciiLowercased)" }

    /// Whether the object is a virtual table.
    var isVirtual: Bool { kind == "table" && VirtualTableSyntax(sql) != nil }
  }

  /// The objects in the order of their creation.
  private(set) var objects: [Object] = []
  private var places: [String: Int] = [:]

  /// Creates a schema of objects.
  init(_ objects: some Sequence<Object>) {
    for object in objects {
      places[object.key] = self.objects.count
      self.objects.append(object)
    }
  }

  /// Reads the schema of a side.
  ///
  ///     SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid
  ///
  /// - Parameter tables: The tables whose definitions, indexes and triggers are read, or nil for the whole schema.
  static func read(_ side: any DiffSide, _ tables: [String]?) async throws -> DiffSchema {
    try await side.schema { try DiffSchema(in: $0, tables) }
  }

  private init(in db: Database, _ tables: [String]?) throws {
    let entries = try db.catalog().databases.first { $0.name == "main" }?.entries ?? []
    let shadows = Set(entries.filter(\.isShadow).map(\.reference.name.asciiLowercased))
    let wanted = tables.map { Set($0.map(\.asciiLowercased)) }
    let sql = "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
    self.init(
      try Row.fetchAll(db, sql: sql).compactMap { row -> Object? in
        let object = Object(
          kind: try row.schemaText(at: 0) ?? "", name: try row.schemaText(at: 1) ?? "", table: try row.schemaText(at: 2) ?? "",
          sql: try row.schemaSQL(at: 3) ?? "")
        let table = object.table.asciiLowercased
        let isOwn = !object.name.asciiLowercased.hasPrefix("sqlite_") && !shadows.contains(table)
        return isOwn && wanted?.contains(table) ?? true ? object : nil
      })
  }

  /// Returns the object with a key.
  subscript(key: String) -> Object? { places[key].map { objects[$0] } }
}

extension CatalogEntry {
  fileprivate var isShadow: Bool {
    if case .shadow = kind { true } else { false }
  }
}

/// Two schemas whose objects are compared by meaning.
struct SchemaComparison: Sendable {
  let before: DiffSchema
  let after: DiffSchema
  private let names: SchemaNames
  /// The keys of the objects that both schemas have with different meanings.
  private(set) var changed: Set<String> = []

  /// Compares two schemas.
  ///
  /// - Parameter names: The names of the columns of all tables. They are needed only if SQL texts differ.
  init(_ before: DiffSchema, _ after: DiffSchema, names: SchemaNames) {
    (self.before, self.after, self.names) = (before, after, names)
    for object in before.objects {
      if let other = after[object.key], !names.isSame(object.sql, other.sql) { changed.insert(object.key) }
    }
  }

  /// Compares two schemas with the names of another comparison.
  init(_ before: DiffSchema, _ after: DiffSchema, _ other: SchemaComparison) {
    self.init(before, after, names: other.names)
  }

  /// Reads the schemas of two sides.
  static func read(_ from: any DiffSide, _ to: any DiffSide, _ tables: [String]?) async throws -> SchemaComparison {
    let (before, after) = (try await DiffSchema.read(from, tables), try await DiffSchema.read(to, tables))
    return SchemaComparison(before, after, names: try await names([(from, before), (to, after)]))
  }

  /// Returns the names of objects and columns, or only of objects if their SQL is the same everywhere.
  static func names(_ sides: [(side: any DiffSide, schema: DiffSchema)]) async throws -> SchemaNames {
    var names = sides.flatMap { $0.schema.objects.map(\.name) }
    let isSame = sides.allSatisfy { side in
      sides.allSatisfy { other in side.schema.objects.allSatisfy { object in other.schema[object.key].map { $0.sql == object.sql } ?? true }
      }
    }
    if isSame { return SchemaNames(names) }
    for (side, schema) in sides {
      let tables = schema.objects.filter { ["table", "view"].contains($0.kind) }.map(\.name)
      names += try await side.schema { db in
        tables.flatMap { name in (try? db.tableSchema(TableReference(name: name)).columns.map(\.name)) ?? [] }
      }
    }
    return SchemaNames(names)
  }

  /// Returns whether the constraints and options of a table, apart from what its columns list, are the same.
  func hasSameRules(_ first: String, _ second: String, _ columns: Set<String>) -> Bool {
    guard let rules = names.rules(of: first, columns) else { return false }
    return rules == names.rules(of: second, columns)
  }
}
