internal import QuarryEngine

/// The objects of a database in the order in which they were made, and the settings that go with the file.
struct DumpSchema {
  /// What `sqlite_schema` has of an object.
  struct Object {
    let type: String
    let name: String
    /// The table that it belongs to; of a table its own name.
    let table: String
    /// Its statement, which need not be UTF-8.
    let sql: [UInt8]

    /// Whether it is a virtual table, whose rows are in tables of their own.
    var isVirtual: Bool { type == "table" && sql.starts(with: "CREATE VIRTUAL TABLE".utf8) }

    /// Whether its name is one of those that SQLite keeps for itself.
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
  /// - Throws: `DatabaseError`, also where a name is not UTF-8: no statement could be written that names it.
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

  /// Keeps the named tables and views, with what belongs to them.
  ///
  /// - Parameter shadows: The tables in which virtual tables keep their rows, with those they belong to.
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

  /// The statement that puts a virtual table into the schema without asking its module, which would make the tables that it keeps its rows
  /// in, empty.
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
