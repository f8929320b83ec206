internal import QuarryEngine

/// The objects of a database in the order of their creation, and the settings stored in the file.
struct DumpSchema {
  /// An object in `sqlite_schema`.
  struct Object {
    let type: String
    let name: String
    /// The table to which it belongs, or its own name for a table.
    let table: String
    /// The bytes of its SQL, which may be invalid UTF-8.
    let sql: [UInt8]

    /// Whether the object is a virtual table, whose rows are in shadow tables.
    var isVirtual: Bool { type == "table" && sql.starts(with: "CREATE VIRTUAL TABLE".utf8) }

    /// Whether SQLite reserves its name.
    var isReserved: Bool { name.asciiLowercased.hasPrefix("sqlite_") }
  }

  let objects: [Object]
  let encoding: DatabaseEncoding
  let userVersion: Int
  let applicationID: Int

  /// Reads the schema of a database.
  ///
  ///     SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid
  ///
  /// - Throws: `DatabaseError`, also if a name is not UTF-8, because no statement could contain it.
  init(_ database: Database) throws {
    var objects: [Object] = []
    try database.scan("SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid") { statement in
      try objects.append(
        Object(
          type: statement.columnText(at: 0), name: statement.columnText(at: 1), table: statement.columnText(at: 2),
          sql: SchemaStatement(statement.withColumnBytes(at: 3) { Array($0) }).bytes))
      return true
    }
    self.objects = objects
    encoding = try DatabaseEncoding(of: database)
    userVersion = try Int.fetchOne(database, sql: "PRAGMA main.user_version") ?? 0
    applicationID = try Int.fetchOne(database, sql: "PRAGMA main.application_id") ?? 0
  }

  /// Returns the named tables and views with their associated objects.
  ///
  /// - Parameter shadows: The shadow tables with their virtual tables.
  func restricted(to names: [String], shadows: [String: String]) -> [Object] {
    objects.filter { object in
      names.contains { name in
        object.table.isSameIdentifier(as: name) || shadows[object.table].map { $0.isSameIdentifier(as: name) } ?? false
      }
    }
  }
}

extension DumpSchema.Object {
  /// The SQL as a statement of a script.
  var statement: [UInt8] { SchemaStatement(sql).script }

  /// The statement that adds a virtual table to the schema without calling its module, which would create empty shadow tables.
  var schemaInsertion: [UInt8] {
    var out = ByteBuffer(capacity: sql.count + 200)
    out.append("INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql) VALUES('table',")
    for text in [name, table] {
      var text = text
      text.withUTF8 { out.append(sqlText: UnsafeRawBufferPointer($0)) }
      out.append(UInt8(ascii: ","))
    }
    out.append("0,")
    sql.withUnsafeBytes { out.append(sqlText: $0) }
    out.append(");\n")
    return Array(out.bytes)
  }
}
