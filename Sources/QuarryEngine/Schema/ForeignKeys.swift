/// A foreign key of one table that references another.
public struct InboundReference: Hashable, Sendable {
  /// The table with the foreign key.
  public var table: TableReference
  /// The foreign key.
  public var key: ForeignKeySchema

  /// Creates a reference.
  package init(table: TableReference, key: ForeignKeySchema) {
    self.table = table
    self.key = key
  }
}

extension InboundReference {
  /// Reads the foreign keys in the same database that reference a table, including its own.
  ///
  ///     SELECT … FROM main.sqlite_schema AS child, pragma_foreign_key_list(child.name, 'main') AS part
  ///     WHERE child.type = 'table' AND part."table" = 'Track' COLLATE NOCASE
  static func all(to reference: TableReference, in database: Database) throws -> [InboundReference] {
    let sql = """
      SELECT \(ForeignKeyPart.columns), child.name
      FROM \(reference.schemaTable) AS child, pragma_foreign_key_list(child.name, ?2) AS part
      WHERE child.type = 'table' AND part."table" = ?1 COLLATE NOCASE
      ORDER BY child.name COLLATE NOCASE, part.id DESC, part.seq
      """
    let rows = try Row.fetchAll(database, sql: sql, arguments: [reference.name, reference.database])
    let primaryKey = try reference.primaryKey(in: database)
    let parts: [ChildPart] = try rows.map { ChildPart(child: try $0.schemaText(at: 7) ?? "", part: try ForeignKeyPart($0)) }
    return parts.chunked { $0.child == $1.child && $0.part.id == $1.part.id }.map { (parts: [ChildPart]) in
      let table = TableReference(database: reference.database, name: parts[0].child)
      return InboundReference(table: table, key: ForeignKeySchema(parts.map(\.part), in: reference.database, primaryKey: primaryKey))
    }
  }
}

extension ForeignKeySchema {
  /// Reads the foreign keys of a table, in declaration order.
  package static func all(of reference: TableReference, in database: Database) throws -> [ForeignKeySchema] {
    let sql = "SELECT \(ForeignKeyPart.columns) FROM pragma_foreign_key_list(?, ?) AS part ORDER BY part.id DESC, part.seq"
    let parts = try Row.fetchAll(database, sql: sql, arguments: [reference.name, reference.database]).map { try ForeignKeyPart($0) }
    return try parts.chunked { $0.id == $1.id }.map { parts in
      let target = TableReference(database: reference.database, name: parts[0].table)
      let primaryKey = try parts.contains { $0.referencedColumn == nil } ? target.primaryKey(in: database) : []
      return ForeignKeySchema(parts, in: reference.database, primaryKey: primaryKey)
    }
  }

  /// Reads the foreign keys of all tables of a database in one statement, by table, in declaration order.
  ///
  ///     SELECT … FROM main.sqlite_schema AS child, pragma_foreign_key_list(child.name, 'main') AS part WHERE child.type = 'table' …
  ///
  /// - Parameter primaryKey: Returns the columns of a table's primary key; none if it has none or does not exist.
  static func all(
    in name: String, _ database: Database, primaryKey: (TableReference) -> [String]
  ) throws -> [IdentifierKey: [ForeignKeySchema]] {
    let sql = """
      SELECT \(ForeignKeyPart.columns), child.name
      FROM \(SQLIdentifier.quoted(name)).sqlite_schema AS child, pragma_foreign_key_list(child.name, ?1) AS part
      WHERE child.type = 'table' AND child.rootpage > 0
      ORDER BY child.rowid, part.id DESC, part.seq
      """
    let rows = try Row.fetchAll(database, sql: sql, arguments: [name])
    let parts: [ChildPart] = try rows.map { ChildPart(child: try $0.schemaText(at: 7) ?? "", part: try ForeignKeyPart($0)) }
    let keys = parts.chunked { $0.child == $1.child && $0.part.id == $1.part.id }
    return keys.reduce(into: [:]) { result, parts in
      let target = TableReference(database: name, name: parts[0].part.table)
      let needsKey = parts.contains { $0.part.referencedColumn == nil }
      let key = ForeignKeySchema(parts.map(\.part), in: name, primaryKey: needsKey ? primaryKey(target) : [])
      result[IdentifierKey(parts[0].child), default: []].append(key)
    }
  }
}

extension TableReference {
  /// Reads the columns of the table's primary key; none if it has none or does not exist.
  fileprivate func primaryKey(in connection: Database) throws -> [String] {
    let sql = "SELECT name FROM pragma_table_xinfo(?, ?) WHERE pk > 0 ORDER BY pk"
    return try String.fetchAll(connection, sql: sql, arguments: [name, database])
  }
}

/// One column of a foreign key of another table.
private struct ChildPart {
  var child: String
  var part: ForeignKeyPart
}

/// One column of a foreign key as returned by `PRAGMA foreign_key_list`.
private struct ForeignKeyPart {
  static let columns = #"part.id, part."table", part."from", part."to", part.on_delete, part.on_update, part.seq"#

  var id: Int
  var table: String
  var column: String
  /// The referenced column; nil if the declaration omits it.
  var referencedColumn: String?
  var onDelete: String
  var onUpdate: String

  init(_ row: Row) throws {
    id = try row[0]
    table = try row.schemaText(at: 1) ?? ""
    column = try row.schemaText(at: 2) ?? ""
    referencedColumn = try row.schemaText(at: 3)
    onDelete = try row[4]
    onUpdate = try row[5]
  }
}

extension ForeignKeySchema {
  /// Creates a foreign key from its columns.
  ///
  /// - Parameter primaryKey: The primary key of the referenced table, for a declaration that omits the referenced columns.
  fileprivate init(_ parts: [ForeignKeyPart], in database: String, primaryKey: [String]) {
    let declared = parts.compactMap(\.referencedColumn)
    self.init(
      columns: parts.map(\.column),
      table: TableReference(database: database, name: parts[0].table),
      referencedColumns: declared.count == parts.count ? declared : primaryKey.count == parts.count ? primaryKey : [],
      onDelete: parts[0].onDelete,
      onUpdate: parts[0].onUpdate)
  }
}

extension Array {
  /// Splits the collection into runs of elements that belong together.
  fileprivate func chunked(by belongs: (Element, Element) -> Bool) -> [[Element]] {
    reduce(into: []) { runs, element in
      if let last = runs.last?.last, belongs(last, element) {
        runs[runs.count - 1].append(element)
      } else {
        runs.append([element])
      }
    }
  }
}
